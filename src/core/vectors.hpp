// Small operations on coordinate vectors, summed in index order so that results are the same bits everywhere.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace askrff {

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline double squared_norm(std::span<const double> a) { return dot(a, a); }

inline double norm_l1(std::span<const double> a) {
  double sum = 0;
  for (const double value : a) sum += std::fabs(value);
  return sum;
}

/// |a_i| - |b_i|, but not below 0: how near to the origin a vector that is at least a_i away from it may come when it is moved by b.
inline std::vector<double> reduced_by(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = std::fmax(0.0, std::fabs(a[i]) - std::fabs(b[i]));
  return out;
}

/// Euclidean norm without overflow or underflow of the squares. In double it is the same bits everywhere, for draws; in long double it is
/// what masses need that depend on it exponentially.
template <class Real = long double>
Real scaled_norm(std::span<const double> a) {
  Real largest = 0;
  for (const double value : a) largest = std::fmax(largest, std::fabs(static_cast<Real>(value)));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  Real sum = 0;
  for (const double value : a) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

}  // namespace askrff
