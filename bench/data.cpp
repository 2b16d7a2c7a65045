// Random rows from the library's own streams; maps of the Gaussian kernel.
#include "data.hpp"

#include <algorithm>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/random.hpp"

namespace askrff::bench {

template <class T>
Matrix<T> normal_rows(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix<T> X(rows, dim);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (T& value : X.row(i)) value = static_cast<T>(random.normal());
  }
  return X;
}

template <class T>
Matrix<T> touched(std::size_t rows, std::size_t cols) {
  Matrix<T> memory(rows, cols);
  std::fill_n(memory.data(), rows * cols, T(0));
  return memory;
}

template Matrix<float> normal_rows(std::size_t, std::size_t, std::uint64_t);
template Matrix<double> normal_rows(std::size_t, std::size_t, std::uint64_t);
template Matrix<float> touched(std::size_t, std::size_t);
template Matrix<double> touched(std::size_t, std::size_t);

FeatureMap gaussian_map(std::size_t dim, std::size_t n_frequencies) {
  const auto kernel = gaussian({.sigma = std::sqrt(static_cast<double>(dim))});
  return FeatureMap(approximate(*kernel, dim, {.n_frequencies = n_frequencies}));
}

}  // namespace askrff::bench
