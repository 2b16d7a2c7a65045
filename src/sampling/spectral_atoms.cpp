// The atoms themselves: checks and direct sums.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "askrff/atoms.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace askrff {

SpectralAtoms::SpectralAtoms(Matrix<double> frequencies, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts)
    : frequencies_(std::move(frequencies)), weights_(std::move(weights)), parts_(std::move(parts)) {
  if (frequencies_.rows() != weights_.size())
    throw std::invalid_argument(fmt::format("SpectralAtoms: {} frequencies but {} weights", frequencies_.rows(), weights_.size()));
  if (weights_.empty() || frequencies_.cols() == 0)
    throw std::invalid_argument("SpectralAtoms: no atoms, expected at least one of dimension ≥ 1");
  require_finite<double>(frequencies_, "SpectralAtoms", "frequencies");
  for (std::size_t j = 0; j < weights_.size(); ++j)
    if (!std::isfinite(std::abs(weights_[j]))) throw std::invalid_argument(fmt::format("SpectralAtoms: weight {} is not finite", j));
  for (const PartRecord& part : parts_)
    if (part.first > weights_.size() || part.count > weights_.size() - part.first)
      throw std::invalid_argument(
          fmt::format("SpectralAtoms: part {} reaches beyond the {} atoms", traits(part.part).name, weights_.size()));
}

double SpectralAtoms::weight_sum() const {
  double sum = 0;
  for (const auto& c : weights_) sum += std::abs(c);
  return sum;
}

double SpectralAtoms::operator()(std::span<const double> delta) const {
  if (delta.size() != dim())
    throw std::invalid_argument(fmt::format("SpectralAtoms: the difference has {} coordinates, the atoms {}", delta.size(), dim()));
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    const double phase = dot(frequencies_.row(j), delta);
    sum += weights_[j].real() * std::cos(phase) - weights_[j].imag() * std::sin(phase);
  }
  return sum;
}

}  // namespace askrff
