// The error of the paper's estimator by number of frequencies, and what another method saves against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"
#include "command.hpp"
#include "deadline.hpp"
#include "evaluation.hpp"

namespace askrff::cli {

/// Rows the paper fits masses on: 50, or all.
std::size_t paper_subset(const RowsView<double>& data);

/// Features of the paper's estimator over features of another one with the same error.
struct Saving {
  /// at_least: the paper's did not reach the error; at_most: its smallest one was better already.
  enum class Kind { measured, at_least, at_most };
  double factor = 0;
  Kind kind = Kind::measured;

  const char* kind_name() const;
};

class PaperCurve {
 public:
  struct Setting {
    NamedKernel kernel;
    RowsView<double> data, points;  ///< to fit on, to measure on
    std::uint64_t seed = 0;
    std::size_t n_trials = 1, n_parts = 1;
    Execution execution;
  };

  /// From an eighth of `per_part` frequencies per part, doubling, until the error is at most `wanted`, 1024 per dimension are used, the
  /// next size would take minutes, or the deadline passes. `known` is what it came to with `per_part`, if it was measured before with the
  /// same seed and trials.
  static PaperCurve measured(const Setting& setting, std::size_t per_part, const Evaluation& known, double wanted,
                             const Deadline& deadline);

  /// Interpolated between logarithms of sizes and errors.
  Saving saving(double error, std::size_t n_features) const;
  /// Frequencies of the largest size measured.
  std::size_t largest() const { return points_.back().n_frequencies; }
  /// [{"frequencies_per_part","n_frequencies","error_mean"},…]
  Json json() const;

 private:
  struct Point {
    std::size_t per_part = 0, n_frequencies = 0;
    double error = 0;
  };
  std::vector<Point> points_;
};

}  // namespace askrff::cli
