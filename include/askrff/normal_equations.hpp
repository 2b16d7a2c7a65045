// Φᵀdiag(w)Φ and Φᵀdiag(w)Y over rows that come block by block: the core of linear solvers, and of data larger than memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/views.hpp"

namespace askrff {

struct NormalSums {
  Matrix<double> gram;     ///< Φᵀ diag(w) Φ, n_features × n_features, symmetric
  Matrix<double> moments;  ///< Φᵀ diag(w) Y, n_features × n_targets
  std::size_t n_rows = 0;
};

/// Add rows in as many calls as you like; the sums depend on the rows and their order, not on how they were cut into calls nor on the
/// number of threads, to the bit: sums of T over 1024 rows, of double over those. Memory: n_features² doubles and some blocks.
/// T: float or double. Not to be used by several threads at once.
template <class T>
class NormalEquations {
 public:
  /// Throws std::bad_alloc or std::invalid_argument if there is no memory for the Gram matrix.
  explicit NormalEquations(Features features, std::size_t n_targets = 0, const Execution& execution = {});
  NormalEquations(NormalEquations&&) noexcept;
  NormalEquations& operator=(NormalEquations&&) noexcept;
  ~NormalEquations();

  /// X: rows × dim; Y: rows × n_targets; weights: one per row, or none for all 1. Throws std::invalid_argument for wrong sizes or numbers
  /// that are not finite; nothing is added then. If it is stopped, or a user's kernel fails, some rows are in and some are not: every
  /// further call then throws std::invalid_argument.
  void add(MatrixView<const T> X, MatrixView<const T> Y = {}, std::span<const T> weights = {});

  /// The sums over all rows added; the next add begins anew.
  NormalSums finish();
  /// The same, as a copy: the next add goes on, also if this was stopped.
  NormalSums sums();
  /// How further calls are carried out.
  void set_execution(const Execution& execution);

 private:
  class Accumulator;
  std::unique_ptr<Accumulator> accumulator_;
};

extern template class NormalEquations<float>;
extern template class NormalEquations<double>;

}  // namespace askrff
