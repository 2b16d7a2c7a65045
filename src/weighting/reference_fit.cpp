// One calibration for each shape and length of frequencies; the best on held-out pairs is kept.
#include "weighting/reference_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "kernels/support.hpp"
#include "sampling/point_sets.hpp"
#include "weighting/frequency_shape.hpp"

namespace askrff::weighting {
namespace {

constexpr std::array lengths{0.25, 0.5, 1.0, 2.0, 4.0};  // of equal frequencies in all directions: of the median distance
constexpr std::array factors{0.35, 0.6, 1.0, 1.6, 2.5};  // of frequencies of the shape that slopes and spreads give
constexpr std::array spread_shares{1.0, 0.03};
constexpr double widening = 1.4;  // more frequencies can reach further

/// A law of generic frequencies: N(0, (factor · shape) (…)ᵀ), or N(0, factor²) in every coordinate without a shape.
struct FrequencyLaw {
  const Matrix<double>* shape = nullptr;
  double factor = 1;
};

SpectralAtoms unweighted_atoms(std::size_t n_frequencies, std::size_t dim, const FrequencyLaw& law, std::uint64_t seed) {
  Matrix<double> frequencies(n_frequencies, dim);
  std::vector<double> normals(dim);
  for (std::size_t j = 0; j < n_frequencies; ++j) {
    RandomStream random(seed, Purpose::reference_frequencies, j);
    random.normals(normals);
    for (std::size_t a = 0; a < dim; ++a) {
      double sum = law.shape ? 0 : normals[a];
      for (std::size_t b = 0; law.shape && b <= a; ++b) sum += (*law.shape)(a, b) * normals[b];
      frequencies(j, a) = law.factor * sum;
    }
  }
  return {std::move(frequencies), std::vector<std::complex<double>>(n_frequencies)};
}

/// Calibrations on n frequencies of each law; the best so far is kept.
class BestFit {
 public:
  BestFit(const Kernel& kernel, const RowsView<double>& data, std::size_t n, const CalibrationOptions& options)
      : kernel_(kernel), data_(data), n_(n), options_(options) {}

  void add(const FrequencyLaw& law) {
    SpectralAtoms fitted = calibrate(kernel_, unweighted_atoms(n_, data_.cols(), law, options_.seed), data_, options_);
    const double error = fitted.provenance().calibration->error_after;
    if (atoms_ && !(error < least_)) return;
    atoms_ = std::move(fitted);
    law_ = law;
    least_ = error;
  }
  const FrequencyLaw& law() const { return law_; }
  const SpectralAtoms& atoms() const { return *atoms_; }

 private:
  const Kernel& kernel_;
  const RowsView<double>& data_;
  std::size_t n_;
  const CalibrationOptions& options_;
  std::optional<SpectralAtoms> atoms_;
  FrequencyLaw law_;
  double least_ = HUGE_VAL;
};

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
  std::vector<Matrix<double>> shapes;
  for (const double share : spread_shares) shapes.push_back(frequency_shape(kernel, data, share, options.seed, options.execution.stop));
  // Where many frequencies are wanted, laws are tried with a quarter of them; a little wider is then tried with all.
  constexpr std::size_t few = 256;
  const std::size_t n_tried = std::min(n_frequencies, std::max(few, n_frequencies / 4));
  BestFit tried(kernel, data, n_tried, options);
  for (const double length : lengths) tried.add({nullptr, 1 / (length * unit)});
  for (const Matrix<double>& shape : shapes)
    if (!shape.empty())
      for (const double factor : factors) tried.add({&shape, factor});
  BestFit best(kernel, data, n_frequencies, options);
  if (n_tried < n_frequencies) {
    best.add(tried.law());
    best.add({tried.law().shape, widening * tried.law().factor});
  }
  const BestFit& found = n_tried < n_frequencies ? best : tried;
  Provenance provenance = found.atoms().provenance();
  provenance.estimator = "generic";
  provenance.sampler = "gaussian";
  const std::string why = kernel.measure_reason(data.cols());
  provenance.reason =
      fmt::format("{}Gaussian frequencies, {}, every weight fitted", why.empty() ? "the kernel has no Fourier measure: " : why + ": ",
                  found.law().shape ? "shaped by slopes and spreads" : "the same in all directions");
  return found.atoms().with_provenance(std::move(provenance));
}

}  // namespace askrff::weighting
