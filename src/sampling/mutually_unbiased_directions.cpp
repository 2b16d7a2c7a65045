// Bases with entries e^{2πi(a j² + b j)/p}/√p, a = 0 … p-1, beside the standard one.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "askrff/directions.hpp"

namespace askrff {

Matrix<double> mutually_unbiased_directions(std::size_t p) {
  bool prime = p >= 3 && p <= 1000 && p % 2 == 1;
  for (std::size_t q = 3; q * q <= p && prime; q += 2) prime = p % q != 0;
  if (!prime) throw std::invalid_argument(fmt::format("mutually_unbiased_directions: p is {}, expected an odd prime up to 1000", p));

  Matrix<double> directions(3 * p * (p + 1), 2 * p);
  const double scale = 1 / std::sqrt(static_cast<double>(p));
  std::size_t row = 0;
  for (std::size_t basis = 0; basis <= p; ++basis)
    for (int third = 0; third < 3; ++third)
      for (std::size_t b = 0; b < p; ++b, ++row)
        for (std::size_t j = 0; j < p; ++j) {
          if (basis == 0 && j != b) continue;
          const std::size_t turn = basis == 0 ? 0 : ((basis - 1) * j * j + b * j) % p;  // reduced first: the angle keeps all its digits
          const double angle = std::numbers::pi * (2.0 * static_cast<double>(turn) / static_cast<double>(p) + third / 3.0);
          const double size = basis == 0 ? 1.0 : scale;
          directions(row, j) = size * std::cos(angle);
          directions(row, p + j) = size * std::sin(angle);
        }
  return directions;
}

}  // namespace askrff
