// A function of one variable as polynomials on panels, as fine as it needs, and the Fourier transform of these at any frequency. First step
// from a user's function to its measure.
//
// Why no fast Fourier transform: its samples are equispaced, and a kernel with a kink, with an algebraic tail or of two widths needs more
// of them than fit into memory. Polynomials of degree 15 on panels that halve towards what is rough take a few thousand values of the
// function, and their transform is exact, at frequencies as far out as anybody asks.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "found_measures/search.hpp"

namespace askrff::found_measures {

/// values[i] = f(x[i]).
using LineFunction = std::function<void(std::span<const double> x, std::span<double> values)>;

struct Line {
  LineFunction values;
  LineFunction pieces = {};          ///< the number of the smooth piece in which x lies; empty: not known
  std::vector<double> lengths = {};  ///< |x| near which f may do something narrow
};

inline constexpr std::size_t panel_order = 16;  ///< values, and coefficients, of a panel
using PanelValues = std::array<double, panel_order>;

/// f on [from, to] as Σ coefficients[n] P_n(t), t in [-1, 1].
struct Panel {
  double from, to;
  PanelValues coefficients{};
  PanelValues at_start{}, at_end{};  ///< derivatives of each order with respect to t
  double largest = 0;                ///< |f| at its nodes
  std::size_t width = 0;             ///< its place among the widths of all panels
  double centre() const { return 0.5 * (from + to); }
  double half_width() const { return 0.5 * (to - from); }
  double integral() const { return 2 * half_width() * coefficients[0]; }
};

enum class LineParity { even, odd, none };

/// The same bits wherever f differs by rounding alone: its values are rounded to `grain` before anything is made of them, and everything
/// else is portable arithmetic. A value at which two ways of rounding f part is met with a probability of about 2^-22 for every value of
/// the size of the largest at the tolerance 1e-6 (2^-52 over tolerance/1024): one in a few thousand for a kernel.
/// In units: x in x_unit, f in f_unit, powers of two, so that squares of either neither overflow nor underflow.
class LineProfile {
 public:
  /// Panels that polynomials do not fit, at their nodes or near a length of f, are cut where a smooth piece ends, if there is such a place
  /// in them, else in the middle. Throws NoMeasure for a function that does not fall to nothing far out, jumps, is not a number where it
  /// still counts, is zero wherever it was looked at, or takes too many panels.
  LineProfile(const Line& f, double tolerance, const Search& search);

  /// (1/2π) ∫ f(x) e^{-iωx} dx, ω ≥ 0.
  std::complex<double> fourier(double omega) const;
  /// The polynomials' value; 0 beyond the panels.
  double operator()(double x) const;
  LineParity parity() const { return parity_; }
  double x_unit() const { return x_unit_; }
  double f_unit() const { return f_unit_; }
  double grain() const { return grain_; }
  double largest() const { return largest_; }
  /// The largest |f| at nodes at |x| or further out.
  double largest_beyond(double x) const;
  /// All but a thousandth of ∫|f| lies within.
  double extent() const { return extent_; }
  /// Everything lies within.
  double reach() const { return reach_; }
  /// Half of the width of the narrowest panel.
  double finest() const { return finest_; }
  /// ∫ f².
  double energy() const { return energy_; }
  std::size_t n_panels() const { return panels_.size(); }
  /// Panels from left to right, without gaps; of an even or odd function those at x ≥ 0.
  std::span<const Panel> panels() const { return panels_; }

 private:
  class Builder;
  void finish();

  std::vector<Panel> panels_;
  std::vector<double> half_widths_;  // that differ: few, because panels are halves of octaves, or cells of a table
  std::vector<double> beyond_;       // of panels in order of their distance from 0
  std::vector<double> distances_;
  LineParity parity_ = LineParity::none;
  double x_unit_ = 1, f_unit_ = 1, grain_ = 0, largest_ = 0, extent_ = 0, reach_ = 0, energy_ = 0, finest_ = HUGE_VAL;
};

}  // namespace askrff::found_measures
