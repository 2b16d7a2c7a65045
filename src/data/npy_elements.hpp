// Elements of NPY files as doubles.
#pragma once

#include <cstddef>

#include "data/npy_header.hpp"

namespace askrff::data {

/// out[i·stride] = element i of `count` at `bytes`, which need no alignment; 64-bit integers are rounded to the nearest double.
using ConvertElements = void (*)(const char* bytes, std::size_t count, double* out, std::size_t stride);

ConvertElements converter_of(const NpyHeader& header);

}  // namespace askrff::data
