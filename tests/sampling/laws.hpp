// Exact one-dimensional laws the samplers are tested against.
#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/measure.hpp"

namespace askrff::test {

/// What laws of whole kernels are tested with.
inline constexpr double law_sigma = 1.7;
inline constexpr std::size_t draws_per_law = 20'000;

/// The law of z with density ∝ n(z)·wave(sz), wave = max(cos, 0), max(-cos, 0) or max(±sin, 0), by Gauss quadrature between its zeros.
class RidgeLaw {
 public:
  RidgeLaw(Part part, double sine_sign, double s) : part_(part), sine_sign_(sine_sign), s_(s) {
    // cos < 0 begins at |t| = π/2, for small s far out in the tail: densities are taken relative to the one there.
    const double quarter = std::numbers::pi / 2 / s;
    start_ = part == Part::real_negative ? quarter : 0.0;
    const double length = start_ > 4.5 ? 45 / start_ : 10.0;
    std::vector<double> positive;
    for (int i = 0; i <= 64; ++i) positive.push_back(start_ + length * i / 64);
    for (double zero = part == Part::imaginary_positive ? 0.0 : quarter; zero < start_ + length; zero += 2 * quarter)
      if (zero > start_) positive.push_back(zero);
    std::sort(positive.begin(), positive.end());
    for (std::size_t i = positive.size(); i-- > 0;) knots_.push_back(-positive[i]);
    if (start_ == 0) knots_.pop_back();
    knots_.insert(knots_.end(), positive.begin(), positive.end());
    below_.push_back(0.0);
    for (std::size_t i = 1; i < knots_.size(); ++i) {
      const bool gap = knots_[i - 1] < 0 && knots_[i] > 0;  // between the two tails of cos < 0
      below_.push_back(below_.back() + (gap ? 0.0 : integral(knots_[i - 1], knots_[i])));
    }
  }

  double cdf(double z) const {
    if (z <= knots_.front()) return 0.0;
    if (z >= knots_.back()) return 1.0;
    const auto next = static_cast<std::size_t>(std::upper_bound(knots_.begin(), knots_.end(), z) - knots_.begin());
    const bool gap = knots_[next - 1] < 0 && knots_[next] > 0;
    return (below_[next - 1] + (gap ? 0.0 : integral(knots_[next - 1], z))) / below_.back();
  }

 private:
  double integral(double from, double to) const {
    return boost::math::quadrature::gauss<double, 15>::integrate(
        [&](double z) {
          const double t = s_ * z;
          const double wave = part_ == Part::real_positive   ? std::cos(t)
                              : part_ == Part::real_negative ? -std::cos(t)
                                                             : sine_sign_ * std::sin(t);
          return std::fmax(wave, 0.0) * std::exp(-0.5 * (z - start_) * (z + start_));
        },
        from, to);
  }

  Part part_;
  double sine_sign_, s_, start_;
  std::vector<double> knots_, below_;
};

/// f(ω_j) for every drawn frequency.
template <class Function>
std::vector<double> projected(const Matrix<double>& frequencies, const Function& f) {
  std::vector<double> values(frequencies.rows());
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = f(frequencies.row(j));
  return values;
}

}  // namespace askrff::test
