// Phases too large for float: found by a bound, computed again in double, reduced to one turn and put back. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_PHASES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_PHASES_INL
#undef ASKRFF_BACKEND_SIMD_PHASES_INL
#else
#define ASKRFF_BACKEND_SIMD_PHASES_INL
#endif

#include <hwy/highway.h>

#include <cmath>

#include "backend/simd/sincos-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// double: the reduction u - round(u) is exact wherever a phase has a fraction at all, there is nothing to guard.
template <class T>
class PhaseGuard {
 public:
  PhaseGuard(const FrequencyPanels&, const Amplitudes&) {}
  void Measure(const T*, std::size_t) {}
  HWY_INLINE bool Doubts(std::size_t, std::size_t) const { return false; }
  HWY_INLINE void Correct(const Tile<T>&, T*) const {}
};

// float: a phase of u turns carries an error of about u·2^-24 turns. Where max|x_i|·Σ_k|ω_jk| allows more than `limit` turns the phase is
// computed in double: a property of the row and the wave alone, so that blocking does not show.
template <>
class PhaseGuard<float> {
 public:
  static constexpr double limit = 128;

  PhaseGuard(const FrequencyPanels& frequencies, const Amplitudes& amplitudes)
      : frequencies_(frequencies), turns_(amplitudes.polar<double>().turn.data()) {}

  void Measure(const float* packed, std::size_t rows) {
    const std::size_t dim = frequencies_.dim();
    for (std::size_t group = 0; group * tile_rows < rows; ++group) {
      const float* values = packed + group * tile_rows * dim;
      float* largest = largest_ + group * tile_rows;
      std::fill_n(largest, tile_rows, 0.0f);
      for (std::size_t k = 0; k < dim; ++k)
        for (std::size_t r = 0; r < tile_rows; ++r) {
          const float size = std::fabs(values[k * tile_rows + r]);
          largest[r] = size > largest[r] ? size : largest[r];
        }
      group_largest_[group] = *std::max_element(largest, largest + tile_rows);
    }
  }

  // May a phase of this group of rows and this panel be too large?
  HWY_INLINE bool Doubts(std::size_t group, std::size_t panel) const {
    return !(frequencies_.panel_reach[panel] * static_cast<double>(group_largest_[group]) <= limit);
  }

  void Correct(const Tile<float>& tile, float* phases) const {
    for (std::size_t r = 0; r < tile.rows; ++r) {
      const double largest = largest_[tile.group * tile_rows + r];
      if (frequencies_.panel_reach[tile.panel] * largest > limit) CorrectRow(tile, r, largest, phases + r * Panels<float>::width);
    }
  }

 private:
  // One row against the 32 waves of a panel of floats, which are two panels of doubles.
  void CorrectRow(const Tile<float>& tile, std::size_t r, double largest, float* phases) const {
    constexpr std::size_t width = Panels<float>::width, half = Panels<double>::width, N = lanes<double>;
    const Tag<double> d;
    HWY_ALIGN double turns[width];
    for (std::size_t part = 0; part < 2 && 2 * tile.panel + part < frequencies_.in_double.count(); ++part) {
      const double* panel = frequencies_.in_double.at(2 * tile.panel + part);
      for (std::size_t v = 0; v < half; v += N) {
        auto sum = hn::LoadU(d, turns_ + tile.panel * width + part * half + v);
        for (std::size_t k = 0; k < frequencies_.dim(); ++k)
          sum = hn::MulAdd(hn::Set(d, static_cast<double>(tile.packed[k * tile_rows + r])), hn::Load(d, panel + k * half + v), sum);
        hn::Store(Reduced(sum), d, turns + part * half + v);
      }
    }
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t wave = tile.panel * width + c;
      if (wave < frequencies_.n() && frequencies_.reach[wave] * largest > limit) phases[c] = static_cast<float>(turns[c]);
    }
  }

  const FrequencyPanels& frequencies_;
  const double* turns_;
  float largest_[block_rows], group_largest_[block_rows / tile_rows];
};

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
