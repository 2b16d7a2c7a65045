// The atoms themselves: checks and direct sums.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/atoms.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace askrff {

SpectralAtoms::SpectralAtoms(Matrix<double> frequencies, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts)
    : frequencies_(std::make_shared<const Matrix<double>>(std::move(frequencies))), weights_(std::move(weights)), parts_(std::move(parts)) {
  if (frequencies_->rows() != weights_.size())
    throw InvalidArgument("SpectralAtoms", fmt::format("{} frequencies but {} weights", frequencies_->rows(), weights_.size()));
  if (weights_.empty() || frequencies_->cols() == 0)
    throw InvalidArgument("SpectralAtoms", "no atoms, expected at least one of dimension ≥ 1");
  require_finite<double>(*frequencies_, "SpectralAtoms", "frequencies");
  check();
}

void SpectralAtoms::check() const {
  for (std::size_t j = 0; j < weights_.size(); ++j)
    if (!std::isfinite(std::abs(weights_[j]))) throw InvalidArgument("SpectralAtoms", fmt::format("weight {} is not finite", j));
  for (const PartRecord& part : parts_)
    if (part.first > weights_.size() || part.count > weights_.size() - part.first)
      throw InvalidArgument("SpectralAtoms", fmt::format("part {} reaches beyond the {} atoms", traits(part.part).name, weights_.size()));
}

SpectralAtoms::SpectralAtoms(HadamardBlocks blocks, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts)
    : SpectralAtoms(blocks.frequencies(), std::move(weights), std::move(parts)) {
  structure_ = std::make_shared<const HadamardBlocks>(std::move(blocks));
}

SpectralAtoms::SpectralAtoms(FrequencyGrid grid, std::vector<std::complex<double>> weights)
    : SpectralAtoms(grid.frequencies(), std::move(weights)) {
  grid_ = std::make_shared<const FrequencyGrid>(std::move(grid));
}

double SpectralAtoms::weight_sum() const {
  double sum = 0;
  for (const auto& c : weights_) sum += std::abs(c);
  return sum;
}

double SpectralAtoms::operator()(std::span<const double> delta) const {
  if (delta.size() != dim())
    throw InvalidArgument("SpectralAtoms", fmt::format("the difference has {} coordinates, the atoms {}", delta.size(), dim()));
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    const double phase = dot(frequencies_->row(j), delta);
    sum += weights_[j].real() * std::cos(phase) - weights_[j].imag() * std::sin(phase);
  }
  return sum;
}

SpectralAtoms SpectralAtoms::reweighted(std::vector<std::complex<double>> weights) const { return reweighted(std::move(weights), parts_); }

SpectralAtoms SpectralAtoms::reweighted(std::vector<std::complex<double>> weights, std::vector<PartRecord> parts) const {
  if (weights.size() != size())
    throw InvalidArgument("SpectralAtoms::reweighted", fmt::format("{} weights, there are {} atoms", weights.size(), size()));
  SpectralAtoms atoms = *this;
  atoms.weights_ = std::move(weights);
  atoms.parts_ = std::move(parts);
  atoms.check();
  return atoms;
}

SpectralAtoms SpectralAtoms::with_provenance(Provenance provenance) const {
  SpectralAtoms atoms = *this;
  atoms.provenance_ = std::move(provenance);
  return atoms;
}

SpectralAtoms SpectralAtoms::selected(std::span<const std::size_t> atoms) const {
  Matrix<double> frequencies(atoms.size(), dim());
  std::vector<std::complex<double>> weights;
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    if (atoms[j] >= size())
      throw InvalidArgument("SpectralAtoms::selected", fmt::format("atom {} of {}, counted from 0", atoms[j], size()));
    std::ranges::copy(frequencies_->row(atoms[j]), frequencies.row(j).begin());
    weights.push_back(weights_[atoms[j]]);
  }
  return SpectralAtoms(std::move(frequencies), std::move(weights)).with_provenance(provenance_);
}

SpectralAtoms prune(const SpectralAtoms& atoms, double max_lost) {
  if (!(max_lost >= 0)) throw InvalidArgument("prune", "max_lost is negative or not a number, expected at least 0");
  std::vector<std::size_t> order(atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return std::abs(atoms.weights()[a]) > std::abs(atoms.weights()[b]); });
  double lost = 0;
  while (order.size() > 1 && lost + std::abs(atoms.weights()[order.back()]) <= max_lost) {
    lost += std::abs(atoms.weights()[order.back()]);
    order.pop_back();
  }
  if (order.size() == atoms.size()) return atoms;
  std::ranges::sort(order);  // those left stay in their order
  return atoms.selected(order);
}

}  // namespace askrff
