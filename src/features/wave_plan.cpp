// Runs blocks of waves through the backend.
#include "features/wave_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vectors.hpp"
#include "askrff/errors.hpp"

namespace askrff::detail {

std::shared_ptr<const backend::Projection> WavePlan::project(MatrixView<const double> frequencies, const HadamardBlocks* structure) {
  for (std::size_t j = 0; j < frequencies.rows(); ++j) largest_frequency = std::max(largest_frequency, norm_l1(frequencies.row(j)));
  const double of_projection = structure ? 3 * std::log2(static_cast<double>(structure->padded_dim)) : 2 * static_cast<double>(dim);
  cost_ += static_cast<double>(frequencies.rows()) * (of_projection + 24);
  return structure ? primitives->make_structured_projection(*structure) : primitives->make_projection(frequencies);
}

void WavePlan::add(std::shared_ptr<const backend::Projection> projection, std::vector<double> along, std::vector<double> across) {
  n_features += 2 * along.size();
  for (std::size_t j = 0; j < along.size(); ++j) largest_amplitude = std::max(largest_amplitude, std::hypot(along[j], across[j]));
  blocks.push_back({std::move(projection), std::make_shared<backend::Amplitudes>(std::move(along), std::move(across))});
}

template <class T>
void WavePlan::require_fits(double largest) const {
  if (!(largest_amplitude < static_cast<double>(std::numeric_limits<T>::max()) / 4))
    throw InvalidArgument(who, fmt::format("features of size {:.3g} do not fit into {}", largest_amplitude,
                                           sizeof(T) == sizeof(float) ? "float; use double" : "double"));
  if (!std::isfinite(largest * largest_frequency))
    throw InvalidArgument(who, fmt::format("X holds a value of size {:.3g} and a frequency one of {:.3g}: their product overflows", largest,
                                           largest_frequency));
}

template <class T>
void WavePlan::run_waves(backend::InputRows<T> X, backend::Rows<T> out, backend::Store store) const {
  for (const Block& block : blocks) {
    primitives->of<T>().waves(*block.projection, *block.amplitudes, X, out, store);
    out.data += block.n_features();
  }
}

template <class T>
void WavePlan::times_waves(backend::InputRows<T> X, const T* weights, T* out) const {
  for (const Block& block : blocks) {
    primitives->of<T>().waves_times(*block.projection, *block.amplitudes, X, weights, out);
    weights += block.n_features();
  }
}

template <class T>
void WavePlan::sum_waves(backend::InputRows<T> X, const T* values, double* out) const {
  for (const Block& block : blocks) {
    primitives->of<T>().waves_transposed_times(*block.projection, *block.amplitudes, X, values, out);
    out += block.n_features();
  }
}

template void WavePlan::require_fits<float>(double) const;
template void WavePlan::require_fits<double>(double) const;
template void WavePlan::run_waves(backend::InputRows<float>, backend::Rows<float>, backend::Store) const;
template void WavePlan::run_waves(backend::InputRows<double>, backend::Rows<double>, backend::Store) const;
template void WavePlan::times_waves(backend::InputRows<float>, const float*, float*) const;
template void WavePlan::times_waves(backend::InputRows<double>, const double*, double*) const;
template void WavePlan::sum_waves(backend::InputRows<float>, const float*, double*) const;
template void WavePlan::sum_waves(backend::InputRows<double>, const double*, double*) const;

}  // namespace askrff::detail
