// Approximations of a kernel that the experiments compare, and their kernel matrices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/measure.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/operators.hpp"

namespace askrff::experiments {

/// At most n rows of X, drawn by the seed for comparing.
Matrix<double> some_rows(MatrixView<const double> X, std::size_t n, std::uint64_t seed);
/// The rows approximate() fits masses on.
Matrix<double> subset_rows(MatrixView<const double> X, std::size_t n, std::uint64_t seed);

/// Jordan parts that are not negligible.
std::size_t n_parts_of(const Kernel& kernel, std::size_t dim);
/// The first `per_part` frequencies of every part that was drawn.
SpectralAtoms first_of_parts(const SpectralAtoms& draws, std::size_t per_part);
/// The real parts alone: the symmetric part of k.
SpectralAtoms without_imaginary_part(const SpectralAtoms& atoms);
Masses masses_of(const SpectralAtoms& draws);

struct PolarOptions {
  std::size_t n_frequencies = 0;
  Sampler sampler = Sampler::mub;
  Weights weights = Weights::exact;
  std::uint64_t seed = 0;
  Execution execution;
};
/// One set of frequencies for the whole measure.
SpectralAtoms polar_atoms(const Kernel& kernel, MatrixView<const double> data, const PolarOptions& options);

/// Landmarks as the library would choose them, but at most 512 unless there are more features: beyond, the decomposition of k(Z,Z) would
/// take most of the report's time.
NystromFactors some_landmarks(std::shared_ptr<const Kernel> kernel, MatrixView<const double> rows, std::size_t n_features,
                              std::uint64_t seed, const Execution& execution);

/// Sums Σ_j Re(coefficient e^{iω_j·δ}) of every part over all pairs of rows; masses come afterwards, so several can be tried. Sums of 1024
/// waves are in float, which adds about 1e-6 to a relative error, the rest in double.
class PartSums {
 public:
  /// Keeps a reference to `draws`, which must outlive it.
  PartSums(const SpectralAtoms& draws, MatrixView<const double> points, const Execution& execution);
  /// To the first per_part frequencies of each part; they only grow.
  void extend_to(std::size_t per_part);
  /// Σ_parts mass/M · sum.
  Matrix<double> weighted(const Masses& masses) const;

 private:
  const SpectralAtoms& draws_;
  Matrix<float> points_;
  Execution execution_;
  std::size_t per_part_ = 0;
  std::map<Part, Matrix<double>> sums_;
};

/// The approximate kernel matrix of the points, summed as above.
Matrix<double> approximate_sum(const SpectralAtoms& atoms, MatrixView<const double> points, const Execution& execution);

/// ‖exact - approximate‖_F / ‖exact‖_F.
double relative_error(const Matrix<double>& exact, const Matrix<double>& approximate);

}  // namespace askrff::experiments
