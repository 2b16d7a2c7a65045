// From outputs to classes.
#include "askrff/linear.hpp"

#include <algorithm>

namespace askrff {

std::size_t class_of_outputs(std::span<const double> outputs) {
  if (outputs.size() == 1) return outputs[0] > 0 ? 1 : 0;
  return static_cast<std::size_t>(std::ranges::max_element(outputs) - outputs.begin());
}

}  // namespace askrff
