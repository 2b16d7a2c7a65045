// Features in float against those in double, on some rows.
#include "pipeline/rounding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "askrff/dense.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t max_rounded_rows = 400;

/// K̃ between scaled rows, by features of type T.
template <class T>
Matrix<double> gram_of(const Map& map, const RowsView<double>& rows, const Execution& execution) {
  const auto features = [&](FeatureSide side) {
    Matrix<T> values(rows.rows(), map.n_features(side));
    map.transform<T, double>(side, rows, values.view(), execution);
    Matrix<double> out(values.rows(), values.cols());
    std::copy_n(values.data(), values.rows() * values.cols(), out.data());
    return out;
  };
  Matrix<double> gram(rows.rows(), rows.rows());
  product_of_rows(features(FeatureSide::left), features(FeatureSide::right), gram.view(), execution);
  return gram;
}

/// Of K̃ between the rows, relative to it.
HeldOutError rounding_error(const Map& map, const RowsView<double>& rows, std::size_t matrix_rows, const Execution& execution) {
  const Map of_scaled = map.with([](MapContent& content) { content.scaler = {}; });
  const Matrix<double> exact = gram_of<double>(of_scaled, rows, execution), rounded = gram_of<float>(of_scaled, rows, execution);
  const ComparedBlock block{exact, rounded};
  return block_error({&block, 1}, true, matrix_rows, execution);
}

/// Two errors that know nothing of each other; the second is relative to what has the first. At worst they point the same way.
void add(double& value, double& lower, double& upper, double by, double by_lower, double by_upper) {
  value = std::hypot(value, by);
  lower = std::hypot(lower, by_lower);
  upper += (1 + upper) * by_upper;
}

}  // namespace

void add_rounding(MapContent& content, const Map& map, const RowsView<double>& rows, const MapOptions& options) {
  Certificate& certificate = *content.certificate;
  HeldOutError& error = certificate.error;
  const auto looked_at = choose_rows(rows.rows(), std::min(max_rounded_rows, rows.rows()), options.seed, Purpose::held_out_rows);
  const HeldOutError by = rounding_error(map, RowsMatrix<double>::taken_from(rows, looked_at), error.matrix_rows, options.execution);
  if (!std::isfinite(by.error) || !std::isfinite(by.between)) return;  // of features that are all 0
  certificate.rounding = by.error;
  add(error.error, error.lower, error.upper, by.error, by.lower, by.upper);
  add(error.between, error.between_lower, error.between_upper, by.between, by.between_lower, by.between_upper);
  if (!options.tolerance || !certificate.reached || error.upper <= *options.tolerance) return;
  certificate.reached = false;
  content.reason = fmt::format("{:.3g} was not reached: the error of float32 features is {:.3g}, up to {:.3g}, of which rounding is {:.3g}",
                               *options.tolerance, error.error, error.upper, by.error);
}

}  // namespace askrff::pipeline
