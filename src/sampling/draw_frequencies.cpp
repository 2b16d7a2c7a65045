// Frequencies of one part: every one from its own random stream, by the sampler asked for.
#include <fmt/format.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/sampling.hpp"
#include "measures/rejection.hpp"
#include "sampling/point_sets.hpp"

namespace askrff {
namespace {

[[noreturn]] void refuse_rejection(const ComplexMeasure& measure, Part part, double min_acceptance) {
  const auto moments = measure.exact_moments(part);
  const std::string mass = !moments            ? "of unknown mass"
                           : moments->mass > 0 ? fmt::format("of mass {:.3g}", moments->mass)
                                               : fmt::format("of mass e^{:.6g}", moments->log_mass);
  throw NumericalError(
      fmt::format("rejection sampling in dimension {} would not end: part {}, {}, is accepted less often than once in {:.0f} proposals; "
                  "use the exact sampler{}",
                  measure.dim(), traits(part).name, mass, 1 / min_acceptance,
                  measure.draws_exactly() ? "" : " of a measure that has one, a tighter proposal, or a smaller min_acceptance"));
}

class RejectionSampler {
 public:
  RejectionSampler(const ComplexMeasure& measure, Part part, double min_acceptance, const StopToken& stop)
      : measure_(measure), part_(part), min_acceptance_(min_acceptance), stop_(stop) {
    if (!(min_acceptance > 0) || min_acceptance > 1)
      throw InvalidArgument(fmt::format("rejection sampling: min_acceptance is {}, expected a number in (0, 1]", min_acceptance));
    const auto bound = measure.proposal_bound(part);
    if (!bound) throw InvalidArgument(fmt::format("rejection sampling: the measure has no proposal for its part {}", traits(part).name));
    // Where the mass is known the acceptance rate mass/bound is too, and no proposal needs to be made.
    const auto moments = measure.exact_moments(part);
    if (moments && moments->mass < min_acceptance * *bound) refuse_rejection(measure, part, min_acceptance);
  }
  void operator()(RandomStream& random, std::span<double> omega) const {
    // A part that is accepted at the least rate allowed fails here with probability e^-30.
    const auto limit = static_cast<std::uint64_t>(std::min(30 / min_acceptance_, 1e18));
    if (!measures::draw_by_rejection(measure_, part_, random, omega, limit, stop_)) refuse_rejection(measure_, part_, min_acceptance_);
  }

 private:
  const ComplexMeasure& measure_;
  Part part_;
  double min_acceptance_;
  StopToken stop_;
};

template <class Draw>
Matrix<double> draw_each(const ComplexMeasure& measure, Part part, std::size_t first, std::size_t count, const SamplingOptions& options,
                         Draw draw) {
  Matrix<double> frequencies(count, measure.dim());
  for (std::size_t j = 0; j < count; ++j) {
    options.stop.check();
    RandomStream random(options.seed, traits(part).purpose, first + j);
    draw(random, frequencies.row(j));
  }
  return frequencies;
}

// Every point of a set, turned into a frequency of the part.
Matrix<double> draw_from_points(const ComplexMeasure& measure, Part part, std::size_t count, const SamplingOptions& options) {
  if (!measure.normal_vector_use().parts)
    throw InvalidArgument(
        fmt::format("{} sampler: the parts of this measure are not made from normal vectors; use the polar estimator or the exact sampler",
                    name_of(options.sampler)));
  const auto set = sampling::point_set(measure, count, options, static_cast<std::uint64_t>(part));
  return draw_each(measure, part, 0, count, options, [&, j = std::size_t{0}](RandomStream& random, std::span<double> omega) mutable {
    measure.draw_from(part, set.points.row(j++), random, omega);
  });
}

}  // namespace

Matrix<double> draw_frequencies(const ComplexMeasure& measure, Part part, std::size_t first, std::size_t count,
                                const SamplingOptions& options) {
  sampling::require_room("draw_frequencies", count, measure.dim());
  bool present = false;
  for (const Part each : measure.parts()) present = present || each == part;
  if (!present) throw InvalidArgument("draw_frequencies", fmt::format("the part {} of this measure is empty", traits(part).name));

  switch (options.sampler) {
    case Sampler::rejection:
      return draw_each(measure, part, first, count, options, RejectionSampler(measure, part, options.min_acceptance, options.stop));
    case Sampler::exact:
      if (!measure.draws_exactly())
        throw InvalidArgument("draw_frequencies", "this measure has no exact sampler; use the rejection sampler");
      return draw_each(measure, part, first, count, options,
                       [&](RandomStream& random, std::span<double> omega) { measure.draw(part, random, omega); });
    case Sampler::orthogonal:
    case Sampler::mub:
    case Sampler::sobol:
      if (first != 0)
        throw InvalidArgument("draw_frequencies",
                              fmt::format("a {} set is drawn from its beginning, got first = {}", name_of(options.sampler), first));
      return draw_from_points(measure, part, count, options);
    default:
      throw InvalidArgument(
          fmt::format("{} sampler: it serves the whole measure at once, not one part; use the polar estimator", name_of(options.sampler)));
  }
}

}  // namespace askrff
