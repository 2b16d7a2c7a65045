// Complex amplitudes → polar form in turns, in both precisions.
#include "backend/amplitudes.hpp"

#include <cmath>
#include <numbers>

namespace askrff::backend {
namespace {

struct Polar {
  double amplitude, turn;
};

Polar polar_of(double along, double across) {
  if (across == 0) return {along, 0.0};
  const double modulus = std::hypot(along, across);
  if (along == 0) return {modulus, across > 0 ? 0.25 : -0.25};
  // The angle of ±a in (-π/2, π/2), the sign moved into the amplitude.
  return {std::copysign(modulus, along),
          static_cast<double>(std::atan(static_cast<long double>(across) / along) / (2 * std::numbers::pi_v<long double>))};
}

template <class T>
PolarAmplitudes<T> padded(const std::vector<Polar>& waves) {
  const std::size_t n = (waves.size() + panel_width<T> - 1) / panel_width<T> * panel_width<T>;
  PolarAmplitudes<T> out{AlignedBuffer<T>(n), AlignedBuffer<T>(n), AlignedBuffer<T>(n)};
  for (std::size_t j = 0; j < n; ++j) {
    const Polar wave = j < waves.size() ? waves[j] : Polar{0.0, 0.0};
    out.amplitude[j] = static_cast<T>(wave.amplitude);
    out.twice[j] = 2 * out.amplitude[j];
    out.turn[j] = static_cast<T>(wave.turn);
  }
  return out;
}

}  // namespace

Amplitudes::Amplitudes(std::vector<double> along, std::vector<double> across) : along_(std::move(along)), across_(std::move(across)) {
  std::vector<Polar> waves;
  waves.reserve(along_.size());
  for (std::size_t j = 0; j < along_.size(); ++j) waves.push_back(polar_of(along_[j], across_[j]));
  float_ = padded<float>(waves);
  double_ = padded<double>(waves);
}

}  // namespace askrff::backend
