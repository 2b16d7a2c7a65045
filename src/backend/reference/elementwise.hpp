// Functions of arrays in the reference backend.
#pragma once

#include "backend/elementwise.hpp"

namespace askrff::backend::reference {

/// As Primitives::elementwise says.
void elementwise(Elementwise function, const Operand* operands, double* out, std::size_t n);

}  // namespace askrff::backend::reference
