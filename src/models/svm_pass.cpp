// Sums of one pass, block by block: outputs of all points at once, then what the losses, pulls and Hessians take of them.
#include "models/svm_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/linear.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"
#include "features/plan.hpp"

namespace askrff::models {

BinaryProblem SvmProblems::operator[](std::size_t problem) const {
  const std::size_t place = problem % (n_folds + 1);
  return {n_classes == 2 ? 1U : static_cast<std::uint32_t>(output_of(problem)),
          place == 0 ? no_fold : static_cast<std::uint32_t>(place - 1)};
}

namespace {

void add_numbers(const Matrix<double>& from, Matrix<double>& to) {
  if (from.rows() != to.rows() || from.cols() != to.cols()) throw InvalidArgument("SvmPassSums", "sums of another task cannot be added");
  for (std::size_t k = 0; k < from.rows() * from.cols(); ++k) to.data()[k] += from.data()[k];
}

void add_numbers(const std::vector<double>& from, std::vector<double>& to) {
  if (from.size() != to.size()) throw InvalidArgument("SvmPassSums", "sums of another task cannot be added");
  for (std::size_t k = 0; k < from.size(); ++k) to[k] += from[k];
}

void check_task(const SvmPassTask& task, std::size_t n_features) {
  constexpr std::string_view who = "SvmPass";
  const std::size_t n_columns = n_features + (task.has_bias ? 1 : 0), n_points = task.weights.rows();
  if (task.problems.n_classes < 2)
    throw InvalidArgument(who, fmt::format("a task of {} classes, expected at least 2", task.problems.n_classes));
  require_shape(task.weights.view(), task.of.size(), n_columns, who, "the task's weights");
  require_shape(task.since.view(), task.change.size(), task.change.empty() ? task.since.cols() : n_columns, who, "the task's since");
  if (!task.score.empty()) require_shape(task.score.view(), task.problems.size(), n_columns, who, "the task's score");
  const auto all_below = [](const std::vector<std::uint64_t>& numbers, std::size_t end) {
    return std::ranges::all_of(numbers, [end](std::uint64_t number) { return number < end; });
  };
  if (!all_below(task.of, task.problems.size()) || !all_below(task.full, n_points) || !all_below(task.change, n_points))
    throw InvalidArgument(who, "a task names problems or points it does not have");
  if (task.n_grams > 1 && task.n_grams != task.problems.n_folds)
    throw InvalidArgument(
        who, fmt::format("a task of {} Gram matrices, expected 0, 1 or one for each of {} folds", task.n_grams, task.problems.n_folds));
}

/// Rows some of which are yet to be summed, with what belongs to them; all spans are of the same size.
template <class T>
struct PassRows {
  RowsView<T> X;
  std::span<const std::uint32_t> classes, folds;  // folds: empty if there are none
  std::span<const double> weights;

  std::size_t size() const { return X.rows(); }
  PassRows part(std::size_t first, std::size_t count) const {
    return {X.middle_rows(first, count), classes.subspan(first, count), folds.empty() ? folds : folds.subspan(first, count),
            weights.subspan(first, count)};
  }
  int target(std::size_t i, const BinaryProblem& problem) const {
    if (!folds.empty() && folds[i] == problem.held_out) return 0;
    return classes[i] == problem.positive ? 1 : -1;
  }
};

/// Rows of a block whose outer products are added (their weight) or taken away (minus that), and where.
template <class T>
struct OuterProducts {
  std::vector<std::uint32_t> rows;
  std::vector<T> signs;
  Matrix<double>* gram = nullptr;

  void add(std::size_t row, double sign) {
    rows.push_back(static_cast<std::uint32_t>(row));
    signs.push_back(static_cast<T>(sign));
  }
};

/// Some sixty megabytes of features at most, unless columns are very many.
std::size_t block_rows_of(std::size_t n_columns) {
  return std::clamp<std::size_t>((std::size_t{1} << 23) / n_columns / 1024 * 1024, 1024, 16384);
}

Matrix<double> packed(const std::vector<Matrix<double>>& squares, std::size_t n) {
  Matrix<double> triangles(squares.size(), squares.empty() ? 0 : triangle_size(n));
  for (std::size_t k = 0; k < squares.size(); ++k) {
    double* out = triangles.row(k).data();
    for (std::size_t i = 0; i < n; ++i) out = std::copy(&squares[k](i, 0) + i, &squares[k](i, 0) + n, out);
  }
  return triangles;
}

}  // namespace

void SvmPassSums::add(const SvmPassSums& other) {
  n_rows += other.n_rows;
  add_numbers(other.row_weights, row_weights);
  add_numbers(other.losses, losses);
  add_numbers(other.pulls, pulls);
  add_numbers(other.full, full);
  add_numbers(other.change, change);
  add_numbers(other.grams, grams);
  add_numbers(other.right, right);
}

template <class T>
class SvmPass<T>::Sums {
 public:
  Sums(Features features, const SvmPassTask& task, const Execution& execution)
      : features_(std::move(features)), task_(task), execution_(execution) {
    check_task(task_, features_.n_features());
    const std::size_t n = task_.n_columns(), n_points = task_.weights.rows();
    const SvmProblems& problems = task_.problems;
    sums_.row_weights = Matrix<double>(std::max<std::size_t>(1, problems.n_folds), problems.n_classes);
    sums_.losses.resize(n_points);
    sums_.pulls = Matrix<double>(n_points, n);
    sums_.right.resize(task_.score.empty() ? 0 : problems.n_folds + 1);
    full_.assign(task_.full.size(), Matrix<double>(n, n));
    change_.assign(task_.change.size(), Matrix<double>(n, n));
    grams_.assign(task_.n_grams, Matrix<double>(n, n));
    stack_weights();
    block_rows_ = block_rows_of(n);
    pending_sparse_ = SparseMatrix<T>(features_.dim());
  }

  void add(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const std::uint32_t> folds,
           std::span<const double> weights) {
    check(X, classes, folds, weights);
    const std::vector<double> ones(weights.empty() ? X.rows() : 0, 1.0);
    const PassRows<T> rows{X, classes, folds, weights.empty() ? std::span<const double>(ones) : weights};
    for (std::size_t first = 0; first < rows.size();) {
      const std::size_t count = std::min(block_rows_ - classes_.size(), rows.size() - first);
      if (count == block_rows_) {
        add_block(rows.part(first, count));
      } else {
        keep(rows.part(first, count));
        if (classes_.size() == block_rows_) add_pending();
      }
      first += count;
    }
  }

  SvmPassSums finish() {
    add_pending();
    const std::size_t n = task_.n_columns();
    sums_.full = packed(full_, n);
    sums_.change = packed(change_, n);
    sums_.grams = packed(grams_, n);
    return std::move(sums_);
  }

 private:
  /// All weights whose outputs are wanted, one below the other: those of points, of earlier points, of the scores.
  void stack_weights() {
    const std::size_t n_since = task_.change.size(), n_score = task_.score.rows();
    stacked_ = Matrix<double>(n_points() + n_since + n_score, task_.n_columns());
    double* out = stacked_.data();
    for (const Matrix<double>* part : {&task_.weights, &task_.since, &task_.score})
      out = std::copy_n(part->data(), part->rows() * part->cols(), out);
  }
  std::size_t n_points() const { return task_.weights.rows(); }

  void check(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const std::uint32_t> folds,
             std::span<const double> weights) const {
    constexpr std::string_view who = "SvmPass::add";
    X.visit([&](const auto& rows) { features_.plan().check(rows, execution_); });
    const std::uint64_t n_folds = task_.problems.n_folds, n_classes = task_.problems.n_classes;
    if (classes.size() != X.rows())
      throw InvalidArgument(who, fmt::format("{} classes for {} rows, expected one per row", classes.size(), X.rows()));
    if (folds.size() != (n_folds > 0 ? X.rows() : 0))
      throw InvalidArgument(who, fmt::format("{} folds for {} rows, expected {}", folds.size(), X.rows(), n_folds > 0 ? X.rows() : 0));
    if (!weights.empty() && weights.size() != X.rows())
      throw InvalidArgument(who, fmt::format("{} weights for {} rows, expected one per row", weights.size(), X.rows()));
    for (std::size_t i = 0; i < X.rows(); ++i) {
      if (classes[i] >= n_classes) throw InvalidArgument(who, fmt::format("row {} is of class {} of {}", i, classes[i], n_classes));
      if (n_folds > 0 && folds[i] >= n_folds) throw InvalidArgument(who, fmt::format("row {} is in fold {} of {}", i, folds[i], n_folds));
      if (!weights.empty() && !(static_cast<T>(weights[i]) > 0 && std::isfinite(static_cast<T>(weights[i]))))
        throw InvalidArgument(
            who, fmt::format("row {} has the weight {}, expected a finite number above 0 that fits the precision", i, weights[i]));
    }
  }

  void keep(const PassRows<T>& rows) {
    if (rows.X.is_sparse()) {
      pending_sparse_.add_rows(rows.X.sparse());
    } else {
      if (pending_.empty()) pending_ = Matrix<T>(block_rows_, features_.dim());
      for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows.X.dense().row(i), pending_.row(classes_.size() + i).begin());
    }
    classes_.insert(classes_.end(), rows.classes.begin(), rows.classes.end());
    folds_.insert(folds_.end(), rows.folds.begin(), rows.folds.end());
    weights_.insert(weights_.end(), rows.weights.begin(), rows.weights.end());
  }

  void add_pending() {
    if (classes_.empty()) return;
    const bool is_sparse = pending_sparse_.rows() > 0;
    add_block({is_sparse ? RowsView<T>(pending_sparse_) : RowsView<T>(std::as_const(pending_).view().middle_rows(0, classes_.size())),
               classes_, folds_, weights_});
    pending_sparse_ = SparseMatrix<T>(features_.dim());
    classes_.clear();
    folds_.clear();
    weights_.clear();
  }

  void add_block(const PassRows<T>& rows) {
    execution_.stop.check();
    const Design<T> design(features_, rows.X,
                           {.bias = task_.has_bias, .max_stored = std::numeric_limits<std::uint64_t>::max(), .execution = execution_});
    sums_.n_rows += rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i)
      sums_.row_weights(rows.folds.empty() ? 0 : rows.folds[i], rows.classes[i]) += rows.weights[i];
    Matrix<double> outputs(stacked_.rows(), rows.size());
    if (!outputs.empty()) design.times(stacked_, outputs, execution_);
    add_losses(design, rows, outputs);
    add_hessians(design, rows, outputs);
    if (!task_.score.empty()) add_scores(rows, outputs.view().middle_rows(n_points() + task_.change.size(), task_.problems.size()));
  }

  void add_losses(const Design<T>& design, const PassRows<T>& rows, const Matrix<double>& outputs) {
    if (n_points() == 0) return;
    Matrix<double> values(n_points(), rows.size()), pulls(n_points(), task_.n_columns());
    const Team team = team_for(2 * static_cast<double>(n_points()) * static_cast<double>(rows.size()), execution_);
    parallel_for(n_points(), team, [&](std::size_t k) {
      const BinaryProblem problem = task_.problems[task_.of[k]];
      double loss = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double y = rows.target(i, problem), short_of = y == 0 ? 0 : std::max(0.0, 1 - y * outputs(k, i));
        loss += rows.weights[i] * (short_of * short_of);
        values(k, i) = rows.weights[i] * short_of * y;
      }
      sums_.losses[k] += loss;
    });
    design.transposed_times(values, pulls, execution_);
    add_numbers(pulls, sums_.pulls);
  }

  void add_hessians(const Design<T>& design, const PassRows<T>& rows, const Matrix<double>& outputs) {
    std::vector<OuterProducts<T>> wanted(full_.size() + change_.size() + grams_.size());
    const Team team = team_for(2 * static_cast<double>(wanted.size()) * static_cast<double>(rows.size()), execution_);
    parallel_for(wanted.size(), team, [&](std::size_t k) { collect(rows, outputs, k, wanted[k]); });
    std::erase_if(wanted, [](const OuterProducts<T>& products) { return products.rows.empty(); });
    add_products(design, wanted);
  }

  /// The rows of the k-th matrix: Hessians, then changes, then Gram matrices.
  void collect(const PassRows<T>& rows, const Matrix<double>& outputs, std::size_t k, OuterProducts<T>& products) {
    if (k < full_.size() + change_.size()) {
      const bool is_full = k < full_.size();
      const std::size_t place = is_full ? k : k - full_.size(), point = is_full ? task_.full[place] : task_.change[place];
      const BinaryProblem problem = task_.problems[task_.of[point]];
      products.gram = is_full ? &full_[place] : &change_[place];
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const int target = rows.target(i, problem);
        const auto is_active = [&](std::size_t row) { return target != 0 && target * outputs(row, i) < 1 ? 1 : 0; };
        const int sign = is_active(point) - (is_full ? 0 : is_active(n_points() + place));
        if (sign != 0) products.add(i, sign * rows.weights[i]);
      }
      return;
    }
    const std::size_t fold = k - full_.size() - change_.size();
    products.gram = &grams_[fold];
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (grams_.size() == 1 || rows.folds[i] == fold) products.add(i, rows.weights[i]);
  }

  /// In slices of equal area where matrices are too few for the threads: slices change no sum.
  void add_products(const Design<T>& design, std::span<const OuterProducts<T>> wanted) const {
    if (wanted.empty()) return;
    const std::size_t n = task_.n_columns();
    double n_rows = 0;
    for (const OuterProducts<T>& products : wanted) n_rows += static_cast<double>(products.rows.size());
    const Team team = team_for(n_rows * static_cast<double>(n) * static_cast<double>(n) / 64, execution_, design.thread_safe());
    const std::size_t n_slices = wanted.size() >= 4 * team.n_threads ? 1 : std::min(team.n_threads, n / 16 + 1);
    parallel_for(wanted.size() * n_slices, team, [&](std::size_t task) {
      const OuterProducts<T>& products = wanted[task / n_slices];
      const std::size_t slice = task % n_slices;
      const std::size_t first = triangle_slice_begin(n, slice, n_slices), end = triangle_slice_begin(n, slice + 1, n_slices);
      if (first < end)
        design.add_outer_products(products.rows, products.signs, first, products.gram->view().middle_rows(first, end - first), {}, {},
                                  execution_.stop);
    });
  }

  void add_scores(const PassRows<T>& rows, MatrixView<const double> outputs) {
    const SvmProblems& problems = task_.problems;
    std::vector<double> of_row(problems.n_outputs());
    const auto is_right = [&](std::size_t i, std::size_t place) {
      for (std::size_t k = 0; k < of_row.size(); ++k) of_row[k] = outputs(problems.all_rows(k) + place, i);
      return class_of_outputs(of_row) == rows.classes[i];
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (is_right(i, 0)) sums_.right.back() += rows.weights[i];
      if (problems.n_folds > 0 && is_right(i, 1 + rows.folds[i])) sums_.right[rows.folds[i]] += rows.weights[i];
    }
  }

  Features features_;
  SvmPassTask task_;
  Execution execution_;
  SvmPassSums sums_;  // but for the matrices, which are packed at the end
  std::vector<Matrix<double>> full_, change_, grams_;
  Matrix<double> stacked_;
  std::size_t block_rows_ = 0;
  SparseMatrix<T> pending_sparse_;  // rows that wait for their block, if rows are sparse; else they are in:
  Matrix<T> pending_;               // rows of a block that is not complete, as many as there are classes
  std::vector<std::uint32_t> classes_, folds_;
  std::vector<double> weights_;
};

template <class T>
SvmPass<T>::SvmPass(Features features, const SvmPassTask& task, const Execution& execution)
    : sums_(std::make_unique<Sums>(std::move(features), task, execution)) {}
template <class T>
SvmPass<T>::SvmPass(SvmPass&&) noexcept = default;
template <class T>
SvmPass<T>& SvmPass<T>::operator=(SvmPass&&) noexcept = default;
template <class T>
SvmPass<T>::~SvmPass() = default;

template <class T>
void SvmPass<T>::add(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const std::uint32_t> folds,
                     std::span<const double> weights) {
  sums_->add(X, classes, folds, weights);
}
template <class T>
SvmPassSums SvmPass<T>::finish() {
  return sums_->finish();
}

template class SvmPass<float>;
template class SvmPass<double>;

}  // namespace askrff::models
