// A shift-invariant real kernel k(x, y) = k(x - y), symmetric or not, definite or not. First stage of the flow; the open set users add to.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/measure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Subclass it to use your own kernel. Only name() and evaluate() are required: such a kernel gets the subset fit
/// (Weights::subset on generic frequencies); with a measure it gets every sampler and weighting the measure supports.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual std::string name() const = 0;
  /// k(δ) = k(-δ) for all δ?
  virtual bool symmetric() const { return false; }
  virtual bool positive_definite() const { return false; }
  /// Whether evaluate() may be called from several threads; false: only on the thread of the call that needs it.
  virtual bool thread_safe() const { return true; }
  /// out[i] = k(δ_i), δ_i the i-th row. Called on blocks of rows, from several threads where thread_safe().
  virtual void evaluate(MatrixView<const double> differences, std::span<double> out) const = 0;
  /// out(i,j) = k(x_i - y_j) for all pairs of rows, on the calling thread. Made of evaluate(); the library's kernels do it faster.
  virtual void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                              Backend backend = Backend::automatic) const;
  /// Its Fourier measure in `dim` dimensions; null if unknown. Throws std::invalid_argument if a parameter does not fit dim.
  virtual std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const;

  /// k at one difference.
  double operator()(std::span<const double> difference) const;
  /// k(0) in `dim` dimensions.
  double at_zero(std::size_t dim) const;
};

/// A parameter with one value per coordinate, given as a number for all of them, as a number over the dimension, or as a vector.
class CoordinateParameter {
 public:
  CoordinateParameter(double every_coordinate) : scalar_(every_coordinate) {}
  CoordinateParameter(std::vector<double> values) : values_(std::move(values)), is_vector_(true) {}
  CoordinateParameter(std::initializer_list<double> values) : CoordinateParameter(std::vector<double>(values)) {}
  /// total/dim in every coordinate.
  static CoordinateParameter over_dim(double total);

  /// The dim values. `owner` and `what` name the parameter in the error. Throws std::invalid_argument if the length or a value is wrong.
  std::vector<double> expand(std::size_t dim, const std::string& owner, const std::string& what) const;
  /// Throws std::invalid_argument if a value is not finite or there is none.
  void require_finite(const std::string& owner, const std::string& what) const;
  bool is_vector() const { return is_vector_; }
  bool is_over_dim() const { return over_dim_; }
  double scalar() const { return scalar_; }
  /// "0.25", "2/d" or "0.1,0.2".
  std::string text() const;

 private:
  double scalar_ = 0;
  std::vector<double> values_;
  bool is_vector_ = false, over_dim_ = false;
};

}  // namespace askrff
