// What all measures that are found have in common: an envelope of |μ| that is drawn from, and the kernel that they are the measure of.
#pragma once

#include <optional>
#include <span>

#include "askrff/measure.hpp"

namespace askrff::found_measures {

/// The proposal's density is that of the envelope, which is nowhere below |μ|, over its total.
class EnvelopeMeasure : public ComplexMeasure {
 public:
  virtual double envelope_total() const = 0;
  /// k̂(δ), which is as near to the function as the measure is to its own.
  virtual double value(std::span<const double> delta) const = 0;

  std::optional<double> proposal_bound(Part) const final { return envelope_total(); }
  std::optional<double> modulus_bound() const final { return envelope_total(); }
  bool draws_exactly() const final { return true; }
};

}  // namespace askrff::found_measures
