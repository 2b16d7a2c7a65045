// Sparse rows on their way to features: scaled where they stand, or written out some at a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

template <class T>
void require_columns_of_map(const Map& map, const SparseView<T>& X) {
  if (X.cols() != map.dim()) throw InvalidArgument("Map", fmt::format("X has {} columns, the map was made for {}", X.cols(), map.dim()));
}

/// Rows that make 32 MiB of numbers: enough to share among threads.
template <class T>
std::size_t rows_written_out(std::size_t n_columns) {
  return std::max<std::size_t>(64, (std::size_t{32} << 20) / sizeof(T) / n_columns);
}

template <class T>
void transform_sparse(const Map& map, FeatureSide side, const SparseView<T>& X, MatrixView<T> out, const Execution& execution) {
  require_columns_of_map(map, X);
  require_shape(out, X.rows(), map.n_features(side), "Map::transform", "out");
  if (map.content().scaler.keeps_zeros()) {
    std::vector<T> storage;
    return map.features(side, execution.backend).transform(map.scaled<T, T>(X, storage), out, execution);
  }
  const std::size_t at_once = std::min(X.rows(), rows_written_out<T>(X.cols()));
  Matrix<T> rows(at_once, X.cols());
  for (std::size_t first = 0; first < X.rows(); first += at_once) {
    const MatrixView<T> block = rows.view().middle_rows(0, std::min(at_once, X.rows() - first));
    X.middle_rows(first, block.rows()).copy_to(block);
    map.transform<T, T>(side, block, out.middle_rows(first, block.rows()), execution);
  }
}

}  // namespace

template <class T, class U>
SparseView<T> Map::scaled(SparseView<U> X, std::vector<T>& storage) const {
  const Scaler& scaler = content().scaler;
  require_columns_of_map(*this, X);
  if (!scaler.keeps_zeros())
    throw InvalidArgument("Map", "the scaling makes other numbers of zeros, expected one that keeps them for sparse rows");
  const bool is_scaled = scaler.kind != Scaling::none;
  if constexpr (std::is_same_v<T, U>)
    if (!is_scaled) return X;
  const std::size_t first = X.rows() == 0 ? 0 : X.starts()[0];
  storage.resize(first + X.n_values());
  for (std::size_t place = first; place < storage.size(); ++place) {
    const auto given = static_cast<double>(X.values()[place]);
    const double x = is_scaled ? scaler.scaled(given, X.columns()[place]) : given;
    if (std::abs(x) > static_cast<double>(std::numeric_limits<T>::max()) && std::isfinite(x))
      throw InvalidArgument("Map",
                            fmt::format("a row holds {:.6g}, which is too large for float32, expected float64 or scaled columns", x));
    storage[place] = static_cast<T>(x);
  }
  return X.with_values(static_cast<const T*>(storage.data()));
}

void Map::transform(FeatureSide side, SparseView<double> X, MatrixView<double> out, const Execution& execution) const {
  transform_sparse(*this, side, X, out, execution);
}
void Map::transform(FeatureSide side, SparseView<float> X, MatrixView<float> out, const Execution& execution) const {
  transform_sparse(*this, side, X, out, execution);
}

template SparseView<float> Map::scaled(SparseView<float>, std::vector<float>&) const;
template SparseView<float> Map::scaled(SparseView<double>, std::vector<float>&) const;
template SparseView<double> Map::scaled(SparseView<double>, std::vector<double>&) const;

}  // namespace askrff
