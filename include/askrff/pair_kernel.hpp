// Kernels k(x, y) that are no functions of x - y: similarities of any two rows, made of landmarks (nystrom.hpp) instead of frequencies.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "askrff/kernels.hpp"

namespace askrff {

/// Subclass it for a kernel of one's own: name(), evaluate_pairs(), and symmetric() or thread_safe() where they are not false and true.
/// make_map(), train() and choose_features() take landmarks for it by themselves; everything that needs differences of rows refuses it.
/// Sparse rows are written out, a million numbers at a time. Scaled columns are what it sees where a scaling is asked for.
class GeneralKernel : public Kernel {
 public:
  bool shift_invariant() const final { return false; }
  /// out(i,j) = k(x_i, y_j), for blocks of rows, from several threads where thread_safe().
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                      Backend backend = Backend::automatic) const override = 0;
  /// Throws InvalidArgument: there are no differences.
  void evaluate(MatrixView<const double> differences, std::span<double> out) const final;
};

/// Fills values, rows of X × rows of Y.
using PairFunction = std::function<void(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> values)>;

struct GeneralForm {
  std::string name = "pairs";
  bool symmetric = false;          ///< k(x, y) = k(y, x) for all rows; taken at its word
  bool positive_definite = false;  ///< the same
  bool thread_safe = true;         ///< false: only called on the thread of the call that needs it
};

/// The kernel of a function of pairs. Throws InvalidArgument if there is none.
std::unique_ptr<Kernel> pair_kernel(PairFunction function, GeneralForm form = {});

/// Throws InvalidArgument, in the name of `who`, for a kernel that has no differences: it has no frequencies, but landmarks.
void require_shift_invariant(const Kernel& kernel, std::string_view who);

}  // namespace askrff
