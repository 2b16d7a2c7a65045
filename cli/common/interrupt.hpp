// Ctrl-C as a request to stop: the work ends as soon as it looks; a second one ends the program at once.
#pragma once

#include <stdexcept>
#include <string>

#include "askrff/execution.hpp"

namespace askrff::cli {

/// That of the program's one source of stops; every subcommand's Execution has it.
StopToken stop_token();

/// From now on the first SIGINT, SIGTERM or SIGHUP requests a stop, and the next one kills, once unfinished files have been removed. Called
/// once, before any work.
void stop_on_signals();

/// While one lives, a signal is answered by `answer` on standard error: for work that ends at a good place of its own. `answer` must
/// outlive it and end in a newline. At most one at a time.
class SignalAnswer {
 public:
  explicit SignalAnswer(const char* answer);
  ~SignalAnswer();
  SignalAnswer(const SignalAnswer&) = delete;
  SignalAnswer& operator=(const SignalAnswer&) = delete;
};

/// The user stopped the work; what() says what is kept. Exit code 130.
class StoppedByUser : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace askrff::cli
