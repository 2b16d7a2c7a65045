// A kernel made of a user's function of differences. Its Fourier measure is found numerically.
#pragma once

#include <memory>

#include "askrff/function_form.hpp"
#include "askrff/kernels.hpp"

namespace askrff {

/// The kernel k(δ) = f(δ). Its measure in d dimensions is found by form.route when it is first asked for, and kept; measure_reason() says
/// how, and how near it is. The function is called on blocks of up to 16 384 differences, some of them far out (up to 1e120) and very close
/// to 0 (1e-121), where it may return anything once it has fallen to nothing. Of a function whose measure is not found in automatic mode
/// measure() is null, and every weight is fitted to data; a route that was asked for and does not fit throws InvalidArgument there. Throws
/// InvalidArgument for an empty function, a direction that is zero or not finite, a tolerance outside 1e-8 … 0.1.
std::unique_ptr<Kernel> function_kernel(BlockFunction f, FunctionForm form = {});

}  // namespace askrff
