// The signal handler: only what is allowed in one.
#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace askrff::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM};
std::atomic<StopSource*> source_of_now = nullptr;
std::atomic<const char*> answer_of_now = nullptr;
static_assert(std::atomic<StopSource*>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

StopSource& source() {
  static StopSource only;
  return only;
}

extern "C" void request_stop(int) {
  const int before = errno;
  for (const int each : signals) signal(each, SIG_DFL);  // the next one kills, whichever it is
  source_of_now.load()->request_stop();
  const char* answer = answer_of_now;
  if (answer != nullptr && write(STDERR_FILENO, answer, std::strlen(answer)) < 0) {
    // There is nobody to tell.
  }
  errno = before;
}

}  // namespace

StopToken stop_token() { return source().token(); }

void stop_on_signals() {
  source_of_now = &source();
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

SignalAnswer::SignalAnswer(const char* answer) { answer_of_now = answer; }
SignalAnswer::~SignalAnswer() { answer_of_now = nullptr; }

}  // namespace askrff::cli
