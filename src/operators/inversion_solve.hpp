// One penalised least-squares problem on some of the readings, solved from where an earlier solve ended.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "askrff/inversion.hpp"

namespace askrff {

inline constexpr const char* inversion_name = "invert_sources";

/// A product of K or Kᵀ, of n numbers. Throws Stopped on request, InvalidArgument if they are not n, NumericalError if not finite.
std::vector<double> checked_product(const SourceOperator::Product& multiply, std::span<const double> v, std::size_t n,
                                    const Execution& execution);

/// Columns of K, kept from when they are first asked for until they are too many.
class SourceColumns {
 public:
  /// K must outlive it.
  explicit SourceColumns(const SourceOperator& K) : K_(K) {}
  /// Those of these sources, one a row of the result. Throws as checked_product.
  Matrix<double> of(std::span<const std::size_t> sources, const Execution& execution);
  std::size_t n_made() const { return n_made_; }

 private:
  const SourceOperator& K_;
  std::map<std::size_t, std::vector<double>> kept_;
  std::size_t n_made_ = 0;
};

/// K and y without the readings that are left out: products have zeros there, and so has y.
class ReadingSystem {
 public:
  /// left_out: one for every reading, or none. K and its columns, which systems may share, must outlive it.
  ReadingSystem(const SourceOperator& K, SourceColumns& columns, std::span<const double> readings, const std::vector<bool>& left_out,
                const Execution& execution);

  std::size_t n_sources() const { return K_.n_sources; }
  const std::vector<double>& readings() const { return readings_; }
  /// Ka. All products throw as checked_product.
  std::vector<double> apply(std::span<const double> a) const;
  /// The same with the readings left out.
  std::vector<double> apply_to_all(std::span<const double> a) const;
  std::vector<double> apply_transposed(std::span<const double> u) const;
  /// Columns of K as rows, zero where readings are left out.
  Matrix<double> columns(std::span<const std::size_t> sources) const;
  /// How many columns were made for it and those it shares them with.
  std::size_t n_columns_made() const { return columns_.n_made(); }
  const Execution& execution() const { return execution_; }
  /// Kᵀ(fitted - y) + λa
  std::vector<double> gradient(std::span<const double> a, std::span<const double> fitted, double lambda) const;

 private:
  const SourceOperator& K_;
  SourceColumns& columns_;
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

/// The exact minimum among the amplitudes that are above 0, or among some of them if others would become negative: by the normal equations
/// of their columns. False, and a as it was, if they are too many, none, or their columns not independent to rounding.
bool solve_among_positive(const ReadingSystem& system, double lambda, std::vector<double>& a);

/// Both return how many iterations they took.
std::size_t solve_of_any_sign(const ReadingSystem& system, const SolveOptions& options, SourceState& state);
std::size_t solve_non_negative(const ReadingSystem& system, const SolveOptions& options, SourceState& state);

}  // namespace askrff
