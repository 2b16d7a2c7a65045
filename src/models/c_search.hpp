// The search for the best C: values that were given, or a grid that goes on beyond its ends while that gains.
#pragma once

#include <functional>
#include <vector>

#include "askrff/linear.hpp"

namespace askrff::models {

/// Where the values of C lie that are to be tried: the first ones, or beyond an end of those tried so far.
enum class Reach { start, above, below };

/// given: all values to be tried; empty: default_c_grid(), going on as it says, up to `largest`. try_values(c, reach) gives what the folds
/// say of values in increasing order; what could not be solved for is not finite.
CrossValidation search_c(const std::vector<double>& given, double largest,
                         const std::function<CrossValidation(const std::vector<double>& c, Reach reach)>& try_values);

}  // namespace askrff::models
