// Starts, feeds and ends children.
#include "experiments/report/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;  // POSIX leaves its declaration to the program

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& program, const std::string& what, int error) {
  throw std::runtime_error(fmt::format("{}: {}: {}", program.string(), what, std::generic_category().message(error)));
}

/// Streams of the child are files without a name: unlike pipes they never fill up, and a child that ends early raises no signal here.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File stream(const fs::path& program, std::string_view content = "") {
  File file(std::tmpfile(), &std::fclose);
  if (!file) fail(program, "no temporary file", errno);
  ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
  if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() || std::fflush(file.get()) != 0)
    fail(program, "cannot write a temporary file", errno);
  std::rewind(file.get());
  return file;
}

std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 65536> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;) text.append(buffer.data(), n);
  return text;
}

pid_t start(const fs::path& program, const std::vector<std::string>& arguments, const std::array<int, 3>& streams) {
  std::vector<std::string> texts{program.string()};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int target = 0; target < 3; ++target) posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(target)], target);
  // A group of its own: Ctrl-C is for us, who then finish what is begun, and its own children are ended with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(program, "cannot be started", error);
  return pid;
}

/// Waits, and kills at the deadline; returns whether it had to, and the status.
std::pair<bool, int> wait_for(pid_t pid, std::chrono::milliseconds time_out) {
  const auto deadline = std::chrono::steady_clock::now() + time_out;
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid) return {false, status};
    if (ended < 0 && errno != EINTR) return {false, -1};  // somebody else has collected it
    if (std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(-pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return {true, status};
}

}  // namespace

std::optional<fs::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    const fs::path candidate = fs::path(folder) / name;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

ChildOutcome run_child(const fs::path& program, const std::vector<std::string>& arguments, std::string_view input,
                       std::chrono::milliseconds time_out) {
  const File in = stream(program, input), out = stream(program), err = stream(program);
  const pid_t pid = start(program, arguments, {::fileno(in.get()), ::fileno(out.get()), ::fileno(err.get())});
  const auto [timed_out, status] = wait_for(pid, time_out);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), timed_out, content_of(out.get()), content_of(err.get())};
}

}  // namespace askrff::experiments
