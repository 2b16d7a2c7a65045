// The search for one measure: in whose name it refuses, who may stop it, who hears how far it is.
#pragma once

#include <string>
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
  /// Asked between pieces of work of some milliseconds; done: of this step, negative where nobody knows. Throws Stopped.
  void go_on(double done = -1) const {
    execution_.stop.check();
    tell(done);
  }
  void end() const { tell(1); }

 private:
  void tell(double done) const {
    if (execution_.progress) execution_.progress({"search of the Fourier measure", done});
  }

  std::string owner_;
  Execution execution_;
};

}  // namespace askrff::found_measures
