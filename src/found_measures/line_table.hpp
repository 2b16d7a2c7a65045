// A complex density on the line, linear between knots: the Fourier measure of a function of one variable as it is drawn from. What is
// stated of it is true of the table itself, exactly; how far the table is from the function's own measure is error().
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askrff/measure.hpp"
#include "found_measures/half_law.hpp"
#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

/// μ(-ω) is the conjugate of μ(ω), because f is real: knots are at ω ≥ 0. In units: frequencies in 1/x_unit, masses in f_unit of the
/// profile.
class LineTable {
 public:
  /// Knots are added where the line between two of them is farthest from the transform, until all of it is within a quarter of
  /// tolerance · max|f|, and outwards until less than that is left. Throws NoMeasure if what is missing stays above a hundredth of
  /// max|f|.
  LineTable(const LineProfile& profile, double tolerance, const Search& search);

  /// A bound, by estimate, of ∫|μ - table|, which is one of |k - k̂| too.
  double error() const { return error_; }
  std::size_t n_knots() const { return knots_.size(); }

  std::complex<double> density(double omega) const;
  /// ∫|μ|.
  double total() const { return total_; }
  /// ∫ of the envelope: linear between the knots' |μ|, so that it is nowhere below |μ|.
  double envelope_total() const { return 2 * envelope_.mass(); }
  /// μ over the envelope at ω, at most 1 in modulus; 0 beyond the last knot.
  std::complex<double> envelope_ratio(double omega) const;
  /// The share u of the envelope, 0 < u < 1, lies below this frequency.
  double envelope_quantile(double u) const;
  double mass(Part part) const;
  /// ∫ω² part(dω); absent where it hangs on the last knots: that of f need not be finite.
  std::optional<double> second_moment(Part part) const;
  /// A frequency of the normalised part for a uniform u; of the parts that are even, in ascending order.
  double part_quantile(Part part, double u) const;
  /// Of the envelope, on both sides together.
  double mass_beyond(double cut) const { return 2 * envelope_.mass_beyond(cut); }
  /// k̂(x) = ∫ e^{iωx} μ(dω).
  double transform(double x) const;
  /// ∫ |μ| e^{inθ}, θ = arg μ, for n = 0, 2, … 2(count - 1); real, because θ is odd.
  std::vector<double> phase_moments(std::size_t count) const;

  bool is_real() const { return parity_ == LineParity::even; }
  bool is_imaginary() const { return parity_ == LineParity::odd; }
  bool is_positive() const { return is_real() && laws_[1].mass() == 0; }

 private:
  class Builder;
  void finish();
  void fill_laws();
  void drop_unknown_parts();
  std::size_t piece_of(double omega) const;

  std::vector<double> knots_;
  std::vector<std::complex<double>> values_;
  LineParity parity_ = LineParity::none;
  HalfLaw envelope_, laws_[3];
  double error_ = 0, total_ = 0;
  bool has_moments_ = false;
};

}  // namespace askrff::found_measures
