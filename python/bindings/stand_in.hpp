// Landmarks of a Python function as bytes: a file knows kernels by name only, so in the bytes a stand-in takes the function's place, and
// the function goes beside them. For pickles; files themselves hold no stand-ins.
#pragma once

#include <optional>

#include "askrff/model.hpp"
#include "kernels.hpp"

namespace askrff::python {

/// Puts the stand-in into a Nyström map of a Python function and gives the kernel that was there. Does nothing to any other map.
std::optional<PythonKernel> take_out_function(Preparation& map);
/// The reverse. Throws std::invalid_argument if the map lacks a function and none is given, or one is given and it lacks none.
void put_back_function(Preparation& map, const std::optional<PythonKernel>& kernel);

}  // namespace askrff::python
