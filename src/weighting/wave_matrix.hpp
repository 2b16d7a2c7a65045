// The matrices cos(ω_j·δ_p) and sin(ω_j·δ_p) of least-squares fits, through the backend: products that store nothing, and normal equations.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"
#include "backend/backend.hpp"

namespace askrff::weighting {

/// even: cosines, which carry the symmetric part of k; odd: sines, which carry its skew part.
enum class Parity { even, odd };
inline constexpr std::array both_parities{Parity::even, Parity::odd};

/// AᵀWA and AᵀWy for one parity.
struct NormalSystem {
  Matrix<double> gram;  ///< symmetric, all of it filled
  std::vector<double> right;

  double mean_eigenvalue() const;
  /// (gram + shift·I)⁻¹·right_side; empty if that is singular to working precision.
  std::vector<double> solve(double shift, std::span<const double> right_side, const Execution& execution) const;
};

/// Rows of A belong to differences, columns to frequencies. Results are the same bits for any number of threads.
class WaveMatrix {
 public:
  WaveMatrix(MatrixView<const double> frequencies, const Execution& execution);

  std::size_t n_frequencies() const { return n_; }
  /// A·x.
  std::vector<double> times(Parity parity, const RowsView<double>& differences, std::span<const double> x) const;
  /// Aᵀ·v.
  std::vector<double> transposed_times(Parity parity, const RowsView<double>& differences, std::span<const double> v) const;
  /// Of the even parity, or of both at once; `targets` are their right sides y. Memory: an n × n matrix for each and a block.
  std::vector<NormalSystem> normal_systems(const RowsView<double>& differences, std::span<const double> weights,
                                           std::span<const std::span<const double>> targets) const;

 private:
  std::size_t n_;
  Execution execution_;
  const backend::Primitives& primitives_;
  std::unique_ptr<const backend::Projection> projection_;
  backend::Amplitudes ones_;
  double row_cost_;  // operations for a row of A, about
};

}  // namespace askrff::weighting
