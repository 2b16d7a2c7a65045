// Follows a recipe.
#include "recipe.hpp"

#include <utility>

namespace askrff::cli {

MadeMap make_map(const std::shared_ptr<const Kernel>& kernel, MatrixView<const double> data, const Recipe& recipe, std::uint64_t seed) {
  if (recipe.landmarks) {
    NystromOptions how = *recipe.landmarks;
    how.seed = seed;
    NystromFactors factors = nystrom(kernel, data, how);
    return {FeatureMap(factors), std::nullopt, std::move(factors)};
  }
  ApproximateOptions how = recipe.atoms;
  how.seed = seed;
  SpectralAtoms atoms = approximate(*kernel, data, how);
  return {FeatureMap(atoms), std::move(atoms), std::nullopt};
}

}  // namespace askrff::cli
