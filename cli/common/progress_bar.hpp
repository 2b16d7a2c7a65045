// A progress bar for people who wait: on standard error, if it is a terminal, for work of more than a second.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "askrff/execution.hpp"

namespace askrff::cli {

class ProgressBar {
 public:
  /// `total` work in units of the caller's choice.
  ProgressBar(std::string label, double total);
  /// Wipes the bar.
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void advance(double work);
  /// What is being worked on now, in place of the label.
  void relabel(std::string label);
  /// So much of the total is done in all; less than before starts anew.
  void reach(double done);
  /// Work whose amount nobody knows: "label: what" in place of the bar.
  void show(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  void wipe();
  bool is_due() const;
  void draw(const std::string& line);

  std::string label_;
  double total_, done_ = 0;
  bool terminal_, shown_ = false;
  Clock::time_point start_, last_;
};

/// A sink for Execution::progress: one bar that goes through the stages, each under its name or, if there is one, under `label`.
std::function<void(const Progress&)> stages_on_a_bar(std::string label = {});

}  // namespace askrff::cli
