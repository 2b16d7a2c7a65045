// Atoms taken apart and put together; kernel matrices in pieces.
#include "experiments/approximations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "askrff/random.hpp"

namespace askrff::experiments {
namespace {

Matrix<float> rounded(MatrixView<const double> X) {
  Matrix<float> result(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    std::ranges::transform(X.row(i), result.row(i).begin(), [](double x) { return static_cast<float>(x); });
  return result;
}

/// Adds the kernel matrix of the atoms to `sum`, 1024 at a time: their features stay in the caches.
void add_gram(Matrix<double>& sum, const SpectralAtoms& atoms, const Matrix<float>& points, const Execution& execution) {
  constexpr std::size_t at_once = 1024;
  Matrix<float> gram(points.rows(), points.rows());
  std::vector<std::size_t> chosen;
  for (std::size_t first = 0; first < atoms.size(); first += at_once) {
    chosen.resize(std::min(at_once, atoms.size() - first));
    std::iota(chosen.begin(), chosen.end(), first);
    approximate_gram(FeatureMap(atoms.selected(chosen)), points, points, gram, execution);
    for (std::size_t i = 0; i < sum.rows(); ++i)
      for (std::size_t j = 0; j < sum.cols(); ++j) sum(i, j) += static_cast<double>(gram(i, j));
  }
}

/// Part by part from `draws`, the frequencies `first` … `first` + `count` - 1 of those that `keep` wants.
template <class Keep>
SpectralAtoms some_of_parts(const SpectralAtoms& draws, std::size_t first, std::size_t count, Keep keep) {
  std::vector<PartRecord> records;
  std::vector<std::size_t> rows;
  std::vector<std::complex<double>> weights;
  for (PartRecord record : draws.parts()) {
    if (record.count == 0 || !keep(record.part)) continue;
    if (first + count > record.count) throw std::logic_error("some_of_parts: more frequencies than were drawn");
    for (std::size_t j = 0; j < count; ++j) {
      rows.push_back(record.first + first + j);
      weights.push_back(draws.weights()[rows.back()] * (static_cast<double>(record.count) / static_cast<double>(count)));
    }
    record.first = records.empty() ? 0 : records.back().first + records.back().count;
    record.count = count;
    records.push_back(record);
  }
  return {take_rows(draws.frequencies(), rows), std::move(weights), std::move(records)};
}

}  // namespace

Matrix<double> some_rows(MatrixView<const double> X, std::size_t n, std::uint64_t seed) {
  return take_rows(X, choose_rows(X.rows(), std::min(n, X.rows()), seed, Purpose::evaluation_rows));
}

Matrix<double> subset_rows(MatrixView<const double> X, std::size_t n, std::uint64_t seed) {
  return take_rows(X, choose_rows(X.rows(), std::min(n, X.rows()), seed, Purpose::subset_rows));
}

std::size_t n_parts_of(const Kernel& kernel, std::size_t dim) { return approximate(kernel, dim, {.n_frequencies = 1}).size(); }

SpectralAtoms first_of_parts(const SpectralAtoms& draws, std::size_t per_part) {
  return some_of_parts(draws, 0, per_part, [](Part) { return true; });
}

SpectralAtoms without_imaginary_part(const SpectralAtoms& atoms) {
  std::size_t per_part = 0;
  for (const PartRecord& record : atoms.parts()) per_part = std::max(per_part, record.count);
  return some_of_parts(atoms, 0, per_part, [](Part part) { return part != Part::imaginary_positive; });
}

Masses masses_of(const SpectralAtoms& draws) {
  Masses masses;
  for (const PartRecord& record : draws.parts()) masses.of(record.part) = record.mass;
  return masses;
}

SpectralAtoms polar_atoms(const Kernel& kernel, MatrixView<const double> data, const PolarOptions& options) {
  return approximate(kernel, data,
                     {.n_frequencies = options.n_frequencies,
                      .estimator = Estimator::polar,
                      .sampler = options.sampler,
                      .weights = options.weights,
                      .seed = options.seed,
                      .execution = options.execution});
}

NystromFactors some_landmarks(std::shared_ptr<const Kernel> kernel, MatrixView<const double> rows, std::size_t n_features,
                              std::uint64_t seed, const Execution& execution) {
  constexpr std::size_t max_landmarks = 512;
  const std::size_t n_landmarks = std::max(n_features, std::min(default_landmarks(n_features), max_landmarks));
  return nystrom(std::move(kernel), rows, {.n_features = n_features, .n_landmarks = n_landmarks, .seed = seed, .execution = execution});
}

PartSums::PartSums(const SpectralAtoms& draws, MatrixView<const double> points, const Execution& execution)
    : draws_(draws), points_(rounded(points)), execution_(execution) {
  for (const PartRecord& record : draws.parts())
    if (record.count > 0) sums_.emplace(record.part, Matrix<double>(points.rows(), points.rows()));
}

void PartSums::extend_to(std::size_t per_part) {
  for (auto& [part, sum] : sums_) {
    const SpectralAtoms more = some_of_parts(draws_, per_part_, per_part - per_part_, [&](Part candidate) { return candidate == part; });
    add_gram(sum, more.reweighted(std::vector<std::complex<double>>(more.size(), traits(part).coefficient)), points_, execution_);
  }
  per_part_ = per_part;
}

Matrix<double> PartSums::weighted(const Masses& masses) const {
  Matrix<double> result(points_.rows(), points_.rows());
  for (const auto& [part, sum] : sums_) {
    const double weight = masses.of(part) / static_cast<double>(per_part_);
    for (std::size_t i = 0; i < result.rows(); ++i)
      for (std::size_t j = 0; j < result.cols(); ++j) result(i, j) += weight * sum(i, j);
  }
  return result;
}

Matrix<double> approximate_sum(const SpectralAtoms& atoms, MatrixView<const double> points, const Execution& execution) {
  Matrix<double> sum(points.rows(), points.rows());
  add_gram(sum, atoms, rounded(points), execution);
  return sum;
}

double relative_error(const Matrix<double>& exact, const Matrix<double>& approximate) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.rows(); ++i)
    for (std::size_t j = 0; j < exact.cols(); ++j) {
      const double d = exact(i, j) - approximate(i, j);
      difference += d * d;
      norm += exact(i, j) * exact(i, j);
    }
  return std::sqrt(difference / norm);
}

}  // namespace askrff::experiments
