// One calibration for each shape and length of frequencies; the best on held-out pairs is kept.
#include "weighting/reference_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/portable_math.hpp"
#include "kernels/support.hpp"
#include "sampling/point_sets.hpp"
#include "weighting/frequency_lattice.hpp"
#include "weighting/frequency_shape.hpp"

namespace askrff::weighting {
namespace {

constexpr std::array lengths{0.25, 0.5, 1.0, 2.0, 4.0};  // of equal frequencies in all directions: of the median distance
constexpr std::array factors{0.35, 0.6, 1.0, 1.6, 2.5};  // of frequencies of the shape that slopes and spreads give
constexpr std::array spread_shares{1.0, 0.03};
constexpr double widening = 1.4;  // more frequencies can reach further
// Of lattices of either shape: too near, and k does not end where it should; too far, and it comes again between the rows. So the best
// reach is sharp, and is looked for more closely.
constexpr std::array<std::array<double, 3>, spread_shares.size()> reaches{{{2.5, 3.0, 3.6}, {3.6, 4.3, 5.2}}};
constexpr double nearer = 0.91, further = 1.1;
constexpr std::size_t max_lattice_columns = 12, max_lattice_points = std::size_t{1} << 16;

/// How generic frequencies lie: N(0, (factor · shape) (…)ᵀ), N(0, factor²) in every coordinate without a shape, or on a lattice.
struct FrequencyLaw {
  const FrequencyShape* shape = nullptr;
  double factor = 1;
  bool is_lattice = false;  ///< factor is its reach

  FrequencyLaw times(double change) const { return {shape, factor * change, is_lattice}; }
  const char* text() const {
    if (is_lattice) return "frequencies on a lattice, shaped by slopes and spreads";
    return shape ? "Gaussian frequencies, shaped by slopes and spreads" : "Gaussian frequencies, the same in all directions";
  }
};

Matrix<double> gaussian_frequencies(std::size_t n, std::size_t dim, const FrequencyLaw& law, std::uint64_t seed) {
  Matrix<double> frequencies(n, dim);
  std::vector<double> normals(dim);
  for (std::size_t j = 0; j < n; ++j) {
    RandomStream random(seed, Purpose::reference_frequencies, j);
    random.normals(normals);
    for (std::size_t a = 0; a < dim; ++a) {
      double sum = law.shape ? 0 : normals[a];
      for (std::size_t b = 0; law.shape && b <= a; ++b) sum += law.shape->factor(a, b) * normals[b];
      frequencies(j, a) = law.factor * sum;
    }
  }
  return frequencies;
}

/// In units of the spreads the cells of the lattice are cubes: k comes again equally far away in every direction.
Matrix<double> lattice_frequencies(std::size_t n, const FrequencyLaw& law, const StopToken& stop) {
  std::vector<double> cell;
  for (const double spread : law.shape->spread) cell.push_back(1 / spread);
  return lattice_points(n, law.shape->factor, cell, law.factor, stop);
}

/// Calibrations on n frequencies of each law; the best so far is kept.
class BestFit {
 public:
  BestFit(const Kernel& kernel, const RowsView<double>& data, std::size_t n, const CalibrationOptions& options)
      : kernel_(kernel), data_(data), n_(n), options_(options) {}

  void add(const FrequencyLaw& law) {
    Matrix<double> frequencies =
        law.is_lattice ? lattice_frequencies(n_, law, options_.execution.stop) : gaussian_frequencies(n_, data_.cols(), law, options_.seed);
    if (frequencies.rows() == 0) return;
    const SpectralAtoms unweighted(std::move(frequencies), std::vector<std::complex<double>>(n_));
    SpectralAtoms fitted = calibrate(kernel_, unweighted, data_, options_);
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

/// More points go half into reach, half into how far away k comes again.
double lattice_growth(std::size_t n, std::size_t n_tried, std::size_t dim) {
  return portable::exp(portable::log(static_cast<double>(n) / static_cast<double>(n_tried)) / (2 * static_cast<double>(dim)));
}

/// Gaussian laws, then lattices. The shapes must outlive what is found.
void try_laws(BestFit& tried, std::span<const FrequencyShape> shapes, double median, bool with_lattices) {
  for (const double length : lengths) tried.add({nullptr, 1 / (length * median)});
  for (const FrequencyShape& shape : shapes)
    if (!shape.empty())
      for (const double factor : factors) tried.add({&shape, factor});
  for (std::size_t i = 0; i < shapes.size() && with_lattices; ++i)
    if (!shapes[i].empty())
      for (const double reach : reaches[i]) tried.add({&shapes[i], reach, true});
  const FrequencyLaw found = tried.law();
  if (!found.is_lattice) return;
  for (const double change : {nearer, further}) tried.add(found.times(change));
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
  std::vector<FrequencyShape> shapes;
  for (const double share : spread_shares) shapes.push_back(frequency_shape(kernel, data, share, options.seed, options.execution.stop));
  // Where many frequencies are wanted, laws are tried with a quarter of them; then with all, and a little wider.
  constexpr std::size_t few = 256;
  const std::size_t n_tried = std::min(n_frequencies, std::max(few, n_frequencies / 4));
  BestFit tried(kernel, data, n_tried, options);
  try_laws(tried, shapes, unit, data.cols() <= max_lattice_columns && n_frequencies <= max_lattice_points);
  BestFit best(kernel, data, n_frequencies, options);
  if (n_tried < n_frequencies) {
    FrequencyLaw law = tried.law();
    if (law.is_lattice) law = law.times(lattice_growth(n_frequencies, n_tried, data.cols()));
    best.add(law);
    best.add(law.times(law.is_lattice ? further : widening));
  }
  const BestFit& found = n_tried < n_frequencies ? best : tried;
  Provenance provenance = found.atoms().provenance();
  provenance.estimator = "generic";
  provenance.sampler = found.law().is_lattice ? "lattice" : "gaussian";
  const std::string why = kernel.measure_reason(data.cols());
  provenance.reason =
      fmt::format("{}{}, every weight fitted", why.empty() ? "the kernel has no Fourier measure: " : why + ": ", found.law().text());
  return found.atoms().with_provenance(std::move(provenance));
}

}  // namespace askrff::weighting
