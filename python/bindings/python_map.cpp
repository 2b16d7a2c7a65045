// Scaled rows and plans of a map.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "kernels.hpp"
#include "maps.hpp"

namespace askrff::python {
namespace {

/// Throws std::invalid_argument for a number too large for T.
template <class T, class U>
T rounded(U x) {
  if constexpr (std::is_same_v<T, float> && std::is_same_v<U, double>)
    if (std::abs(x) > std::numeric_limits<float>::max() && std::isfinite(x))
      throw std::invalid_argument(
          (std::ostringstream() << "a row holds " << x << ", which is too large for float32, expected float64 or scaled columns").str());
  return static_cast<T>(x);
}

}  // namespace

PythonMap PythonMap::with(Scaler scaler) const {
  PythonMap other = *this;
  other.preparation_.scaler = std::move(scaler);
  return other;
}

PythonMap PythonMap::with(FeatureSide side) const {
  PythonMap other = *this;
  other.preparation_.side = side;
  other.preparation_.n_features();  // throws if the map has no such side
  return other;
}

const Features& PythonMap::features(FeatureSide side) const {
  const std::lock_guard lock(plans_->mutex);
  auto& plan = plans_->of_side[static_cast<std::size_t>(side)];
  if (!plan) {
    Preparation of_side = preparation_;
    of_side.side = side;
    plan = of_side.features();
  }
  return *plan;
}

bool PythonMap::calls_function() const { return preparation_.nystrom && is_function(*preparation_.nystrom->kernel); }

FeatureMap PythonMap::feature_map(const std::string& who) const {
  if (preparation_.atoms) return FeatureMap(*preparation_.atoms);
  if (preparation_.nystrom) return FeatureMap(*preparation_.nystrom);
  throw std::invalid_argument(who + ": the features are the columns themselves, expected a map of a kernel");
}

template <class T, class U>
MatrixView<const T> PythonMap::prepared(MatrixView<const U> X, Matrix<T>& storage) const {
  const Scaler& scaler = preparation_.scaler;
  if (scaler.kind == Scaling::none) {
    if constexpr (std::is_same_v<T, U>) {
      return X;
    } else {
      storage = Matrix<T>(X.rows(), X.cols());
      for (std::size_t i = 0; i < X.rows(); ++i)
        std::ranges::transform(X.row(i), storage.row(i).begin(), [](U x) { return rounded<T>(x); });
      return storage.view();
    }
  }
  // As the command line does it: scaled in double, rounded once.
  storage = Matrix<T>(X.rows(), X.cols());
  constexpr std::size_t block_rows = 4096;
  Matrix<double> scaled(std::min(block_rows, X.rows()), X.cols());
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(X.row(first + i), scaled.row(i).begin());
    scaler.apply(scaled.view().middle_rows(0, count));
    for (std::size_t i = 0; i < count; ++i)
      std::ranges::transform(scaled.row(i), storage.row(first + i).begin(), [](double x) { return rounded<T>(x); });
  }
  return storage.view();
}

template MatrixView<const double> PythonMap::prepared(MatrixView<const double>, Matrix<double>&) const;
template MatrixView<const float> PythonMap::prepared(MatrixView<const float>, Matrix<float>&) const;
template MatrixView<const float> PythonMap::prepared(MatrixView<const double>, Matrix<float>&) const;
template MatrixView<const double> PythonMap::prepared(MatrixView<const float>, Matrix<double>&) const;

}  // namespace askrff::python
