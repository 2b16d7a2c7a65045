// Columns of K for the few sources that are there, and the minimum among them by Cholesky.
#include <algorithm>
#include <cmath>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/threads.hpp"
#include "operators/inversion_solve.hpp"
#include "operators/inversion_vectors.hpp"

namespace askrff {
namespace {

/// Sources whose columns are taken together: their products then cost no more than some dozen of K's; and numbers of those columns.
constexpr std::size_t most_sources = 128, most_numbers = std::size_t{1} << 24;
/// Numbers of all columns that are kept, 256 MiB.
constexpr std::size_t most_kept_numbers = std::size_t{1} << 25;

/// The normal equations of some columns: a part of them is solved as others are dropped.
class FaceEquations {
 public:
  FaceEquations(const ReadingSystem& system, double lambda, std::span<const std::size_t> sources)
      : gram_(sources.size(), sources.size()), execution_(on_one_thread(system.execution())) {
    const Matrix<double> columns = system.columns(sources);
    product_of_rows(columns.view(), columns.view(), gram_.view(), execution_);
    for (std::size_t j = 0; j < sources.size(); ++j) {
      gram_(j, j) += lambda;
      moments_.push_back(dot(columns.row(j), system.readings()));
    }
  }

  /// Throws NumericalError if columns depend on each other.
  Matrix<double> solution(std::span<const std::size_t> kept) const {
    Matrix<double> part(kept.size(), kept.size()), out(kept.size(), 1);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      out(i, 0) = moments_[kept[i]];
      for (std::size_t j = 0; j <= i; ++j) part(i, j) = part(j, i) = gram_(kept[i], kept[j]);
    }
    cholesky(part.view(), execution_);
    solve_cholesky(std::as_const(part).view(), out.view(), execution_);
    return out;
  }

 private:
  Matrix<double> gram_;
  std::vector<double> moments_;
  Execution execution_;
};

/// Moves amplitudes to the minimum among those kept, or towards it until the first is 0, which is dropped, and so on.
void go_to_minimum(const FaceEquations& equations, std::vector<double>& amplitudes) {
  std::vector<std::size_t> kept(amplitudes.size());
  for (std::size_t j = 0; j < kept.size(); ++j) kept[j] = j;
  while (!kept.empty()) {
    const Matrix<double> goal = equations.solution(kept);
    const auto share = [&](std::size_t k) {  // of the way until it is 0
      const double a = amplitudes[kept[k]];
      return goal(k, 0) > 0 ? 1.0 : a / (a - goal(k, 0));
    };
    double part = 1;
    for (std::size_t k = 0; k < kept.size(); ++k) part = std::min(part, share(k));
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      const double a = amplitudes[kept[k]];
      const bool is_dropped = goal(k, 0) <= 0 && share(k) <= part;
      amplitudes[kept[k]] = is_dropped ? 0.0 : std::max(0.0, a + part * (goal(k, 0) - a));
      if (amplitudes[kept[k]] > 0) rest.push_back(kept[k]);
    }
    if (rest.size() == kept.size()) return;
    kept = std::move(rest);
  }
}

}  // namespace

Matrix<double> SourceColumns::of(std::span<const std::size_t> sources, const Execution& execution) {
  const std::size_t n = K_.n_readings;
  if (n * (kept_.size() + sources.size()) > most_kept_numbers) kept_.clear();
  Matrix<double> out(sources.size(), n);
  std::vector<double> unit(K_.n_sources);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    std::vector<double>& column = kept_[sources[k]];
    if (column.empty()) {
      unit[sources[k]] = 1;
      column = checked_product(K_.apply, unit, n, execution);
      unit[sources[k]] = 0;
      ++n_made_;
    }
    std::copy(column.begin(), column.end(), out.row(k).begin());
  }
  return out;
}

Matrix<double> ReadingSystem::columns(std::span<const std::size_t> sources) const {
  Matrix<double> out = columns_.of(sources, execution_);
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i])
      for (std::size_t k = 0; k < out.rows(); ++k) out(k, i) = 0;
  return out;
}

bool solve_among_positive(const ReadingSystem& system, double lambda, std::vector<double>& a) {
  std::vector<std::size_t> sources;
  for (std::size_t j = 0; j < a.size(); ++j)
    if (a[j] > 0) sources.push_back(j);
  if (sources.empty() || sources.size() > most_sources || sources.size() * system.readings().size() > most_numbers) return false;
  std::vector<double> amplitudes;
  for (const std::size_t j : sources) amplitudes.push_back(a[j]);
  try {
    go_to_minimum(FaceEquations(system, lambda, sources), amplitudes);
  } catch (const NumericalError&) {  // the caller has another way
    return false;
  }
  for (std::size_t k = 0; k < sources.size(); ++k) a[sources[k]] = amplitudes[k];
  return true;
}

}  // namespace askrff
