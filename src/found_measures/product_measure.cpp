// Products over coordinates.
#include "found_measures/product_measure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/errors.hpp"
#include "core/portable_quantiles.hpp"
#include "measures/rejection.hpp"

namespace askrff::found_measures {

ProductMeasure::ProductMeasure(std::vector<std::shared_ptr<const TabulatedLine>> lines, std::vector<std::size_t> which, double factor)
    : lines_(std::move(lines)), which_(std::move(which)), scale_(factor) {
  total_ = envelope_ = 1;
  for (std::size_t i = 0; i < which_.size(); ++i) {
    const LineTable& table = line(i).table;
    scale_ *= line(i).height();
    total_ *= table.total();
    envelope_ *= table.envelope_total();
    relative_error_ += table.error() / table.envelope_total();
    all_real_ = all_real_ && table.is_real();
    all_on_axes_ = all_on_axes_ && (table.is_real() || table.is_imaginary());
    turns_ += table.is_imaginary() ? 1 : 0;
  }
  total_ *= std::fabs(scale_);
  envelope_ *= std::fabs(scale_);
  if (!(total_ > 0) || !std::isfinite(envelope_))
    throw NoMeasure("product of functions", fmt::format("∫|μ| is {:.3g} in {} dimensions, expected a number that fits", total_, dim()));
}

bool ProductMeasure::is_one_sign() const {
  for (const auto& line : lines_)
    if (!line->table.is_positive()) return false;
  return true;
}

std::vector<Part> ProductMeasure::parts() const {
  if (is_one_sign()) return {only_part()};
  if (dim() == 1) {
    std::vector<Part> present;
    for (const Part part : all_parts)
      if (line(0).table.mass(part) > 0) present.push_back(part);
    return present;
  }
  if (!all_on_axes_) return {all_parts.begin(), all_parts.end()};
  if (turns_ % 2 != 0) return {Part::imaginary_positive};
  return {Part::real_positive, Part::real_negative};
}

std::complex<double> ProductMeasure::density(std::span<const double> omega) const {
  std::complex<double> product = scale_;
  for (std::size_t i = 0; i < dim(); ++i) product *= line(i).table.density(omega[i] * line(i).length()) * line(i).length();
  return product;
}

std::complex<double> ProductMeasure::proposal_ratio(std::span<const double> omega) const {
  double re = scale_ < 0 ? -envelope_ : envelope_, im = 0;
  for (std::size_t i = 0; i < dim(); ++i) {
    const std::complex<double> ratio = line(i).table.envelope_ratio(omega[i] * line(i).length());
    const double next = re * ratio.real() - im * ratio.imag();
    im = re * ratio.imag() + im * ratio.real();
    re = next;
  }
  return {re, im};
}

void ProductMeasure::propose(RandomStream& random, std::span<double> omega) const {
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = line(i).table.envelope_quantile(random.uniform()) / line(i).length();
}

void ProductMeasure::propose_from(std::span<const double> normals, RandomStream&, std::span<double> omega) const {
  for (std::size_t i = 0; i < omega.size(); ++i)
    omega[i] = line(i).table.envelope_quantile(portable::normal_share(normals[i])) / line(i).length();
}

NormalVectorUse ProductMeasure::normal_vector_use() const { return {.proposals = true, .parts = dim() == 1 || is_one_sign()}; }

void ProductMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (is_one_sign()) return propose(random, omega);
  if (dim() == 1) {
    omega[0] = line(0).table.part_quantile(part, random.uniform()) / line(0).length();
    return;
  }
  const auto known = masses();
  const double mass = known ? (*known)[static_cast<std::size_t>(part)] : envelope_;
  if (mass < measures::min_share * envelope_ || !measures::draw_by_rejection(*this, part, random, omega, measures::max_proposals))
    throw NumericalError("product of functions",
                         fmt::format("part {} is too small a share of ∫|μ| to be drawn (the least is {:g}); use the polar estimator, or a "
                                     "drop_tolerance above that share",
                                     traits(part).name, measures::min_share));
}

void ProductMeasure::draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  if (is_one_sign()) return propose_from(normals, random, omega);
  omega[0] = line(0).table.part_quantile(part, portable::normal_share(normals[0])) / line(0).length();
}

std::optional<PartMoments> ProductMeasure::exact_moments(Part part) const {
  const auto known = masses();
  if (!known) return std::nullopt;
  const double mass = (*known)[static_cast<std::size_t>(part)];
  PartMoments moments{mass, mass > 0 ? std::log(mass) : -std::numeric_limits<double>::infinity(), std::nullopt};
  if (mass == 0) {
    moments.second_moment = 0;
  } else if (dim() == 1) {
    if (const auto second = line(0).table.second_moment(part))
      moments.second_moment = *second / line(0).table.mass(part) / (line(0).length() * line(0).length());
  } else if (is_one_sign()) {
    double sum = 0;
    for (std::size_t i = 0; i < dim(); ++i) {
      const auto second = line(i).table.second_moment(Part::real_positive);
      if (!second) return moments;
      sum += *second / line(i).table.total() / (line(i).length() * line(i).length());
    }
    moments.second_moment = sum;
  }
  return moments;
}

std::optional<std::array<double, 3>> ProductMeasure::masses() const {
  std::call_once(masses_found_, [&] { masses_ = find_masses(); });
  return masses_;
}

// Of max(±cos θ, 0) and ½|sin θ|, θ the sum of the lines' phases, by their Fourier series: half_waves.hpp has the formulas.
std::optional<std::array<double, 3>> ProductMeasure::find_masses() const {
  const double size = std::fabs(scale_);
  if (dim() == 1) {
    const LineTable& table = line(0).table;
    return std::array{size * table.mass(Part::real_positive), size * table.mass(Part::real_negative),
                      size * table.mass(Part::imaginary_positive)};
  }
  if (is_one_sign()) return scale_ > 0 ? std::array{total_, 0.0, 0.0} : std::array{0.0, total_, 0.0};
  double signed_total = scale_;  // ∫ Re μ
  for (std::size_t i = 0; i < dim(); ++i) {
    const LineTable& table = line(i).table;
    signed_total *= table.mass(Part::real_positive) - table.mass(Part::real_negative);
  }
  if (all_on_axes_) {
    if (turns_ % 2 != 0) return std::array{0.0, 0.0, 0.5 * total_};
    return std::array{0.5 * (total_ + signed_total), 0.5 * (total_ - signed_total), 0.0};
  }
  constexpr std::size_t n_terms = 1025;
  std::vector<double> waves(n_terms, 1.0);
  std::vector<std::vector<double>> moments;
  for (const auto& each : lines_) moments.push_back(each->table.phase_moments(n_terms));
  for (std::size_t i = 0; i < dim(); ++i)
    for (std::size_t n = 0; n < n_terms; ++n) waves[n] *= moments[which_[i]][n];
  double plain = 0, alternating = 0, latest = 0;
  for (std::size_t n = 1; n < n_terms; ++n) {
    const double m = static_cast<double>(n), term = size * waves[n] / (4 * m * m - 1);
    plain += term;
    alternating += n % 2 != 0 ? term : -term;
    if (n > n_terms / 2) latest = std::max(latest, std::fabs(size * waves[n]));
  }
  if (latest / (4 * n_terms) > 1e-7 * total_) return std::nullopt;  // what follows may count
  const double even = (total_ + 2 * alternating) / std::numbers::pi;
  return std::array{std::max(0.0, even + 0.5 * signed_total), std::max(0.0, even - 0.5 * signed_total),
                    std::max(0.0, (total_ - 2 * plain) / std::numbers::pi)};
}

std::optional<double> ProductMeasure::mass_beyond(std::size_t coordinate, double cut) const {
  const LineTable& table = line(coordinate).table;
  return envelope_ * (table.mass_beyond(cut * line(coordinate).length()) / table.envelope_total() + relative_error_);
}

std::optional<double> ProductMeasure::largest_beyond(std::span<const double> distances) const {
  double product = std::fabs(scale_);
  for (std::size_t i = 0; i < dim(); ++i) product *= line(i).largest_beyond(distances[i]);
  return product;
}

double ProductMeasure::value(std::span<const double> delta) const {
  double product = scale_;
  for (std::size_t i = 0; i < dim(); ++i) product *= line(i).table.transform(delta[i] / line(i).length());
  return product;
}

}  // namespace askrff::found_measures
