# Completion of askrff in fish: the command itself says what may come next.
function __askrff_complete
    set -l typed (commandline -opc) (commandline -ct)
    for answer in ($typed[1] complete $typed[2..] 2>/dev/null)
        if test "$answer" = :files
            set -l word (commandline -ct)
            if string match -q -- '-*=*' $word
                set -l start (string replace -r '=.*' '=' -- $word)
                printf "$start%s\n" (__fish_complete_path (string replace -r '^[^=]*=' '' -- $word))
            else
                __fish_complete_path $word
            end
        else
            printf '%s\n' $answer
        end
    end
end
complete -c askrff -f -a '(__askrff_complete)'
