// Quantiles of the normal and chi laws from portable arithmetic: radii and coordinates of point sets are the same bits everywhere.
#pragma once

#include <cstddef>

namespace askrff::portable {

/// The length of a standard normal vector in a given dimension, by its share of shorter ones.
class ChiQuantile {
 public:
  explicit ChiQuantile(std::size_t dim);  ///< 1 ≤ dim ≤ 10^6
  /// ρ with P(‖z‖ ≤ ρ) = u, 0 < u < 1; relative error below 1e-12, near u = 1 as far as 1 - u is exact.
  double operator()(double u) const { return with_tails(u, 1 - u); }
  /// The same given both shares, so that the smaller one keeps its digits.
  double with_tails(double lower, double upper) const;

 private:
  struct Tails {
    double lower, upper, density;  // of the gamma law of ‖z‖²/2
  };
  Tails tails(double x) const;
  double first_guess(double lower, double upper) const;

  double shape_, log_gamma_;  // dim/2 and log Γ(dim/2 + 1)
};

/// P(Z ≤ z) for a standard normal Z, kept inside (0, 1) for every z; relative error below 2e-13 of the smaller share for |z| ≤ 8.
double normal_share(double z);

/// z with P(Z ≤ z) = u for a standard normal Z, 0 < u < 1.
double normal_quantile(double u);

}  // namespace askrff::portable
