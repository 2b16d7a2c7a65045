// Writes the numbers of a report, and runs the program that makes its page.
#include "experiments/report/report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "askrff/output_file.hpp"
#include "command_text.hpp"

extern char** environ;  // POSIX leaves its declaration to the program

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;

constexpr int package_missing = 3;  // as report.py says

void write_file(const fs::path& path, std::string_view bytes) {
  OutputFile file(path.string(), "report");
  file.append(bytes);
  file.finish();
}

/// Where it was when this was compiled, or in the project this program was built in, which may have been moved since.
fs::path report_program() {
  std::error_code ignored;
  if (fs::exists(ASKRFF_REPORT_PROGRAM, ignored)) return ASKRFF_REPORT_PROGRAM;
  const fs::path moved = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../../experiments/report/report.py";
  return fs::exists(moved, ignored) ? moved : fs::path();
}

struct Outcome {
  int error = 0;           ///< of starting it
  bool timed_out = false;  ///< and was ended
  int exit_code = 0;       ///< -signal if one ended it
  std::string said = {};   ///< the last line
};

std::string last_line(std::FILE* file) {
  std::rewind(file);
  std::string line, last;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) {
    if (c != '\n')
      line += static_cast<char>(c);
    else if (!line.empty())
      last = std::exchange(line, "");
  }
  return line.empty() ? last : line;
}

/// Waits for it, and ends it and its children when it takes too long, or still runs some seconds after a request to stop.
std::pair<bool, int> wait_for(pid_t pid, const PageLimits& limits) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds max_time_after_stop(10);  // drawing takes less
  Clock::time_point deadline = Clock::now() + limits.max_time;
  bool stopping = false;
  for (int status = 0;;) {
    const bool late = Clock::now() > deadline;
    if (late) ::kill(-pid, SIGKILL);
    const pid_t ended = ::waitpid(pid, &status, late ? 0 : WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return {late, status};
    if (!stopping && limits.should_stop && limits.should_stop()) {
      stopping = true;
      deadline = std::min<Clock::time_point>(deadline, Clock::now() + max_time_after_stop);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

/// In a group of its own: Ctrl-C is for us, who then finish what is begun.
Outcome run_python(std::string script, std::string folder, const PageLimits& limits) {
  // A file without a name: unlike a pipe it never fills up.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> words(std::tmpfile(), &std::fclose);
  if (!words) return {.error = errno};
  ::fcntl(::fileno(words.get()), F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) posix_spawn_file_actions_adddup2(&actions, ::fileno(words.get()), stream);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string python = "python3";
  const std::array<char*, 4> argv{python.data(), script.data(), folder.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, python.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return {.error = error};
  const auto [timed_out, status] = wait_for(pid, limits);
  return {.timed_out = timed_out, .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), .said = last_line(words.get())};
}

}  // namespace

void write_numbers(const Results& results, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(fmt::format("report: cannot create the folder '{}': {}", folder.string(), error.message()));
  const Json json = json_of(results);
  for (const auto& [name, content] : csv_files(json)) write_file(folder / name, content);
  write_file(folder / "results.json", json.dump(1) + '\n');
}

PageProblem make_page(const fs::path& folder, const PageLimits& limits) {
  const fs::path script = report_program();
  if (script.empty())
    return {fmt::format("no page was made: {} is not there; the numbers are in {}", ASKRFF_REPORT_PROGRAM, folder.string())};
  const auto problem = [&](const std::string& why, bool failed) -> PageProblem {
    return {fmt::format("no page was made: {}; the numbers are kept, and this makes the page later: python3 {} {}", why,
                        cli::shell_word(script.string()), cli::shell_word(folder.string())),
            failed};
  };
  std::error_code ignored;
  fs::remove(folder / "index.html", ignored);  // a page of other numbers than those beside it
  const Outcome outcome = run_python(script.string(), folder.string(), limits);
  if (outcome.error != 0)
    return problem(fmt::format("python3 cannot be started: {}", std::generic_category().message(outcome.error)), false);
  if (outcome.timed_out) return problem("python3 took too long and was ended", true);
  if (outcome.exit_code == package_missing) return problem(outcome.said, false);
  if (outcome.exit_code < 0) return problem(fmt::format("python3 was ended by signal {}", -outcome.exit_code), true);
  if (outcome.exit_code > 0)
    return problem(outcome.said.empty() ? fmt::format("python3 failed with exit code {}", outcome.exit_code)
                                        : fmt::format("python3 failed and said \"{}\"", outcome.said),
                   true);
  if (!fs::exists(folder / "index.html", ignored)) return problem("python3 ended well but wrote none", true);
  return {};
}

}  // namespace askrff::experiments
