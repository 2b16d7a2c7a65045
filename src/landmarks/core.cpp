// The best core on a sample.
#include "landmarks/core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/transpose.hpp"
#include "landmarks/factors.hpp"
#include "landmarks/ridge.hpp"

namespace askrff::landmarks {
namespace {

// Of a positive definite kernel the error at (x,y) is at most the root of those at (x,x) and (y,y), which are at most k there. Of others
// nothing limits it: combinations of landmarks that the sample hardly shows may be any size at a row beyond. A ridge of this size limits
// them, and costs some per cent of the error on the sample.
constexpr double safe_ridge = 1e-6;

/// The first vectors, each of the size of its singular value's root.
Matrix<double> scaled_vectors(const Matrix<double>& rows, const std::vector<double>& values) {
  Matrix<double> out(values.size(), rows.cols());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) out(i, j) = rows(i, j) * std::sqrt(values[i]);
  return out;
}

/// Σ of the squares of each feature on the sample, of functions that have a norm of 1 together with the ridge's rows.
std::vector<double> squares_on_sample(const Matrix<double>& combinations, const std::vector<double>& values, double ridge_square) {
  std::vector<double> squares = values;
  for (std::size_t f = 0; f < squares.size(); ++f)
    for (const double coefficient : combinations.row(f)) squares[f] -= ridge_square * coefficient * coefficient;
  return squares;
}

/// Features of both sides get the same size.
void balance(Factors& factors, double left_ridge_square, double right_ridge_square) {
  const auto left = squares_on_sample(factors.left, factors.values, left_ridge_square),
             right = squares_on_sample(factors.right, factors.values, right_ridge_square);
  for (std::size_t f = 0; f < left.size(); ++f) {
    if (!(left[f] > 0 && right[f] > 0)) continue;
    const double by = std::pow(right[f] / left[f], 0.25);
    for (double& coefficient : factors.left.row(f)) coefficient *= by;
    for (double& coefficient : factors.right.row(f)) coefficient /= by;
  }
}

}  // namespace

Factors best_on_sample(const Kernel& kernel, const RowsView<double>& landmarks, const RowsView<double>& sample, std::size_t n_features,
                       double cutoff, std::uint64_t seed, const Execution& execution) {
  const bool definite = kernel.symmetric() && kernel.positive_definite();
  double scale = 0;
  const Sample all{landmarks, sample};
  Side left(kernel, all, true, scale, execution);
  std::optional<Side> other;
  if (!kernel.symmetric()) other.emplace(kernel, all, false, scale, execution);
  const double largest = some_hardly_show(left, other ? &*other : nullptr) ? 1 : safe_ridge;
  const double ridge = definite ? 0 : best_ridge(kernel, all, scale, cutoff, largest, execution);
  const auto factor = [&](Side& side) { ridge > 0 ? side.factor_with_ridge(ridge) : side.factor(cutoff); };
  factor(left);
  if (other) factor(*other);
  const Side& right = other ? *other : left;
  if (left.values().cols() == 0 || right.values().cols() == 0) return {};
  Matrix<double> core = between(kernel, left, right, all, scale, execution);
  right.solve(core);
  core = transposed<double>(core, execution.stop);
  left.solve(core);
  const TruncatedSvd svd = truncated_svd(transposed<double>(core, execution.stop), n_features, seed, execution);
  const double smallest = static_cast<double>(landmarks.rows()) * std::numeric_limits<double>::epsilon() * svd.values.front();
  const auto kept = std::ranges::count_if(svd.values, [&](double value) { return value > smallest; });
  Factors factors;
  factors.values.assign(svd.values.begin(), svd.values.begin() + kept);
  factors.right = right.combinations(scaled_vectors(svd.right, factors.values));
  // Of a definite core both are the same vectors: those on the left differ in rounding only, which could turn a sign.
  factors.left = definite ? factors.right : left.combinations(scaled_vectors(svd.left, factors.values));
  if (ridge > 0 && other) balance(factors, left.ridge_square(), right.ridge_square());
  // Scaled values on both sides make a scaled product: one of the two is too many.
  multiply(factors.left.view(), std::sqrt(scale));
  multiply(factors.right.view(), std::sqrt(scale));
  for (double& value : factors.values) value /= scale;
  return factors;
}

}  // namespace askrff::landmarks
