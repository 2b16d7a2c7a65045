// cos·cos = ½(cos of the difference + cos of the sum), and so on: products of features are sums over rows at sums and differences of their
// frequencies.
#include "models/grid_gram.hpp"

#include <cmath>
#include <complex>

namespace askrff::models {
namespace {

/// Σ s e^{-iω·x} at any frequency within the shape: those that are not kept are conjugates.
std::complex<double> sum_at(const Spectrum& sums, const nufft::GridShape& shape, std::array<std::ptrdiff_t, 3> number) {
  const bool mirrored = number[2] < 0;
  if (mirrored)
    for (std::ptrdiff_t& n : number) n = -n;
  const auto axis = [&](std::size_t k) { return static_cast<std::size_t>(number[k] + static_cast<std::ptrdiff_t>(shape.half[k])); };
  const std::size_t at = (axis(0) * shape.modes(1) + axis(1)) * shape.modes(2) + static_cast<std::size_t>(number[2]);
  return {sums.re[at], mirrored ? -sums.im[at] : sums.im[at]};
}

}  // namespace

GridGram::GridGram(const SpectralAtoms& atoms, const nufft::GridShape& shape, const nufft::GridShape& double_shape)
    : shape_(shape), double_shape_(double_shape), roots_(atoms.size()), numbers_(atoms.size()) {
  for (std::size_t j = 0; j < atoms.size(); ++j) roots_[j] = std::sqrt(std::abs(atoms.weights()[j]));
  nufft::for_each_mode(shape, [&](std::size_t, std::size_t j, bool conjugate, std::size_t a, std::size_t b, std::size_t c) {
    const auto number = [&](std::size_t place, std::size_t half) {
      const auto n = static_cast<std::ptrdiff_t>(place) - static_cast<std::ptrdiff_t>(half);
      return conjugate ? -n : n;
    };
    numbers_[j] = {number(a, shape.half[0]), number(b, shape.half[1]), number(c, 0)};
  });
}

Matrix<double> GridGram::products(const Spectrum& ones) const {
  const std::size_t n = roots_.size();
  Matrix<double> gram(2 * n, 2 * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      Number sum, difference;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] = numbers_[j][axis] + numbers_[k][axis];
        difference[axis] = numbers_[j][axis] - numbers_[k][axis];
      }
      const std::complex<double> plus = sum_at(ones, double_shape_, sum), minus = sum_at(ones, double_shape_, difference);
      const double scale = 0.5 * roots_[j] * roots_[k];
      gram(j, k) = scale * (minus.real() + plus.real());
      gram(n + j, n + k) = scale * (minus.real() - plus.real());
      gram(n + j, k) = -scale * (plus.imag() + minus.imag());  // sin of j, cos of k
      gram(n + k, j) = -scale * (plus.imag() - minus.imag());
    }
  return gram;
}

std::vector<double> GridGram::moments(const Spectrum& modes) const {
  const std::size_t n = roots_.size();
  std::vector<double> out(2 * n);
  nufft::for_each_mode(shape_, [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
    out[j] = roots_[j] * modes.re[place];
    out[n + j] = roots_[j] * (conjugate ? modes.im[place] : -modes.im[place]);
  });
  return out;
}

Spectrum GridGram::modes_of(std::span<const double> u) const {
  const std::size_t n = roots_.size();
  Spectrum v(shape_.n_modes());
  nufft::for_each_mode(shape_, [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
    const double factor = (j == 0 ? 1.0 : 0.5) * roots_[j];
    v.re[place] = factor * u[j];
    v.im[place] = j == 0 ? 0 : factor * (conjugate ? u[n + j] : -u[n + j]);
  });
  return v;
}

}  // namespace askrff::models
