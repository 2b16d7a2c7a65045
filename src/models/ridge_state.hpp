// What sums for ridge regression are made of besides numbers: rows that wait for their group, ranges of rows, and what must hold of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askrff/features.hpp"
#include "askrff/ridge.hpp"

namespace askrff::models {

/// Consecutive rows, as an accumulator of features of type T was given them.
template <class T>
struct RowStretch {
  std::uint64_t first = 0;
  std::vector<T> X = {};          // row after row
  SparseMatrix<T> sparse_X = {};  // or these, if the first were sparse
  std::vector<double> Y = {};
  std::vector<std::uint32_t> folds = {};  // one per row
  std::vector<T> weights = {};

  std::uint64_t end() const { return first + folds.size(); }
  bool is_sparse() const { return sparse_X.cols() > 0; }
  /// Rows `row` … `row + count - 1`; folds and weights may be empty: all 0, all 1.
  void append(const RowsView<T>& from_X, MatrixView<const double> from_Y, std::span<const std::uint32_t> of_folds,
              std::span<const double> of_weights, std::size_t row, std::size_t count);
  void append(const RowStretch& next);
  /// Dense: bytes that are kept have one kind of rows.
  RidgeState::Rows state(std::size_t dim, std::size_t n_targets) const;
  static RowStretch of(const RidgeState::Rows& rows);

 private:
  /// X or sparse_X alone.
  void append_rows(const RowsView<T>& rows);
};

/// All of these throw std::invalid_argument. Origins may be empty.
template <class T>
void check_origins(std::span<const double> origin, std::span<const double> feature_origin, const Features& features, std::size_t n_targets);
/// Returns the number of targets.
template <class T>
std::size_t check_state(const RidgeState& state, const Features& features);
void check_folds_of_rows(std::size_t n_rows, std::span<const std::uint32_t> folds, std::size_t n_folds);
template <class T>
void check_weights_of_rows(std::size_t n_rows, std::span<const double> weights);
/// Targets, which must fit T when counted from the origin, or from the first of them if that is empty.
template <class T>
void check_targets(MatrixView<const double> Y, std::span<const double> origin);

/// Whether `others` are new: false if all of them are counted. Throws std::invalid_argument if some are.
bool has_new_rows(const std::vector<RowRange>& counted, const std::vector<RowRange>& others);
/// Adds ranges none of which is counted, and joins those that meet.
void join_ranges(std::vector<RowRange>& counted, const std::vector<RowRange>& others);

/// The sums of a fold as doubles, whole matrices.
FoldSums rounded(const RidgeState::Fold& fold, std::size_t n_features, std::size_t n_targets);

}  // namespace askrff::models
