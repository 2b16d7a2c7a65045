// Values and integrals of sums of exponentials.
#include "askrff/causal.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <cmath>

namespace askrff {

void ExponentialSum::check() const {
  constexpr const char* who = "ExponentialSum";
  if (amplitudes.size() != rates.size())
    throw InvalidArgument(who, fmt::format("got {} amplitudes and {} rates, expected as many of each", amplitudes.size(), rates.size()));
  if (rates.empty()) throw InvalidArgument(who, "got no exponentials, expected at least one");
  for (std::size_t k = 0; k < rates.size(); ++k) {
    if (!std::isfinite(amplitudes[k]))
      throw InvalidArgument(who, fmt::format("amplitude {} is {}, expected a finite number", k, amplitudes[k]));
    if (!std::isfinite(rates[k]) || rates[k] < 0)
      throw InvalidArgument(who, fmt::format("rate {} is {}, expected a finite number of at least 0", k, rates[k]));
  }
}

double ExponentialSum::value(double t) const {
  if (t <= 0) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) sum += rates[k] == 0 ? amplitudes[k] : amplitudes[k] * std::exp(-rates[k] * t);
  return sum;
}

double ExponentialSum::integral(double t) const {
  if (t <= 0) return 0;
  double sum = 0;
  for (std::size_t k = 0; k < rates.size(); ++k) {
    // (1 - e^{-bt})/b, where bt may be too small for a double though t is not
    const double exponent = rates[k] * t;
    sum += amplitudes[k] * (rates[k] == 0 || exponent < 1e-300 ? t : -std::expm1(-exponent) / rates[k]);
  }
  return sum;
}

}  // namespace askrff
