// Operators on kernels and feature maps: exact and approximate Gram blocks, errors between them, the uniform bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/kernel.hpp"
#include "askrff/measure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// out(i,j) = k(x_i - y_j). Memory beside out: O(1) blocks per thread. Throws std::invalid_argument for wrong sizes or rows that are not
/// finite. Same bits for any number of threads. Relative error of an entry of the library's kernels: (dim + 8)·2^-52·(1 + exponent); those
/// that shift or scale rows first (shift-gaussian, shifted:KERNEL, cauchy) see coordinates rounded to half an ulp more, which shows where
/// rows are far from the origin and near each other.
void exact_gram(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                const Execution& execution = {});
Matrix<double> exact_gram(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, const Execution& execution = {});

/// out = left(X)·right(Y)ᵀ; each entry is summed in the order of the features, whatever the blocks and threads. Memory beside out: some
/// blocks.
void approximate_gram(const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                      const Execution& execution = {});
void approximate_gram(const FeatureMap& map, MatrixView<const float> X, MatrixView<const float> Y, MatrixView<float> out,
                      const Execution& execution = {});
Matrix<double> approximate_gram(const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y,
                                const Execution& execution = {});
Matrix<float> approximate_gram(const FeatureMap& map, MatrixView<const float> X, MatrixView<const float> Y,
                               const Execution& execution = {});

struct ApproximationError {
  double frobenius = 0;     ///< ‖K - K̃‖_F / ‖K‖_F
  double maximum = 0;       ///< max |K - K̃| / max |K|
  double max_absolute = 0;  ///< max |K - K̃|
  double kernel_norm = 0;   ///< ‖K‖_F
  double feature_seconds = 0;  ///< of all threads together, spent on left(X) and right(Y)
};

/// Errors on all pairs of rows of X and Y, in row blocks: K is never held as a whole. If K is zero the relative errors are 0 for an exact
/// approximation and infinite otherwise. Throws std::invalid_argument for wrong sizes, rows or kernel values that are not finite.
ApproximationError approximation_error(const Kernel& kernel, const FeatureMap& map, MatrixView<const double> X, MatrixView<const double> Y,
                                       const Execution& execution = {});

/// The Proposition of the paper: with probability 1-delta, sup |k̂ - k| ≤ epsilon on data of the given diameter.
struct BoundOptions {
  double epsilon = 0.1, delta = 0.05, diameter = 1.0;
};
struct UniformBound {
  std::uint64_t n_frequencies = 0;        ///< smallest M (per part) the Proposition allows
  std::uint64_t n_frequencies_sharp = 0;  ///< the same with Hoeffding's inequality applied to the parts one by one
  double beta_d = 0, sigma_mu2 = 0, alpha_mu2 = 0, total = 0;
};
/// Throws std::invalid_argument if options are out of range, or masses or second moments are unknown or infinite.
UniformBound uniform_bound(const ComplexMeasure& measure, const BoundOptions& options);

}  // namespace askrff
