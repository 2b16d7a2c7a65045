// Slopes by central differences at differences of random rows.
#include "weighting/frequency_shape.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/random.hpp"
#include "weighting/pair_sample.hpp"

namespace askrff::weighting {
namespace {

constexpr std::size_t max_columns = 64, n_shape_pairs = 400;
constexpr double step_of_spread = 0.02;

Matrix<double> random_differences(MatrixView<const double> data, std::uint64_t seed) {
  Matrix<double> differences(n_shape_pairs, data.cols());
  for (std::size_t p = 0; p < n_shape_pairs; ++p) {
    RandomStream random(seed, Purpose::function_probes, p);
    const std::size_t i = random.below(data.rows()), j = (i + 1 + random.below(data.rows() - 1)) % data.rows();
    for (std::size_t c = 0; c < data.cols(); ++c) differences(p, c) = data(i, c) - data(j, c);
  }
  return differences;
}

/// The triangular factor in place of the lower triangle of a positive definite matrix; false if it is none.
bool factorise(Matrix<double>& matrix) {
  for (std::size_t j = 0; j < matrix.rows(); ++j)
    for (std::size_t i = j; i < matrix.rows(); ++i) {
      double sum = matrix(i, j);
      for (std::size_t q = 0; q < j; ++q) sum -= matrix(i, q) * matrix(j, q);
      if (i == j && !(sum > 0)) return false;
      matrix(i, j) = i == j ? std::sqrt(sum) : sum / matrix(j, j);
    }
  return true;
}

}  // namespace

FrequencyShape frequency_shape(const Kernel& kernel, const RowsView<double>& data, double spread_share, std::uint64_t seed,
                               const StopToken& stop) {
  const std::size_t dim = data.cols();
  if (data.is_sparse() || dim > max_columns || data.rows() < 2) return {};
  const Matrix<double> differences = random_differences(data.dense(), seed);
  std::vector<double> spread(dim, 0.0);
  for (std::size_t p = 0; p < differences.rows(); ++p)
    for (std::size_t c = 0; c < dim; ++c) spread[c] += differences(p, c) * differences(p, c) / static_cast<double>(n_shape_pairs);
  for (double& each : spread) {
    each = std::sqrt(each);
    if (!(each > 0) || !std::isfinite(each)) return {};
  }
  std::vector<double> sizes(differences.rows());
  kernel.evaluate(differences, sizes);
  for (double& size : sizes) size = std::fabs(size);
  const double unit = unit_for(*std::ranges::max_element(sizes));
  // In units of the spreads, whose squares may overflow.
  Matrix<double> moments(dim, dim), points(2 * dim + 1, dim);
  std::vector<double> values(2 * dim + 1), slope(dim);
  double squares = 0;
  for (std::size_t p = 0; p < differences.rows(); ++p) {
    stop.check();
    for (std::size_t q = 0; q < points.rows(); ++q) std::ranges::copy(differences.row(p), points.row(q).begin());
    for (std::size_t c = 0; c < dim; ++c) {
      points(2 * c, c) += step_of_spread * spread[c];
      points(2 * c + 1, c) -= step_of_spread * spread[c];
    }
    kernel.evaluate(points, values);
    for (double& value : values) value /= unit;
    for (std::size_t c = 0; c < dim; ++c) slope[c] = (values[2 * c] - values[2 * c + 1]) / (2 * step_of_spread);
    squares += values[2 * dim] * values[2 * dim];
    for (std::size_t a = 0; a < dim; ++a)
      for (std::size_t b = 0; b <= a; ++b) moments(a, b) += slope[a] * slope[b];
  }
  if (!(squares > 0) || !std::isfinite(squares)) return {};
  constexpr double grain = 0x1p-20;
  for (std::size_t a = 0; a < dim; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double moment = std::floor(moments(a, b) / squares / grain + 0.5) * grain;
      if (!std::isfinite(moment)) return {};
      moments(a, b) = moment + (a == b ? spread_share : 0.0);
    }
  if (!factorise(moments)) return {};
  for (std::size_t a = 0; a < dim; ++a)
    for (std::size_t b = 0; b < dim; ++b) moments(a, b) = b <= a ? moments(a, b) / spread[a] : 0.0;
  return {std::move(moments), std::move(spread)};
}

}  // namespace askrff::weighting
