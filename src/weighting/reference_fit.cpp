// One calibration for each length scale; the best on held-out pairs is kept.
#include "weighting/reference_fit.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "kernels/support.hpp"
#include "sampling/point_sets.hpp"

namespace askrff::weighting {
namespace {

constexpr std::array scales{0.25, 0.5, 1.0, 2.0, 4.0};  // of the median distance

SpectralAtoms unweighted_atoms(std::size_t n_frequencies, std::size_t dim, double length, std::uint64_t seed) {
  Matrix<double> frequencies(n_frequencies, dim);
  for (std::size_t j = 0; j < n_frequencies; ++j) {
    RandomStream random(seed, Purpose::reference_frequencies, j);
    random.normals(frequencies.row(j));
    for (double& coordinate : frequencies.row(j)) coordinate /= length;
  }
  return {std::move(frequencies), std::vector<std::complex<double>>(n_frequencies)};
}

}  // namespace

SpectralAtoms fit_reference_atoms(const Kernel& kernel, const RowsView<double>& data, std::size_t n_frequencies,
                                  const CalibrationOptions& options) {
  require_finite_rows(data, "approximate", "the data", options.execution.stop);
  sampling::require_room("approximate", n_frequencies, data.cols());
  if (data.rows() < 4)
    throw InvalidArgument(
        fmt::format("{} has no Fourier measure: fitting its weights takes at least 4 rows, got {}", kernel.name(), data.rows()));
  if (!kernels::has_different_rows(data))
    throw InvalidArgument(fmt::format("{} has no Fourier measure, and all rows to fit it on are equal", kernel.name()));
  const double unit = median_distance(data, options.seed, Distance::euclidean, default_n_pairs, options.execution.stop);
  std::optional<SpectralAtoms> best;
  double least = HUGE_VAL;
  for (const double scale : scales) {
    const SpectralAtoms fitted = calibrate(kernel, unweighted_atoms(n_frequencies, data.cols(), scale * unit, options.seed), data, options);
    const double error = fitted.provenance().calibration->error_after;
    if (best && !(error < least)) continue;
    best = fitted;
    least = error;
  }
  Provenance provenance = best->provenance();
  provenance.estimator = "generic";
  provenance.sampler = "gaussian";
  provenance.reason = "the kernel has no Fourier measure: Gaussian frequencies, every weight fitted";
  return best->with_provenance(std::move(provenance));
}

}  // namespace askrff::weighting
