// What the registry needs to know of kernels by expression.
#pragma once

#include <string_view>
#include <vector>

#include "askrff/kernels.hpp"
#include "kernels/expression_form.hpp"

namespace askrff::kernels {

/// Of "expr: FORMULA" with a value for every parameter of it. Throws InvalidArgument with the column if one is missing or does not fit.
std::unique_ptr<Kernel> expression_kernel(std::string_view name, const ParameterValues& values);

}  // namespace askrff::kernels
