// The shift of any real measure: phases of t = r·ω on top of the base.
#include "measures/shifted_measure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "measures/half_waves.hpp"
#include "measures/positive_measure.hpp"
#include "measures/rejection.hpp"

namespace askrff::measures {
namespace {

// δ + n·shift into `point`.
void move_along(std::span<const double> delta, double n, std::span<const double> shift, std::span<double> point) {
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = delta[i] + n * shift[i];
}

// n ↦ ∫ cos(nt) cos(ω·δ) g(ω) dω = [G(δ + n r) + G(δ - n r)]/2 for the cosine transform G of g.
template <class CosineTransform>
auto wave_transform(const CosineTransform& transform, std::span<const double> delta, std::span<const double> shift) {
  return [&transform, delta, shift, point = std::vector<double>(delta.size())](double n) mutable {
    move_along(delta, +n, shift, point);
    const double forward = transform(point);
    move_along(delta, -n, shift, point);
    return 0.5 * (forward + transform(point));
  };
}

}  // namespace

ShiftedMeasure::ShiftedMeasure(std::unique_ptr<const ComplexMeasure> base, std::vector<double> shift)
    : base_(std::move(base)), positive_base_(dynamic_cast<const PositiveMeasure*>(base_.get())), shift_(std::move(shift)) {
  for (const Part part : base_->parts()) {
    const auto moments = base_->exact_moments(part);
    if (part == Part::imaginary_positive || !moments || !std::isfinite(moments->mass) || !base_->draws_exactly())
      throw InvalidArgument("shifted", "the base kernel needs a real measure with finite exact masses and an exact sampler");
    base_total_ += moments->mass;
    if (part == Part::real_positive) base_positive_ = moments->mass;
  }
  if (!positive_base_) return;

  const std::vector<double> origin(dim(), 0.0);
  const auto masses_of = [&](const auto& transform) {
    const HalfWaves waves = half_waves(wave_transform(transform, origin, shift_));
    return std::array<double, 3>{waves.cos_positive, waves.cos_negative, waves.half_abs_sin};
  };
  const auto masses = masses_of([&](std::span<const double> x) { return positive_base_->transform(x); });
  std::optional<std::array<double, 3>> second;
  if (positive_base_->minus_laplacian(origin))
    second = masses_of([&](std::span<const double> x) { return *positive_base_->minus_laplacian(x); });
  for (std::size_t i = 0; i < masses.size(); ++i) {
    // The series is exact to about 1e-15 in absolute terms: what is below that is rounding.
    const double mass = masses[i] > 2e-15 ? masses[i] : 0.0;
    const double moment = second ? (mass > 0 ? (*second)[i] / mass : 0.0) : std::numeric_limits<double>::infinity();
    moments_[i] = PartMoments{mass, std::log(mass), moment};
  }
}

ShiftedMeasure::~ShiftedMeasure() = default;

std::complex<double> ShiftedMeasure::density(std::span<const double> omega) const {
  return base_->density(omega) * std::polar(1.0, dot(shift_, omega));
}

std::optional<double> ShiftedMeasure::largest_beyond(std::span<const double> distances) const {
  return base_->largest_beyond(reduced_by(distances, shift_));
}

double ShiftedMeasure::base_value(std::span<const double> omega) const {
  return base_->proposal_bound(Part::real_positive) ? base_->proposal_ratio(omega).real() : base_->density(omega).real();
}

std::optional<double> ShiftedMeasure::proposal_bound(Part) const { return base_total_; }

Part ShiftedMeasure::draw_sign(RandomStream& random) const {
  const bool positive = base_positive_ == base_total_ || random.uniform() * base_total_ < base_positive_;
  return positive ? Part::real_positive : Part::real_negative;
}

void ShiftedMeasure::propose(RandomStream& random, std::span<double> omega) const {
  const Part part = draw_sign(random);
  base_->draw(part, random, omega);
}

// Parts of the shifted measure are found by rejection, which leaves nothing of a given vector.
NormalVectorUse ShiftedMeasure::normal_vector_use() const {
  const NormalVectorUse base = base_->normal_vector_use();
  return {.proposals = base.parts, .parts = false, .scaled_proposals = base.scaled_parts, .scaled_parts = false};
}

void ShiftedMeasure::propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  const Part part = draw_sign(random);
  base_->draw_from(part, normals, random, omega);
}

std::complex<double> ShiftedMeasure::proposal_ratio(std::span<const double> omega) const {
  // The base's own ratio, where it has one, is portable; its density need not be.
  const double sign = positive_base_ || base_value(omega) >= 0 ? 1.0 : -1.0;
  const auto phase = portable::sincos(dot(shift_, omega));
  return sign * base_total_ * std::complex<double>(phase.cos, phase.sin);
}

std::optional<PartMoments> ShiftedMeasure::exact_moments(Part part) const { return moments_[static_cast<std::size_t>(part)]; }

std::optional<std::complex<double>> ShiftedMeasure::exact_transform(Part part, std::span<const double> delta) const {
  if (!positive_base_) return std::nullopt;
  const auto transform = [&](std::span<const double> x) { return positive_base_->transform(x); };
  const double reach = static_cast<double>(scaled_norm(delta) / scaled_norm(shift_)) + 2;
  const HalfWaves waves = half_waves(wave_transform(transform, delta, shift_), reach);
  if (part == Part::real_positive) return waves.cos_positive;
  if (part == Part::real_negative) return waves.cos_negative;
  // Im: ½ ∫ sin(ω·δ) sin t dμ = ¼ [k(δ - r) - k(δ + r)].
  std::vector<double> point(dim());
  move_along(delta, -1, shift_, point);
  const double backward = transform(point);
  move_along(delta, +1, shift_, point);
  return std::complex<double>(waves.half_abs_sin, 0.25 * (backward - transform(point)));
}

std::optional<std::complex<double>> ShiftedMeasure::exact_polar_transform(std::span<const double> delta) const {
  if (!positive_base_) return std::nullopt;
  std::vector<double> point(dim());
  move_along(delta, 2, shift_, point);
  return positive_base_->transform(point);
}

void ShiftedMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (positive_base_ && positive_base_->draw_shifted(part, shift_, random, omega)) return;
  const auto& moments = moments_[static_cast<std::size_t>(part)];
  const bool hopeless = moments && moments->mass < min_share * base_total_;
  if (hopeless || !draw_by_rejection(*this, part, random, omega, max_proposals))
    throw NumericalError(fmt::format(
        "shifted kernel: part {} has {} of ||mu||, too little to be drawn (the least is {:g}); raise drop_tolerance "
        "above it to leave the part out, or use a larger shift or smaller sigma",
        traits(part).name, moments ? fmt::format("mass {:.3g}, {:.2g}", moments->mass, moments->mass / base_total_) : "a vanishing share",
        min_share));
}

}  // namespace askrff::measures
