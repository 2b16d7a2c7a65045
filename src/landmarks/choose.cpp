// Pivots by blocks: candidates are proposed from the residuals as they are, and tested in turn against those accepted before them in the
// block; then the block is projected out of all rows by a matrix product.
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
  Residuals(Matrix<double> rows, std::size_t count, double cutoff, const Execution& execution)
      : execution_(execution), rows_(std::move(rows)), squares_(rows_.rows()) {
    const std::size_t most = std::min(count, rows_.rows());
    coefficients_ = Matrix<double>(rows_.rows(), most);
    basis_ = Matrix<double>(most, rows_.cols());
    basis_columns_ = Matrix<double>(rows_.cols(), most);
    scale();
    measure();
    const double largest = squares_.empty() ? 0 : *std::ranges::max_element(squares_);
    negligible_ = largest * std::pow(std::max(cutoff, rounding), 2);
  }

  /// ‖R(p)‖², zero if it is rounding.
  const std::vector<double>& squares() const { return squares_; }
  double negligible() const { return negligible_; }
  std::size_t width() const { return rows_.cols(); }
  double coefficient(std::size_t p, std::size_t j) const { return coefficients_(p, j); }

  /// What the basis leaves of some rows.
  Matrix<double> rest_of(std::span<const std::size_t> some) const {
    Matrix<double> rest = take_rows(rows_, some);
    const std::size_t depth = size_ - reduced_;
    if (depth == 0) return rest;
    const Matrix<double> all = take_rows(coefficients_, some);
    const backend::Rows<const double> factors{all.data() + reduced_, all.rows(), all.cols()};
    const auto& product = backend::select(execution_.backend).for_double.product;
    const double work = static_cast<double>(some.size() * depth) * static_cast<double>(width()) / 32;
    parallel_for(ceil_div(width(), task_rows), team_for(work, execution_), [&](std::size_t i) {
      const std::size_t first = i * task_rows, columns = std::min(task_rows, width() - first);
      product(factors, basis_columns(first, columns), depth, {rest.data() + first, rest.rows(), rest.cols()}, backend::Update::subtract);
    });
    return rest;
  }

  /// Makes rows of about the same size orthogonal to the basis: what rest_of leaves is so to rounding of the rows it began with.
  void orthogonalise(Matrix<double>& rows) const {
    if (size_ == 0) return;
    const auto basis = basis_.view().middle_rows(0, size_);
    Matrix<double> parts(rows.rows(), size_);
    product_of_rows(rows, basis, parts.view(), execution_);
    const backend::Rows<const double> columns{basis_columns_.data(), width(), basis_columns_.cols()};
    backend::select(execution_.backend)
        .for_double.product(backend::rows_of(std::as_const(parts).view()), columns, size_, backend::rows_of(rows.view()),
                            backend::Update::subtract);
  }

  /// Takes orthonormal rows, orthogonal to the basis so far, into it.
  void project_out(MatrixView<const double> Q) {
    const std::size_t first = size_;
    for (std::size_t k = 0; k < Q.rows(); ++k) {
      std::ranges::copy(Q.row(k), basis_.row(first + k).begin());
      for (std::size_t c = 0; c < width(); ++c) basis_columns_(c, first + k) = Q(k, c);
    }
    size_ += Q.rows();
    const auto& product = backend::select(execution_.backend).for_double.product;
    for_each_task(Q.rows(), [&](std::size_t begin, std::size_t count) {
      product(backend::rows_of(std::as_const(rows_).view()).from(begin, count), backend::rows_of(Q), width(),
              {coefficients_.row(begin).data() + first, count, coefficients_.cols()}, backend::Update::set);
      for (std::size_t p = begin; p < begin + count; ++p) {
        const double square = squares_[p] - squared_norm(std::span<const double>(coefficients_.row(p)).subspan(first, Q.rows()));
        squares_[p] = square > negligible_ ? square : 0.0;
      }
    });
    // Differences of squares are exact to 1e-15 of what the rows were when they were measured.
    constexpr double much = 1e-6;
    if (total() < much * measured_total_) reduce();
  }

  /// Subtracts from the rows what the basis explains of them, and measures them anew. False if that was done before.
  bool reduce() {
    if (reduced_ == size_) return false;
    const auto& product = backend::select(execution_.backend).for_double.product;
    const std::size_t depth = size_ - reduced_;
    for_each_task(depth, [&](std::size_t first, std::size_t count) {
      product({coefficients_.row(first).data() + reduced_, count, coefficients_.cols()}, basis_columns(0, width()), depth,
              backend::rows_of(rows_.view()).from(first, count), backend::Update::subtract);
    });
    reduced_ = size_;
    measure();
    return true;
  }
  void retire(std::span<const std::size_t> chosen) {
    for (const std::size_t p : chosen) squares_[p] = 0;
  }

 private:
  backend::Rows<const double> basis_columns(std::size_t first, std::size_t count) const {
    return {basis_columns_.row(first).data() + reduced_, count, basis_columns_.cols()};
  }
  double total() const { return std::accumulate(squares_.begin(), squares_.end(), 0.0); }
  template <class Task>
  void for_each_task(std::size_t depth, const Task& task) const {
    const double work = static_cast<double>(rows_.rows()) * static_cast<double>(rows_.cols()) * static_cast<double>(depth) / 32;
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
    for_each_task(1, [&](std::size_t first, std::size_t count) {
      for (std::size_t p = first; p < first + count; ++p)
        for (double& value : rows_.row(p)) value = std::ldexp(value, exponent);
    });
  }
  void measure() {
    for_each_task(1, [&](std::size_t first, std::size_t count) {
      for (std::size_t p = first; p < first + count; ++p) {
        const double square = squared_norm(rows_.row(p));
        squares_[p] = square > negligible_ ? square : 0.0;
      }
    });
    measured_total_ = total();
  }

  Execution execution_;
  Matrix<double> rows_;           // less what the first reduced_ of the basis explain
  Matrix<double> coefficients_;   // of every row with every basis vector
  Matrix<double> basis_;          // orthonormal rows
  Matrix<double> basis_columns_;  // the same transposed
  std::size_t size_ = 0, reduced_ = 0;
  std::vector<double> squares_;
  double negligible_ = 0, measured_total_ = 0;
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

/// Takes candidates one after another by the Gram matrix of what is left of them: a Cholesky factorisation that skips rows. Differences
/// are exact to 1e-16 of a candidate, and one of which less than 1e-12 is left counts as explained.
class Block {
 public:
  Block(const Matrix<double>& rest, const Execution& execution) : rest_(rest), gram_(rest.rows(), rest.rows()), factor_(gram_) {
    product_of_rows(rest, rest, gram_.view(), execution);
  }

  /// The squared norm of candidate i, with those accepted so far projected out.
  double rest_of(std::size_t i) {
    const std::span<double> row = factor_.row(taken_.size());
    for (std::size_t j = 0; j < taken_.size(); ++j) {
      const auto before = factor_.row(j);
      row[j] = (gram_(i, taken_[j]) - dot(row.first(j), before.first(j))) / before[j];
    }
    const double square = gram_(i, i) - squared_norm(row.first(taken_.size()));
    return square > 1e-12 * gram_(i, i) ? square : 0.0;
  }
  /// After rest_of(i).
  void accept(std::size_t i, double square) {
    factor_(taken_.size(), taken_.size()) = std::sqrt(square);
    taken_.push_back(i);
  }
  bool empty() const { return taken_.empty(); }
  /// Orthonormal vectors, as rows, that span what was accepted, in that order. By Cholesky factors, twice: once leaves as much as the
  /// condition of the block, squared, makes of rounding.
  Matrix<double> basis(const Residuals& residuals, const Execution& execution) const {
    Matrix<double> rows = take_rows(rest_, taken_);
    for (int pass = 0; pass < 2; ++pass) {
      if (pass > 0) residuals.orthogonalise(rows);
      Matrix<double> gram(rows.rows(), rows.rows());
      product_of_rows(rows, rows, gram.view(), execution);
      cholesky(gram.view(), execution);
      Matrix<double> columns = transposed<double>(rows);
      solve_rows(gram, columns.view(), execution);
      rows = transposed<double>(columns);
    }
    return rows;
  }

 private:
  const Matrix<double>& rest_;
  Matrix<double> gram_, factor_;
  std::vector<std::size_t> taken_;
};

Matrix<double> test_rows(const Kernel& kernel, const RowsView<double>& pool, std::size_t count, const Execution& execution) {
  const std::size_t n_tests = n_test_rows(count, pool.rows());
  const bool one_side = kernel.symmetric(), both = !one_side && n_tests == pool.rows();
  const std::size_t n_left = one_side || both ? n_tests : n_tests / 2, n_right = one_side ? 0 : both ? n_tests : n_tests - n_left;
  const auto right = pool.middle_rows(n_tests - n_right, n_right);
  Matrix<double> rows(pool.rows(), n_left + n_right);
  kernel_block(kernel, pool, pool.middle_rows(0, n_left), {rows.data(), rows.rows(), n_left, rows.cols()}, execution);
  if (n_right > 0) transposed_kernel_block(kernel, right, pool, {rows.data() + n_left, rows.rows(), n_right, rows.cols()}, execution);
  return rows;
}

Matrix<double> triangle_of(const Residuals& residuals, const std::vector<std::size_t>& chosen) {
  Matrix<double> triangle(chosen.size(), chosen.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) triangle(i, j) = residuals.coefficient(chosen[i], j);
  return triangle;
}

}  // namespace

Pivots pivots_of(Matrix<double> R, std::size_t count, Landmarks how, double cutoff, std::uint64_t seed, const Execution& execution) {
  Residuals residuals(std::move(R), count, cutoff, execution);
  const bool greedy = how == Landmarks::greedy;
  std::vector<std::size_t> chosen;
  for (std::uint64_t round = 0; chosen.size() < count; ++round) {
    const std::vector<double>& squares = residuals.squares();
    const auto left = static_cast<std::size_t>(std::ranges::count_if(squares, [](double square) { return square > 0; }));
    if (left == 0) break;
    RandomStream random(seed, Purpose::landmark_pivots, round);
    const auto candidates = greedy ? largest_rows(squares, std::min(left, block_size)) : drawn_rows(squares, block_size, random);
    const Matrix<double> rest = residuals.rest_of(candidates);
    Block block(rest, execution);
    for (std::size_t i = 0; i < candidates.size() && chosen.size() < count; ++i) {
      const std::size_t p = candidates[i];
      const double square = block.rest_of(i);
      // Pivoted: accepted with the probability that makes the block one draw after another from the residuals of its time. Greedy: no
      // residual exceeds the largest of this round.
      const bool large_enough = greedy ? square >= 0.25 * squares[candidates.front()] : random.uniform() * squares[p] < square;
      if (!(square > residuals.negligible()) || !large_enough) continue;
      block.accept(i, square);
      chosen.push_back(p);
    }
    // Nothing is taken only where squares are what differences have left of them; of rows that are measured the first is always taken.
    if (block.empty() && !residuals.reduce()) break;
    if (!block.empty()) residuals.project_out(block.basis(residuals, execution));
    residuals.retire(chosen);
  }
  return {chosen, triangle_of(residuals, chosen)};
}

std::vector<std::size_t> choose_pivots(const Kernel& kernel, const RowsView<double>& pool, std::size_t count, Landmarks how, double cutoff,
                                       std::uint64_t seed, const Execution& execution) {
  return pivots_of(test_rows(kernel, pool, count, execution), count, how, cutoff, seed, execution).rows;
}

}  // namespace askrff::landmarks
