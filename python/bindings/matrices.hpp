// Kernel matrices that Python knows by their products.
#pragma once

#include <memory>

#include "askrff/kernel_matrix.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// What has shape, matmat(V) and rmatmat(V). To be made and destroyed under the lock of the interpreter, which it takes for every product.
std::unique_ptr<const LinearMap> operator_map(const nb::object& K);

}  // namespace askrff::python
