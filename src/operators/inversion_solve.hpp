// One penalised least-squares problem on some of the readings, solved from where an earlier solve ended.
#pragma once

#include <span>
#include <vector>

#include "askrff/inversion.hpp"

namespace askrff {

inline constexpr const char* inversion_name = "invert_sources";

/// K and y without the readings that are left out: products have zeros there, and so has y.
class ReadingSystem {
 public:
  /// left_out: one for every reading, or none. K must outlive it.
  ReadingSystem(const SourceOperator& K, std::span<const double> readings, const std::vector<bool>& left_out, const Execution& execution);

  std::size_t n_sources() const { return K_.n_sources; }
  const std::vector<double>& readings() const { return readings_; }
  /// Ka. Throws Stopped on request, NumericalError for products that are not finite.
  std::vector<double> apply(std::span<const double> a) const;
  /// The same with the readings left out.
  std::vector<double> apply_to_all(std::span<const double> a) const;
  std::vector<double> apply_transposed(std::span<const double> u) const;
  /// Kᵀ(fitted - y) + λa
  std::vector<double> gradient(std::span<const double> a, std::span<const double> fitted, double lambda) const;

 private:
  std::vector<double> product(const SourceOperator::Product& multiply, std::span<const double> v, std::size_t n) const;

  const SourceOperator& K_;
  std::vector<double> readings_;
  std::vector<bool> left_out_;
  Execution execution_;
};

/// The largest eigenvalue of KᵀK from below, by steps of the power method from `start`; 0 if K·start is.
double largest_eigenvalue(const ReadingSystem& system, std::vector<double> start);

/// Where a solve begins and ends.
struct SourceState {
  std::vector<double> amplitudes, fitted;  ///< a, Ka
  bool converged = false;

  explicit SourceState(const ReadingSystem& system) : amplitudes(system.n_sources()), fitted(system.readings().size()) {}
};

struct SolveOptions {
  double lambda = 0;
  double gradient = 0;   ///< the norm to come down to
  double curvature = 0;  ///< about the largest eigenvalue of KᵀK
  std::size_t max_iterations = 0;
  /// Called now and then with the norm of the gradient.
  std::function<void(double)> progress = {};
};

/// Both return how many iterations they took.
std::size_t solve_of_any_sign(const ReadingSystem& system, const SolveOptions& options, SourceState& state);
std::size_t solve_non_negative(const ReadingSystem& system, const SolveOptions& options, SourceState& state);

}  // namespace askrff
