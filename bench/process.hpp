// Child processes that are talked to line by line: probes that may crash, and the Python worker.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::bench {

/// The child could not be started, died or did not answer in time; the text says which.
class ChildError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Variables to set, or to remove where there is no value.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// Its standard input and output are pipes to us, its standard error is thrown away. Killed when the object goes.
class Child {
 public:
  /// arguments[0] is the program's path. Throws ChildError.
  Child(const std::vector<std::string>& arguments, const EnvironmentChanges& changes);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Sends `line` and a newline. Throws ChildError.
  void send(std::string_view line);
  /// The next line it prints, without the newline. Throws ChildError.
  std::string receive(double timeout_seconds);

 private:
  std::string how_it_ended();

  pid_t pid_ = -1;
  int to_child_ = -1, from_child_ = -1;
  std::string unread_;
};

/// What a program took from its start to its end.
struct ProcessUsage {
  double seconds = 0;
  std::size_t peak_bytes = 0;  ///< its largest resident memory, mapped files included
};
/// Runs a program to its end, its output thrown away. Throws ChildError if it cannot be started or does not end with exit code 0.
ProcessUsage run_to_its_end(const std::vector<std::string>& arguments);

/// Of this process.
int own_pid();
/// The path of this very program.
std::string own_path();

}  // namespace askrff::bench
