// Exact and approximate Gram blocks, and the errors between them, in blocks of rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/operators.hpp"
#include "backend/backend.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

constexpr std::size_t block_rows = 128;

// Calls visit(first, count) for consecutive blocks of n rows.
template <class Visit>
void for_each_block(std::size_t n, const Visit& visit) {
  for (std::size_t first = 0; first < n; first += block_rows) visit(first, std::min(block_rows, n - first));
}

void check_rows(MatrixView<const double> X, MatrixView<const double> Y, const char* who) {
  require_columns(Y, X.cols(), who, "Y", "X has");
  require_finite<double>(X, who, "X");
  require_finite<double>(Y, who, "Y");
}

// out(i,j) = k(x_i - y_j); rows already checked.
void exact_block(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out) {
  Matrix<double> differences(std::min(block_rows, Y.rows()), Y.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for_each_block(Y.rows(), [&](std::size_t first, std::size_t count) {
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t c = 0; c < Y.cols(); ++c) differences(j, c) = X(i, c) - Y(first + j, c);
      kernel.evaluate(differences.view().middle_rows(0, count), out.row(i).subspan(first, count));
    });
}

// Calls visit(first_x, first_y, block of K̃) for all blocks; left features are made anew for every block of Y, which costs little beside the
// product.
template <class Visit>
void for_each_approximate_block(const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y, const Visit& visit) {
  const auto& primitives = map.primitives();
  for_each_block(Y.rows(), [&](std::size_t first_y, std::size_t count_y) {
    const Matrix<double> right = map.right(Y.middle_rows(first_y, count_y));
    for_each_block(X.rows(), [&](std::size_t first_x, std::size_t count_x) {
      const Matrix<double> left = map.left(X.middle_rows(first_x, count_x));
      Matrix<double> block(count_x, count_y);
      primitives.product(left.data(), count_x, left.cols(), right.data(), count_y, right.cols(), left.cols(), block.data(), count_y);
      visit(first_x, first_y, block);
    });
  });
}

}  // namespace

void exact_gram(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out) {
  check_rows(X, Y, "exact_gram");
  require_shape(out, X.rows(), Y.rows(), "exact_gram", "out");
  exact_block(kernel, X, Y, out);
}

Matrix<double> exact_gram(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y) {
  Matrix<double> out(X.rows(), Y.rows());
  exact_gram(kernel, X, Y, out.view());
  return out;
}

void approximate_gram(const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out) {
  check_rows(X, Y, "approximate_gram");
  require_shape(out, X.rows(), Y.rows(), "approximate_gram", "out");
  for_each_approximate_block(map, X, Y, [&](std::size_t first_x, std::size_t first_y, const Matrix<double>& block) {
    for (std::size_t i = 0; i < block.rows(); ++i)
      std::ranges::copy(block.row(i), out.row(first_x + i).begin() + static_cast<std::ptrdiff_t>(first_y));
  });
}

Matrix<double> approximate_gram(const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y) {
  Matrix<double> out(X.rows(), Y.rows());
  approximate_gram(map, X, Y, out.view());
  return out;
}

ApproximationError approximation_error(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> X,
                                       MatrixView<const double> Y) {
  check_rows(X, Y, "approximation_error");
  long double error_squares = 0, kernel_squares = 0;  // whose range holds the square of any double
  double largest_error = 0, largest_kernel = 0;
  for_each_approximate_block(map, X, Y, [&](std::size_t first_x, std::size_t first_y, const Matrix<double>& block) {
    Matrix<double> exact(block.rows(), block.cols());
    exact_block(kernel, X.middle_rows(first_x, block.rows()), Y.middle_rows(first_y, block.cols()), exact.view());
    for (std::size_t i = 0; i < block.rows(); ++i)
      for (std::size_t j = 0; j < block.cols(); ++j) {
        if (!std::isfinite(exact(i, j)))
          throw std::invalid_argument(fmt::format("approximation_error: {} returned {} for row {} of X and row {} of Y", kernel.name(),
                                                  exact(i, j), first_x + i, first_y + j));
        const double error = std::fabs(exact(i, j) - block(i, j)), value = std::fabs(exact(i, j));
        error_squares += static_cast<long double>(error) * error;
        kernel_squares += static_cast<long double>(value) * value;
        largest_error = std::fmax(largest_error, error);
        largest_kernel = std::fmax(largest_kernel, value);
      }
  });
  const auto relative = [](long double error, long double size) {
    return size > 0 ? static_cast<double>(error / size) : error == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  };
  return {.frobenius = relative(std::sqrt(error_squares), std::sqrt(kernel_squares)),
          .maximum = relative(largest_error, largest_kernel),
          .max_absolute = largest_error,
          .kernel_norm = static_cast<double>(std::sqrt(kernel_squares))};
}

}  // namespace askrff
