"""Pages of the command line's reference: what `askrff --help` and `askrff SUBCOMMAND --help` print, option by option."""

import re
import subprocess

from rst import rst, title

# As CLI11 prints an option or subcommand: two blanks, its name and value, and its help from column 28 on, beside it or on the next lines.
COLUMN = 28
ENTRY = re.compile(r"  (?! )(\S.*)")


def help_of(command, *arguments):
    return subprocess.run([command, *arguments, "--help"], capture_output=True, encoding="utf-8", check=True).stdout


def entry_start(line):
    """Name and start of the help of a line that begins an entry."""
    entry = ENTRY.fullmatch(line)[1]
    at = COLUMN - 2
    if len(entry) > at and entry[at - 1] == " ":
        return entry[:at].strip(), entry[at:]
    return entry.strip(), ""


def parse(text):
    """Description, usage, sections of entries (name, lines of help), and what follows them."""
    lines = text.rstrip("\n").split("\n")
    usage = next(i for i, line in enumerate(lines) if line.startswith("Usage: "))
    description, rest = "\n".join(lines[:usage]).strip(), lines[usage + 1 :]
    sections, heading = [], None
    while rest:
        line = rest[0]
        if heading is None and line and not re.fullmatch(r"[A-Z][A-Za-z ]*:", line):
            break
        if line and heading is None:
            following = rest[1] if len(rest) > 1 else ""
            if line == "Examples:" or not ENTRY.fullmatch(following):
                break
            heading = line.rstrip(":")
            sections.append((heading, []))
        elif not line:
            heading = None
        elif ENTRY.fullmatch(line):
            name, start = entry_start(line)
            sections[-1][1].append((name, [start] if start else []))
        elif line.startswith(" " * COLUMN):
            sections[-1][1][-1][1].append(line[COLUMN:])
        else:
            raise ValueError(f"--help has a line nobody understands: {line!r}")
        rest = rest[1:]
    return description, lines[usage].removeprefix("Usage: "), sections, "\n".join(rest).strip("\n")


def block(lines, indent="   "):
    """Help of an option: its lines are filled anew where they were wrapped, by the rule of cli/common/manual.cpp."""
    made, is_wrapped = [], False
    for line in lines:
        if not line.strip():
            continue
        is_remark = line.startswith("(") and line.endswith(")")
        if is_wrapped and not line.startswith(" ") and not is_remark and not re.match(r"[a-z0-9/-]+: ", line):
            made[-1] += " " + line.strip()
        else:
            made.append(line.strip())
        is_wrapped = 60 <= len(line) <= 90
    return "".join(f"{indent}| {rst(line)}\n" for line in made)


def entry(name, help_lines):
    """An option as Sphinx has them: it can be linked to and is in the index."""
    words = name.split(" ")
    required = words[-1] == "REQUIRED"
    if required:
        words = words[:-1]
    shown, default = " ".join(words), None
    if found := re.fullmatch(r"(\S+ [^=]*(?<!NAME)(?<!LABEL))=(.+)", shown):  # "N=5", but not "NAME=VALUE"
        shown, default = found.groups()
    if shown.startswith("-"):
        shown = shown.replace("-h,--help", "-h, --help")
    text = f".. option:: {shown}\n\n"
    return text + ("   | Required.\n" if required else "") + block(help_lines) + (f"   | Default: {rst(default)}\n" if default else "") + "\n"


def footer(text):
    """What --help ends with; indented lines are commands."""
    made, literal = "", False
    for line in text.split("\n"):
        if line.startswith("  "):
            made += ("" if literal else "\n.. code-block:: none\n\n") + "   " + line[2:] + "\n"
            literal = True
        else:
            made += ("\n" if literal or not line else "") + (f"| {rst(line)}\n" if line else "")
            literal = False
    return made + "\n"


def page(name, text):
    description, usage, sections, rest = parse(text)
    made = title(name) + f".. program:: {name}\n\n" + "".join(f"{rst(line)}\n" for line in description.split("\n")) + f"\n.. code-block:: none\n\n   {usage}\n\n"
    for heading, entries in sections:
        if heading == "Subcommands":
            made += title(heading, "-") + ".. list-table::\n   :widths: auto\n\n"
            made += "".join(f"   * - :doc:`{sub}`\n     - {rst(' '.join(lines))}\n" for sub, lines in entries) + "\n"
        else:
            made += title(heading, "-") + "".join(entry(option, lines) for option, lines in entries)
    return made + (title("Notes", "-") + footer(rest) if rest else "")


def pages(command):
    whole = help_of(command)
    names = [name for heading, entries in parse(whole)[2] if heading == "Subcommands" for name, _ in entries]
    made = {f"{name}.rst": page(f"askrff {name}", help_of(command, name)) for name in names}
    made["index.rst"] = page("askrff", whole).replace("askrff\n======\n", "Command line\n============\n", 1)
    made["index.rst"] += ".. toctree::\n   :hidden:\n\n" + "".join(f"   {name}\n" for name in names)
    return made
