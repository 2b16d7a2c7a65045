// A user's function as the routes to its measure see it: a point where it is large, how far it varies along every coordinate, and
// differences to test a form on.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askrff/function_form.hpp"
#include "found_measures/envelope_measure.hpp"
#include "found_measures/function_measure.hpp"
#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

class ProbedFunction {
 public:
  /// Throws NoMeasure if k is not a number at 0 or is 0 wherever it was looked at.
  ProbedFunction(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Search& search);

  std::size_t dim() const { return dim_; }
  const FunctionForm& form() const { return form_; }
  const Search& search() const { return search_; }
  /// In blocks.
  void evaluate(MatrixView<const double> points, std::span<double> values) const;
  std::vector<double> values(MatrixView<const double> points) const;
  double at(std::span<const double> point) const;
  /// x ↦ k(x·direction) for a unit vector.
  Line line(const std::vector<double>& direction) const;
  /// x ↦ k(base with x as coordinate i) / k(base).
  Line along(std::size_t i) const;
  /// Distances from 0 along coordinate i near which k may do something narrow.
  std::vector<double> lengths(std::size_t i) const;

  /// A point where k is not small: 0 if it is not small there. Its value is rounded to what all ways of rounding agree on.
  std::span<const double> base() const { return base_; }
  double base_value() const { return base_value_; }
  /// About the largest |k|.
  double largest() const { return largest_; }
  /// Values that differ by less are the same for a test of form.
  double same() const { return form_.tolerance / 16 * largest_; }
  double rounded(double value) const;
  /// The distance from the base along each coordinate at which k has changed by half.
  std::span<const double> scales() const { return scales_; }
  /// Pseudo-random points around the base where k is not small.
  const Matrix<double>& test_points() const { return test_points_; }
  std::span<const double> test_values() const { return test_values_; }

 private:
  Line divided_line(const std::vector<double>& start, const std::vector<double>& direction, double divisor, std::size_t coordinate) const;
  LineFunction on_line(const BlockFunction& f, std::vector<double> start, std::vector<double> direction) const;
  void find_base();
  void improve_base();
  void find_scales();
  void make_test_points();

  const BlockFunction& k_;
  std::size_t dim_;
  const FunctionForm& form_;
  const Search& search_;
  std::vector<double> base_, scales_, test_values_;
  double base_value_ = 0, largest_ = 0, grain_ = 0;
  Matrix<double> test_points_;
};

/// What a route made, judged at the function's test points; `expected`: its error by estimate, relative to the largest |k|. Throws
/// RouteFails if k̂ is more than a hundredth of that away.
FoundMeasure judged(const ProbedFunction& k, std::shared_ptr<const EnvelopeMeasure> measure, Route route, const std::string& what,
                    double expected, std::size_t most_points = 128);

// The routes: empty if the function has not their form. If it has they throw RouteFails where another may do better, and NoMeasure for what
// no route can transform.
std::optional<FoundMeasure> product_route(const ProbedFunction& k);
std::optional<FoundMeasure> radial_route(const ProbedFunction& k);
std::optional<FoundMeasure> ridge_route(const ProbedFunction& k);
std::optional<FoundMeasure> grid_route(const ProbedFunction& k);

}  // namespace askrff::found_measures
