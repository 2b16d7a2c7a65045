// The paper's estimator: every Jordan part sampled by itself.
#pragma once

#include "askrff/approximate.hpp"
#include "askrff/measure.hpp"

namespace askrff::weighting {

/// Every part of the measure with its mass where that is known exactly; negligible ones marked as dropped; the others with the number of
/// frequencies they get. `differences`: those of the data, for Allocation::variance.
std::vector<PartRecord> plan_parts(const ComplexMeasure& measure, const ApproximateOptions& options, MatrixView<const double> differences);

/// Draws the parts that are kept; weights are 0.
SpectralAtoms draw_parts(const ComplexMeasure& measure, std::vector<PartRecord> records, const SamplingOptions& sampling);

/// c = coefficient · mass / count for every atom of a part, with the masses of the records or, if given, with fitted ones.
SpectralAtoms weigh(const SpectralAtoms& drawn, const MassFit* fitted = nullptr);

}  // namespace askrff::weighting
