// Σ w_i μ_i: the measure of a sum of kernels.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "measures/composite_measure.hpp"

namespace askrff::measures {

/// A part is *plain* where what the terms bring to it has one sign: then its mass is their sum, and a draw is one of a term's own part.
/// Real parts are plain unless several terms meet in both signs, the imaginary one if one term alone has any. Where a part is not, none of
/// that is known: it is drawn by rejection from the mixture of the |μ_i|, where all terms can be drawn so, and the whole with weights.
class MixtureMeasure final : public CompositeMeasure {
 public:
  struct Term {
    double weight;  ///< of either sign, not 0
    std::shared_ptr<const ComplexMeasure> measure;
  };
  /// At least one term, all of one dimension.
  explicit MixtureMeasure(std::vector<Term> terms);

  std::size_t dim() const override { return terms_.front().measure->dim(); }
  bool knows_density() const override;
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part part) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override;
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  bool draws_exactly() const override;
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override { return draws_moduli_ ? std::optional(total_size_) : bound_; }
  bool draws_weighted() const override;
  std::complex<double> draw_weighted(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> draw_weighted_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

 private:
  /// The part of a term that its weight turns into this one; of the imaginary part the mirror image where the weight is negative.
  static Part source_of(Part part, double weight);
  bool has_part(std::size_t term, Part part) const { return has_part_[term][static_cast<std::size_t>(part)]; }
  bool is_plain(Part part) const { return is_plain_[static_cast<std::size_t>(part)]; }
  bool one_sign() const;
  std::size_t choose(std::span<const double> shares, double total, RandomStream& random) const;
  /// A term for a draw of a plain part.
  std::size_t choose_term_of(Part part, RandomStream& random) const;

  std::vector<Term> terms_;
  std::vector<std::array<bool, 3>> has_part_;      // of a term, its weight's sign counted
  std::array<bool, 3> is_present_{}, is_plain_{};  // of the whole
  std::vector<double> sizes_;                      // of terms: |w|·∫|μ|, or what stands for it
  double total_size_ = 0;
  bool draws_moduli_ = true;     // from every |μ_i|
  std::optional<double> bound_;  // Σ|w| sup|μ_i/g_i|
};

}  // namespace askrff::measures
