// Where the rows of a fit lie, and which others are too far from them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/atoms.hpp"
#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/row_pairs.hpp"

namespace askrff {
namespace {

/// What files can hold.
double at_most_finite(double distance) { return std::min(distance, std::numeric_limits<double>::max()); }

/// The median of a thousand pairs, always the same ones for a number of rows: it is off by some 4 %, and nothing needs it better.
double typical_distance(const RowsView<double>& X) {
  constexpr std::size_t n_pairs = 1000;
  RandomStream random(0, Purpose::sampled_pairs, 0);
  std::vector<double> distances;
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    const std::size_t i = random.below(X.rows()), j = random.below(X.rows());
    if (const double distance = at_most_finite(euclidean_distance(X, i, X, j)); distance > 0) distances.push_back(distance);
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

/// The mean as a sum of quotients: a sum may be too large for a double where its terms are not.
std::vector<double> mean_row(const RowsView<double>& X) {
  std::vector<double> mean(X.cols());
  const double share = 1 / static_cast<double>(X.rows());
  for (std::size_t i = 0; i < X.rows(); ++i) for_each_value(X, i, [&](std::size_t j, double x) { mean[j] += share * x; });
  return mean;
}

/// Lengths of what difference(column, x) makes of every coordinate of a row: sums of squares, which for sparse rows start from that of
/// zeros. Finite for all rows.
template <class Difference>
class LengthsOfRows {
 public:
  LengthsOfRows(const RowsView<double>& X, Difference difference) : X_(X), difference_(std::move(difference)) {
    for (std::size_t j = 0; X.is_sparse() && j < X.cols(); ++j) {
      of_zeros_ += squared(j, 0.0);
      are_zeros_apart_ = are_zeros_apart_ || difference_(j, 0.0) != 0;
    }
  }
  double of_row(std::size_t i) const {
    double squares = of_zeros_;
    bool is_apart = are_zeros_apart_;
    for_each_value(X_, i, [&](std::size_t j, double x) {
      squares += squared(j, x) - (X_.is_sparse() ? squared(j, 0.0) : 0);
      is_apart = is_apart || difference_(j, x) != 0;
    });
    if (!is_apart) return 0;
    return is_plain_square(squares) ? std::sqrt(squares) : at_most_finite(careful_length(i));
  }

 private:
  double squared(std::size_t j, double x) const { return difference_(j, x) * difference_(j, x); }
  /// Of squares that overflow or vanish.
  double careful_length(std::size_t i) const {
    std::vector<double> row(X_.cols());
    for_each_value(X_, i, [&](std::size_t j, double x) { row[j] = x; });
    double length = 0;
    for (std::size_t j = 0; j < row.size(); ++j) length = std::hypot(length, difference_(j, row[j]));
    return length;
  }

  RowsView<double> X_;
  Difference difference_;
  double of_zeros_ = 0;
  bool are_zeros_apart_ = false;
};

auto distances_from(const RowsView<double>& X, const std::vector<double>& centre) {
  return LengthsOfRows(X, [&centre](std::size_t j, double x) { return x - centre[j]; });
}

/// The distance of rows spread evenly over the box, for what older files hold.
double typical_of_box(const ColumnRange& range) {
  double squares = 0;
  for (std::size_t j = 0; j < range.lowest.size(); ++j) squares += std::pow(range.highest[j] - range.lowest[j], 2) / 6;
  return std::sqrt(squares);
}

/// The largest of some values and the one after it.
struct Extremes {
  double first = -std::numeric_limits<double>::infinity(), second = first;
  std::size_t holder = 0;

  void add(double value, std::size_t row) {
    if (value > first) {
      second = first;
      first = value;
      holder = row;
    } else {
      second = std::max(second, value);
    }
  }
};

/// The two largest of x (or of -x, for sign -1) in every column. Rows that have no number in a column have 0 there.
std::vector<Extremes> extremes_of(const RowsView<double>& X, double sign) {
  std::vector<Extremes> ends(X.cols());
  std::vector<std::size_t> n_without(X.cols(), X.rows()), sum_without(X.cols(), X.rows() * (X.rows() - 1) / 2);  // of their numbers
  for (std::size_t i = 0; i < X.rows(); ++i)
    for_each_value(X, i, [&](std::size_t j, double x) {
      ends[j].add(sign * x, i);
      --n_without[j];
      sum_without[j] -= i;
    });
  for (std::size_t j = 0; j < X.cols(); ++j) {
    if (n_without[j] == 0) continue;
    // If they are several, none is beyond the others, whichever holds the place.
    ends[j].add(0, n_without[j] == 1 ? sum_without[j] : 0);
    if (n_without[j] > 1) ends[j].add(0, 0);
  }
  return ends;
}

}  // namespace

ColumnRange ColumnRange::of(const RowsView<double>& X) {
  if (X.rows() == 0) throw InvalidArgument("ColumnRange::of", "no rows, expected at least one");
  ColumnRange range{{}, {}, mean_row(X)};
  const std::vector<Extremes> lowest = extremes_of(X, -1), highest = extremes_of(X, 1);
  const auto from_centre = distances_from(X, range.centre);
  Extremes distances;
  for (std::size_t i = 0; i < X.rows(); ++i) distances.add(from_centre.of_row(i), i);
  std::vector<double> excesses(X.rows());  // of every row outside the box of the others, squared
  for (std::size_t j = 0; j < X.cols(); ++j) {
    range.lowest.push_back(-lowest[j].first);
    range.highest.push_back(highest[j].first);
    for (const Extremes& end : {lowest[j], highest[j]}) excesses[end.holder] += X.rows() > 1 ? std::pow(end.first - end.second, 2) : 0;
  }
  range.radius = distances.first;
  range.typical = typical_distance(X);
  range.margin = at_most_finite(std::sqrt(*std::ranges::max_element(excesses)));
  if (X.rows() > 1) range.margin = std::max(range.margin, distances.first - distances.second);
  return range;
}

std::size_t ColumnRange::rows_outside(const RowsView<double>& X, double gain) const {
  require_row_columns(X, lowest.size(), "ColumnRange::rows_outside", "X", "the range has");
  const double unit = typical > 0 || !centre.empty() ? typical : typical_of_box(*this);
  const double most = std::max(margin, unit / std::sqrt(std::max(gain, 1.0)));
  const LengthsOfRows outside_box(X, [this](std::size_t j, double x) { return std::max({0.0, lowest[j] - x, x - highest[j]}); });
  const std::vector<double> origin(centre.empty() ? X.cols() : 0);
  const auto from_centre = distances_from(X, centre.empty() ? origin : centre);
  std::size_t outside = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const double beyond_ball = centre.empty() ? 0 : from_centre.of_row(i) - radius;
    outside += std::max(outside_box.of_row(i), beyond_ball) > most ? 1 : 0;
  }
  return outside;
}

}  // namespace askrff
