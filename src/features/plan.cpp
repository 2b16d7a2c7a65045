// Runs a plan through the backend.
#include "features/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace askrff::detail {

FeaturePlan::FeaturePlan(const SpectralAtoms& atoms, Backend backend)
    : frequencies(atoms.size(), atoms.dim()), primitives(&backend::select(backend)) {
  std::copy_n(atoms.frequencies().data(), atoms.size() * atoms.dim(), frequencies.data());
  for (std::size_t j = 0; j < frequencies.rows(); ++j) largest_frequency = std::max(largest_frequency, norm_l1(frequencies.row(j)));
}

std::size_t FeaturePlan::n_features() const {
  std::size_t n = 0;
  for (const Block& block : blocks) n += 2 * block.count;
  return n;
}

template <class T>
void FeaturePlan::run_checked(MatrixView<const T> X, MatrixView<T> out, std::string_view who, backend::WavesFunction<T> waves) const {
  require_columns(X, frequencies.cols(), who, "X", "atoms were drawn in dimension");
  require_shape(out, X.rows(), n_features(), who, "out");
  require_finite<T>(X, who, "X");
  double largest = 0;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (const T value : X.row(i)) largest = std::max(largest, std::fabs(static_cast<double>(value)));
  if (!std::isfinite(largest * largest_frequency))
    throw std::invalid_argument(fmt::format("{}: X holds a value of size {:.3g} and a frequency one of {:.3g}: their product overflows",
                                            who, largest, largest_frequency));
  std::size_t column = 0;
  for (const Block& block : blocks) {
    const backend::WaveBlock wave_block{frequencies.data() + block.first * frequencies.cols(), block.along.data(), block.across.data(),
                                        block.count, frequencies.cols()};
    waves(X.data(), X.rows(), X.stride(), wave_block, out.data() + column, out.stride());
    column += 2 * block.count;
  }
}

void FeaturePlan::run(MatrixView<const double> X, MatrixView<double> out, std::string_view who) const {
  run_checked(X, out, who, primitives->waves_double);
}
void FeaturePlan::run(MatrixView<const float> X, MatrixView<float> out, std::string_view who) const {
  run_checked(X, out, who, primitives->waves_float);
}

}  // namespace askrff::detail
