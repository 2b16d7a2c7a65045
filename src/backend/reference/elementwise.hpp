// Functions of arrays in the reference backend.
#pragma once

#include "backend/elementwise.hpp"

namespace askrff::backend::reference {

/// As Primitives::elementwise says.
void elementwise(const Step* steps, std::size_t n_steps, double* out, std::size_t n);

}  // namespace askrff::backend::reference
