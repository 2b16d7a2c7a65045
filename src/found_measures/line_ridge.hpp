// The measure of a Gaussian across one direction times any function along it.
#pragma once

#include <memory>
#include <vector>

#include "found_measures/envelope_measure.hpp"
#include "found_measures/tabulated_line.hpp"

namespace askrff::found_measures {

/// k(δ) = f(a·δ) exp(-‖δ - (a·δ)a‖²/2σ²), a a unit vector: a table along a, N(0, 1/σ²) across it. Masses and draws of parts are those of
/// the table, in any dimension.
class LineRidge final : public EnvelopeMeasure {
 public:
  LineRidge(std::shared_ptr<const TabulatedLine> line, std::vector<double> direction, double sigma);

  double envelope_total() const override { return line_->height() * line_->table.envelope_total(); }
  std::size_t dim() const override { return direction_.size(); }
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return line_->height() * line_->table.total(); }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override { return {.proposals = true, .parts = true}; }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  /// With what is not known of μ: a grid for a tolerance below that is refused.
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

  double value(std::span<const double> delta) const override;
  std::span<const double> direction() const { return direction_; }
  double sigma() const { return sigma_; }

 private:
  double along(std::span<const double> omega) const;   // a·ω in units of the table
  void lift(double t, std::span<double> omega) const;  // a standard normal vector → frequency with a·ω = t/length

  std::shared_ptr<const TabulatedLine> line_;
  std::vector<double> direction_;
  double sigma_;
};

}  // namespace askrff::found_measures
