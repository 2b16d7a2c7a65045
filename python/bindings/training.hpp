// What calls that train models share: options from keywords, and what is said of a model.
#pragma once

#include <cstdint>
#include <utility>

#include "askrff/train.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// `who` names the function.
TrainOptions train_options(const char* who, const nb::object& kernel, const nb::dict& params, std::uint64_t seed, const nb::kwargs& others);

/// The model, and {"validation", "tuning", "sizes", "warnings"}: what is said of it.
std::pair<nb::object, nb::dict> to_python(const TrainedModel& model, const nb::object& kernel);

}  // namespace askrff::python
