// left and right features: one block of waves with all atoms, the frequencies kept once for both sides.
#include <cmath>

#include "askrff/features.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

void add_side(detail::FeaturePlan& plan, const SpectralAtoms& atoms, std::shared_ptr<const backend::Projection> projection,
              bool with_phase) {
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

}  // namespace

struct FeatureMap::Sides {
  std::shared_ptr<detail::FeaturePlan> left, right;

  Sides(const SpectralAtoms& atoms, Backend backend) {
    const backend::Primitives& primitives = backend::select(backend);
    left = std::make_shared<detail::FeaturePlan>("FeatureMap::left", atoms.dim(), primitives);
    right = std::make_shared<detail::FeaturePlan>("FeatureMap::right", atoms.dim(), primitives);
    const auto projection = left->project(atoms.frequencies());
    right->largest_frequency = left->largest_frequency;
    add_side(*left, atoms, projection, true);
    add_side(*right, atoms, projection, false);
  }
};

FeatureMap::FeatureMap(const SpectralAtoms& atoms, Backend backend) : FeatureMap(Sides(atoms, backend)) {}
FeatureMap::FeatureMap(Sides sides) : left_(std::move(sides.left)), right_(std::move(sides.right)) {}

}  // namespace askrff
