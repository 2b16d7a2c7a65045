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
std::atomic<bool> requested = false;
std::atomic<const char*> answer_of_now = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free);

extern "C" void remember(int) {
  const int before = errno;
  for (const int each : signals) signal(each, SIG_DFL);  // the next one kills, whichever it is
  requested = true;
  const char* answer = answer_of_now;
  if (answer != nullptr && write(STDERR_FILENO, answer, std::strlen(answer)) < 0) {
    // There is nobody to tell.
  }
  errno = before;
}

}  // namespace

Interrupt::Interrupt(const char* answer) {
  requested = false;
  answer_of_now = answer;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

Interrupt::~Interrupt() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
  answer_of_now = nullptr;
}

bool Interrupt::was_requested() { return requested; }

}  // namespace askrff::cli
