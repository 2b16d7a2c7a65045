// One coordinate of a measure that was found numerically: a table in its units, and what is known of the function it came from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "found_measures/line_profile.hpp"
#include "found_measures/line_table.hpp"

namespace askrff::found_measures {

struct TabulatedLine {
  LineProfile profile;
  LineTable table;
  std::size_t n_values = 0;  ///< of the function that it took

  /// Throws NoMeasure as LineProfile and LineTable.
  static std::shared_ptr<const TabulatedLine> of(const Line& f, double tolerance, const Search& search) {
    std::size_t n_values = 0;
    const auto counted = [&](std::span<const double> x, std::span<double> values) {
      n_values += x.size();
      f.values(x, values);
    };
    LineProfile profile({counted, f.pieces, f.lengths}, tolerance, search);
    LineTable table(profile, tolerance, search);
    return std::make_shared<const TabulatedLine>(TabulatedLine{std::move(profile), std::move(table), n_values});
  }

  double length() const { return profile.x_unit(); }                  ///< of a unit of x; a frequency is one of the table over it
  double height() const { return profile.f_unit(); }                  ///< of a unit of f
  double error() const { return table.error() / profile.largest(); }  ///< relative to max|f|
  /// f as the table has it.
  double value(double x) const { return table.transform(x / length()) * height(); }
  /// A bound of |f| at |x| or further out, over the unit of f; the table is error() away from it, not there alone but in all.
  double largest_beyond(double x) const { return profile.largest_beyond(x / length()); }
};

}  // namespace askrff::found_measures
