// A map at work: its plans, packed when they are first needed, and raw rows on their way to features.
#include "askrff/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <type_traits>
#include <utility>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "core/row_pairs.hpp"
#include "pipeline/scaled_rows.hpp"
#include "pipeline/check.hpp"

namespace askrff {

/// By backend: a program uses one, tests several.
struct Map::Plans {
  struct OfBackend {
    Backend backend;
    std::optional<FeatureMap> sides;
    std::optional<Features> classifier;
  };
  std::mutex mutex;
  std::vector<OfBackend> packed;

  OfBackend& of(Backend backend) {
    const auto found = std::ranges::find(packed, backend, &OfBackend::backend);
    return found != packed.end() ? *found : packed.emplace_back(OfBackend{backend, {}, {}});
  }
};

Map::Map(MapContent content) : Map(std::move(content), std::make_shared<Plans>()) {}
Map::Map(MapContent content, std::shared_ptr<Plans> plans)
    : shared_(std::make_shared<const Shared>(Shared{std::move(content), std::move(plans)})) {
  pipeline::check(*this);
}

Map map_of_choice(MapContent content, FeatureMap packed) {
  auto plans = std::make_shared<Map::Plans>();
  plans->of(Backend::automatic).sides = std::move(packed);
  return {std::move(content), std::move(plans)};
}

Map Map::with(const std::function<void(MapContent&)>& change) const {
  MapContent changed = content();
  change(changed);
  return {std::move(changed), shared_->plans};
}

std::string_view Map::kind() const { return atoms() ? "fourier" : nystrom() ? "nystrom" : matrix() ? "matrix" : "columns"; }
std::size_t Map::n_frequencies() const { return atoms() ? atoms()->size() : 0; }
std::size_t Map::n_landmarks() const { return nystrom() ? nystrom()->n_landmarks() : 0; }
bool Map::has_side(FeatureSide side) const { return side != FeatureSide::classifier || (atoms() && !atoms()->parts().empty()); }

std::size_t Map::n_features(FeatureSide side) const {
  if (!has_side(side)) throw InvalidArgument("Map", "classifier features need atoms drawn part by part, and the map has none");
  if (side == FeatureSide::classifier) {
    std::size_t n = 0;
    for (const PartRecord& part : atoms()->parts()) n += 2 * part.count;
    return n;
  }
  return atoms() ? 2 * atoms()->size() : nystrom() ? nystrom()->n_features() : matrix() ? matrix()->n_features() : dim();
}

FeatureMap Map::feature_map(Backend backend) const {
  const std::lock_guard lock(shared_->plans->mutex);
  auto& sides = shared_->plans->of(backend).sides;
  if (!sides) sides.emplace(content().source, backend);
  return *sides;
}

Features Map::features(FeatureSide side, Backend backend) const {
  n_features(side);  // whether there is such a side
  if (side != FeatureSide::classifier) {
    const FeatureMap both = feature_map(backend);
    return side == FeatureSide::left ? both.left() : both.right();
  }
  const std::lock_guard lock(shared_->plans->mutex);
  auto& classifier = shared_->plans->of(backend).classifier;
  if (!classifier) classifier = ClassifierFeatures(*atoms(), ClassifierForm::collapsed, backend);
  return *classifier;
}

namespace {

/// Throws InvalidArgument for a number too large for T.
template <class T, class U>
T rounded(U x) {
  if constexpr (sizeof(T) < sizeof(U))
    if (std::abs(x) > static_cast<U>(std::numeric_limits<T>::max()) && std::isfinite(x))
      throw InvalidArgument("Map",
                            fmt::format("a row holds {:.6g}, which is too large for float32, expected float64 or scaled columns", x));
  return static_cast<T>(x);
}

template <class T, class U>
void round_rows(MatrixView<const U> from, MatrixView<T> to) {
  for (std::size_t i = 0; i < from.rows(); ++i) std::ranges::transform(from.row(i), to.row(i).begin(), [](U x) { return rounded<T>(x); });
}

/// Rows scaled in one go: a small copy in double beside those of T.
constexpr std::size_t rows_at_once = 4096;

template <class T, class U>
void scale_rows(const Scaler& scaler, MatrixView<const U> from, MatrixView<T> to) {
  Matrix<double> scaled(std::min(rows_at_once, from.rows()), from.cols());
  for (std::size_t first = 0; first < from.rows(); first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, from.rows() - first);
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(from.row(first + i), scaled.row(i).begin());
    const MatrixView<double> block = scaled.view().middle_rows(0, count);
    scaler.apply(block);
    round_rows<T, double>(block, to.middle_rows(first, count));
  }
}

}  // namespace

template <class T, class U>
MatrixView<const T> Map::scaled(MatrixView<const U> X, Matrix<T>& storage, FeatureSide side) const {
  const Scaler& scaler = content().scaler;
  require_columns(X, dim(side), "Map", "X", "the map was made for");
  if constexpr (std::is_same_v<T, U>)
    if (scaler.kind == Scaling::none) return X;
  if (storage.rows() < X.rows() || storage.cols() != X.cols()) storage = Matrix<T>(X.rows(), X.cols());
  const MatrixView<T> rows = storage.view().middle_rows(0, X.rows());
  if (scaler.kind == Scaling::none)
    round_rows<T, U>(X, rows);
  else
    scale_rows<T, U>(scaler, X, rows);
  return rows;
}

template <class T, class U>
void Map::transform_dense(FeatureSide side, MatrixView<const U> X, MatrixView<T> out, const Execution& execution) const {
  const Features of_scaled = features(side, execution.backend);
  require_columns(X, dim(side), "Map::transform", "X", "the map was made for");
  require_shape(out, X.rows(), of_scaled.n_features(), "Map::transform", "out");
  if constexpr (std::is_same_v<T, U>)
    if (content().scaler.kind == Scaling::none) return of_scaled.transform(X, out, execution);
  require_finite<U>(X, "Map::transform", "X", execution.stop);
  constexpr std::size_t block_rows = 16 * rows_at_once;  // enough to share among threads
  Matrix<T> storage;
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    of_scaled.transform(scaled<T, U>(X.middle_rows(first, count), storage, side), out.middle_rows(first, count), execution);
  }
}

namespace {

template <class T>
Matrix<T> allocated(const Map& map, FeatureSide side, MatrixView<const T> X, const Execution& execution) {
  Matrix<T> out(X.rows(), map.n_features(side));
  map.transform<T, T>(side, X, out.view(), execution);
  return out;
}

}  // namespace

Matrix<double> Map::left(MatrixView<const double> X, const Execution& execution) const {
  return allocated(*this, FeatureSide::left, X, execution);
}
Matrix<float> Map::left(MatrixView<const float> X, const Execution& execution) const {
  return allocated(*this, FeatureSide::left, X, execution);
}
Matrix<double> Map::right(MatrixView<const double> Y, const Execution& execution) const {
  return allocated(*this, FeatureSide::right, Y, execution);
}
Matrix<float> Map::right(MatrixView<const float> Y, const Execution& execution) const {
  return allocated(*this, FeatureSide::right, Y, execution);
}

const ColumnRange* Map::fitted_range() const {
  if (atoms() && atoms()->provenance().calibration) return &atoms()->provenance().calibration->range;
  return nystrom() && content().range ? &*content().range : nullptr;
}

namespace {

/// Squared, by column: of the frequencies, by weight.
std::vector<double> mean_square_frequencies(const SpectralAtoms& atoms) {
  std::vector<double> squares(atoms.dim());
  const double total = atoms.weight_sum();
  for (std::size_t j = 0; j < atoms.size() && total > 0; ++j)
    for (std::size_t k = 0; k < squares.size(); ++k)
      squares[k] += std::abs(atoms.weights()[j]) / total * atoms.frequencies()(j, k) * atoms.frequencies()(j, k);
  return squares;
}

/// What takes their place where features are kernel values at landmarks; 0 for a column that does not vary.
std::vector<double> inverse_square_widths(const RowsView<double>& landmarks) {
  const ColumnRange range = ColumnRange::of(landmarks);
  std::vector<double> squares(landmarks.cols());
  for (std::size_t k = 0; k < squares.size(); ++k)
    if (const double width = range.highest[k] - range.lowest[k]; width > 0) squares[k] = 1 / (width * width);
  return squares;
}

}  // namespace

double Map::float32_error(const RowsView<double>& X, bool before_scaling) const {
  require_row_columns(X, dim(), "Map::float32_error", "X", "the map was made for");
  if (!atoms() && !nystrom()) return 0;
  std::vector<double> squares = atoms() ? mean_square_frequencies(*atoms()) : inverse_square_widths(nystrom()->landmarks);
  const Scaler& scaler = content().scaler;
  const bool is_scaled = scaler.kind != Scaling::none;
  if (before_scaling && is_scaled)
    for (std::size_t k = 0; k < squares.size(); ++k)
      if (scaler.width[k] > 0) squares[k] /= scaler.width[k] * scaler.width[k];
  double largest = 0;
  pipeline::RoundedRows<double> storage;
  const std::size_t at_once = pipeline::rows_scaled_at_once(*this, X, rows_at_once);
  for (std::size_t first = 0; first < X.rows(); first += at_once) {
    const auto block = X.middle_rows(first, std::min(at_once, X.rows() - first));
    const auto rows = before_scaling ? block : storage.scaled(*this, block);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      double sum = 0;
      for_each_value(rows, i, [&](std::size_t k, double x) { sum += squares[k] * x * x; });
      largest = std::max(largest, sum);
    }
  }
  constexpr double half_unit = 0x1p-24;  // of the last place, relative
  return half_unit * std::sqrt(largest);
}

template MatrixView<const double> Map::scaled(MatrixView<const double>, Matrix<double>&, FeatureSide) const;
template MatrixView<const double> Map::scaled(MatrixView<const float>, Matrix<double>&, FeatureSide) const;
template MatrixView<const float> Map::scaled(MatrixView<const double>, Matrix<float>&, FeatureSide) const;
template MatrixView<const float> Map::scaled(MatrixView<const float>, Matrix<float>&, FeatureSide) const;
template void Map::transform_dense(FeatureSide, MatrixView<const double>, MatrixView<double>, const Execution&) const;
template void Map::transform_dense(FeatureSide, MatrixView<const float>, MatrixView<double>, const Execution&) const;
template void Map::transform_dense(FeatureSide, MatrixView<const double>, MatrixView<float>, const Execution&) const;
template void Map::transform_dense(FeatureSide, MatrixView<const float>, MatrixView<float>, const Execution&) const;

}  // namespace askrff
