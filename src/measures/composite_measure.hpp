// Measures made of others: scaled, sums, convolutions. What such a measure must be asked before it is used.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <span>

#include "askrff/measure.hpp"

namespace askrff::measures {

class CompositeMeasure : public ComplexMeasure {
 public:
  /// Whether density() can be called: a convolution has none.
  virtual bool knows_density() const = 0;
};

inline bool knows_density(const ComplexMeasure& measure) {
  const auto* composite = dynamic_cast<const CompositeMeasure*>(&measure);
  return !composite || composite->knows_density();
}

/// Whether it can be drawn with weights: by itself, or from a proposal.
bool has_weighted_draws(const ComplexMeasure& measure);

/// Whether draw_modulus() can draw from |μ|: ∫|μ| and a bound of |μ/g| are known.
bool draws_moduli(const ComplexMeasure& measure);

/// Fills omega with a draw from |μ|/∫|μ| and returns μ/|μ| there. Throws NumericalError if nothing is accepted.
std::complex<double> draw_modulus(const ComplexMeasure& measure, RandomStream& random, std::span<double> omega);

}  // namespace askrff::measures
