// Errors on all pairs of some rows, and the jackknife over those rows.
#include "askrff/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "askrff/errors.hpp"

namespace askrff {
namespace {

// Squared errors and squared values of k.
struct Squares {
  long double errors = 0, kernel = 0;

  void add(const Squares& other) {
    errors += other.errors;
    kernel += other.kernel;
  }
};

// Sums over the diagonal and over the other pairs: of all rows, or of those one row is part of.
struct PairSums {
  Squares diagonal, others;

  PairSums without(const PairSums& row) const {
    return {{diagonal.errors - row.diagonal.errors, diagonal.kernel - row.diagonal.kernel},
            {others.errors - row.others.errors, others.kernel - row.others.kernel}};
  }
  PairSums with(const PairSums& row) const {
    PairSums sum = *this;
    sum.diagonal.add(row.diagonal);
    sum.others.add(row.others);
    return sum;
  }
  /// log of the squared relative error of a matrix of `size` rows, given that `n` rows were summed over; NaN or infinite if a sum is empty.
  double log_ratio(long double n, long double size) const {
    const auto scaled = [&](long double on, long double off) { return on / n + off / (n * (n - 1)) * (size - 1); };
    return static_cast<double>(std::log(scaled(diagonal.errors, others.errors)) - std::log(scaled(diagonal.kernel, others.kernel)));
  }
};

struct AllSums {
  PairSums total;
  std::vector<PairSums> of_row;
};

AllSums sum_squares(const Kernel& kernel, const Matrix<double>& exact, const Matrix<double>& approximate, const StopToken& stop) {
  const std::size_t n = exact.rows();
  AllSums sums{{}, std::vector<PairSums>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    stop.check();
    for (std::size_t j = 0; j < n; ++j) {
      const long double value = exact(i, j), error = value - approximate(i, j);
      if (!std::isfinite(exact(i, j)))
        throw InvalidArgument("held_out_error", fmt::format("{} returned {} for rows {} and {}", kernel.name(), exact(i, j), i, j));
      const Squares pair{error * error, value * value};
      if (i == j) {
        sums.total.diagonal.add(pair);
        sums.of_row[i].diagonal.add(pair);
      } else {
        sums.total.others.add(pair);
        sums.of_row[i].others.add(pair);
        sums.of_row[j].others.add(pair);
      }
    }
  }
  return sums;
}

/// How far the interval of the log ratio reaches down and up.
struct Reach {
  double below = 0, above = 0;
};

/// Infinite if leaving out a row leaves nothing. Few rows with large errors make the estimate too small more often than too large: above,
/// the quantile is corrected for the skewness of the rows' contributions (Johnson's term (2z² + 1)/6 · skewness/√n).
Reach jackknife_reach(const AllSums& sums, long double size) {
  const auto n = static_cast<long double>(sums.of_row.size());
  std::vector<double> without;
  long double mean = 0;
  for (const PairSums& row : sums.of_row) {
    without.push_back(sums.total.without(row).log_ratio(n - 1, size));
    if (!std::isfinite(without.back())) return {HUGE_VAL, HUGE_VAL};
    mean += without.back() / n;
  }
  long double squares = 0, cubes = 0, fourth_powers = 0;
  for (const double value : without) {
    const long double contribution = mean - value, square = contribution * contribution;
    squares += square;
    cubes += square * contribution;
    fourth_powers += square * square;
  }
  if (!(fourth_powers > 0)) return {};
  const double carriers = std::fmax(1.0, static_cast<double>(squares * squares / fourth_powers));  // rows that carry the variance
  const double deviation = static_cast<double>(std::sqrt(squares * (n - 1) / n));
  const double quantile = boost::math::quantile(boost::math::complement(boost::math::students_t(carriers), 0.025));
  const double skewness_over_root = static_cast<double>(cubes / (squares * std::sqrt(squares)));  // Σc³/(Σc²)^1.5 = skewness/√n
  constexpr double z = 1.96;
  return {quantile * deviation, (quantile + std::fmax(0.0, skewness_over_root) * (2 * z * z + 1) / 6) * deviation};
}

struct Interval {
  double value = 0, lower = 0, upper = 0;
};

/// Rows such as may come, but are not among those compared: the farthest known ones, each moved outwards as far as the tail of all
/// distances suggests that the next one will be.
Matrix<double> rows_beyond(MatrixView<const double> compared, MatrixView<const double> known) {
  constexpr std::size_t max_rows = 4, max_tail = 50;
  const std::size_t dim = compared.cols(), n = compared.rows() + known.rows();
  const auto row = [&](std::size_t i) { return i < compared.rows() ? compared.row(i) : known.row(i - compared.rows()); };
  std::vector<double> centre(dim), column(n);
  for (std::size_t k = 0; k < dim; ++k) {
    for (std::size_t i = 0; i < n; ++i) column[i] = row(i)[k];
    std::ranges::nth_element(column, column.begin() + static_cast<std::ptrdiff_t>(n / 2));
    centre[k] = column[n / 2];
  }
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < n; ++i) {
    double square = 0;
    for (std::size_t k = 0; k < dim; ++k) square += (row(i)[k] - centre[k]) * (row(i)[k] - centre[k]);
    distances.emplace_back(std::sqrt(square), i);
  }
  const std::size_t n_tail = std::clamp<std::size_t>(n / 10, 2, max_tail);
  std::ranges::partial_sort(distances, distances.begin() + static_cast<std::ptrdiff_t>(n_tail + 1), std::greater());
  double excess = 0;  // Hill's estimate: the mean of log(r_i / r_tail), by which the next farthest exceeds this one on average
  if (!(distances[n_tail].first > 0)) return {};
  for (std::size_t i = 0; i < n_tail; ++i) excess += std::log(distances[i].first / distances[n_tail].first) / static_cast<double>(n_tail);
  Matrix<double> beyond(std::min(max_rows, n_tail), dim);
  for (std::size_t i = 0; i < beyond.rows(); ++i) {
    const auto from = row(distances[i].second);
    for (std::size_t k = 0; k < dim; ++k) beyond(i, k) = centre[k] + std::exp(excess) * (from[k] - centre[k]);
  }
  return beyond;
}

/// The sums that a row adds, one for each row of `beyond`: its pairs with all rows that were compared, both ways, and with itself.
std::vector<PairSums> sums_beyond(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> rows, const Matrix<double>& beyond,
                                  const Execution& execution) {
  const auto squares = [](double exact, double approximate) {
    const long double value = exact, error = value - approximate;
    return Squares{error * error, value * value};
  };
  const Matrix<double> out = exact_gram(kernel, beyond, rows, execution), out_map = approximate_gram(map, beyond, rows, execution);
  const Matrix<double> in = exact_gram(kernel, rows, beyond, execution), in_map = approximate_gram(map, rows, beyond, execution);
  const Matrix<double> own = exact_gram(kernel, beyond, beyond, execution), own_map = approximate_gram(map, beyond, beyond, execution);
  std::vector<PairSums> sums(beyond.rows());
  for (std::size_t i = 0; i < beyond.rows(); ++i) {
    sums[i].diagonal = squares(own(i, i), own_map(i, i));
    for (std::size_t j = 0; j < rows.rows(); ++j) {
      sums[i].others.add(squares(out(i, j), out_map(i, j)));
      sums[i].others.add(squares(in(j, i), in_map(j, i)));
    }
  }
  return sums;
}

constexpr long double without_diagonal = 1e300L;  // rows of a matrix so large that its diagonal does not count

Interval interval_of(const AllSums& sums, const std::vector<PairSums>& beyond, long double size) {
  if (!(sums.total.diagonal.errors + sums.total.others.errors > 0)) return {};
  const auto n = static_cast<long double>(sums.of_row.size());
  const double log_ratio = sums.total.log_ratio(n, size);
  if (!std::isfinite(log_ratio)) return {HUGE_VAL, 0, HUGE_VAL};  // an error where k is zero
  const Reach reach = jackknife_reach(sums, size);
  double above = reach.above;
  for (const PairSums& row : beyond) {
    const double with_row = sums.total.with(row).log_ratio(n + 1, size);
    if (std::isfinite(with_row)) above = std::fmax(above, with_row - log_ratio);
  }
  return {std::exp(0.5 * log_ratio), std::exp(0.5 * (log_ratio - reach.below)), std::exp(0.5 * (log_ratio + above))};
}

}  // namespace

HeldOutError held_out_error(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> rows, const Execution& execution,
                            std::size_t matrix_rows, MatrixView<const double> known) {
  constexpr std::size_t max_rows = 20'000;  // two matrices of 3 GiB
  const std::size_t n = rows.rows();
  if (n < 3 || n > max_rows) throw InvalidArgument("held_out_error", fmt::format("{} rows, expected 3 to {}", n, max_rows));
  if (matrix_rows == 0) throw InvalidArgument("held_out_error", "matrix_rows is 0, expected at least 1");
  const Matrix<double> exact = exact_gram(kernel, rows, rows, execution), approximate = approximate_gram(map, rows, rows, execution);
  const AllSums sums = sum_squares(kernel, exact, approximate, execution.stop);
  HeldOutError result{.n_rows = n, .n_pairs = n * n, .matrix_rows = matrix_rows};
  const Matrix<double> farther = rows_beyond(rows, known);
  const auto beyond = farther.empty() ? std::vector<PairSums>() : sums_beyond(kernel, map, rows, farther, execution);
  const Interval square = interval_of(sums, beyond, static_cast<long double>(matrix_rows));
  const Interval between = interval_of(sums, beyond, without_diagonal);
  result.error = square.value;
  result.lower = square.lower;
  result.upper = square.upper;
  result.between = between.value;
  result.between_lower = between.lower;
  result.between_upper = between.upper;
  return result;
}

}  // namespace askrff
