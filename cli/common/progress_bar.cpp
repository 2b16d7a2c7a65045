// Drawing of the progress bar, at most ten times a second.
#include "progress_bar.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

namespace askrff::cli {
namespace {

std::string time_left(double seconds) {
  return seconds < 120 ? fmt::format("{:.0f} s left", seconds) : fmt::format("{:.0f} min left", seconds / 60);
}

/// Columns of the terminal; a line that fills them all would wrap, and could not be drawn over.
std::size_t terminal_columns() {
  struct winsize size {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The beginning of a text, at most so many bytes, no character torn.
std::string beginning(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace

ProgressBar::ProgressBar(std::string label, double total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (std::exchange(shown_, false)) std::fputs("\r\033[K", stderr);
}

bool ProgressBar::is_due() const {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  return terminal_ && now - start_ >= 1s && (!shown_ || now - last_ >= 100ms);
}

void ProgressBar::draw(const std::string& line) {
  std::fputs(("\r" + beginning(line, terminal_columns() - 1) + "\033[K").c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
  last_ = Clock::now();
}

void ProgressBar::advance(double work) {
  done_ += work;
  if (!is_due()) return;
  constexpr int width = 30;
  const double fraction = total_ > 0 ? std::clamp(done_ / total_, 0.0, 1.0) : 1.0;
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  const int filled = static_cast<int>(fraction * width);
  const std::string remaining = fraction > 0 ? time_left(seconds * (1 - fraction) / fraction) : "";
  const std::string bar = fmt::format(" [{:#<{}}{:.<{}}] {:3.0f} % {}", "", filled, "", width - filled, 100 * fraction, remaining);
  const std::size_t columns = terminal_columns() - 1;
  draw(beginning(label_, columns > bar.size() ? columns - bar.size() : 0) + bar);
}

void ProgressBar::relabel(std::string label) {
  label_ = std::move(label);
  advance(0);
}

void ProgressBar::reach(double done) {
  if (done < done_) start_ = Clock::now();
  done_ = done;
  if (done_ >= total_) return wipe();  // whoever reads may hold on to the source; others have bars, too
  advance(0);
}

void ProgressBar::show(const std::string& what) {
  if (is_due()) draw(label_ + ": " + what);
}

std::function<void(const Progress&)> stages_on_a_bar(std::string label) {
  return [label = std::move(label), stage = std::string(), bar = std::shared_ptr<ProgressBar>()](const Progress& progress) mutable {
    if (!bar || stage != progress.stage) {
      stage = progress.stage;
      bar = std::make_shared<ProgressBar>(label.empty() ? stage : label, 1);
    }
    if (progress.done < 0)
      bar->show("…");
    else
      bar->reach(progress.done);
  };
}

}  // namespace askrff::cli
