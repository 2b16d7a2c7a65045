// Drawing of the progress bar, at most ten times a second.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace askrff::cli {

Progress::Progress(std::string label, double total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::advance(double work) {
  using namespace std::chrono_literals;
  done_ += work;
  const auto now = Clock::now();
  if (!terminal_ || now - start_ < 1s || (shown_ && now - last_ < 100ms)) return;
  constexpr int width = 30;
  const double fraction = total_ > 0 ? std::clamp(done_ / total_, 0.0, 1.0) : 1.0;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int filled = static_cast<int>(fraction * width);
  const std::string remaining = fraction > 0 ? fmt::format("{:.0f} s left", seconds * (1 - fraction) / fraction) : "";
  const std::string bar =
      fmt::format("\r{} [{:#<{}}{:.<{}}] {:3.0f} % {}\033[K", label_, "", filled, "", width - filled, 100 * fraction, remaining);
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
  last_ = now;
}

}  // namespace askrff::cli
