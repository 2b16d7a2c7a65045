// Errors on all pairs of some rows, and the jackknife over those rows.
#include "askrff/operators.hpp"

#include <fmt/format.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
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

constexpr long double without_diagonal = 1e300L;  // rows of a matrix so large that its diagonal does not count

Interval interval_of(const AllSums& sums, long double size) {
  if (!(sums.total.diagonal.errors + sums.total.others.errors > 0)) return {};
  const double log_ratio = sums.total.log_ratio(static_cast<long double>(sums.of_row.size()), size);
  if (!std::isfinite(log_ratio)) return {HUGE_VAL, 0, HUGE_VAL};  // an error where k is zero
  const Reach reach = jackknife_reach(sums, size);
  return {std::exp(0.5 * log_ratio), std::exp(0.5 * (log_ratio - reach.below)), std::exp(0.5 * (log_ratio + reach.above))};
}

}  // namespace

HeldOutError held_out_error(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> rows, const Execution& execution,
                            std::size_t matrix_rows) {
  constexpr std::size_t max_rows = 20'000;  // two matrices of 3 GiB
  const std::size_t n = rows.rows();
  if (n < 3 || n > max_rows) throw InvalidArgument("held_out_error", fmt::format("{} rows, expected 3 to {}", n, max_rows));
  if (matrix_rows == 0) throw InvalidArgument("held_out_error", "matrix_rows is 0, expected at least 1");
  const Matrix<double> exact = exact_gram(kernel, rows, rows, execution), approximate = approximate_gram(map, rows, rows, execution);
  const AllSums sums = sum_squares(kernel, exact, approximate, execution.stop);
  HeldOutError result{.n_rows = n, .n_pairs = n * n, .matrix_rows = matrix_rows};
  const Interval square = interval_of(sums, static_cast<long double>(matrix_rows));
  const Interval between = interval_of(sums, without_diagonal);
  result.error = square.value;
  result.lower = square.lower;
  result.upper = square.upper;
  result.between = between.value;
  result.between_lower = between.lower;
  result.between_upper = between.upper;
  return result;
}

}  // namespace askrff
