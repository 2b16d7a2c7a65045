// Scaler: columns brought to comparable size in a way that can be kept, so that later rows are treated as the first were.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

enum class Scaling { none, minmax, standard };

inline constexpr Word<Scaling> scaling_words[] = {{Scaling::none, "none", "columns as they are"},
                                                  {Scaling::minmax, "minmax", "every column to [0,1]"},
                                                  {Scaling::standard, "standard", "every column to mean 0 and standard deviation 1"}};
constexpr std::span<const Word<Scaling>> words_of(Scaling) { return scaling_words; }

/// x → (x - offset)/width, column by column. A column that was constant has width 0 and is moved only, to 0: a new value of it then shows.
struct Scaler {
  Scaling kind = Scaling::none;
  std::vector<double> offset, width;  ///< one per column; empty for none

  bool operator==(const Scaler&) const = default;

  /// Fitted on all rows of X. Throws std::invalid_argument for no rows, numbers that are not finite, or a column too wide for a double.
  static Scaler fitted_to(MatrixView<const double> X, Scaling kind, const StopToken& stop = {});
  /// In place; every row by itself. Throws std::invalid_argument if X has another number of columns.
  void apply(MatrixView<double> X, const StopToken& stop = {}) const;
};

/// A Scaler fitted on rows that come block by block. The result does not depend on how they were cut.
class ScalerFit {
 public:
  ScalerFit(std::size_t n_columns, Scaling kind);
  ~ScalerFit();
  ScalerFit(ScalerFit&&) noexcept;
  ScalerFit& operator=(ScalerFit&&) noexcept;

  /// Throws std::invalid_argument for another number of columns or numbers that are not finite.
  void add(MatrixView<const double> X, const StopToken& stop = {});
  /// Throws std::invalid_argument if there were no rows or a column is too wide for a double.
  Scaler finish() const;

 private:
  struct Sums;
  std::unique_ptr<Sums> sums_;
};

}  // namespace askrff
