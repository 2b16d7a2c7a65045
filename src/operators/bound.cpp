// The Proposition of the paper: how many frequencies keep the error below epsilon everywhere on data of a given diameter.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "askrff/measure.hpp"
#include "askrff/operators.hpp"
#include "askrff/errors.hpp"

namespace askrff {
namespace {

void check(const BoundOptions& o) {
  if (!(o.epsilon > 0) || !std::isfinite(o.epsilon))
    throw InvalidArgument("uniform_bound", fmt::format("epsilon is {}, expected a positive number", o.epsilon));
  if (!(o.delta > 0 && o.delta < 1))
    throw InvalidArgument("uniform_bound", fmt::format("delta is {}, expected a number in (0, 1)", o.delta));
  if (!(o.diameter > 0) || !std::isfinite(o.diameter))
    throw InvalidArgument("uniform_bound", fmt::format("the diameter is {}, expected a positive number", o.diameter));
}

// The smallest whole number not below x, at least 1.
std::uint64_t ceiling(long double x) {
  if (!(x < 9e18L))
    throw InvalidArgument("uniform_bound",
                          fmt::format("it asks for {:.3g} frequencies, more than can be counted; use a larger epsilon", x));
  return x <= 1 ? 1 : static_cast<std::uint64_t>(std::ceil(x));
}

}  // namespace

UniformBound uniform_bound(const ComplexMeasure& measure, const BoundOptions& options) {
  check(options);
  const Masses masses = exact_masses(measure);
  const long double d = static_cast<long double>(measure.dim());
  long double total = 0, sigma_mu2 = 0, squares = 0, sharp_squares = 0;
  for (const Part part : measure.parts()) {
    const auto moments = measure.exact_moments(part);
    if (!moments->second_moment || !std::isfinite(*moments->second_moment))
      throw InvalidArgument("uniform_bound",
                            fmt::format("the frequencies of part {} have {} second moment; the Proposition needs a finite one",
                                        traits(part).name, moments->second_moment ? "an infinite (or overflowing)" : "an unknown"));
    const long double times = std::abs(traits(part).coefficient), mass = masses.of(part);  // 1, 1, 2: μ_I^- counts beside μ_I^+
    total += times * mass;
    sigma_mu2 += times * *moments->second_moment;
    squares += times * mass * mass;
    sharp_squares += times * times * mass * mass;
  }
  const long double alpha_mu2 = squares * sigma_mu2, epsilon = options.epsilon;
  const long double beta_d = (std::pow(d / 2, -d / (d + 2)) + std::pow(d / 2, 2 / (d + 2))) * std::exp2((6 * d + 2) / (d + 2));
  const long double logarithms =
      std::log(beta_d / options.delta) + 2 * d / (d + 2) * std::log(std::sqrt(alpha_mu2) * options.diameter / epsilon);
  const long double factor = 4 * (d + 2) / (epsilon * epsilon) * logarithms;
  return {.n_frequencies = ceiling(factor * total * total),
          .n_frequencies_sharp = ceiling(factor * sharp_squares),
          .beta_d = static_cast<double>(beta_d),
          .sigma_mu2 = static_cast<double>(sigma_mu2),
          .alpha_mu2 = static_cast<double>(alpha_mu2),
          .total = static_cast<double>(total)};
}

}  // namespace askrff
