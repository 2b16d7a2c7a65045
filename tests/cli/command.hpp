// Runs the executable ASKRFF_COMMAND (askrff or askrff-paper) as a user would: arguments in, exit code and two separate streams out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/emulation.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace askrff::test {

struct Outcome {
  int exit_code = -1;  ///< -signal if it was killed
  std::string out, err;
};

using Arguments = std::vector<std::string>;

inline Arguments operator+(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

namespace detail {
/// Temporary files rather than pipes: nothing can fill up and block.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

inline File temporary_file(const std::string& content = "") {
  File file(std::tmpfile(), &std::fclose);
  if (!file) throw std::runtime_error("tmpfile failed");
  std::fwrite(content.data(), 1, content.size(), file.get());
  std::rewind(file.get());
  return file;
}

inline std::string content_of(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char buffer[65536];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

/// What is executed: the command, or the emulator that runs it (ASKRFF_EMULATOR, words separated by '|'), and the arguments.
class CommandLine {
 public:
  explicit CommandLine(const Arguments& arguments) {
    std::istringstream emulator(ASKRFF_EMULATOR);
    for (std::string word; std::getline(emulator, word, '|');) words_.push_back(word);
    words_.push_back(ASKRFF_COMMAND);
    words_.insert(words_.end(), arguments.begin(), arguments.end());
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  const char* program() const { return pointers_.front(); }
  char* const* argv() const { return pointers_.data(); }

 private:
  Arguments words_;
  std::vector<char*> pointers_;
};

/// Starts it with the given descriptors as standard streams.
inline pid_t start(const Arguments& arguments, int in, int out, int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  const CommandLine command(arguments);
  pid_t child = 0;
  const int error = posix_spawn(&child, command.program(), &actions, nullptr, command.argv(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(std::string("cannot start ") + command.program());
  return child;
}

/// Runs it; returns the exit code.
inline int spawn(const Arguments& arguments, int in, int out, int err) {
  const pid_t child = start(arguments, in, out, err);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}
}  // namespace detail

/// ASKRFF_COMMAND ARGUMENTS < input
inline Outcome run(const Arguments& arguments, const std::string& input = "") {
  const auto in = detail::temporary_file(input), out = detail::temporary_file(), err = detail::temporary_file();
  Outcome outcome;
  outcome.exit_code = detail::spawn(arguments, fileno(in.get()), fileno(out.get()), fileno(err.get()));
  outcome.out = detail::content_of(out.get());
  outcome.err = detail::content_of(err.get());
  return outcome;
}

/// Runs with standard output on the given descriptor; out stays empty.
inline Outcome run_onto(int out, const Arguments& arguments) {
  const auto in = detail::temporary_file(), err = detail::temporary_file();
  Outcome outcome;
  outcome.exit_code = detail::spawn(arguments, fileno(in.get()), out, fileno(err.get()));
  outcome.err = detail::content_of(err.get());
  return outcome;
}

/// Why run_limited(…, RLIMIT_AS, …) would limit nothing here, or too much; empty if it does what it should.
inline std::string no_limit_of_addresses() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "sanitizers reserve terabytes of addresses";
#elif defined(__APPLE__)
  return "macOS does not keep to limits of addresses";
#else
  return is_emulated() ? "qemu-user does not keep to limits of addresses, which would be its own as well" : "";
#endif
}

/// Runs with a limit of the system's, RLIMIT_AS or another.
inline Outcome run_limited(const Arguments& arguments, int resource, rlim_t most) {
  const auto in = detail::temporary_file(), out = detail::temporary_file(), err = detail::temporary_file();
  const detail::CommandLine command(arguments);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{most, most}, no_core{0, 0};
    setrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(fileno(in.get()), STDIN_FILENO);
    dup2(fileno(out.get()), STDOUT_FILENO);
    dup2(fileno(err.get()), STDERR_FILENO);
    execv(command.program(), command.argv());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), detail::content_of(out.get()), detail::content_of(err.get())};
}

/// The JSON object of a call that must succeed and print nothing else.
inline nlohmann::json run_json(const Arguments& arguments, const std::string& input = "") {
  const Outcome outcome = run(arguments + Arguments{"--json"}, input);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1) << outcome.out;
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out;
  return json.is_object() ? json : nlohmann::json::object();
}

inline std::string program_name() { return std::filesystem::path(ASKRFF_COMMAND).filename().string(); }

/// One line on standard error that starts with the program's name and holds every one of `parts`; nothing on standard output.
inline void expect_one_line_error(const Outcome& outcome, int exit_code, const std::vector<std::string>& parts) {
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind(program_name() + ": ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(!outcome.err.empty() && outcome.err.back() == '\n');
  for (const std::string& part : parts) EXPECT_NE(outcome.err.find(part), std::string::npos) << "no \"" << part << "\" in: " << outcome.err;
}

/// The call or the input is wrong: exit code 2.
inline void expect_refused(const Arguments& arguments, const std::vector<std::string>& parts = {}, const std::string& input = "") {
  std::string line;
  for (const std::string& argument : arguments) line += " " + argument;
  SCOPED_TRACE(program_name() + line);
  expect_one_line_error(run(arguments, input), 2, parts);
}

}  // namespace askrff::test
