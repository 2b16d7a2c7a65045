// The measure of a product of functions of one coordinate each: tables multiply, phases add.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "found_measures/envelope_measure.hpp"
#include "found_measures/tabulated_line.hpp"

namespace askrff::found_measures {

/// k(δ) = factor · Π_i f_i(δ_i), f_i the function of lines[which[i]]; in one dimension the factor is 1. Proposal: the product of the
/// tables' envelopes. In one dimension masses, moments and draws of parts are exact; in more, parts of measures with phases are drawn by
/// rejection, and their masses are sums of half waves, absent where these converge too slowly.
class ProductMeasure final : public EnvelopeMeasure {
 public:
  ProductMeasure(std::vector<std::shared_ptr<const TabulatedLine>> lines, std::vector<std::size_t> which, double factor);

  double envelope_total() const override { return envelope_; }
  std::size_t dim() const override { return which_.size(); }
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return total_; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override;
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  /// With what is not known of μ: a grid for a tolerance below that is refused.
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

  double value(std::span<const double> delta) const override;

 private:
  const TabulatedLine& line(std::size_t i) const { return *lines_[which_[i]]; }
  bool is_one_sign() const;  // the measure is positive, or negative
  Part only_part() const { return scale_ > 0 ? Part::real_positive : Part::real_negative; }
  std::optional<std::array<double, 3>> masses() const;
  std::optional<std::array<double, 3>> find_masses() const;

  std::vector<std::shared_ptr<const TabulatedLine>> lines_;
  std::vector<std::size_t> which_;
  double scale_ = 1, total_ = 0, envelope_ = 0;  // scale_: of the product of tables in their units
  double relative_error_ = 0;                    // of the measure, as far as it is known, relative to the envelope
  bool all_real_ = true, all_on_axes_ = true;
  int turns_ = 0;  // lines that are imaginary
  mutable std::once_flag masses_found_;
  mutable std::optional<std::array<double, 3>> masses_;
};

}  // namespace askrff::found_measures
