// The sums of ridge regression as a dictionary of arrays and numbers, and back: what a pickle keeps of them.
#pragma once

#include "askrff/ridge.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// {"folds": [{"gram", "moments", "feature_sums", "target_sums", "target_norms", "n_rows"}, …], "origin", "feature_origin", "epsilon"}
nb::dict to_python(RidgeMoments moments);
/// Throws TypeError or KeyError for what is no such dictionary; whether sizes fit together the library says.
RidgeMoments moments_from(const nb::dict& dictionary);

}  // namespace askrff::python
