// Inputs of the rows: random data, feature maps, and memory that has been touched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/features.hpp"
#include "askrff/views.hpp"

namespace askrff::bench {

/// Standard normal entries. T: float or double.
template <class T>
Matrix<T> normal_rows(std::size_t rows, std::size_t dim, std::uint64_t seed);

/// Zeros in memory the system has really given: a page is given when it is first written, which would be timed otherwise.
template <class T>
Matrix<T> touched(std::size_t rows, std::size_t cols);

/// Features of the Gaussian kernel with σ = √dim: phases of standard normal data are of order 1 whatever dim.
FeatureMap gaussian_map(std::size_t dim, std::size_t n_frequencies);

}  // namespace askrff::bench
