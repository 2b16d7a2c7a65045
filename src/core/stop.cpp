// Requests to stop: one flag that all threads see, and a poll that only one of them asks.
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"

namespace askrff {

struct StopToken::State {
  using Clock = std::chrono::steady_clock;

  std::atomic<bool> requested = false;
  std::function<bool()> poll;  // may be empty
  std::thread::id owner = std::this_thread::get_id();
  Clock::time_point last_poll = {};  // of the owner alone

  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

  void ask() {
    using namespace std::chrono_literals;
    const auto now = Clock::now();
    if (now - last_poll < 20ms) return;
    last_poll = now;
    try {
      if (poll()) requested = true;
    } catch (...) {
      requested = true;
      throw;
    }
  }
};

bool StopToken::stop_requested() const noexcept { return state_ && state_->requested.load(std::memory_order_relaxed); }

void StopToken::check() const {
  if (!state_) return;
  if (state_->poll && std::this_thread::get_id() == state_->owner) state_->ask();
  if (stop_requested()) throw Stopped();
}

StopSource::StopSource() : StopSource(std::function<bool()>()) {}
StopSource::StopSource(std::function<bool()> poll) {
  token_.state_ = std::make_shared<StopToken::State>();
  token_.state_->poll = std::move(poll);
}
void StopSource::request_stop() noexcept { token_.state_->requested = true; }

}  // namespace askrff
