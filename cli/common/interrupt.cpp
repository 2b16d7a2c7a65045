// The signal handler: only what is allowed in one.
#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "askrff/output_file.hpp"

namespace askrff::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
std::atomic<bool> is_requested = false;
std::atomic<StopSource*> source_of_now = nullptr;
std::atomic<const char*> answer_of_now = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<StopSource*>::is_always_lock_free &&
              std::atomic<const char*>::is_always_lock_free);

StopSource& source() {
  static StopSource only;
  return only;
}

/// As the signal would by itself, but that nothing unfinished is left behind.
void end_at_once(int number) {
  remove_unfinished_files();
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
}

extern "C" void request_stop(int number) {
  const int before = errno;
  if (is_requested.exchange(true)) end_at_once(number);
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
  for (const int number : signals) {
    struct sigaction inherited {};
    const bool is_ignored = sigaction(number, nullptr, &inherited) == 0 && inherited.sa_handler == SIG_IGN;
    if (number != SIGHUP || !is_ignored) sigaction(number, &action, nullptr);  // nohup means it
  }
}

SignalAnswer::SignalAnswer(const char* answer) { answer_of_now = answer; }
SignalAnswer::~SignalAnswer() { answer_of_now = nullptr; }

}  // namespace askrff::cli
