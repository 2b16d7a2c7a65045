// What the trainers share: labels and folds from arrays, and what cross-validation says as a dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arrays.hpp"
#include "askrff/cross_validation.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// Whole numbers from 0 to n_values - 1 of a one-dimensional array of n_rows int64, int32 or uint32. Throws TypeError for another dtype,
/// ValueError for another size or a number out of range; `who` and `what` name function and argument.
std::vector<std::uint32_t> codes_of(const Array& array, std::size_t n_rows, std::size_t n_values, const char* who, const char* what);

/// {"c", "mean", "std"} and "scores", values of C × folds; None if nothing was tried.
nb::object describe(const CrossValidation& validation);

}  // namespace askrff::python
