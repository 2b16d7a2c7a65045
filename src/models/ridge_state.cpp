// Rows that wait, ranges, and checks of what accumulators for ridge regression are given.
#include "models/ridge_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "features/plan.hpp"

namespace askrff::models {

template <class T>
void RowStretch<T>::append_rows(const RowsView<T>& rows) {
  if (folds.empty() && rows.is_sparse()) sparse_X = SparseMatrix<T>(rows.cols());
  if (is_sparse()) return sparse_X.add_rows(rows.is_sparse() ? rows.sparse() : SparseMatrix<T>::of(rows.dense()).view());
  const std::size_t before = X.size();
  X.resize(before + rows.rows() * rows.cols());
  const MatrixView<T> place(X.data() + before, rows.rows(), rows.cols());
  if (rows.is_sparse()) return rows.sparse().copy_to(place);
  for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(rows.dense().row(i), place.row(i).begin());
}

template <class T>
void RowStretch<T>::append(const RowsView<T>& from_X, MatrixView<const double> from_Y, std::span<const std::uint32_t> of_folds,
                           std::span<const double> of_weights, std::size_t row, std::size_t count) {
  append_rows(from_X.middle_rows(row, count));
  for (std::size_t i = row; i < row + count; ++i) {
    Y.insert(Y.end(), from_Y.row(i).begin(), from_Y.row(i).end());
    folds.push_back(of_folds.empty() ? 0 : of_folds[i]);
    weights.push_back(of_weights.empty() ? T{1} : static_cast<T>(of_weights[i]));
  }
}

template <class T>
void RowStretch<T>::append(const RowStretch& next) {
  const std::size_t dim = next.is_sparse() ? next.sparse_X.cols() : next.X.size() / next.folds.size();
  append_rows(next.is_sparse() ? RowsView<T>(next.sparse_X) : RowsView<T>(MatrixView<const T>(next.X.data(), next.folds.size(), dim)));
  Y.insert(Y.end(), next.Y.begin(), next.Y.end());
  folds.insert(folds.end(), next.folds.begin(), next.folds.end());
  weights.insert(weights.end(), next.weights.begin(), next.weights.end());
}

template <class T>
RidgeState::Rows RowStretch<T>::state(std::size_t dim, std::size_t n_targets) const {
  RidgeState::Rows rows{
      first, Matrix<double>(folds.size(), dim), Matrix<double>(folds.size(), n_targets, Y), folds, {weights.begin(), weights.end()}};
  if (is_sparse()) {
    const std::span<const T> values = sparse_X.view().all_values();
    const std::vector<double> widened(values.begin(), values.end());
    sparse_X.view().with_values(widened.data()).copy_to(rows.X.view());
  } else {
    std::ranges::copy(X, rows.X.data());
  }
  return rows;
}

template <class T>
RowStretch<T> RowStretch<T>::of(const RidgeState::Rows& rows) {
  RowStretch stretch{.first = rows.first};
  const auto numbers = [](const Matrix<double>& values) { return std::span<const double>(values.data(), values.rows() * values.cols()); };
  for (const double x : numbers(rows.X)) stretch.X.push_back(static_cast<T>(x));
  stretch.Y.assign(numbers(rows.Y).begin(), numbers(rows.Y).end());
  stretch.folds = rows.folds;
  for (const double weight : rows.weights) stretch.weights.push_back(static_cast<T>(weight));
  return stretch;
}

template struct RowStretch<float>;
template struct RowStretch<double>;

template <class T>
void check_origins(std::span<const double> origin, std::span<const double> feature_origin, const Features& features,
                   std::size_t n_targets) {
  const bool are_columns = features.plan().are_columns();
  if (!origin.empty() && origin.size() != n_targets)
    throw InvalidArgument("RidgeAccumulator",
                          fmt::format("an origin of {} numbers, expected {}, one per target", origin.size(), n_targets));
  if (!feature_origin.empty() && feature_origin.size() != (are_columns ? features.n_features() : 0))
    throw InvalidArgument("RidgeAccumulator", fmt::format("an origin of {} features, expected {}", feature_origin.size(),
                                                          are_columns ? "one for every column" : "none: only columns have one"));
  for (const double value : origin)
    if (!std::isfinite(value))
      throw InvalidArgument("RidgeAccumulator", "the origin of the targets is not finite, expected finite numbers");
  for (const double value : feature_origin)
    if (!std::isfinite(value) || static_cast<double>(static_cast<T>(value)) != value)
      throw InvalidArgument("RidgeAccumulator",
                            fmt::format("the origin of a column is {}, expected a number of the features' type", value));
}

namespace {

void check_wide(const WideSums& sums, std::size_t size, const char* what) {
  if (sums.high.size() != size || sums.low.size() != size)
    throw InvalidArgument("RidgeAccumulator", fmt::format("{} sums for {}, expected {}", sums.high.size(), what, size));
  for (const std::vector<double>* half : {&sums.high, &sums.low})
    if (!std::ranges::all_of(*half, [](double value) { return std::isfinite(value); }))
      throw InvalidArgument("RidgeAccumulator", fmt::format("sums for {} that are not finite", what));
}

template <class T>
void check_waiting(const RidgeState::Rows& rows, const RidgeState& state, const Features& features, std::size_t n_targets) {
  const std::size_t n_rows = rows.folds.size(),
                    size = RidgeAccumulator<T>::group_rows(state.folds.size(), features.n_features(), features.dim());
  require_shape(rows.X.view(), n_rows, features.dim(), "RidgeAccumulator", "the rows that wait");
  require_finite(rows.X.view(), "RidgeAccumulator", "the rows that wait");
  require_shape(rows.Y.view(), n_rows, n_targets, "RidgeAccumulator", "their targets");
  check_targets<T>(rows.Y, state.origin);
  check_folds_of_rows(n_rows, rows.folds, state.folds.size());
  check_weights_of_rows<T>(n_rows, rows.weights);
  if (n_rows == 0 || rows.weights.empty() || n_rows >= size || rows.first % size > size - n_rows)
    throw InvalidArgument("RidgeAccumulator",
                          fmt::format("{} rows that wait from row {}, expected some of one group of {}", n_rows, rows.first, size));
  for (const double x : std::span<const double>(rows.X.data(), n_rows * features.dim()))
    if (static_cast<double>(static_cast<T>(x)) != x)
      throw InvalidArgument("RidgeAccumulator", fmt::format("a row that waits holds {}, expected a number of the features' type", x));
  const auto contains = [&](const RowRange& range) { return range.first <= rows.first && rows.first + n_rows <= range.end; };
  if (std::ranges::none_of(state.counted, contains)) throw InvalidArgument("RidgeAccumulator", "rows wait that are not counted");
}

void check_ranges(const std::vector<RowRange>& counted) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (counted[i].first >= counted[i].end || (i > 0 && counted[i].first <= end))
      throw InvalidArgument("RidgeAccumulator", "ranges of rows that are empty or not in order");
    end = counted[i].end;
  }
}

}  // namespace

template <class T>
std::size_t check_state(const RidgeState& state, const Features& features) {
  if (state.folds.empty()) throw InvalidArgument("RidgeAccumulator", "a state of no folds, expected at least one");
  const std::size_t n = features.n_features(), n_numbers = state.folds[0].targets.high.size();
  if (n_numbers < 3 || n_numbers % 2 == 0)
    throw InvalidArgument("RidgeAccumulator", fmt::format("{} sums over targets, expected an odd number from 3", n_numbers));
  const std::size_t n_targets = (n_numbers - 1) / 2;
  if (state.epsilon != std::numeric_limits<T>::epsilon())
    throw InvalidArgument("RidgeAccumulator", fmt::format("the state's epsilon is {}, expected {}: sums go on in the type they began in",
                                                          state.epsilon, std::numeric_limits<T>::epsilon()));
  check_origins<T>(state.origin, state.feature_origin, features, n_targets);
  check_ranges(state.counted);
  std::uint64_t n_counted = 0, n_held = 0;
  for (const RowRange& range : state.counted) n_counted += range.end - range.first;
  for (const RidgeState::Fold& fold : state.folds) {
    check_wide(fold.gram, n * (n + 1) / 2, "products of features");
    check_wide(fold.moments, n * (n_targets + 1), "products with targets");
    check_wide(fold.targets, n_numbers, "targets");
    if ((fold.n_rows > 0) != (fold.targets.high[0] > 0))
      throw InvalidArgument("RidgeAccumulator",
                            fmt::format("{} rows of weight {} in a fold, expected numbers that agree", fold.n_rows, fold.targets.high[0]));
    n_held += fold.n_rows;
  }
  std::uint64_t end = 0;
  for (const RidgeState::Rows& rows : state.waiting) {
    check_waiting<T>(rows, state, features, n_targets);
    if (rows.first < end) throw InvalidArgument("RidgeAccumulator", "rows that wait are not in order");
    end = rows.first + rows.folds.size();
    n_held += rows.folds.size();
  }
  if (n_held != n_counted) throw InvalidArgument("RidgeAccumulator", fmt::format("sums of {} rows, but {} are counted", n_held, n_counted));
  if (n_counted > 0 && (state.origin.empty() || (features.plan().are_columns() && state.feature_origin.empty())))
    throw InvalidArgument("RidgeAccumulator", "sums without what they are counted from");
  return n_targets;
}

void check_folds_of_rows(std::size_t n_rows, std::span<const std::uint32_t> folds, std::size_t n_folds) {
  if (folds.size() != n_rows && !(folds.empty() && n_folds == 1))
    throw InvalidArgument("RidgeAccumulator::add", fmt::format("{} folds for {} rows, expected one per row", folds.size(), n_rows));
  for (const std::uint32_t fold : folds)
    if (fold >= n_folds) throw InvalidArgument("RidgeAccumulator::add", fmt::format("a row is in fold {} of {}", fold, n_folds));
}

template <class T>
void check_weights_of_rows(std::size_t n_rows, std::span<const double> weights) {
  if (!weights.empty() && weights.size() != n_rows)
    throw InvalidArgument("RidgeAccumulator::add", fmt::format("{} weights for {} rows, expected one per row", weights.size(), n_rows));
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(static_cast<T>(weights[i]) > 0 && std::isfinite(static_cast<T>(weights[i]))))
      throw InvalidArgument(
          "RidgeAccumulator::add",
          fmt::format("row {} has the weight {}, expected a finite number above 0 that fits the precision", i, weights[i]));
}

template <class T>
void check_targets(MatrixView<const double> Y, std::span<const double> origin) {
  for (std::size_t i = 0; i < Y.rows(); ++i)
    for (std::size_t t = 0; t < Y.cols(); ++t) {
      const double y = Y(i, t) - (origin.empty() ? Y(0, t) : origin[t]);
      if (!std::isfinite(Y(i, t)) || !std::isfinite(static_cast<T>(y)))
        throw InvalidArgument(
            "RidgeAccumulator::add",
            fmt::format("Y holds {} in row {}, column {}; expected finite numbers that fit the precision", Y(i, t), i, t));
    }
}

template void check_origins<float>(std::span<const double>, std::span<const double>, const Features&, std::size_t);
template void check_origins<double>(std::span<const double>, std::span<const double>, const Features&, std::size_t);
template std::size_t check_state<float>(const RidgeState&, const Features&);
template std::size_t check_state<double>(const RidgeState&, const Features&);
template void check_weights_of_rows<float>(std::size_t, std::span<const double>);
template void check_weights_of_rows<double>(std::size_t, std::span<const double>);
template void check_targets<float>(MatrixView<const double>, std::span<const double>);
template void check_targets<double>(MatrixView<const double>, std::span<const double>);

bool has_new_rows(const std::vector<RowRange>& counted, const std::vector<RowRange>& others) {
  std::size_t n_new = 0;
  for (const RowRange& other : others) {
    const auto meets = [&](const RowRange& range) { return range.first < other.end && other.first < range.end; };
    const auto contains = [&](const RowRange& range) { return range.first <= other.first && other.end <= range.end; };
    if (std::ranges::any_of(counted, contains)) continue;
    if (std::ranges::any_of(counted, meets))
      throw InvalidArgument("RidgeAccumulator::merge",
                            fmt::format("some of the rows {} to {} are counted already, expected all or none", other.first, other.end - 1));
    ++n_new;
  }
  if (n_new > 0 && n_new < others.size())
    throw InvalidArgument("RidgeAccumulator::merge", "some of the other's parts are counted already, expected all or none");
  return n_new > 0;
}

void join_ranges(std::vector<RowRange>& counted, const std::vector<RowRange>& others) {
  counted.insert(counted.end(), others.begin(), others.end());
  std::ranges::sort(counted, {}, &RowRange::first);
  std::vector<RowRange> joined;
  for (const RowRange& range : counted) {
    if (!joined.empty() && joined.back().end == range.first)
      joined.back().end = range.end;
    else
      joined.push_back(range);
  }
  counted = std::move(joined);
}

FoldSums rounded(const RidgeState::Fold& fold, std::size_t n_features, std::size_t n_targets) {
  FoldSums sums{Matrix<double>(n_features, n_features),
                Matrix<double>(n_features, n_targets),
                std::vector<double>(n_features),
                std::vector<double>(n_targets),
                std::vector<double>(n_targets),
                fold.n_rows,
                fold.targets.high[0] + fold.targets.low[0]};
  const auto value = [](const WideSums& wide, std::size_t i) { return wide.high[i] + wide.low[i]; };
  std::size_t place = 0;
  for (std::size_t f = 0; f < n_features; ++f) {
    for (std::size_t g = f; g < n_features; ++g) sums.gram(f, g) = sums.gram(g, f) = value(fold.gram, place++);
    for (std::size_t t = 0; t < n_targets; ++t) sums.moments(f, t) = value(fold.moments, f * (n_targets + 1) + t);
    sums.feature_sums[f] = value(fold.moments, f * (n_targets + 1) + n_targets);
  }
  for (std::size_t t = 0; t < n_targets; ++t) {
    sums.target_sums[t] = value(fold.targets, 1 + t);
    sums.target_norms[t] = value(fold.targets, 1 + n_targets + t);
  }
  return sums;
}

}  // namespace askrff::models
