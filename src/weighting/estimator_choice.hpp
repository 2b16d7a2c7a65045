// Which estimator varies less on the data, by closed forms, before anything is drawn.
#pragma once

#include <cstdint>
#include <string>

#include "askrff/approximate.hpp"

namespace askrff::weighting {

/// Differences of 200 random pairs of rows; of a single row the zero difference.
Matrix<double> sample_differences(const RowsView<double>& data, std::uint64_t seed);

/// Mean over the differences of the variance of one draw from the part; throws std::invalid_argument where it is not known.
double mean_part_variance(const ComplexMeasure& measure, Part part, MatrixView<const double> differences);

struct EstimatorChoice {
  Estimator estimator;
  std::string reason;
};
/// jordan or polar, at the same number of frequencies in all; options tell how jordan would share them.
EstimatorChoice choose_estimator(const ComplexMeasure& measure, const ApproximateOptions& options, MatrixView<const double> differences);

/// Where frequencies for jordan or polar come from: what was asked for, but instead of orthogonal, which front ends take unless told
/// otherwise, exact (or rejection, where that is all there is) if they are not made from normal vectors.
Sampler sampler_for(const ComplexMeasure& measure, Estimator estimator, Sampler sampler);

/// Throws InvalidArgument, with what to do, if the sampler cannot draw the parts of this measure one by one, as subset weights need.
void require_part_sampler(const ComplexMeasure& measure, Sampler sampler);

}  // namespace askrff::weighting
