// The complex amplitudes a_j of waves a_j e^{iω_j·x}, in the forms backends want.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned.hpp"

namespace askrff::backend {

/// Waves are handled this many bytes at a time: two vectors of the widest kind, a whole number of narrower ones.
inline constexpr std::size_t panel_bytes = 128;
template <class T>
inline constexpr std::size_t panel_width = panel_bytes / sizeof(T);

/// Polar form in one precision, padded with zeros to a whole number of panels: a_j = amplitude_j e^{2πi·turn_j}, |turn_j| ≤ 1/4. A negative
/// amplitude instead of half a turn keeps -cos u exact.
template <class T>
struct PolarAmplitudes {
  AlignedBuffer<T> amplitude, twice, turn;  // twice = 2·amplitude
};

/// Immutable; not copied, but shared.
class Amplitudes {
 public:
  /// a_j = along_j + i across_j; the two have one length.
  Amplitudes(std::vector<double> along, std::vector<double> across);

  std::size_t size() const { return along_.size(); }
  const std::vector<double>& along() const { return along_; }
  const std::vector<double>& across() const { return across_; }
  template <class T>
  const PolarAmplitudes<T>& polar() const {
    if constexpr (sizeof(T) == sizeof(float))
      return float_;
    else
      return double_;
  }

 private:
  std::vector<double> along_, across_;
  PolarAmplitudes<float> float_;
  PolarAmplitudes<double> double_;
};

}  // namespace askrff::backend
