// The Hessians of a batch of problems, Φ_AᵀΦ_A + I/2C over the active rows A of each, kept from step to step and factored on demand.
#pragma once

#include "models/svm_batch.hpp"

namespace askrff::models {

/// Gram matrices do not depend on C, and from step to step only the rows that changed sides are added or taken away: this is what makes a
/// path over C cheap.
template <class T>
class Hessians {
 public:
  /// All training rows are active at first.
  Hessians(const Design<T>& design, const BatchState& state, std::span<const BinaryProblem> problems, const LabelledRows& rows,
           const Execution& execution);
  ~Hessians();

  /// Brings the matrices of some problems up to date with their active rows and factors them for this C.
  void prepare(const BatchState& state, std::span<const std::size_t> problems, double c);
  /// weights = (Φ_AᵀΦ_A + I/2C)⁻¹ Φ_Aᵀy, up to the errors of these sums.
  void minimum(std::size_t problem, std::span<double> weights) const;
  /// In place: what the factored matrix, a little more positive than it should be where it had to be, makes of a vector.
  void solve(std::size_t problem, std::span<double> values) const;
  /// Had to be made more positive to be factored: minimum() means nothing then.
  bool is_damped(std::size_t problem) const;

 private:
  class Matrices;
  std::unique_ptr<Matrices> matrices_;
};

}  // namespace askrff::models
