// Ctrl-C as a request to stop at the next good place; a second one stops at once.
#pragma once

#include <stdexcept>
#include <string>

namespace askrff::cli {

/// While one lives, the first SIGINT or SIGTERM is remembered and answered by `answer` on standard error; the next one kills.
class Interrupt {
 public:
  /// `answer` must outlive it and end in a newline. At most one at a time.
  explicit Interrupt(const char* answer);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool was_requested();
};

/// The user stopped the work; what() says what is kept. Exit code 130.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace askrff::cli
