// Drawing of the progress bar, at most ten times a second.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace askrff::cli {
namespace {

std::string time_left(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s left", seconds) : fmt::format("{:.0f} min left", seconds / 60);
}

}  // namespace

Progress::Progress(std::string label, double total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

Progress::~Progress() { wipe(); }

void Progress::wipe() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

bool Progress::is_due() const {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  return terminal_ && now - start_ >= 1s && (!shown_ || now - last_ >= 100ms);
}

void Progress::draw(const std::string& line) {
  std::fputs(("\r" + line + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
  last_ = Clock::now();
}

void Progress::advance(double work) {
  done_ += work;
  if (!is_due()) return;
  constexpr int width = 30;
  const double fraction = total_ > 0 ? std::clamp(done_ / total_, 0.0, 1.0) : 1.0;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const int filled = static_cast<int>(fraction * width);
  const std::string remaining = fraction > 0 ? time_left(seconds * (1 - fraction) / fraction) : "";
  draw(fmt::format("{} [{:#<{}}{:.<{}}] {:3.0f} % {}", label_, "", filled, "", width - filled, 100 * fraction, remaining));
}

void Progress::relabel(std::string label) {
  label_ = std::move(label);
  advance(0);
}

void Progress::reach(double done) {
  if (done < done_) start_ = Clock::now();
  done_ = done;
  if (done_ >= total_) return wipe();  // whoever reads may hold on to the source; others have bars, too
  advance(0);
}

void Progress::show(const std::string& what) {
  if (is_due()) draw(label_ + ": " + what);
}

}  // namespace askrff::cli
