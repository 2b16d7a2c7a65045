// A progress bar for people who wait: on standard error, if it is a terminal, for work of more than a second.
#pragma once

#include <chrono>
#include <string>

namespace askrff::cli {

class Progress {
 public:
  /// `total` work in units of the caller's choice.
  Progress(std::string label, double total);
  /// Wipes the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

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

}  // namespace askrff::cli
