// A kernel for people who do not know its bandwidth: stretched to the median distance of the data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// The median distance of `n_pairs` random pairs of different rows (all of them if there are no more), leaving out pairs of equal rows:
/// where exp(-‖δ‖²/2σ²) varies over the data. Throws std::invalid_argument for fewer than two rows, numbers that are not finite, or rows
/// that are all the same.
double median_distance(MatrixView<const double> X, std::uint64_t seed, Distance distance = Distance::euclidean,
                       std::size_t n_pairs = 20'000);

/// The kernel a caller chose, with all its parameters. Where he gave no sigma it is the median distance of the rows, and all lengths among
/// the parameters he left out are stretched with it: the default shape of the kernel, as large as the data. So a shift stays in proportion,
/// and a skew does not overflow. Where all rows are the same there is nothing to stretch it to, and the defaults stay. Throws
/// InvalidArgument as make_kernel and median_distance, and for vectors that have not X.cols() values.
NamedKernel fitted_kernel(const KernelChoice& choice, MatrixView<const double> X, std::uint64_t seed);

}  // namespace askrff
