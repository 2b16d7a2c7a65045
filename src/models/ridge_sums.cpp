// One pass for ridge regression: a set of normal equations for every fold, with a column of ones among the targets for the means. What an
// earlier pass summed is kept beside them and added at the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "askrff/operators.hpp"
#include "askrff/ridge.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "features/plan.hpp"

namespace askrff {

std::uint64_t RidgeSums::n_rows() const {
  std::uint64_t sum = 0;
  for (const FoldSums& fold : folds) sum += fold.n_rows;
  return sum;
}

namespace {

/// Adds the sums of a fold whose features are counted from `feature_step` and targets from `target_step` after the origins of `to`:
/// φ and y there are φ + feature_step and y + target_step here.
void add_fold(const FoldSums& from, std::span<const double> feature_step, std::span<const double> target_step, FoldSums& to) {
  const double n = from.weight;
  const std::size_t n_features = from.gram.rows(), n_targets = from.target_sums.size();
  for (std::size_t f = 0; f < n_features; ++f) {
    const double step = feature_step[f];
    for (std::size_t g = 0; g < n_features; ++g)
      to.gram(f, g) += from.gram(f, g) + step * from.feature_sums[g] + feature_step[g] * (from.feature_sums[f] + n * step);
    for (std::size_t t = 0; t < n_targets; ++t)
      to.moments(f, t) += from.moments(f, t) + step * from.target_sums[t] + target_step[t] * (from.feature_sums[f] + n * step);
    to.feature_sums[f] += from.feature_sums[f] + n * step;
  }
  for (std::size_t t = 0; t < n_targets; ++t) {
    to.target_norms[t] += from.target_norms[t] + target_step[t] * (2 * from.target_sums[t] + n * target_step[t]);
    to.target_sums[t] += from.target_sums[t] + n * target_step[t];
  }
  to.n_rows += from.n_rows;
  to.weight += from.weight;
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result(a.size());
  std::ranges::transform(a, b, result.begin(), std::minus<>());
  return result;
}

}  // namespace

RidgeSums operator+(RidgeSums a, const RidgeSums& b) {
  if (a.folds.size() != b.folds.size() || a.origin.size() != b.origin.size() || a.feature_origin.size() != b.feature_origin.size() ||
      a.epsilon != b.epsilon)
    throw InvalidArgument("RidgeSums", "sums of other features, targets, folds or another type cannot be added");
  if (b.n_rows() == 0) return a;
  if (a.n_rows() == 0) return b;  // it has no origins yet
  const auto feature_step = differences(b.feature_origin, a.feature_origin), target_step = differences(b.origin, a.origin);
  for (std::size_t fold = 0; fold < a.folds.size(); ++fold) add_fold(b.folds[fold], feature_step, target_step, a.folds[fold]);
  return a;
}

namespace {

void require_sums(MatrixView<const double> sums, std::size_t rows, std::size_t cols, std::string_view what) {
  require_shape(sums, rows, cols, "RidgeAccumulator", what);
  require_finite(sums, "RidgeAccumulator", what);
}

void require_sums(const std::vector<double>& sums, std::size_t size, std::string_view what) {
  require_sums({sums.data(), 1, sums.size()}, 1, size, what);
}

/// Throws std::invalid_argument unless sums over these features may go on from there. T: their type.
template <class T>
void check_start(const RidgeSums& start, const Features& features) {
  const std::size_t n = features.n_features(), n_targets = start.n_targets();
  for (const FoldSums& fold : start.folds) {
    require_sums(fold.gram, n, n, "the start's gram");
    require_sums(fold.moments, n, n_targets, "the start's moments");
    require_sums(fold.feature_sums, n, "the start's feature_sums");
    require_sums(fold.target_sums, n_targets, "the start's target_sums");
    require_sums(fold.target_norms, n_targets, "the start's target_norms");
    if (!std::isfinite(fold.weight) || (fold.n_rows > 0) != (fold.weight > 0))
      throw InvalidArgument("RidgeAccumulator", fmt::format("the start has {} rows of weight {} in a fold, expected numbers that agree",
                                                            fold.n_rows, fold.weight));
  }
  require_sums(start.origin, n_targets, "the start's origin");
  require_sums(start.feature_origin, n, "the start's feature_origin");
  if (start.epsilon != std::numeric_limits<T>::epsilon())
    throw InvalidArgument("RidgeAccumulator", fmt::format("the start's epsilon is {}, expected {}: sums go on in the type they began in",
                                                          start.epsilon, std::numeric_limits<T>::epsilon()));
  const bool are_columns = features.plan().are_columns();
  for (const double origin : start.feature_origin)
    if (origin != (are_columns ? static_cast<double>(static_cast<T>(origin)) : 0.0))
      throw InvalidArgument("RidgeAccumulator",
                            fmt::format("the start's feature_origin holds {}, expected {}", origin,
                                        are_columns ? "numbers of the features' type" : "0: only columns have another"));
}

/// Adds the start's sums over features. Those over targets alone went on from the start's.
void add_products(const FoldSums& start, FoldSums& sums) {
  const auto add = [](const double* from, std::size_t size, double* to) {
    for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
  };
  add(start.gram.data(), start.gram.rows() * start.gram.cols(), sums.gram.data());
  add(start.moments.data(), start.moments.rows() * start.moments.cols(), sums.moments.data());
  add(start.feature_sums.data(), start.feature_sums.size(), sums.feature_sums.data());
}

}  // namespace

template <class T>
class RidgeAccumulator<T>::Accumulator {
 public:
  Accumulator(const Features& features, std::size_t n_targets, std::size_t n_folds, const Execution& execution)
      : features_(features), execution_(execution), n_targets_(n_targets), dim_(features.dim()) {
    if (n_targets == 0) throw InvalidArgument("RidgeAccumulator", "no targets, expected at least one");
    if (n_folds == 0 || n_folds > 1000) throw InvalidArgument("RidgeAccumulator", fmt::format("{} folds, expected 1 to 1000", n_folds));
    for (std::size_t fold = 0; fold < n_folds; ++fold) {
      equations_.emplace_back(features, n_targets + 1, execution);
      sums_.push_back({{}, {}, {}, std::vector<double>(n_targets), std::vector<double>(n_targets), 0, 0});
    }
  }

  Accumulator(const Features& features, RidgeSums start, const Execution& execution)
      : Accumulator(features, start.n_targets(), start.folds.size(), execution) {
    check_start<T>(start, features);
    if (start.n_rows() == 0) return;  // the first row decides from where to count, as if there were no start
    origin_ = std::move(start.origin);
    row_origin_.assign(dim_, T{0});
    if (features.plan().are_columns())
      std::ranges::transform(start.feature_origin, row_origin_.begin(), [](double x) { return static_cast<T>(x); });
    sums_ = std::move(start.folds);
  }

  void add(MatrixView<const T> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds, std::span<const double> weights) {
    require_whole();
    require_shape(Y, X.rows(), n_targets_, "RidgeAccumulator::add", "Y");
    features_.plan().check(X, execution_);  // all rows before any is added
    check_folds(X.rows(), folds);
    check_weights(X.rows(), weights);
    check_targets(Y);
    if (X.rows() == 0) return;
    is_spoilt_ = true;  // until all rows are in
    if (origin_.empty()) begin(X, Y);
    for (std::size_t fold = 0; fold < equations_.size(); ++fold) {
      execution_.stop.check();
      take_rows_of(fold, X, Y, folds, weights);
      equations_[fold].add(X_.view().middle_rows(0, n_taken_), Y_.view().middle_rows(0, n_taken_),
                           std::span<const T>(weights_).first(weights.empty() ? 0 : n_taken_));
    }
    is_spoilt_ = false;
  }

  void set_execution(const Execution& execution) {
    execution_ = execution;
    for (NormalEquations<T>& equations : equations_) equations.set_execution(execution);
  }

  RidgeSums finish() {
    require_whole();
    return moments_of([this](std::size_t fold) { return equations_[fold].finish(); });
  }
  RidgeSums moments() {
    require_whole();
    return moments_of([this](std::size_t fold) { return equations_[fold].sums(); });
  }

 private:
  /// sums_of: gives the sums over the rows of a fold.
  template <class SumsOf>
  RidgeSums moments_of(const SumsOf& sums_of) const {
    RidgeSums moments;
    moments.origin = origin_.empty() ? std::vector<double>(n_targets_) : origin_;
    moments.epsilon = std::numeric_limits<T>::epsilon();
    moments.feature_origin.assign(features_.n_features(), 0.0);
    if (features_.plan().are_columns()) std::ranges::copy(row_origin_, moments.feature_origin.begin());
    for (std::size_t fold = 0; fold < equations_.size(); ++fold) {
      execution_.stop.check();
      NormalSums sums = sums_of(fold);
      const FoldSums& before = sums_[fold];
      const std::size_t n = sums.gram.rows();
      FoldSums of_fold{std::move(sums.gram), Matrix<double>(n, n_targets_), std::vector<double>(n),
                       before.target_sums,   before.target_norms,           before.n_rows,
                       before.weight};
      for (std::size_t f = 0; f < n; ++f) {
        std::copy_n(sums.moments.row(f).begin(), n_targets_, of_fold.moments.row(f).begin());
        of_fold.feature_sums[f] = sums.moments(f, n_targets_);
      }
      if (!before.gram.empty()) add_products(before, of_fold);
      moments.folds.push_back(std::move(of_fold));
    }
    return moments;
  }

  void require_whole() const {
    if (is_spoilt_)
      throw InvalidArgument("RidgeAccumulator", "an add was stopped or failed halfway: the sums are of no further use, begin anew");
  }

  /// From where targets are counted and, if the features are the columns themselves, those: numbers far from 0 would lose their digits.
  void begin(MatrixView<const T> X, MatrixView<const double> Y) {
    origin_.assign(Y.row(0).begin(), Y.row(0).end());
    row_origin_.assign(dim_, T{0});
    if (features_.plan().are_columns()) row_origin_.assign(X.row(0).begin(), X.row(0).end());
  }

  void check_targets(MatrixView<const double> Y) const {
    for (std::size_t i = 0; i < Y.rows(); ++i)
      for (std::size_t t = 0; t < n_targets_; ++t) {
        const double y = Y(i, t) - (origin_.empty() ? Y(0, t) : origin_[t]);
        if (!std::isfinite(Y(i, t)) || !std::isfinite(static_cast<T>(y)))
          throw InvalidArgument(
              "RidgeAccumulator::add",
              fmt::format("Y holds {} in row {}, column {}; expected finite numbers that fit the precision", Y(i, t), i, t));
      }
  }

  void check_folds(std::size_t n_rows, std::span<const std::uint32_t> folds) const {
    if (folds.size() != n_rows && !(folds.empty() && equations_.size() == 1))
      throw InvalidArgument("RidgeAccumulator::add", fmt::format("{} folds for {} rows, expected one per row", folds.size(), n_rows));
    for (const std::uint32_t fold : folds)
      if (fold >= equations_.size())
        throw InvalidArgument("RidgeAccumulator::add", fmt::format("a row is in fold {} of {}", fold, equations_.size()));
  }

  void check_weights(std::size_t n_rows, std::span<const double> weights) const {
    if (!weights.empty() && weights.size() != n_rows)
      throw InvalidArgument("RidgeAccumulator::add", fmt::format("{} weights for {} rows, expected one per row", weights.size(), n_rows));
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!(static_cast<T>(weights[i]) > 0 && std::isfinite(static_cast<T>(weights[i]))))
        throw InvalidArgument(
            "RidgeAccumulator::add",
            fmt::format("row {} has the weight {}, expected a finite number above 0 that fits the precision", i, weights[i]));
  }

  void take_rows_of(std::size_t fold, MatrixView<const T> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                    std::span<const double> weights) {
    if (weights_.size() < weights.size()) weights_.resize(weights.size());
    if (X_.rows() < X.rows()) {
      X_ = Matrix<T>(X.rows(), dim_);
      Y_ = Matrix<T>(X.rows(), n_targets_ + 1);
    }
    n_taken_ = 0;
    FoldSums& sums = sums_[fold];
    for (std::size_t i = 0; i < X.rows(); ++i) {
      if (i % 1024 == 0) execution_.stop.check();
      if (!folds.empty() && folds[i] != fold) continue;
      const T weight = weights.empty() ? T{1} : static_cast<T>(weights[i]);
      if (!weights.empty()) weights_[n_taken_] = weight;
      sums.weight += static_cast<double>(weight);
      for (std::size_t j = 0; j < dim_; ++j) X_(n_taken_, j) = X(i, j) - row_origin_[j];
      for (std::size_t t = 0; t < n_targets_; ++t) {
        Y_(n_taken_, t) = static_cast<T>(Y(i, t) - origin_[t]);
        const double y = Y_(n_taken_, t);  // rounded: all sums are of the same numbers
        sums.target_sums[t] += weight * y;
        sums.target_norms[t] += weight * (y * y);
      }
      Y_(n_taken_++, n_targets_) = T{1};
    }
    sums.n_rows += n_taken_;
  }

  Features features_;
  Execution execution_;
  std::size_t n_targets_, dim_, n_taken_ = 0;
  std::vector<NormalEquations<T>> equations_;
  std::vector<FoldSums> sums_;  // of targets, so far; of features only what a start had, empty without one
  std::vector<double> origin_;  // empty before the first row
  std::vector<T> row_origin_;
  Matrix<T> X_, Y_;         // the rows of one fold
  std::vector<T> weights_;  // theirs, where there are some
  bool is_spoilt_ = false;  // an add ended halfway
};

template <class T>
RidgeAccumulator<T>::RidgeAccumulator(Features features, std::size_t n_targets, std::size_t n_folds, const Execution& execution)
    : accumulator_(std::make_unique<Accumulator>(features, n_targets, n_folds, execution)) {}
template <class T>
RidgeAccumulator<T>::RidgeAccumulator(Features features, RidgeSums start, const Execution& execution)
    : accumulator_(std::make_unique<Accumulator>(features, std::move(start), execution)) {}
template <class T>
RidgeAccumulator<T>::RidgeAccumulator(RidgeAccumulator&&) noexcept = default;
template <class T>
RidgeAccumulator<T>& RidgeAccumulator<T>::operator=(RidgeAccumulator&&) noexcept = default;
template <class T>
RidgeAccumulator<T>::~RidgeAccumulator() = default;

template <class T>
void RidgeAccumulator<T>::add(MatrixView<const T> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                              std::span<const double> weights) {
  accumulator_->add(X, Y, folds, weights);
}
template <class T>
void RidgeAccumulator<T>::set_execution(const Execution& execution) {
  accumulator_->set_execution(execution);
}
template <class T>
RidgeSums RidgeAccumulator<T>::finish() {
  return accumulator_->finish();
}
template <class T>
RidgeSums RidgeAccumulator<T>::moments() {
  return accumulator_->moments();
}

template class RidgeAccumulator<float>;
template class RidgeAccumulator<double>;

}  // namespace askrff
