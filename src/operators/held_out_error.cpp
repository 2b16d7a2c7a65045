// Errors on pairs of rows, and the jackknife over those rows.
#include "askrff/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/row_pairs.hpp"

namespace askrff {
namespace {

// Sums over pairs: how many, their squared errors and squared values of k.
struct Squares {
  long double count = 0, errors = 0, kernel = 0;

  static Squares of(double exact, double approximate) {
    const long double value = exact, error = value - approximate;
    return {1, error * error, value * value};
  }
  void add(const Squares& other, long double weight = 1) {
    count += weight * other.count;
    errors += weight * other.errors;
    kernel += weight * other.kernel;
  }
};

// Sums over the diagonal and over the other pairs: of all rows, or of those one row is part of.
struct PairSums {
  Squares diagonal, others;

  PairSums plus(const PairSums& row, long double weight) const {
    PairSums sum = *this;
    sum.diagonal.add(row.diagonal, weight);
    sum.others.add(row.others, weight);
    return sum;
  }
  /// log of the squared relative error of a matrix of `size` rows; NaN or infinite if a sum is empty.
  double log_ratio(long double size) const {
    if (std::isinf(size)) return static_cast<double>(std::log(others.errors) - std::log(others.kernel));
    const auto scaled = [&](long double on, long double off) { return on / diagonal.count + off / others.count * (size - 1); };
    return static_cast<double>(std::log(scaled(diagonal.errors, others.errors)) - std::log(scaled(diagonal.kernel, others.kernel)));
  }
};

struct AllSums {
  std::size_t n_rows = 0;
  PairSums total;
  std::vector<PairSums> of_row;
  std::vector<PairSums> beyond;  // what a row of which there is none yet would add
  std::vector<PairSums> of_map;  // each compared on rows of its own; one map, or one for every fold
};

/// Adds all pairs of rows and columns, which are those of the same things, or different ones.
void add_block(AllSums& sums, MatrixView<const double> exact, MatrixView<const double> approximate, bool same_things,
               const StopToken& stop) {
  const std::size_t first = sums.of_row.size(), first_column = same_things ? first : first + exact.rows();
  sums.of_row.resize(first_column + exact.cols());
  sums.n_rows += exact.rows();
  PairSums of_map;
  for (std::size_t i = 0; i < exact.rows(); ++i) {
    stop.check();
    for (std::size_t j = 0; j < exact.cols(); ++j) {
      const Squares pair = Squares::of(exact(i, j), approximate(i, j));
      if (same_things && i == j) {
        of_map.diagonal.add(pair);
        sums.of_row[first + i].diagonal.add(pair);
      } else {
        of_map.others.add(pair);
        sums.of_row[first + i].others.add(pair);
        sums.of_row[first_column + j].others.add(pair);
      }
    }
  }
  sums.total = sums.total.plus(of_map, 1);
  sums.of_map.push_back(of_map);
}

/// Adds all pairs of `rows`.
void add_pairs(AllSums& sums, const Kernel& kernel, const FeatureMap& map, const RowsView<double>& rows, const Execution& execution) {
  const Matrix<double> exact = exact_gram(kernel, rows, rows, execution), approximate = approximate_gram(map, rows, rows, execution);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.rows(); ++j)
      if (!std::isfinite(exact(i, j)))
        throw InvalidArgument("held_out_error", fmt::format("{} returned {} for rows {} and {}", kernel.name(), exact(i, j), i, j));
  add_block(sums, exact, approximate, true, execution.stop);
}

/// How far the interval of the log ratio reaches down and up.
struct Reach {
  double below = 0, above = 0;
};

double quantile_of(double degrees) {
  return boost::math::quantile(boost::math::complement(boost::math::students_t(std::fmax(1.0, degrees)), 0.025));
}

/// A figure of all rows, of all but one, of the rows of each map, and with each of those beyond.
struct Figures {
  double all = 0;
  std::vector<double> without_row, of_map, with_beyond;

  Figures exponentials() const {
    const auto exp = [](std::vector<double> values) {
      for (double& value : values) value = std::exp(value);
      return values;
    };
    return {std::exp(all), exp(without_row), exp(of_map), exp(with_beyond)};
  }
};

/// Of rows such as were not seen among n, so many may be among the next n: more have a chance of 2.5 % not to be seen, exp(-3.7).
constexpr long double unseen_rows = 3.7L;

Figures log_ratios(const AllSums& sums, long double size) {
  Figures figures;
  figures.all = sums.total.log_ratio(size);
  for (const PairSums& row : sums.of_row) figures.without_row.push_back(sums.total.plus(row, -1).log_ratio(size));
  for (const PairSums& map : sums.of_map) figures.of_map.push_back(map.log_ratio(size));
  for (const PairSums& row : sums.beyond) figures.with_beyond.push_back(sums.total.plus(row, unseen_rows).log_ratio(size));
  return figures;
}

/// What the maps of folds add: their figures differ by more than the rows that judged them explain, and that of the map made of all rows
/// will differ as much. `variance`: of the figure, by rows.
double reach_of_maps(const Figures& figures, double variance) {
  const auto n_maps = static_cast<double>(figures.of_map.size());
  double mean = 0, squares = 0;
  for (const double value : figures.of_map) mean += value / n_maps;
  if (n_maps < 2 || !std::isfinite(mean)) return 0;
  for (const double value : figures.of_map) squares += (value - mean) * (value - mean);
  const double excess = squares / (n_maps - 1) - n_maps * variance;
  return excess > 0 ? quantile_of(n_maps - 1) * std::sqrt(excess) : 0;
}

/// Infinite if leaving out a row leaves nothing. Few rows with large errors make the estimate too small more often than too large: above,
/// the quantile is corrected for the skewness of the rows' contributions (Johnson's term (2z² + 1)/6 · skewness/√n), and rows beyond
/// the others are reckoned with.
Reach jackknife_reach(const Figures& figures) {
  const auto n = static_cast<long double>(figures.without_row.size());
  long double mean = 0;
  for (const double value : figures.without_row) mean += value / n;
  if (!std::isfinite(static_cast<double>(mean))) return {HUGE_VAL, HUGE_VAL};
  long double squares = 0, cubes = 0, fourth_powers = 0;
  for (const double value : figures.without_row) {
    const long double contribution = mean - value, square = contribution * contribution;
    squares += square;
    cubes += square * contribution;
    fourth_powers += square * square;
  }
  if (!(fourth_powers > 0)) return {};
  const double variance = static_cast<double>(squares * (n - 1) / n), by_maps = reach_of_maps(figures, variance);
  // Maps of folds have rows in common: the ratio of judging to fitting rows is what Nadeau and Bengio add to the deviation.
  const auto n_maps = static_cast<double>(figures.of_map.size());
  const double deviation = (n_maps > 1 ? 1 + 1 / (n_maps - 1) : 1) * std::sqrt(variance);
  const double quantile = quantile_of(static_cast<double>(squares * squares / fourth_powers));    // of the rows that carry the variance
  const double skewness_over_root = static_cast<double>(cubes / (squares * std::sqrt(squares)));  // Σc³/(Σc²)^1.5 = skewness/√n
  constexpr double z = 1.96;
  const double skewed = quantile + std::fmax(0.0, skewness_over_root) * (2 * z * z + 1) / 6;
  double farther = 0;
  for (const double value : figures.with_beyond)
    if (std::isfinite(value)) farther = std::fmax(farther, value - figures.all);
  return {std::hypot(quantile * deviation, by_maps), std::hypot(skewed * deviation, by_maps, farther)};
}

struct Interval {
  double value = 0, lower = 0, upper = 0;
};

/// How far the next row may lie, of distances in descending order of which `n_tail` are beyond the next: that which one sample in twenty as
/// large has a row beyond, by the tail's law of extreme values (shape and scale by the moments of Dekkers, Einmahl and de Haan), and no
/// less than the farthest times the mean of the tail's ratios (Hill). The first counts where tails are heavy, the second where they are
/// light.
double next_distance(const std::vector<std::pair<double, std::size_t>>& distances, std::size_t n_tail) {
  const double threshold = distances[n_tail].first;
  double mean = 0, squares = 0;
  for (std::size_t i = 0; i < n_tail; ++i) {
    const double log = std::log(distances[i].first / threshold);
    mean += log / static_cast<double>(n_tail);
    squares += log * log / static_cast<double>(n_tail);
  }
  const double by_ratio = std::exp(mean) * distances.front().first;
  if (distances[n_tail - 1].first == threshold) return by_ratio;                     // of rows like whole numbers, which have no such law
  const double light = 1 - 0.5 / (1 - mean * mean / squares), shape = mean + light;  // of a Pareto law `light` is 0
  const double logs = std::log(20 * static_cast<double>(n_tail)), scale = threshold * mean * (1 - std::fmin(light, 0.0));
  const double by_law = threshold + scale * (std::fabs(shape) < 1e-3 ? logs : std::expm1(shape * logs) / shape);
  return std::isfinite(by_law) ? std::fmax(by_ratio, by_law) : by_ratio;
}

/// The median of every column over both sets of rows, as a row of their kind.
RowsMatrix<double> median_row(const RowsView<double>& compared, const RowsView<double>& known) {
  const std::size_t dim = compared.cols(), n = compared.rows() + known.rows();
  const auto median_of = [n](std::vector<double>& column) {
    std::ranges::nth_element(column, column.begin() + static_cast<std::ptrdiff_t>(n / 2));
    return column[n / 2];
  };
  std::vector<double> column(n);
  if (!compared.is_sparse()) {
    Matrix<double> medians(1, dim);
    const auto row = [&](std::size_t i) { return i < compared.rows() ? compared.dense().row(i) : known.dense().row(i - compared.rows()); };
    for (std::size_t k = 0; k < dim; ++k) {
      for (std::size_t i = 0; i < n; ++i) column[i] = row(i)[k];
      medians(0, k) = median_of(column);
    }
    return medians;
  }
  std::vector<std::pair<std::size_t, double>> entries;  // of all columns
  for (const RowsView<double>* rows : {&compared, &known})
    for (std::size_t i = 0; i < rows->rows(); ++i) for_each_value(*rows, i, [&](std::size_t k, double x) { entries.emplace_back(k, x); });
  std::ranges::sort(entries);
  SparseMatrix<double> medians(dim);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t first = 0, end = 0; first < entries.size(); first = end) {
    while (end < entries.size() && entries[end].first == entries[first].first) ++end;
    if (2 * (end - first) < n) continue;  // more zeros than others
    column.assign(n, 0.0);
    for (std::size_t k = first; k < end; ++k) column[k - first] = entries[k].second;
    columns.push_back(static_cast<std::uint32_t>(entries[first].first));
    values.push_back(median_of(column));
  }
  medians.add_row(columns, values);
  return medians;
}

/// centre + factor·(row i - centre).
void add_moved_row(const RowsView<double>& rows, std::size_t i, const RowsView<double>& centre, double factor, RowsMatrix<double>& moved,
                   std::size_t place) {
  const auto at = [factor](double x, double c) { return c + factor * (x - c); };
  if (!rows.is_sparse())
    return for_each_coordinate(rows, i, centre, 0, [&](std::size_t k, double x, double c) { moved.dense()(place, k) = at(x, c); });
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for_each_coordinate(rows, i, centre, 0, [&](std::size_t k, double x, double c) {
    columns.push_back(static_cast<std::uint32_t>(k));
    values.push_back(at(x, c));
  });
  moved.sparse().add_row(columns, values);
}

/// Rows such as may come, but are not among those compared: the farthest known ones, each moved outwards as far as the tail of all
/// distances suggests that the next one will be.
RowsMatrix<double> rows_beyond(const RowsView<double>& compared, const RowsView<double>& all_known) {
  constexpr std::size_t max_rows = 4, max_tail = 50;
  const RowsView<double> known = all_known.rows() > 0 ? all_known : compared.middle_rows(0, 0);  // of the same kind
  const std::size_t dim = compared.cols(), n = compared.rows() + known.rows();
  const RowsMatrix<double> centre = median_row(compared, known);
  const auto rows_with = [&](std::size_t i) { return i < compared.rows() ? compared : known; };
  const auto place_of = [&](std::size_t i) { return i < compared.rows() ? i : i - compared.rows(); };
  std::vector<std::pair<double, std::size_t>> distances;
  for (std::size_t i = 0; i < n; ++i) {
    double distance = 0;  // by hypot: squares of large numbers overflow
    for_each_coordinate(rows_with(i), place_of(i), centre, 0,
                        [&](std::size_t, double x, double c) { distance = std::hypot(distance, x - c); });
    distances.emplace_back(distance, i);
  }
  const std::size_t n_tail = std::clamp<std::size_t>(n / 10, 2, max_tail);
  std::ranges::partial_sort(distances, distances.begin() + static_cast<std::ptrdiff_t>(n_tail + 1), std::greater());
  if (!(distances[n_tail].first > 0)) return {};
  const double factor = next_distance(distances, n_tail) / distances.front().first;
  if (!std::isfinite(factor * distances.front().first)) return {};
  const std::size_t n_beyond = std::min(max_rows, n_tail);
  RowsMatrix<double> beyond = compared.is_sparse() ? RowsMatrix<double>(SparseMatrix<double>(dim)) : Matrix<double>(n_beyond, dim);
  for (std::size_t i = 0; i < n_beyond; ++i)
    add_moved_row(rows_with(distances[i].second), place_of(distances[i].second), centre, factor, beyond, i);
  return beyond;
}

/// Adds, for every row of `beyond`, its pairs with `rows`, both ways, and with itself.
void add_beyond(AllSums& sums, const Kernel& kernel, const FeatureMap& map, const RowsView<double>& rows, const RowsMatrix<double>& beyond,
                long double weight, const Execution& execution) {
  if (beyond.empty()) return;
  const Matrix<double> out = exact_gram(kernel, beyond, rows, execution), out_map = approximate_gram(map, beyond, rows, execution);
  const Matrix<double> in = exact_gram(kernel, rows, beyond, execution), in_map = approximate_gram(map, rows, beyond, execution);
  const Matrix<double> own = exact_gram(kernel, beyond, beyond, execution), own_map = approximate_gram(map, beyond, beyond, execution);
  sums.beyond.resize(beyond.rows());
  for (std::size_t i = 0; i < beyond.rows(); ++i) {
    sums.beyond[i].diagonal.add(Squares::of(own(i, i), own_map(i, i)), weight);
    for (std::size_t j = 0; j < rows.rows(); ++j) {
      sums.beyond[i].others.add(Squares::of(out(i, j), out_map(i, j)), weight);
      sums.beyond[i].others.add(Squares::of(in(j, i), in_map(j, i)), weight);
    }
  }
}

/// The same; nothing where the kernel cannot be evaluated there: nobody has asked for these rows. Rows of a kernel of pairs may be names of
/// things, beyond which there are none: see reckon_with_worst.
void add_beyond_if_possible(AllSums& sums, const Kernel& kernel, const FeatureMap& map, const RowsView<double>& rows,
                            const RowsMatrix<double>& beyond, long double weight, const Execution& execution) {
  const auto before = sums.beyond;
  try {
    add_beyond(sums, kernel, map, rows, beyond, weight, execution);
  } catch (const std::invalid_argument&) {
    sums.beyond = before;
  } catch (const NumericalError&) {
    sums.beyond = before;
  }
}

/// Where nobody can say what lies beyond, more of the rows that are worst so far.
void reckon_with_worst(AllSums& sums) {
  constexpr std::size_t n_worst = 4;
  std::vector<PairSums> rows = sums.of_row;
  const std::size_t n = std::min(n_worst, rows.size());
  const auto errors = [](const PairSums& row) { return row.diagonal.errors + row.others.errors; };
  std::ranges::partial_sort(rows, rows.begin() + static_cast<std::ptrdiff_t>(n), std::greater(), errors);
  sums.beyond.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(n));
}

constexpr long double without_diagonal = HUGE_VALL;  // rows of a matrix so large that its diagonal does not count

/// On the logarithm of the squared ratio, where the interval has no end below zero. Above, not much farther than on the squared ratio
/// itself: if one row has nearly all of the error, logarithms without it are next to nothing, and would reach to any number.
Interval interval_of(const AllSums& sums, long double size) {
  const PairSums& all = sums.total;
  const bool is_zero = !(all.others.kernel + (std::isinf(size) ? 0 : all.diagonal.kernel) > 0);
  if (!is_zero && !(all.diagonal.errors + all.others.errors > 0)) return {};
  const Figures logs = log_ratios(sums, size);
  if (is_zero || !std::isfinite(logs.all)) return {HUGE_VAL, 0, HUGE_VAL};  // a relative error where k is zero is not known
  const Figures squares = logs.exponentials();
  const Reach reach = jackknife_reach(logs), linear = jackknife_reach(squares);
  constexpr double allowance = 1.5;  // intervals of skewed sums are too short: measured
  const double upper = std::fmin(std::exp(0.5 * (logs.all + reach.above)), allowance * std::sqrt(squares.all + linear.above));
  return {std::exp(0.5 * logs.all), std::exp(0.5 * (logs.all - reach.below)), upper};
}

HeldOutError result_of(const AllSums& sums, std::size_t matrix_rows) {
  const Interval between = interval_of(sums, without_diagonal);
  const Interval square = sums.total.diagonal.count > 0 ? interval_of(sums, static_cast<long double>(matrix_rows)) : between;
  return {.error = square.value,
          .lower = square.lower,
          .upper = square.upper,
          .n_rows = sums.n_rows,
          .n_pairs = static_cast<std::size_t>(sums.total.diagonal.count + sums.total.others.count),
          .matrix_rows = matrix_rows,
          .between = between.value,
          .between_lower = between.lower,
          .between_upper = between.upper};
}

constexpr std::size_t min_rows = 3, max_rows = 20'000;  // two matrices of 3 GiB

void check_sizes(const char* who, std::size_t n_rows, std::size_t least, std::size_t matrix_rows) {
  if (n_rows < least || n_rows > max_rows) throw InvalidArgument(who, fmt::format("{} rows, expected {} to {}", n_rows, least, max_rows));
  if (matrix_rows == 0) throw InvalidArgument(who, "matrix_rows is 0, expected at least 1");
}

}  // namespace

HeldOutError held_out_error(const Kernel& kernel, const FeatureMap& map, const RowsView<double>& rows, const Execution& execution,
                            std::size_t matrix_rows, const RowsView<double>& known) {
  check_sizes("held_out_error", rows.rows(), min_rows, matrix_rows);
  if (known.rows() > 0 && (known.cols() != rows.cols() || known.is_sparse() != rows.is_sparse()))
    throw InvalidArgument("held_out_error",
                          "the known rows have other columns or are of another kind, expected dense or sparse ones like those compared");
  AllSums sums;
  add_pairs(sums, kernel, map, rows, execution);
  if (!kernel.shift_invariant())
    reckon_with_worst(sums);
  else
    add_beyond_if_possible(sums, kernel, map, rows, rows_beyond(rows, known), 1, execution);
  return result_of(sums, matrix_rows);
}

HeldOutError block_error(std::span<const ComparedBlock> blocks, bool same_things, std::size_t matrix_rows, const Execution& execution) {
  constexpr const char* who = "block_error";
  if (blocks.empty()) throw InvalidArgument(who, "no blocks, expected at least one");
  AllSums sums;
  for (const auto& [exact, approximate] : blocks) {
    check_sizes(who, std::min(exact.rows(), exact.cols()), min_rows, matrix_rows);
    if (same_things) require_columns(exact, exact.rows(), who, "exact", "of the same things expected");
    require_shape(approximate, exact.rows(), exact.cols(), who, "approximate");
    require_finite<double>(exact, who, "exact", execution.stop);
    require_finite<double>(approximate, who, "approximate", execution.stop);
    add_block(sums, exact, approximate, same_things, execution.stop);
  }
  reckon_with_worst(sums);
  return result_of(sums, matrix_rows);
}

HeldOutError cross_fitted_error(const Kernel& kernel, const MapMaker& make, const RowsView<double>& rows, std::size_t n_folds,
                                std::uint64_t seed, const Execution& execution, std::size_t matrix_rows) {
  if (n_folds < 2) throw InvalidArgument("cross_fitted_error", fmt::format("{} folds, expected at least 2", n_folds));
  check_sizes("cross_fitted_error", rows.rows(), n_folds > max_rows ? max_rows : min_rows * n_folds, matrix_rows);
  const auto order = choose_rows(rows.rows(), rows.rows(), seed, Purpose::held_out_rows);
  const RowsMatrix<double> beyond = kernel.shift_invariant() ? rows_beyond(rows, {}) : RowsMatrix<double>();
  AllSums sums;
  for (std::size_t fold = 0; fold < n_folds; ++fold) {
    std::vector<std::size_t> inside, outside;
    for (std::size_t i = 0; i < order.size(); ++i) (i % n_folds == fold ? inside : outside).push_back(order[i]);
    std::ranges::sort(outside);
    const RowsMatrix<double> judging = RowsMatrix<double>::taken_from(rows, inside);
    const FeatureMap map = make(RowsMatrix<double>::taken_from(rows, outside));
    add_pairs(sums, kernel, map, judging, execution);
    if (!kernel.shift_invariant()) continue;
    add_beyond_if_possible(sums, kernel, map, judging, beyond, 1 / static_cast<long double>(n_folds), execution);
  }
  if (!kernel.shift_invariant()) reckon_with_worst(sums);
  return result_of(sums, matrix_rows);
}

}  // namespace askrff
