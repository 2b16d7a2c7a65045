// A symmetric positive definite kernel is a family: k(δ), its spectral law, and -Δk for second moments. One template makes kernel and
// measure of it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/positive_measure.hpp"
#include "askrff/errors.hpp"

namespace askrff::kernels {

/// Family: static name; double sigma; double at(δ), which falls in every |δ_i|, or bound_beyond (PositiveMeasure); double
/// log_density(ω); double tail(cut), the probability that |ω_i| > cut; void draw(random, ω); optional<double> minus_laplacian(δ); void
/// draw_from(normals, random, ω), a draw made of a given normal vector, isotropic if it is a multiple of that vector; is_gaussian; for
/// pairs of rows PairForm pair_form and from_form(values, exponentials), which turns forms into values of k in place, with pair_unit() if
/// rows have to be divided by it before the form is taken, or fill_pairs(kernel, rows, out, backend) instead of all that; and, where there
/// is a better way than the generic one, shifted_by(shift) or draw_shifted(part, shift, random, ω) of PositiveMeasure.
template <class Family>
class PositiveKernel final : public PairKernel {
 public:
  explicit PositiveKernel(Family family) : family_(std::move(family)) { positive_scale(family_.sigma, name(), "sigma"); }

  std::string name() const override { return family_.name(); }
  bool symmetric() const override { return true; }
  bool positive_definite() const override { return true; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    evaluate_rows(differences, out, [&](std::span<const double> delta) { return family_.at(delta); });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    if (dim == 0) throw InvalidArgument(name(), "the dimension is 0, expected at least 1");
    return std::make_unique<Law>(dim, family_);
  }

 private:
  void fill_values(const PairRows& rows, MatrixView<double> out, Backend backend) const override {
    if constexpr (requires { family_.fill_pairs(*this, rows, out, backend); }) {
      family_.fill_pairs(*this, rows, out, backend);
    } else {
      fill_from_form(rows, out, backend);
    }
  }
  void fill_from_form(const PairRows& rows, MatrixView<double> out, Backend backend) const {
    if constexpr (requires { family_.pair_unit(); })
      if (const double unit = family_.pair_unit(); unit != 1) {
        const PairRows scaled = rows.in_units(unit);
        fill_of_units(scaled, out, backend);
        return redo_overflown(*this, rows, scaled.X(), scaled.Y(), out);
      }
    fill_of_units(rows, out, backend);
  }
  void fill_of_units(const PairRows& rows, MatrixView<double> out, Backend backend) const {
    const Exponentials exponentials = fill_with_form(Family::pair_form, rows, out, backend);
    for (std::size_t i = 0; i < out.rows(); ++i) family_.from_form(out.row(i), exponentials);
  }

  class Law final : public measures::PositiveMeasure {
   public:
    Law(std::size_t dim, Family family) : PositiveMeasure(dim), family_(std::move(family)) {}
    double log_density(std::span<const double> omega) const override { return family_.log_density(omega); }
    double tail(double cut) const override { return family_.tail(cut); }
    void draw_one(RandomStream& random, std::span<double> omega) const override { family_.draw(random, omega); }
    NormalVectorUse normal_vector_use() const override { return {true, true, Family::isotropic, Family::isotropic}; }
    void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
      family_.draw_from(normals, random, omega);
    }
    std::optional<double> gaussian_sigma() const override {
      return Family::is_gaussian ? std::optional<double>(family_.sigma) : std::nullopt;
    }
    double transform(std::span<const double> delta) const override { return family_.at(delta); }
    std::optional<double> minus_laplacian(std::span<const double> delta) const override { return family_.minus_laplacian(delta); }
    std::optional<double> bound_beyond(std::span<const double> distances) const override {
      if constexpr (requires { family_.bound_beyond(distances); })
        return family_.bound_beyond(distances);
      else
        return family_.at(distances);
    }
    std::unique_ptr<const ComplexMeasure> shifted_by(const std::vector<double>& shift) const override {
      if constexpr (requires { family_.shifted_by(shift); })
        return family_.shifted_by(shift);
      else
        return nullptr;
    }
    bool draw_shifted(Part part, std::span<const double> shift, RandomStream& random, std::span<double> omega) const override {
      if constexpr (requires { family_.draw_shifted(part, shift, random, omega); })
        return family_.draw_shifted(part, shift, random, omega);
      else
        return false;
    }

   private:
    Family family_;
  };

  Family family_;
};

}  // namespace askrff::kernels
