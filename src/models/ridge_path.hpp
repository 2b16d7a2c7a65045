// The path of ridge regression over C: which values are tried and which is taken, whatever the sums are that models are solved from.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "askrff/ridge.hpp"

namespace askrff::models {

/// Sums over rows in folds, and what follows from them. Values of C come in increasing order for one set of rows, then for the next.
class RidgeProblem {
 public:
  virtual ~RidgeProblem() = default;
  virtual std::size_t n_folds() const = 0;
  /// The model of all rows, or of all but those of a fold. Throws NumericalError where it cannot be solved for.
  virtual LinearModel solved(std::optional<std::size_t> left_out, double c) = 0;
  /// Mean of (y - w·φ - b)² over all rows, or those of a fold, by their weights, and over targets. Throws NumericalError if it overflows.
  virtual double mean_squared_error(std::optional<std::size_t> fold, const LinearModel& model) = 0;

  /// Who hears how much of solved() is done, 0 … 1; on the calling thread, and only of solves that take long.
  void set_listener(std::function<void(double)> listener) { listener_ = std::move(listener); }

 protected:
  const std::function<void(double)>& listener() const { return listener_; }

 private:
  std::function<void(double)> listener_;
};

/// As solve_ridge says, but for the resolution. Throws NumericalError if no C can be solved for.
RidgeFit solve_path(RidgeProblem& problem, const RidgeOptions& options);

/// n_folds: 1 for none; n_c: values of C to choose from, 0 for the default grid. Throws InvalidArgument if there is nothing to choose by.
void check_choice_of_c(std::size_t n_folds, std::size_t n_c);
/// Throws InvalidArgument for a fold without rows.
void check_fold_rows(std::size_t fold, std::size_t n_folds, std::uint64_t n_rows);

}  // namespace askrff::models
