// Sparse rows on their way to features: scaled where they stand, or written out some at a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "core/checks.hpp"
#include "pipeline/scaled_rows.hpp"

namespace askrff {
namespace {

template <class T>
void require_columns_of_map(const SparseView<T>& X, std::size_t dim) {
  if (X.cols() != dim) throw InvalidArgument("Map", fmt::format("X has {} columns, the map was made for {}", X.cols(), dim));
}

}  // namespace

template <class T, class U>
SparseView<T> Map::scaled(SparseView<U> X, SparseMatrix<T>& storage, FeatureSide side) const {
  const Scaler& scaler = content().scaler;
  require_columns_of_map(X, dim(side));
  if (!scaler.keeps_zeros())
    throw InvalidArgument("Map", "the scaling makes other numbers of zeros, expected one that keeps them for sparse rows");
  const bool is_scaled = scaler.kind != Scaling::none;
  if constexpr (std::is_same_v<T, U>)
    if (!is_scaled) return X;
  std::vector<T> values;
  values.reserve(X.n_values());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < X.values_of(i).size(); ++k) {
      const auto given = static_cast<double>(X.values_of(i)[k]);
      const double x = is_scaled ? scaler.scaled(given, X.columns_of(i)[k]) : given;
      if (std::abs(x) > static_cast<double>(std::numeric_limits<T>::max()) && std::isfinite(x))
        throw InvalidArgument("Map",
                              fmt::format("a row holds {:.6g}, which is too large for float32, expected float64 or scaled columns", x));
      values.push_back(static_cast<T>(x));
    }
  storage = SparseMatrix<T>(X, std::move(values));
  return storage;
}

template <class T, class U>
void Map::transform(FeatureSide side, const RowsView<U>& X, MatrixView<T> out, const Execution& execution) const {
  if (!X.is_sparse()) return transform_dense<T, U>(side, X.dense(), out, execution);
  const Features of_scaled = features(side, execution.backend);
  require_columns_of_map(X.sparse(), dim(side));
  require_shape(out, X.rows(), of_scaled.n_features(), "Map::transform", "out");
  pipeline::RoundedRows<T, U> storage;
  const std::size_t at_once = pipeline::rows_scaled_at_once(*this, X, std::max<std::size_t>(1, X.rows()));
  for (std::size_t first = 0; first < X.rows(); first += at_once) {
    const std::size_t count = std::min(at_once, X.rows() - first);
    storage.scaled(*this, X.middle_rows(first, count), side).visit([&](const auto& rows) {
      of_scaled.transform(rows, out.middle_rows(first, count), execution);
    });
  }
}

template void Map::transform(FeatureSide, const RowsView<double>&, MatrixView<double>, const Execution&) const;
template void Map::transform(FeatureSide, const RowsView<float>&, MatrixView<double>, const Execution&) const;
template void Map::transform(FeatureSide, const RowsView<double>&, MatrixView<float>, const Execution&) const;
template void Map::transform(FeatureSide, const RowsView<float>&, MatrixView<float>, const Execution&) const;

template SparseView<float> Map::scaled(SparseView<float>, SparseMatrix<float>&, FeatureSide) const;
template SparseView<float> Map::scaled(SparseView<double>, SparseMatrix<float>&, FeatureSide) const;
template SparseView<double> Map::scaled(SparseView<float>, SparseMatrix<double>&, FeatureSide) const;
template SparseView<double> Map::scaled(SparseView<double>, SparseMatrix<double>&, FeatureSide) const;

}  // namespace askrff
