// Where the frequencies are: draws from one Jordan part. Third stage of the flow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/measure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// exact: the measure's own sampler; rejection: the paper's acceptance-rejection from the measure's proposal.
enum class Sampler { exact, rejection };

struct SamplingOptions {
  Sampler sampler = Sampler::exact;
  std::uint64_t seed = 0;
  /// The rejection sampler refuses a part whose acceptance rate is below this.
  double min_acceptance = 1e-5;
};

/// Frequencies first … first+count-1 of one part (count × dim). Each depends on (measure, part, sampler, seed, its number) only: any
/// range, order or thread gives the same bits. Throws std::invalid_argument if the measure lacks what the sampler needs,
/// NumericalError if rejection would not end.
Matrix<double> draw_frequencies(const ComplexMeasure& measure, Part part, std::size_t first, std::size_t count,
                                const SamplingOptions& options = {});

}  // namespace askrff
