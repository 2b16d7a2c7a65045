// Pivots by blocks: candidates are proposed from the residuals as they are, and tested in turn against those accepted before them in the
// block; then the block is projected out of all rows by two matrix products.
#include "landmarks/choose.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/dense.hpp"
#include "askrff/random.hpp"
#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"
#include "core/transpose.hpp"
#include "landmarks/kernel_block.hpp"

namespace askrff::landmarks {
namespace {

constexpr std::size_t block_size = 64, task_rows = 192;
// A residual below this, relative to the largest row, is rounding: projections leave some ulps of the row they began with.
constexpr double rounding = 64 * 2.220446049250313e-16;

class Residuals {
 public:
  Residuals(const Kernel& kernel, MatrixView<const double> pool, std::size_t n_tests, const Execution& execution)
      : execution_(execution), rows_(pool.rows(), 2 * n_tests), squares_(pool.rows()) {
    const auto tests = pool.middle_rows(0, n_tests);
    const MatrixView<double> all = rows_.view();
    kernel_block(kernel, pool, tests, {all.data(), all.rows(), n_tests, all.stride()}, execution);
    transposed_kernel_block(kernel, tests, pool, {all.data() + n_tests, all.rows(), n_tests, all.stride()}, execution);
    scale();
    measure();
    const double largest = squares_.empty() ? 0 : *std::ranges::max_element(squares_);
    negligible_ = largest * rounding * rounding;
  }

  /// ‖R(p)‖², zero if it is rounding.
  const std::vector<double>& squares() const { return squares_; }
  std::span<const double> row(std::size_t p) const { return rows_.row(p); }
  double negligible() const { return negligible_; }
  void retire(std::span<const std::size_t> chosen) {
    for (const std::size_t p : chosen) squares_[p] = 0;
  }

  /// R -= R·QᵀQ for orthonormal rows Q.
  void project_out(MatrixView<const double> Q) {
    Matrix<double> coefficients(rows_.rows(), Q.rows());
    product_of_rows(rows_, Q, coefficients.view(), execution_);
    const Matrix<double> columns = transposed(Q);
    const auto& product = backend::select(execution_.backend).for_double.product;
    for_each_task([&](std::size_t first, std::size_t count) {
      product(backend::rows_of(std::as_const(coefficients).view()).from(first, count), backend::rows_of(columns.view()), Q.rows(),
              backend::rows_of(rows_.view()).from(first, count), backend::Update::subtract);
    });
    measure();
  }

 private:
  template <class Task>
  void for_each_task(const Task& task) {
    const double work = static_cast<double>(rows_.rows()) * static_cast<double>(rows_.cols());
    parallel_for(ceil_div(rows_.rows(), task_rows), team_for(work, execution_),
                 [&](std::size_t i) { task(i * task_rows, std::min(task_rows, rows_.rows() - i * task_rows)); });
  }
  // By a power of two, so that squares neither overflow nor underflow.
  void scale() {
    double largest = 0;
    for (std::size_t p = 0; p < rows_.rows(); ++p)
      for (const double value : rows_.row(p)) largest = std::max(largest, std::fabs(value));
    if (largest == 0) return;
    const int exponent = -std::ilogb(largest);
    for_each_task([&](std::size_t first, std::size_t count) {
      for (std::size_t p = first; p < first + count; ++p)
        for (double& value : rows_.row(p)) value = std::ldexp(value, exponent);
    });
  }
  void measure() {
    for_each_task([&](std::size_t first, std::size_t count) {
      for (std::size_t p = first; p < first + count; ++p) {
        const double square = squared_norm(rows_.row(p));
        squares_[p] = square > negligible_ ? square : 0.0;
      }
    });
  }

  Execution execution_;
  Matrix<double> rows_;
  std::vector<double> squares_;
  double negligible_ = 0;
};

/// Rows in the order in which they are tried: the largest first.
std::vector<std::size_t> largest_rows(const std::vector<double>& squares, std::size_t count) {
  std::vector<std::size_t> order(squares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t a, std::size_t b) { return squares[a] != squares[b] ? squares[a] > squares[b] : a < b; });
  order.resize(count);
  return order;
}

/// Rows drawn with probability in proportion to their squares, independently.
std::vector<std::size_t> drawn_rows(const std::vector<double>& squares, std::size_t count, RandomStream& random) {
  std::vector<double> sums(squares.size());
  std::partial_sum(squares.begin(), squares.end(), sums.begin());
  std::vector<std::size_t> drawn(count);
  for (std::size_t& p : drawn) {
    const auto at = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sums.back());
    p = std::min<std::size_t>(static_cast<std::size_t>(at - sums.begin()), squares.size() - 1);
  }
  return drawn;
}

/// Takes candidates one after another into an orthonormal basis of the block.
class Block {
 public:
  explicit Block(std::size_t cols) : basis_(block_size, cols) {}

  /// The candidate, with those accepted so far projected out (twice: once leaves rounding of the larger parts); its squared norm.
  double rest_of(std::span<const double> candidate) {
    const std::span<double> rest = basis_.row(size_);
    std::ranges::copy(candidate, rest.begin());
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < size_; ++k) {
        const double part = dot(basis_.row(k), rest);
        for (std::size_t c = 0; c < rest.size(); ++c) rest[c] -= part * basis_(k, c);
      }
    return squared_norm(rest);
  }
  void accept(double square) {
    const double scale = 1 / std::sqrt(square);
    for (double& value : basis_.row(size_)) value *= scale;
    ++size_;
  }
  std::size_t size() const { return size_; }
  MatrixView<const double> basis() const { return basis_.view().middle_rows(0, size_); }

 private:
  Matrix<double> basis_;
  std::size_t size_ = 0;
};

}  // namespace

std::vector<std::size_t> choose_pivots(const Kernel& kernel, MatrixView<const double> pool, std::size_t count, Landmarks how,
                                       std::uint64_t seed, const Execution& execution) {
  Residuals residuals(kernel, pool, std::min(count, pool.rows()), execution);
  std::vector<std::size_t> chosen;
  for (std::uint64_t round = 0; chosen.size() < count; ++round) {
    const std::vector<double>& squares = residuals.squares();
    const auto left = static_cast<std::size_t>(std::ranges::count_if(squares, [](double square) { return square > 0; }));
    if (left == 0) break;
    RandomStream random(seed, Purpose::landmark_pivots, round);
    const bool greedy = how == Landmarks::greedy;
    const auto candidates = greedy ? largest_rows(squares, std::min(left, block_size)) : drawn_rows(squares, block_size, random);
    Block block(2 * std::min(count, pool.rows()));
    for (const std::size_t p : candidates) {
      execution.stop.check();
      if (chosen.size() == count) break;
      const double square = block.rest_of(residuals.row(p));
      // Pivoted: accepted with the probability that makes the block one draw after another from the residuals of its time. Greedy: no
      // residual exceeds the largest of this round. The first candidate is always taken, so every round ends with progress.
      const bool large_enough = greedy ? square >= 0.25 * squares[candidates.front()] : random.uniform() * squares[p] < square;
      if (!(square > residuals.negligible()) || !large_enough) continue;
      block.accept(square);
      chosen.push_back(p);
    }
    residuals.project_out(block.basis());
    residuals.retire(chosen);
  }
  return chosen;
}

}  // namespace askrff::landmarks
