// left and right features: one block of waves with all atoms, the frequencies kept once for both sides; kernel values at landmarks; or rows
// of a kernel matrix.
#include <algorithm>
#include <cmath>

#include "askrff/features.hpp"
#include "features/landmark_plan.hpp"
#include "features/matrix_plan.hpp"
#include "features/wave_plan.hpp"

namespace askrff {
namespace {

void add_side(detail::WavePlan& plan, const SpectralAtoms& atoms, std::shared_ptr<const backend::Projection> projection, bool with_phase) {
  std::vector<double> along(atoms.size()), across(atoms.size());
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    const std::complex<double> c = atoms.weights()[j];
    const double modulus = std::abs(c), root = std::sqrt(modulus);
    // √|c|·e^{iθ} = c/√|c|; a real or purely imaginary c keeps an exact zero, so cos(u + π/2) is -sin(u) to the bit.
    const bool turned = with_phase && modulus > 0;
    along[j] = turned ? c.real() / root : root;
    across[j] = turned ? c.imag() / root : 0.0;
  }
  plan.add(std::move(projection), std::move(along), std::move(across));
}

/// No phase anywhere: both sides are the same.
bool has_no_phases(const SpectralAtoms& atoms) {
  return std::ranges::all_of(atoms.weights(), [](const std::complex<double>& c) { return c.imag() == 0 && c.real() >= 0; });
}

bool same_numbers(const Matrix<double>& a, const Matrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data());
}

}  // namespace

struct FeatureMap::Sides {
  std::shared_ptr<const detail::FeaturePlan> left, right;
  std::size_t n_frequencies = 0;
  std::shared_ptr<const SpectralAtoms> atoms_on_grid;

  Sides(const SpectralAtoms& atoms, Backend backend) : n_frequencies(atoms.size()) {
    const backend::Primitives& primitives = backend::select(backend);
    const bool one_sided = has_no_phases(atoms);
    if (atoms.grid()) atoms_on_grid = std::make_shared<const SpectralAtoms>(atoms);
    const auto left_waves = std::make_shared<detail::WavePlan>(one_sided ? "FeatureMap" : "FeatureMap::left", atoms.dim(), primitives);
    const auto projection = left_waves->project(atoms.frequencies(), atoms.structure());
    add_side(*left_waves, atoms, projection, true);
    left = right = left_waves;
    if (one_sided) return;
    const auto right_waves = std::make_shared<detail::WavePlan>("FeatureMap::right", atoms.dim(), primitives);
    right_waves->share_projection(*left_waves);
    add_side(*right_waves, atoms, projection, false);
    right = right_waves;
  }

  Sides(const Columns& columns, Backend backend) { left = right = ColumnFeatures(columns.dim, backend).plan_; }

  Sides(const NystromFactors& factors, Backend backend) {
    using detail::LandmarkPlan;
    const backend::Primitives& primitives = backend::select(backend);
    LandmarkPlan::require_consistent(factors);
    const auto landmarks = std::make_shared<const RowsMatrix<double>>(factors.landmarks);
    const bool one_sided = factors.kernel->symmetric() && same_numbers(factors.left_factor, factors.right_factor);
    left = right = std::make_shared<LandmarkPlan>(one_sided ? "FeatureMap" : "FeatureMap::left", LandmarkPlan::Side::left, factors.kernel,
                                                  landmarks, factors.left_factor, primitives);
    if (one_sided) return;
    right = std::make_shared<LandmarkPlan>("FeatureMap::right", LandmarkPlan::Side::right, factors.kernel, landmarks, factors.right_factor,
                                           primitives);
  }

  Sides(const MatrixFactors& factors, Backend backend) {
    using detail::MatrixPlan;
    const backend::Primitives& primitives = backend::select(backend);
    MatrixPlan::require_consistent(factors);
    const bool one_sided = factors.is_one_sided();
    left = right = std::make_shared<MatrixPlan>(one_sided ? "FeatureMap" : "FeatureMap::left", factors.n_columns, factors.columns,
                                                std::make_shared<const Matrix<double>>(factors.left_factor), primitives);
    if (one_sided) return;
    right = std::make_shared<MatrixPlan>("FeatureMap::right", factors.n_rows, factors.rows,
                                         std::make_shared<const Matrix<double>>(factors.right_factor), primitives);
  }
};

FeatureMap::FeatureMap(const SpectralAtoms& atoms, Backend backend) : FeatureMap(Sides(atoms, backend)) {}
FeatureMap::FeatureMap(const NystromFactors& factors, Backend backend) : FeatureMap(Sides(factors, backend)) {}
FeatureMap::FeatureMap(const MatrixFactors& factors, Backend backend) : FeatureMap(Sides(factors, backend)) {}
FeatureMap::FeatureMap(const FeatureSource& source, Backend backend)
    : FeatureMap(std::visit([backend](const auto& content) { return Sides(content, backend); }, source)) {}
FeatureMap::FeatureMap(Sides sides)
    : left_(std::move(sides.left)),
      right_(std::move(sides.right)),
      n_frequencies_(sides.n_frequencies),
      atoms_on_grid_(std::move(sides.atoms_on_grid)) {}

std::size_t dim_of(const FeatureSource& source) {
  if (const auto* atoms = std::get_if<SpectralAtoms>(&source)) return atoms->dim();
  if (const auto* factors = std::get_if<NystromFactors>(&source)) return factors->landmarks.cols();
  if (const auto* matrix = std::get_if<MatrixFactors>(&source)) return matrix->n_columns;
  return std::get<Columns>(source).dim;
}

std::size_t right_dim_of(const FeatureSource& source) {
  const auto* matrix = std::get_if<MatrixFactors>(&source);
  return matrix ? matrix->n_rows : dim_of(source);
}

}  // namespace askrff
