// A function of one variable given by samples of it: a cubic between two neighbours that never leaves what lies between them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace askrff::expressions {

/// Between the points (x_i, f_i) cubics with continuous slopes; 0 outside of them. A slope at a point is that of the parabola through it
/// and its neighbours, but never so steep that f would not be monotone between two points (Fritsch and Carlson), and 0 where the table
/// turns. With the largest distance h of neighbours the error is at most h³/12·max|f'''| where no slope was held back, for equispaced
/// points, and at most h²/2·max|f''| anywhere; rounding adds 8·2^-52·max|f_i|.
class Table {
 public:
  static constexpr std::size_t max_points = 65536;

  /// x0, f0, x1, f1, …: 2 to max_points points, x increasing. Throws InvalidArgument(owner, …) for anything else.
  Table(std::span<const double> pairs, const std::string& owner);

  /// out[i] = f(x[i]); NaN of NaN; out may be x.
  void values(const double* x, double* out, std::size_t n) const;
  double value(double x) const;

  /// The number of the cubic that f is at x, from 1: others stand for what is left of the table, right of it, and NaN.
  std::size_t piece_of(double x) const;

  double first() const { return x_.front(); }
  double last() const { return x_.back(); }
  std::span<const double> abscissae() const { return x_; }

 private:
  std::size_t interval_of(double x) const;

  /// f = value + s (slope + s (second + s third)), s = x - x_i.
  struct Cubic {
    double value, slope, second, third;
  };
  std::vector<double> x_;
  std::vector<Cubic> cubics_;
  double per_interval_ = 0;  ///< intervals in a unit of x if the points are equispaced, else 0
};

}  // namespace askrff::expressions
