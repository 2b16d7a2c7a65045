// From a user's function to its Fourier measure: what the function is made of, decided by its values, and the transform that suits it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "askrff/execution.hpp"
#include "askrff/function_form.hpp"
#include "askrff/measure.hpp"

namespace askrff::found_measures {

struct FoundMeasure {
  std::shared_ptr<const ComplexMeasure> measure;  ///< null: none was found, or none was wanted
  Route route = Route::calibrated;
  std::string reason;  ///< what was found and how near it is, or why there is none
  double error = 0;    ///< of k̂, relative to the largest |k|: an estimated bound, or what was seen at test points if that is more
};

/// Automatic: the first of product, radial, ridge and grid (up to 3 dimensions) whose form the function has, to a sixteenth of the
/// tolerance on pseudo-random differences; without any, where the transform is refused, or where ∫|μ| is more than 200 times the largest
/// |k|, no measure and the reason. Another route: that one, or NoMeasure (an InvalidArgument). What the function throws comes out. The same
/// bits for functions that differ by roundings alone, but for a chance of a few in ten thousand (line_profile.hpp). Throws InvalidArgument
/// for a form that check_form refuses, or dim 0; Stopped.
FoundMeasure measure_of_function(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Execution& execution = {});

/// Throws InvalidArgument, in the form's name, for a tolerance outside 1e-8 … 0.1 or a direction that is zero or not finite.
void check_form(const FunctionForm& form);

}  // namespace askrff::found_measures
