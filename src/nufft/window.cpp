// A polynomial for every cell of the window, by interpolation at Chebyshev's points, and the window's transform by Gauss' rule.
#include "nufft/window.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

namespace askrff::nufft {
namespace {

/// Σ_p a_p t^p, equal to f at n Chebyshev points of [-1, 1]. In long double: powers of t lose a digit for every other degree.
template <class Function>
std::vector<long double> interpolating_polynomial(std::size_t n, const Function& f) {
  std::vector<long double> values(n), chebyshev(n), previous(n), current(n), powers(n);
  const auto angle = [&](std::size_t i) {
    return std::numbers::pi_v<long double> * (static_cast<long double>(i) + 0.5L) / static_cast<long double>(n);
  };
  for (std::size_t i = 0; i < n; ++i) values[i] = f(std::cos(angle(i)));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) chebyshev[k] += values[i] * std::cos(static_cast<long double>(k) * angle(i));
    chebyshev[k] *= (k == 0 ? 1.0L : 2.0L) / static_cast<long double>(n);
  }
  previous[0] = 1;                                          // T_0
  for (std::size_t i = 0; i < n; ++i) current[i] = i == 1;  // T_1
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) powers[i] += chebyshev[k] * previous[i];
    std::vector<long double> next(n);
    for (std::size_t i = 0; i < n; ++i) next[i] = (i > 0 ? 2 * current[i - 1] : 0.0L) - previous[i];
    previous = std::exchange(current, std::move(next));
  }
  return powers;
}

}  // namespace

template <class T>
Window<T>::Window(double tolerance) {
  constexpr double finest = sizeof(T) == sizeof(float) ? 1e-6 : 1e-14;
  width_ = static_cast<std::size_t>(std::clamp(std::ceil(-std::log10(std::max(tolerance, finest))) + 1, 3.0, 16.0));
  degree_ = width_ + 2;
  beta_ = 2.3 * static_cast<double>(width_);
  constexpr std::size_t padded = backend::GridWindow<T>::max_width;
  coefficients_ = AlignedBuffer<T>((degree_ + 1) * padded);
  std::fill_n(coefficients_.data(), coefficients_.size(), T{0});
  const auto width = static_cast<long double>(width_);
  for (std::size_t l = 0; l < width_; ++l) {
    const auto at_cell = [&](long double t) {
      const long double z = 2 * ((t + 1) / 2 + static_cast<long double>(l)) / width - 1;
      return static_cast<long double>(std::exp(static_cast<long double>(beta_) * (std::sqrt(std::max(0.0L, 1 - z * z)) - 1)));
    };
    const auto polynomial = interpolating_polynomial(degree_ + 1, at_cell);
    for (std::size_t p = 0; p <= degree_; ++p) coefficients_[p * padded + l] = static_cast<T>(polynomial[p]);
  }
}

template <class T>
double Window<T>::value(double z) const {
  return std::exp(beta_ * (std::sqrt(std::max(0.0, 1 - z * z)) - 1));
}

template <class T>
std::vector<double> Window<T>::transform(std::size_t n_cells, std::size_t count, const StopToken& stop) const {
  // cos(kθ) by its recurrence, which begins anew before rounding adds up.
  constexpr std::size_t anew = 32;
  std::vector<double> out(count);
  const double half = static_cast<double>(width_) / 2;
  boost::math::quadrature::gauss<double, 60> rule;
  const auto add_node = [&](double node, double weight) {
    stop.check();
    const double x = half * node, factor = half * weight * value(node);
    const double theta = 2 * std::numbers::pi * x / static_cast<double>(n_cells), twice = 2 * std::cos(theta);
    double before = 0, now = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (k % anew == 0) {
        now = std::cos(static_cast<double>(k) * theta);
        before = std::cos((static_cast<double>(k) - 1) * theta);
      }
      out[k] += factor * now;
      before = std::exchange(now, twice * now - before);
    }
  };
  for (std::size_t i = 0; i < rule.abscissa().size(); ++i) add_node(rule.abscissa()[i], 2 * rule.weights()[i]);  // both halves
  return out;
}

template class Window<float>;
template class Window<double>;

}  // namespace askrff::nufft
