// The ridge that is best for rows that are held out.
#include "landmarks/ridge.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "askrff/dense.hpp"
#include "core/transpose.hpp"
#include "core/vectors.hpp"
#include "landmarks/factors.hpp"
#include "landmarks/kernel_block.hpp"

namespace askrff::landmarks {
namespace {

/// Functions of both sides on rows that fit, and on rows that judge. If the kernel is symmetric both sides are the left one.
class RidgeTrial {
 public:
  RidgeTrial(const Kernel& kernel, const Sample& fitting, const RowsView<double>& judges, double scale, const Execution& execution)
      : kernel_(kernel),
        fitting_(fitting),
        scale_(scale),
        execution_(execution),
        left_(kernel, fitting, true, scale_, execution),
        judges_left_(judges.rows(), fitting.landmarks.rows()),
        wanted_(judges.rows(), judges.rows()) {
    function_values(kernel, fitting.landmarks, judges, true, judges_left_.view(), execution);
    multiply(judges_left_.view(), scale);
    if (!kernel.symmetric()) {
      right_.emplace(kernel, fitting, false, scale_, execution);
      judges_right_ = Matrix<double>(judges.rows(), fitting.landmarks.rows());
      function_values(kernel, fitting.landmarks, judges, false, judges_right_.view(), execution);
      multiply(judges_right_.view(), scale);
    }
    kernel_block(kernel, judges, judges, wanted_.view(), execution);
    multiply(wanted_.view(), scale);
    sums_ = between(kernel_, left_, right(), fitting_, scale_, execution_);
  }

  /// ‖K - K̂‖ between the judging rows.
  double error_with(double ridge) {
    left_.factor_with_ridge(ridge);
    if (right_) right_->factor_with_ridge(ridge);
    return error(sums_);
  }
  /// The same without a ridge; after it there are no others.
  double error_without(double cutoff) {
    left_.factor(cutoff);
    if (right_) right_->factor(cutoff);
    if (left_.values().cols() == 0 || right().values().cols() == 0) return HUGE_VAL;
    return error(between(kernel_, left_, right(), fitting_, scale_, execution_));
  }

 private:
  const Side& right() const { return right_ ? *right_ : left_; }
  double error(Matrix<double> core) const {
    right().solve(core);
    core = transposed<double>(core, execution_.stop);
    left_.solve(core);  // right functions × left functions
    const Matrix<double> left = left_.orthonormal_values(judges_left_);
    const Matrix<double> right_values = right().orthonormal_values(right_ ? judges_right_ : judges_left_);
    const Matrix<double> got = times_transposed(times_transposed(left, core, execution_), right_values, execution_);
    double squares = 0;
    for (std::size_t i = 0; i < got.rows(); ++i)
      for (std::size_t j = 0; j < got.cols(); ++j) squares += std::pow(got(i, j) - wanted_(i, j), 2);
    return std::sqrt(squares);
  }

  const Kernel& kernel_;
  Sample fitting_;
  double scale_;
  Execution execution_;
  Side left_;
  std::optional<Side> right_;
  Matrix<double> judges_left_, judges_right_, wanted_, sums_;
};

/// The rows of two views of the same kind.
RowsMatrix<double> joined(const RowsView<double>& first, const RowsView<double>& second) {
  if (first.is_sparse()) {
    SparseMatrix<double> rows(first.cols());
    for (const RowsView<double>* part : {&first, &second})
      for (std::size_t i = 0; i < part->rows(); ++i) rows.add_row(part->sparse().columns_of(i), part->sparse().values_of(i));
    return rows;
  }
  Matrix<double> rows(first.rows() + second.rows(), first.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    std::ranges::copy(i < first.rows() ? first.dense().row(i) : second.dense().row(i - first.rows()), rows.row(i).begin());
  return rows;
}

/// A fourth of a sample judges: of the landmarks too, which are the rows least like the others, as rows to come may be.
class HeldOutRows {
 public:
  HeldOutRows(const Sample& sample, std::size_t n_judging_others) : others_(sample.others) {
    std::vector<std::size_t> kept, judging;
    for (std::size_t l = 0; l < sample.landmarks.rows(); ++l)
      (l % share == share - 1 && judging.size() < most_judges ? judging : kept).push_back(l);
    landmarks_ = RowsMatrix<double>::taken_from(sample.landmarks, kept);
    judges_ = joined(RowsMatrix<double>::taken_from(sample.landmarks, judging), others_.middle_rows(0, n_judging_others));
    others_ = others_.middle_rows(n_judging_others, std::min(most_fitting, others_.rows() - n_judging_others));
  }

  Sample fitting() const { return {landmarks_, others_}; }
  const RowsMatrix<double>& judges() const { return judges_; }

  static constexpr std::size_t share = 4, most_judges = 512, most_fitting = 2048;

 private:
  RowsView<double> others_;
  RowsMatrix<double> landmarks_, judges_;
};

}  // namespace

bool some_hardly_show(const Side& left, const Side* right) {
  constexpr double hardly = 0.1;
  std::vector<double> largest = left.largest_values();
  if (right) std::ranges::copy(right->largest_values(), std::back_inserter(largest));
  const auto [least, most] = std::ranges::minmax(largest);
  return least < hardly * most;
}

double best_ridge(const Kernel& kernel, const Sample& sample, double scale, double cutoff, double largest, const Execution& execution) {
  constexpr double ridges[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}, better = 0.95, much_better = 0.1;
  if (sample.others.rows() < fewest_judging_rows) return 0;
  const HeldOutRows held_out(sample, std::min(2 * HeldOutRows::most_judges, sample.others.rows() / HeldOutRows::share));
  RidgeTrial trial(kernel, held_out.fitting(), held_out.judges(), scale, execution);
  double best = largest, least = HUGE_VAL;
  for (const double ridge : ridges) {
    if (ridge > largest) continue;
    const double error = trial.error_with(ridge);
    if (!(error < better * least)) continue;
    best = ridge;
    least = error;
  }
  // Rounding of sums of squares is as good as a ridge of about 1e-10, and hides what a smaller one would do.
  const bool smaller_may_be_better = best <= 1e-8;
  return smaller_may_be_better && trial.error_without(cutoff) < much_better * least ? 0 : best;
}

}  // namespace askrff::landmarks
