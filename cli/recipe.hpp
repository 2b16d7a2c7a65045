// How a feature map is made, of atoms or of landmarks, and the map with what it was made of.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/nystrom.hpp"

namespace askrff::cli {

struct Recipe {
  ApproximateOptions atoms;                 ///< its n_frequencies is what was asked for, also where landmarks are set
  std::optional<NystromOptions> landmarks;  ///< set: a Nyström map

  /// A fit that uses many rows: its error has to be measured on others.
  bool learns_from_rows() const { return landmarks || atoms.weights == Weights::calibrated; }
};

struct MadeMap {
  FeatureMap map;
  std::optional<SpectralAtoms> atoms;
  std::optional<NystromFactors> nystrom;
};

/// The map of `recipe` drawn with `seed`. Throws what approximate() and nystrom() throw.
MadeMap make_map(const std::shared_ptr<const Kernel>& kernel, MatrixView<const double> data, const Recipe& recipe, std::uint64_t seed);

}  // namespace askrff::cli
