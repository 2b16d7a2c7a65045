// One pass for ridge regression: rows by groups, the sums of every fold, with a column of ones among the targets for the means. Groups
// begin at fixed numbers of rows and are added to twice the digits, so that parts of the rows, summed anywhere, make the sums of one go.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/ridge.hpp"
#include "core/checks.hpp"
#include "models/ridge_state.hpp"
#include "models/wide_sums.hpp"
#include "operators/group_products.hpp"

namespace askrff {

std::uint64_t RidgeSums::n_rows() const {
  std::uint64_t sum = 0;
  for (const FoldSums& fold : folds) sum += fold.n_rows;
  return sum;
}

template <class T>
std::size_t RidgeAccumulator<T>::group_rows(std::size_t n_folds, std::size_t n_features, std::size_t dim) {
  // Adding to twice the digits costs as much as the products of some hundred rows; but rows that wait travel with the sums of a part.
  constexpr std::size_t least = operators::group_rows / 4, most = operators::group_rows * 4;
  return std::bit_floor(std::clamp(n_features * n_features / dim, least, most)) * n_folds;
}

namespace {

using models::RowStretch;

/// Folds are dealt row by row: of a group one may get some more rows than another.
constexpr std::size_t piece_rows = operators::group_rows + operators::group_rows / 8;

/// Sums over the rows of one fold, from which they are taken group by group.
template <class T>
class FoldProducts {
 public:
  FoldProducts(const Features& features, std::size_t n_targets)
      : n_features_(features.n_features()),
        dim_(features.dim()),
        n_targets_(n_targets),
        products_(features, n_targets + 1, piece_rows),
        gram_(n_features_, n_features_),
        moments_(n_features_, n_targets + 1),
        sparse_X_(dim_),
        Y_(piece_rows, n_targets + 1),
        weights_(piece_rows) {}

  RidgeState::Fold empty_fold() const {
    return {models::wide_zeros(n_features_ * (n_features_ + 1) / 2), models::wide_zeros(n_features_ * (n_targets_ + 1)),
            models::wide_zeros(1 + 2 * n_targets_), 0};
  }

  /// Adds the rows of a fold among those of a group, in pieces of about the same size.
  void add(const RowStretch<T>& rows, std::uint32_t fold, std::span<const double> origin, std::span<const T> row_origin,
           RidgeState::Fold& to, const Execution& execution) {
    const std::size_t n_of_fold = static_cast<std::size_t>(std::ranges::count(rows.folds, fold));
    if (n_of_fold == 0) return;
    const std::size_t n_pieces = ceil_div(n_of_fold, piece_rows), size = ceil_div(n_of_fold, n_pieces);
    targets_.assign(1 + 2 * n_targets_, 0.0);
    std::size_t n_taken = 0, n_left = n_of_fold;
    for (std::size_t i = 0; n_left > 0; ++i) {
      if (i % 1024 == 0) execution.stop.check();
      if (rows.folds[i] != fold) continue;
      take(rows, i, n_taken++, origin, row_origin);
      --n_left;
      if (n_taken == size || n_left == 0) add_piece(std::exchange(n_taken, 0), n_left == 0 ? &to : nullptr, execution);
    }
    models::add_values(to.targets, 0, targets_);
    to.n_rows += n_of_fold;
  }

 private:
  using Finished = typename operators::GroupProducts<T>::Finished;

  void take(const RowStretch<T>& rows, std::size_t row, std::size_t place, std::span<const double> origin, std::span<const T> row_origin) {
    const T weight = rows.weights[row];
    weights_[place] = weight;
    targets_[0] += static_cast<double>(weight);
    if (rows.is_sparse()) {
      sparse_X_.add_rows(rows.sparse_X.view().middle_rows(row, 1));  // only columns, which are dense, have an origin
    } else {
      if (X_.empty()) X_ = Matrix<T>(piece_rows, dim_);
      for (std::size_t j = 0; j < dim_; ++j) X_(place, j) = rows.X[row * dim_ + j] - row_origin[j];
    }
    for (std::size_t t = 0; t < n_targets_; ++t) {
      Y_(place, t) = static_cast<T>(rows.Y[row * n_targets_ + t] - origin[t]);
      const double y = Y_(place, t);  // rounded: all sums are of the same numbers
      targets_[1 + t] += weight * y;
      targets_[1 + n_targets_ + t] += weight * (y * y);
    }
    Y_(place, n_targets_) = T{1};
  }

  /// to: where the sums of the group go with its last piece; else null.
  void add_piece(std::size_t n_rows, RidgeState::Fold* to, const Execution& execution) {
    const bool is_sparse = sparse_X_.rows() > 0;
    const RowsView<T> X = is_sparse ? RowsView<T>(sparse_X_) : RowsView<T>(std::as_const(X_).view().middle_rows(0, n_rows));
    const auto Y = std::as_const(Y_).view().middle_rows(0, n_rows);
    const auto keep_gram = [&](std::size_t first, std::size_t end) {
      for (std::size_t f = first; f < end; ++f) move_to(to->gram, f * n_features_ - f * (f + 1) / 2 + f, gram_.row(f).subspan(f));
    };
    const auto keep_moments = [&](std::size_t first, std::size_t end) {
      for (std::size_t f = first; f < end; ++f) move_to(to->moments, f * (n_targets_ + 1), moments_.row(f));
    };
    try {
      products_.add(backend::rows_of(X), backend::rows_of(Y), weights_.data(), gram_, moments_, execution,
                    to ? Finished(keep_gram) : nullptr, to ? Finished(keep_moments) : nullptr);
      sparse_X_ = SparseMatrix<T>(dim_);
    } catch (...) {
      sparse_X_ = SparseMatrix<T>(dim_);
      gram_ = Matrix<double>(n_features_, n_features_);
      moments_ = Matrix<double>(n_features_, n_targets_ + 1);
      throw;
    }
  }

  /// The products of the next group are added to what is there: it is left at zero.
  static void move_to(WideSums& sums, std::size_t first, std::span<double> values) {
    models::add_values(sums, first, values);
    std::ranges::fill(values, 0.0);
  }

  std::size_t n_features_, dim_, n_targets_;
  operators::GroupProducts<T> products_;
  Matrix<double> gram_, moments_;  // of a group
  SparseMatrix<T> sparse_X_;       // rows of a piece, or, if those are dense:
  Matrix<T> X_;
  Matrix<T> Y_;
  std::vector<T> weights_;
  std::vector<double> targets_;  // sums over the targets of a group
};

}  // namespace

template <class T>
class RidgeAccumulator<T>::Accumulator {
 public:
  Accumulator(const Features& features, std::size_t n_targets, std::size_t n_folds, const Execution& execution, RidgePart part)
      : features_(features), execution_(execution), n_targets_(n_targets), dim_(features.dim()), next_row_(part.first_row) {
    if (n_targets == 0) throw InvalidArgument("RidgeAccumulator", "no targets, expected at least one");
    if (n_folds == 0 || n_folds > 1000) throw InvalidArgument("RidgeAccumulator", fmt::format("{} folds, expected 1 to 1000", n_folds));
    models::check_origins<T>(part.origin, part.feature_origin, features, n_targets);
    products_ = std::make_unique<FoldProducts<T>>(features, n_targets);
    for (std::size_t fold = 0; fold < n_folds; ++fold) folds_.push_back(products_->empty_fold());
    origin_ = std::move(part.origin);
    set_row_origin(part.feature_origin);
  }

  Accumulator(const Features& features, RidgeState state, const Execution& execution)
      : Accumulator(features, models::check_state<T>(state, features), state.folds.size(), execution, {}) {
    folds_ = std::move(state.folds);
    counted_ = std::move(state.counted);
    for (const RidgeState::Rows& rows : state.waiting) waiting_.push_back(RowStretch<T>::of(rows));
    origin_ = std::move(state.origin);
    set_row_origin(state.feature_origin);
    if (!counted_.empty()) next_row_ = counted_.back().end;
  }

  void add(const RowsView<T>& X, MatrixView<const double> Y, std::span<const std::uint32_t> folds, std::span<const double> weights) {
    require_whole();
    require_shape(Y, X.rows(), n_targets_, "RidgeAccumulator::add", "Y");
    X.visit([&](const auto& rows) { features_.plan().check(rows, execution_); });  // all rows before any is added
    models::check_folds_of_rows(X.rows(), folds, folds_.size());
    models::check_weights_of_rows<T>(X.rows(), weights);
    models::check_targets<T>(Y, origin_);
    if (X.rows() == 0) return;
    if (X.is_sparse() && features_.plan().are_columns()) {
      Matrix<T> written_out(X.rows(), dim_);
      X.sparse().copy_to(written_out.view());
      return add(written_out, Y, folds, weights);
    }
    if (counted_.size() > 1)
      throw InvalidArgument("RidgeAccumulator::add", "parts of the rows are missing, expected to go on from all of them");
    is_spoilt_ = true;  // until all rows are in
    begin(X, Y);
    const std::size_t size = group_size();
    for (std::size_t row = 0; row < X.rows();) {
      const std::size_t place = next_row_ % size, count = std::min(size - place, X.rows() - row);
      if (place == 0 || waiting_.empty() || waiting_.back().end() != next_row_) waiting_.push_back({.first = next_row_});
      waiting_.back().append(X, Y, folds, weights, row, count);
      row += count;
      next_row_ += count;
      if (waiting_.back().folds.size() < size) continue;  // or it began in the middle of its group: the rest may come by a merge
      sum(waiting_.back());
      waiting_.pop_back();
    }
    models::join_ranges(counted_, {{next_row_ - X.rows(), next_row_}});
    is_spoilt_ = false;
  }

  void merge(const Accumulator& other) {
    require_whole();
    other.require_whole();
    if (folds_.size() != other.folds_.size() || n_targets_ != other.n_targets_ || features_.n_features() != other.features_.n_features() ||
        dim_ != other.dim_)
      throw InvalidArgument("RidgeAccumulator::merge", "sums of other features, targets or folds, expected the same");
    if (other.counted_.empty()) return;
    if ((!origin_.empty() && origin_ != other.origin_) || (!row_origin_.empty() && row_origin_ != other.row_origin_))
      throw InvalidArgument("RidgeAccumulator::merge", "sums that are counted from another origin, expected parts of the same rows");
    if (!models::has_new_rows(counted_, other.counted_)) return;
    is_spoilt_ = true;  // until all rows are in
    origin_ = other.origin_;
    row_origin_ = other.row_origin_;
    for (std::size_t fold = 0; fold < folds_.size(); ++fold) {
      execution_.stop.check();
      models::add_sums(folds_[fold].gram, other.folds_[fold].gram);
      models::add_sums(folds_[fold].moments, other.folds_[fold].moments);
      models::add_sums(folds_[fold].targets, other.folds_[fold].targets);
      folds_[fold].n_rows += other.folds_[fold].n_rows;
    }
    waiting_.insert(waiting_.end(), other.waiting_.begin(), other.waiting_.end());
    sum_completed();
    models::join_ranges(counted_, other.counted_);
    next_row_ = counted_.back().end;
    is_spoilt_ = false;
  }

  const std::vector<RowRange>& counted() const { return counted_; }
  void set_execution(const Execution& execution) { execution_ = execution; }

  RidgeState state() const {
    require_whole();
    RidgeState state{counted_, folds_, {}, origin_, {}, std::numeric_limits<T>::epsilon()};
    for (const RowStretch<T>& rows : waiting_) state.waiting.push_back(rows.state(dim_, n_targets_));
    if (features_.plan().are_columns()) state.feature_origin.assign(row_origin_.begin(), row_origin_.end());
    return state;
  }

  /// Rows that wait are summed apart, fold by fold, so that they can go on waiting.
  RidgeSums moments() const {
    require_whole();
    RidgeSums moments;
    moments.origin = origin_.empty() ? std::vector<double>(n_targets_) : origin_;
    moments.epsilon = std::numeric_limits<T>::epsilon();
    moments.feature_origin.assign(features_.n_features(), 0.0);
    if (features_.plan().are_columns()) std::ranges::copy(row_origin_, moments.feature_origin.begin());
    for (std::size_t fold = 0; fold < folds_.size(); ++fold) {
      execution_.stop.check();
      if (waiting_.empty()) {
        moments.folds.push_back(models::rounded(folds_[fold], features_.n_features(), n_targets_));
        continue;
      }
      RidgeState::Fold sums = products_->empty_fold();
      for (const RowStretch<T>& rows : waiting_)
        products_->add(rows, static_cast<std::uint32_t>(fold), origin_, row_origin_, sums, execution_);
      models::add_sums(sums.gram, folds_[fold].gram);
      models::add_sums(sums.moments, folds_[fold].moments);
      models::add_sums(sums.targets, folds_[fold].targets);
      sums.n_rows += folds_[fold].n_rows;
      moments.folds.push_back(models::rounded(sums, features_.n_features(), n_targets_));
    }
    return moments;
  }

 private:
  std::size_t group_size() const { return group_rows(folds_.size(), features_.n_features(), dim_); }

  void require_whole() const {
    if (is_spoilt_)
      throw InvalidArgument("RidgeAccumulator", "a call was stopped or failed halfway: the sums are of no further use, begin anew");
  }

  /// From where targets are counted and, if the features are the columns themselves, those: numbers far from 0 would lose their digits.
  void begin(const RowsView<T>& X, MatrixView<const double> Y) {
    if (origin_.empty()) origin_.assign(Y.row(0).begin(), Y.row(0).end());
    if (!row_origin_.empty()) return;
    row_origin_.assign(dim_, T{0});
    if (features_.plan().are_columns()) row_origin_.assign(X.dense().row(0).begin(), X.dense().row(0).end());
  }

  void set_row_origin(const std::vector<double>& given) {
    row_origin_.clear();
    for (const double x : given) row_origin_.push_back(static_cast<T>(x));
    if (row_origin_.empty() && !features_.plan().are_columns()) row_origin_.assign(dim_, T{0});
  }

  void sum(const RowStretch<T>& rows) {
    for (std::size_t fold = 0; fold < folds_.size(); ++fold)
      products_->add(rows, static_cast<std::uint32_t>(fold), origin_, row_origin_, folds_[fold], execution_);
  }

  /// Rows that wait are put in order and joined where they meet; groups that are complete then are summed.
  void sum_completed() {
    std::ranges::sort(waiting_, {}, &RowStretch<T>::first);
    const std::size_t size = group_size();
    std::vector<RowStretch<T>> left;
    for (RowStretch<T>& rows : waiting_) {
      if (!left.empty() && left.back().end() == rows.first && rows.first % size != 0)
        left.back().append(rows);
      else
        left.push_back(std::move(rows));
      if (left.back().folds.size() < size) continue;
      sum(left.back());
      left.pop_back();
    }
    waiting_ = std::move(left);
  }

  Features features_;
  Execution execution_;
  std::size_t n_targets_, dim_;
  std::uint64_t next_row_;
  std::vector<RidgeState::Fold> folds_;
  std::vector<RowStretch<T>> waiting_;  // rows of groups that are not complete, in order; none goes beyond its group
  std::vector<RowRange> counted_;
  std::vector<double> origin_;  // empty before the first row
  std::vector<T> row_origin_;   // likewise, of columns
  std::unique_ptr<FoldProducts<T>> products_;
  bool is_spoilt_ = false;  // a call ended halfway
};

template <class T>
RidgeAccumulator<T>::RidgeAccumulator(Features features, std::size_t n_targets, std::size_t n_folds, const Execution& execution,
                                      RidgePart part)
    : accumulator_(std::make_unique<Accumulator>(features, n_targets, n_folds, execution, std::move(part))) {}
template <class T>
RidgeAccumulator<T>::RidgeAccumulator(Features features, RidgeState state, const Execution& execution)
    : accumulator_(std::make_unique<Accumulator>(features, std::move(state), execution)) {}
template <class T>
RidgeAccumulator<T>::RidgeAccumulator(RidgeAccumulator&&) noexcept = default;
template <class T>
RidgeAccumulator<T>& RidgeAccumulator<T>::operator=(RidgeAccumulator&&) noexcept = default;
template <class T>
RidgeAccumulator<T>::~RidgeAccumulator() = default;

template <class T>
void RidgeAccumulator<T>::add(const RowsView<T>& X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                              std::span<const double> weights) {
  accumulator_->add(X, Y, folds, weights);
}
template <class T>
void RidgeAccumulator<T>::merge(const RidgeAccumulator& other) {
  accumulator_->merge(*other.accumulator_);
}
template <class T>
const std::vector<RowRange>& RidgeAccumulator<T>::counted() const {
  return accumulator_->counted();
}
template <class T>
void RidgeAccumulator<T>::set_execution(const Execution& execution) {
  accumulator_->set_execution(execution);
}
template <class T>
RidgeState RidgeAccumulator<T>::state() const {
  return accumulator_->state();
}
template <class T>
RidgeSums RidgeAccumulator<T>::moments() const {
  return accumulator_->moments();
}

template class RidgeAccumulator<float>;
template class RidgeAccumulator<double>;

}  // namespace askrff
