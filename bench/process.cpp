// Starting, hearing and ending children with posix_spawn and pipes.
#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <thread>

#include "system.hpp"

extern char** environ;  // POSIX leaves its declaration to the program

namespace askrff::bench {
namespace {

std::string error_text(int code) { return std::generic_category().message(code); }

std::vector<std::string> changed_environment(const EnvironmentChanges& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) result.push_back(text);
  }
  for (const auto& [name, value] : changes)
    if (value) result.push_back(name + "=" + *value);
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Both ends are closed in children unless handed over.
struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw ChildError("no pipe: " + error_text(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
};

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const EnvironmentChanges& changes) {
  std::vector<std::string> argument_texts = arguments, environment_texts = changed_environment(changes);
  const std::vector<char*> argv = pointers_to(argument_texts), envp = pointers_to(environment_texts);
  const Pipe requests, answers;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests.read_end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int failure = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  close(requests.read_end);
  close(answers.write_end);
  to_child_ = requests.write_end;
  from_child_ = answers.read_end;
  if (failure != 0) {
    close(to_child_);
    close(from_child_);
    throw ChildError(fmt::format("{} cannot be started: {}", arguments[0], error_text(failure)));
  }
}

Child::~Child() {
  close(to_child_);
  close(from_child_);
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);  // it holds nothing worth saving
  waitpid(pid_, nullptr, 0);
}

std::string Child::how_it_ended() {
  int status = 0;
  if (pid_ <= 0 || waitpid(pid_, &status, 0) != pid_) return "it has ended";
  pid_ = -1;
  if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
  return fmt::format("it ended with exit code {}", WEXITSTATUS(status));
}

void Child::send(std::string_view line) {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = write(to_child_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw ChildError(errno == EPIPE ? how_it_ended() : "it cannot be written to: " + error_text(errno));
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string Child::receive(double timeout_seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_seconds);
  std::array<char, 4096> buffer{};
  for (std::size_t end = 0; (end = unread_.find('\n')) == std::string::npos;) {
    const double left = std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0) throw ChildError(fmt::format("it did not answer within {:.0f} s", timeout_seconds));
    pollfd waiting{from_child_, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(left * 1000) + 1) <= 0) continue;
    const ssize_t n = read(from_child_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw ChildError(how_it_ended());
    unread_.append(buffer.data(), static_cast<std::size_t>(n));
    if (unread_.size() > 1'000'000) throw ChildError("it printed a megabyte without an end of line");
  }
  const std::size_t end = unread_.find('\n');
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

ProcessUsage run_to_its_end(const std::vector<std::string>& arguments) {
  std::vector<std::string> texts = arguments;
  const std::vector<char*> argv = pointers_to(texts);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const auto start = std::chrono::steady_clock::now();
  const int failure = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw ChildError(fmt::format("{} cannot be started: {}", arguments[0], error_text(failure)));
  // wait4's maximum would be that of this process if it is larger: a child begins with its parent's memory. So it is watched instead.
  int status = 0;
  std::size_t peak = 0;
  for (pid_t ended = 0; ended == 0;) {
    peak = std::max(peak, memory_of(std::to_string(pid), "VmHWM"));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ended = waitpid(pid, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) throw ChildError("it cannot be waited for: " + error_text(errno));
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw ChildError(fmt::format("{} {} failed", arguments[0], arguments[1]));
  return {seconds, peak};
}

int own_pid() { return static_cast<int>(getpid()); }

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

}  // namespace askrff::bench
