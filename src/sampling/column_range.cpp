// Where the rows of a fit lie, and which others are too far from them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/atoms.hpp"
#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

/// What files can hold.
double at_most_finite(double distance) { return std::min(distance, std::numeric_limits<double>::max()); }

/// Finite for all rows.
double distance_between(std::span<const double> a, std::span<const double> b) {
  double squares = 0;
  for (std::size_t j = 0; j < a.size(); ++j) squares += (a[j] - b[j]) * (a[j] - b[j]);
  constexpr double smallest = 1e-290;  // below, squares have lost digits, or all of them
  if (squares >= smallest && std::isfinite(squares)) return std::sqrt(squares);
  double length = 0;
  for (std::size_t j = 0; j < a.size(); ++j) length = std::hypot(length, a[j] - b[j]);
  return at_most_finite(length);
}

/// The median of a thousand pairs, always the same ones for a number of rows: it is off by some 4 %, and nothing needs it better.
double typical_distance(MatrixView<const double> X) {
  constexpr std::size_t n_pairs = 1000;
  RandomStream random(0, Purpose::sampled_pairs, 0);
  std::vector<double> distances;
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    const std::size_t i = random.below(X.rows()), j = random.below(X.rows());
    if (const double distance = distance_between(X.row(i), X.row(j)); distance > 0) distances.push_back(distance);
  }
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

/// The mean as a sum of quotients: a sum may be too large for a double where its terms are not.
std::vector<double> mean_row(MatrixView<const double> X) {
  std::vector<double> mean(X.cols());
  const double share = 1 / static_cast<double>(X.rows());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) mean[j] += share * X(i, j);
  return mean;
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

}  // namespace

ColumnRange ColumnRange::of(MatrixView<const double> X) {
  if (X.rows() == 0) throw InvalidArgument("ColumnRange::of", "no rows, expected at least one");
  ColumnRange range{{}, {}, mean_row(X)};
  std::vector<Extremes> lowest(X.cols()), highest(X.cols());  // the former of -x
  Extremes distances;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    for (std::size_t j = 0; j < X.cols(); ++j) {
      lowest[j].add(-X(i, j), i);
      highest[j].add(X(i, j), i);
    }
    distances.add(distance_between(X.row(i), range.centre), i);
  }
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

std::size_t ColumnRange::rows_outside(MatrixView<const double> X, double gain) const {
  require_columns(X, lowest.size(), "ColumnRange::rows_outside", "X", "the range has");
  const double unit = typical > 0 || !centre.empty() ? typical : typical_of_box(*this);
  const double most = std::max(margin, unit / std::sqrt(std::max(gain, 1.0)));
  std::size_t outside = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double squares = 0;
    for (std::size_t j = 0; j < lowest.size(); ++j) {
      const double excess = std::max({0.0, lowest[j] - X(i, j), X(i, j) - highest[j]});
      squares += excess * excess;
    }
    const double beyond_ball = centre.empty() ? 0 : distance_between(X.row(i), centre) - radius;
    outside += std::max(at_most_finite(std::sqrt(squares)), beyond_ball) > most ? 1 : 0;
  }
  return outside;
}

}  // namespace askrff
