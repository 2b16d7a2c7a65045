// A complex density on a grid of frequencies in 1 to 3 dimensions, linear along every axis between its points: the measure of a function
// that has no other form.
#pragma once

#include <complex>
#include <vector>

#include "found_measures/envelope_measure.hpp"

namespace askrff::found_measures {

/// values: at the frequencies step[i]·n_i, |n_i| ≤ half[i], the last axis fastest; the value at -ω is the conjugate of that at ω. The mass
/// of a grid point is spread as a pyramid over the cells around it. Proposal: pyramids weighted by |values|.
class GridMeasure final : public EnvelopeMeasure {
 public:
  GridMeasure(std::vector<double> step, std::vector<std::size_t> half, std::vector<std::complex<double>> values);

  double envelope_total() const override { return size_; }
  std::size_t dim() const override { return step_.size(); }
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;

  /// By a sum over all points.
  double value(std::span<const double> delta) const override;

 private:
  struct Here {
    std::complex<double> value;
    double envelope;
  };
  Here at(std::span<const double> omega) const;

  std::vector<double> step_;
  std::vector<std::size_t> half_;
  std::vector<std::complex<double>> values_;
  std::vector<double> cumulative_;
  double size_ = 0, cell_ = 1;
  bool has_imaginary_ = false, has_negative_ = false, has_positive_ = false;
};

}  // namespace askrff::found_measures
