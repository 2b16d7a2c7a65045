// What follows from a cell's numbers.
#include "experiments/results.hpp"

#include <limits>

namespace askrff::experiments {

double Cell::difference() const {
  return paper ? (accuracy.mean - paper->mean) / allowed_deviation : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace askrff::experiments
