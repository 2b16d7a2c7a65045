// The plan of atoms: blocks of waves written side by side into the columns of the output.
#pragma once

#include <memory>
#include <vector>

#include "askrff/atoms.hpp"
#include "features/plan.hpp"

namespace askrff::detail {

struct WavePlan final : FeaturePlan {
  struct Block {
    std::shared_ptr<const backend::Projection> projection;  // shared by blocks of the same frequencies
    std::shared_ptr<const backend::Amplitudes> amplitudes;

    std::size_t n_features() const { return 2 * amplitudes->size(); }
  };

  WavePlan(std::string name, std::size_t dimension, const backend::Primitives& chosen)
      : FeaturePlan(std::move(name), dimension, "atoms were drawn in dimension", chosen) {}

  double largest_frequency = 0;  // max_j Σ_k |ω_jk|: a phase is at most this times max |x|
  double largest_amplitude = 0;  // of a feature
  std::vector<Block> blocks;

  /// The frequencies of a block; to be shared among blocks. With their structure, if they have one, by a fast transform.
  std::shared_ptr<const backend::Projection> project(MatrixView<const double> frequencies, const HadamardBlocks* structure = nullptr);
  /// Blocks of this plan will have the frequencies of the other.
  void share_projection(const WavePlan& other) {
    largest_frequency = other.largest_frequency;
    cost_ = other.cost_;
  }
  void add(std::shared_ptr<const backend::Projection> projection, std::vector<double> along, std::vector<double> across);

  double row_cost() const override { return cost_; }
  void run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store store) const override { run_waves(X, out, store); }
  void run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store store) const override { run_waves(X, out, store); }
  // A column stays in registers from the phases to the sum.
  void times(backend::InputRows<float> X, const float* weights, float* out) const override { times_waves(X, weights, out); }
  void times(backend::InputRows<double> X, const double* weights, double* out) const override { times_waves(X, weights, out); }
  void transposed_times(backend::InputRows<float> X, const float* values, double* out) const override { sum_waves(X, values, out); }
  void transposed_times(backend::InputRows<double> X, const double* values, double* out) const override { sum_waves(X, values, out); }

 private:
  /// A phase overflows, or T cannot hold the features.
  void require_fits_float(double largest) const override { require_fits<float>(largest); }
  void require_fits_double(double largest) const override { require_fits<double>(largest); }
  template <class T>
  void require_fits(double largest) const;
  template <class T>
  void run_waves(backend::InputRows<T> X, backend::Rows<T> out, backend::Store store) const;
  template <class T>
  void times_waves(backend::InputRows<T> X, const T* weights, T* out) const;
  template <class T>
  void sum_waves(backend::InputRows<T> X, const T* values, double* out) const;

  double cost_ = 0;
};

}  // namespace askrff::detail
