// A plan: how rows become features. Every feature map is one: waves of atoms (wave_plan.hpp), kernel values at landmarks
// (landmark_plan.hpp), or rows of a kernel matrix (matrix_plan.hpp). Operators see only this; virtual calls are per block of rows, nothing
// virtual below.
#pragma once

#include <string>
#include <string_view>

#include "askrff/execution.hpp"
#include "backend/backend.hpp"
#include "core/threads.hpp"

namespace askrff::detail {

struct FeaturePlan {
  FeaturePlan(std::string name, std::size_t dimension, std::string_view dimension_from, const backend::Primitives& chosen)
      : who(std::move(name)), dim(dimension), origin_of_dim(dimension_from), primitives(&chosen) {}
  FeaturePlan(const FeaturePlan&) = delete;
  FeaturePlan& operator=(const FeaturePlan&) = delete;
  virtual ~FeaturePlan() = default;

  std::string who;  // for messages
  std::size_t dim, n_features = 0;
  std::string_view origin_of_dim;  // for messages: "atoms were drawn in dimension"
  const backend::Primitives* primitives;

  /// Throws std::invalid_argument unless X has dim columns, is finite and T can hold what comes of it.
  void check(MatrixView<const float> X, const Execution& execution) const { require_fits_float(checked_size(X, execution)); }
  void check(MatrixView<const double> X, const Execution& execution) const { require_fits_double(checked_size(X, execution)); }
  void check(SparseView<float> X, const Execution&) const { require_fits_float(checked_size(X)); }
  void check(SparseView<double> X, const Execution&) const { require_fits_double(checked_size(X)); }

  /// Operations for the features of a row, about.
  virtual double row_cost() const = 0;
  /// Whether run, times and transposed_times may be called from several threads; false: only on the thread of the call that needs them.
  virtual bool thread_safe() const { return true; }

  /// Rows that take some ten milliseconds at most, for tasks; results are the same bits for any.
  virtual std::size_t task_rows() const;
  /// Rows whose sum is one number of a total over rows: the same for any number of threads, fewer where rows are costly.
  std::size_t sum_rows() const;
  /// Who shares the making of `work` features.
  Team team(double work, const Execution& execution) const { return team_for(work, execution, thread_safe()); }

  /// Whether the features are the columns of X themselves: whoever sums them may then count them from an origin of its own.
  virtual bool are_columns() const { return false; }

  /// Fills out, rows × n_features, for X that has been checked; on this thread. Each row depends on its own row of X only: the same bits
  /// for any block, sparse or dense.
  virtual void run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store store) const = 0;
  virtual void run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store store) const = 0;

  /// out[i] += Σ_f Φ(i,f) weights[f] for checked X; on this thread. Here through blocks of features; a plan may have a shorter way.
  virtual void times(backend::InputRows<float> X, const float* weights, float* out) const;
  virtual void times(backend::InputRows<double> X, const double* weights, double* out) const;

  /// out[f] += Σ_i values[i] Φ(i,f); sums of T over a fixed number of rows, of double over those.
  virtual void transposed_times(backend::InputRows<float> X, const float* values, double* out) const;
  virtual void transposed_times(backend::InputRows<double> X, const double* values, double* out) const;

  /// check and run, shared among threads. Input: MatrixView<const T> or SparseView<T>.
  template <class T, class Input>
  void transform(Input X, MatrixView<T> out, const Execution& execution) const;

 protected:
  /// Throws std::invalid_argument if features of numbers up to `largest` do not fit the type.
  virtual void require_fits_float(double) const {}
  virtual void require_fits_double(double) const {}
  /// Features that were computed in double, rounded once. Throws InvalidArgument if a float cannot hold one.
  void round_features(MatrixView<const double> features, backend::Rows<float> out) const;

 private:
  /// max |x| over X; throws std::invalid_argument unless X has dim columns and is finite.
  template <class T>
  double checked_size(MatrixView<const T> X, const Execution& execution) const;
  template <class T>
  double checked_size(SparseView<T> X) const;
};

}  // namespace askrff::detail
