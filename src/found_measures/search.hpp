// The search for one measure: in whose name it refuses, who may stop it, who hears how far it is.
#pragma once

#include <string>
#include <thread>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"

namespace askrff::found_measures {

/// Why a function has no measure that can be found: one sentence for its author.
class NoMeasure : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// Why one route does not lead to it: another may.
class RouteFails final : public NoMeasure {
 public:
  using NoMeasure::NoMeasure;
};

class Search {
 public:
  explicit Search(std::string owner, Execution execution = {}) : owner_(std::move(owner)), execution_(std::move(execution)) {}

  const std::string& owner() const { return owner_; }
  const Execution& execution() const { return execution_; }
  /// Asked between pieces of work of some milliseconds, on any thread, of which the one that made this tells how far it is; done: of this
  /// step, negative where nobody knows. Throws Stopped.
  void go_on(double done = -1) const {
    execution_.stop.check();
    tell(done);
  }
  void end() const { tell(1); }

 private:
  void tell(double done) const {
    if (execution_.progress && std::this_thread::get_id() == thread_) execution_.progress({"search of the Fourier measure", done});
  }

  std::string owner_;
  Execution execution_;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace askrff::found_measures
