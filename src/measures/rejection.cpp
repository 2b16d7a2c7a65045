// The paper's sampler: ω from the proposal g, kept with probability part(ω)/(B g(ω)).
#include "measures/rejection.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <cmath>

namespace askrff::measures {

std::optional<std::uint64_t> draw_by_rejection(const ComplexMeasure& measure, Part part, RandomStream& random, std::span<double> omega,
                                               std::uint64_t n_proposals, const StopToken& stop) {
  const auto bound = measure.proposal_bound(part);
  if (!bound || !(*bound > 0) || !std::isfinite(*bound))
    throw InvalidArgument(fmt::format("rejection sampling of {}: the measure has no positive finite proposal_bound", traits(part).name));
  for (std::uint64_t n = 1; n <= n_proposals; ++n) {
    if (n % 256 == 0) stop.check();
    measure.propose(random, omega);
    const std::complex<double> ratio = measure.proposal_ratio(omega);
    if (!std::isfinite(ratio.real()) || !std::isfinite(ratio.imag()))
      throw InvalidArgument(fmt::format("rejection sampling of {}: proposal_ratio is not finite", traits(part).name));
    const double value = part_of(part, ratio);
    if (value > *bound * (1 + 1e-12))
      throw InvalidArgument(fmt::format("rejection sampling of {}: proposal_ratio gives {} where proposal_bound promises at most {}",
                                        traits(part).name, value, *bound));
    if (random.uniform() * *bound < value) return n;
  }
  return std::nullopt;
}

}  // namespace askrff::measures
