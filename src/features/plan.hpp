// A plan: blocks of waves written side by side into the columns of the output. Every feature map is one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "backend/backend.hpp"

namespace askrff::detail {

struct FeaturePlan {
  struct Block {
    std::shared_ptr<const backend::Projection> projection;  // shared by blocks of the same frequencies
    std::shared_ptr<const backend::Amplitudes> amplitudes;

    std::size_t n_features() const { return 2 * amplitudes->size(); }
  };

  FeaturePlan(std::string name, std::size_t dimension, const backend::Primitives& chosen)
      : who(std::move(name)), dim(dimension), primitives(&chosen) {}

  std::string who;  // for messages
  std::size_t dim, n_features = 0;
  double largest_frequency = 0;  // max_j Σ_k |ω_jk|: a phase is at most this times max |x|
  double largest_amplitude = 0;  // of a feature
  const backend::Primitives* primitives;
  std::vector<Block> blocks;

  /// The frequencies of a block; to be shared among blocks.
  std::shared_ptr<const backend::Projection> project(MatrixView<const double> frequencies);
  void add(std::shared_ptr<const backend::Projection> projection, std::vector<double> along, std::vector<double> across);

  /// Throws std::invalid_argument unless X has dim columns, is finite, no phase overflows and T can hold the features.
  template <class T>
  void check(MatrixView<const T> X, const Execution& execution) const;

  /// Fills out, rows × n_features, for X that has been checked; on this thread.
  template <class T>
  void run(backend::Rows<const T> X, backend::Rows<T> out, backend::Store store) const;

  /// The whole of it, shared among threads.
  template <class T>
  void transform(MatrixView<const T> X, MatrixView<T> out, const Execution& execution) const;
};

}  // namespace askrff::detail
