// Gram-Schmidt, twice over each row, on normal vectors: uniform directions, orthogonal to rounding.
#include "sampling/rotation.hpp"

#include <array>
#include <cmath>

#include "core/vectors.hpp"

namespace askrff::sampling {
namespace {

// Eight sums side by side: a fixed order, so the same bits everywhere, that a compiler can keep in vectors.
double wide_dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= a.size(); i += sums.size())
    for (std::size_t lane = 0; lane < sums.size(); ++lane) sums[lane] += a[i + lane] * b[i + lane];
  double sum = ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
  for (; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void subtract(std::span<const double> direction, double length, std::span<double> row) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] -= length * direction[i];
}

}  // namespace

Matrix<double> random_rotation(std::size_t count, std::size_t dim, RandomStream& random, const StopToken& stop) {
  Matrix<double> rotation(count, dim);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = rotation.row(i);
    double before = 0, left = 0;
    stop.check();
    do {  // again only if the vector lay among the earlier ones to 6 digits
      random.normals(row);
      before = std::sqrt(squared_norm(row));
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t j = 0; j < i; ++j) subtract(rotation.row(j), wide_dot(rotation.row(j), row), row);
      left = std::sqrt(squared_norm(row));
    } while (!(left > 1e-6 * before));
    for (double& value : row) value /= left;
  }
  return rotation;
}

void turn_first_axis_to(std::span<const double> direction, MatrixView<double> rows) {
  // The reflection at w = direction - e₁; nothing to do where they are equal.
  std::vector<double> w(direction.begin(), direction.end());
  w[0] -= 1;
  const double square = squared_norm(w);
  if (!(square > 1e-30)) return;
  for (std::size_t i = 0; i < rows.rows(); ++i) subtract(w, 2 * wide_dot(w, rows.row(i)) / square, rows.row(i));
}

}  // namespace askrff::sampling
