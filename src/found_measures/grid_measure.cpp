// Sums over corners of a cell, and over all points.
#include "found_measures/grid_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "measures/rejection.hpp"

namespace askrff::found_measures {

GridMeasure::GridMeasure(std::vector<double> step, std::vector<std::size_t> half, std::vector<std::complex<double>> values)
    : step_(std::move(step)), half_(std::move(half)), values_(std::move(values)) {
  for (const double each : step_) cell_ *= each;
  cumulative_.reserve(values_.size());
  for (const std::complex<double>& value : values_) {
    size_ += cell_ * std::sqrt(value.real() * value.real() + value.imag() * value.imag());
    cumulative_.push_back(size_);
    has_imaginary_ = has_imaginary_ || value.imag() != 0;
    has_negative_ = has_negative_ || value.real() < 0;
    has_positive_ = has_positive_ || value.real() > 0;
  }
}

std::vector<Part> GridMeasure::parts() const {
  std::vector<Part> present;
  if (has_positive_) present.push_back(Part::real_positive);
  if (has_negative_) present.push_back(Part::real_negative);
  if (has_imaginary_) present.push_back(Part::imaginary_positive);
  return present;
}

GridMeasure::Here GridMeasure::at(std::span<const double> omega) const {
  std::array<double, 3> share{};
  std::array<std::ptrdiff_t, 3> first{};
  for (std::size_t i = 0; i < dim(); ++i) {
    const double x = omega[i] / step_[i], floor = std::floor(x), half = static_cast<double>(half_[i]);
    if (!(x > -half - 1 && x < half + 1)) return {0.0, 0.0};
    share[i] = x - floor;
    first[i] = static_cast<std::ptrdiff_t>(floor) + static_cast<std::ptrdiff_t>(half_[i]);
  }
  double re = 0, im = 0, envelope = 0;
  for (std::size_t corner = 0; corner < (std::size_t{1} << dim()); ++corner) {
    double weight = 1;
    std::size_t index = 0;
    bool inside = true;
    for (std::size_t i = 0; i < dim(); ++i) {
      const bool upper = (corner >> i & 1) != 0;
      const std::ptrdiff_t place = first[i] + (upper ? 1 : 0);
      weight *= upper ? share[i] : 1 - share[i];
      inside = inside && place >= 0 && place <= 2 * static_cast<std::ptrdiff_t>(half_[i]);
      index = index * (2 * half_[i] + 1) + static_cast<std::size_t>(std::max<std::ptrdiff_t>(place, 0));
    }
    if (!inside || weight == 0) continue;
    const std::complex<double>& value = values_[index];
    re += weight * value.real();
    im += weight * value.imag();
    envelope += weight * std::sqrt(value.real() * value.real() + value.imag() * value.imag());
  }
  return {{re, im}, envelope};
}

std::complex<double> GridMeasure::density(std::span<const double> omega) const { return at(omega).value; }

std::complex<double> GridMeasure::proposal_ratio(std::span<const double> omega) const {
  const Here here = at(omega);
  if (!(here.envelope > 0)) return 0;
  return {size_ * (here.value.real() / here.envelope), size_ * (here.value.imag() / here.envelope)};
}

// A point, and for every axis the sum of two uniform numbers around it: their law is the pyramid.
void GridMeasure::propose(RandomStream& random, std::span<double> omega) const {
  const auto found = std::ranges::upper_bound(cumulative_, random.uniform() * size_);
  std::size_t index = std::min(static_cast<std::size_t>(found - cumulative_.begin()), values_.size() - 1);
  for (std::size_t i = dim(); i-- > 0;) {
    const std::size_t side = 2 * half_[i] + 1;
    const double place = static_cast<double>(index % side) - static_cast<double>(half_[i]);
    index /= side;
    const double u = random.uniform(), v = random.uniform();
    omega[i] = step_[i] * (place + (u + v - 1));
  }
}

void GridMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (!measures::draw_by_rejection(*this, part, random, omega, measures::max_proposals))
    throw NumericalError(
        "function on a grid",
        fmt::format("part {} is too small a share of the measure to be drawn; use the polar estimator", traits(part).name));
}

double GridMeasure::value(std::span<const double> delta) const {
  double spread = cell_;  // of a pyramid: (sin(x)/x)² for every axis, x half a step times δ
  for (std::size_t i = 0; i < dim(); ++i) {
    const double x = 0.5 * step_[i] * delta[i], sinc = std::fabs(x) > 1e-8 ? portable::sincos(x).sin / x : 1.0;
    spread *= sinc * sinc;
  }
  double sum = 0;
  std::vector<std::size_t> place(dim(), 0);
  for (const std::complex<double>& value : values_) {
    double phase = 0;
    for (std::size_t i = 0; i < dim(); ++i) phase += delta[i] * step_[i] * (static_cast<double>(place[i]) - static_cast<double>(half_[i]));
    const auto wave = portable::sincos(phase);
    sum += value.real() * wave.cos - value.imag() * wave.sin;
    for (std::size_t i = dim(); i-- > 0;) {
      if (++place[i] <= 2 * half_[i]) break;
      place[i] = 0;
    }
  }
  return spread * sum;
}

}  // namespace askrff::found_measures
