// Waves of sparse rows: a panel of frequencies at a time, of which only the coordinates are read that a row has. Compiled once per target.
//
// Phases are summed in the order of the coordinates, as those of dense rows are, and a coordinate of 0 adds nothing: the bits are the same.
#if defined(ASKRFF_BACKEND_SIMD_SPARSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_SPARSE_INL
#undef ASKRFF_BACKEND_SIMD_SPARSE_INL
#else
#define ASKRFF_BACKEND_SIMD_SPARSE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "backend/simd/phases-inl.hpp"
#include "backend/simd/sincos-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// phases[c] = start[c] + Σ_k x_k ω_ck for the vectors of one panel.
template <class T, class Value>
HWY_INLINE void SparsePhases(const SparseRow<Value>& x, const T* HWY_RESTRICT panel, const T* HWY_RESTRICT start, T* HWY_RESTRICT phases) {
  const Tag<T> d;
  constexpr std::size_t width = Panels<T>::width, N = lanes<T>, n_vectors = width / N;
  Vector<T> sums[n_vectors];
#pragma GCC unroll 32
  for (std::size_t v = 0; v < n_vectors; ++v) sums[v] = hn::LoadU(d, start + v * N);
  for (std::size_t k = 0; k < x.size; ++k) {
    const auto value = hn::Set(d, static_cast<T>(x.values[k]));
    const T* HWY_RESTRICT at = panel + std::size_t{x.columns[k]} * width;
#pragma GCC unroll 32
    for (std::size_t v = 0; v < n_vectors; ++v) sums[v] = hn::MulAdd(value, hn::Load(d, at + v * N), sums[v]);
  }
#pragma GCC unroll 32
  for (std::size_t v = 0; v < n_vectors; ++v) hn::Store(sums[v], d, phases + v * N);
}

// double: nothing to guard, as for dense rows.
template <class T>
class SparseGuard {
 public:
  SparseGuard(const FrequencyPanels&, const Amplitudes&, const SparseRows<T>&, std::size_t, std::size_t) {}
  HWY_INLINE void Correct(std::size_t, std::size_t, T*) const {}
};

// float: phases that may exceed the limit of PhaseGuard are computed again in double.
template <>
class SparseGuard<float> {
 public:
  // For rows first … first + rows - 1.
  SparseGuard(const FrequencyPanels& frequencies, const Amplitudes& amplitudes, const SparseRows<float>& x, std::size_t first,
              std::size_t rows)
      : frequencies_(frequencies), turns_(amplitudes.polar<double>().turn.data()), x_(x.from(first, rows)) {
    for (std::size_t i = 0; i < rows; ++i) {
      const SparseRow<float> row = x_.row(i);
      largest_[i] = 0;
      for (std::size_t k = 0; k < row.size; ++k) largest_[i] = std::max(largest_[i], std::fabs(row.values[k]));
    }
  }

  HWY_INLINE void Correct(std::size_t i, std::size_t panel, float* phases) const {
    if (HWY_UNLIKELY(frequencies_.panel_reach[panel] * static_cast<double>(largest_[i]) > PhaseGuard<float>::limit))
      CorrectRow(i, panel, phases);
  }

 private:
  void CorrectRow(std::size_t i, std::size_t panel, float* phases) const {
    constexpr std::size_t width = Panels<float>::width, half = Panels<double>::width;
    const Tag<double> d;
    HWY_ALIGN double turns[width];
    for (std::size_t part = 0; part < 2 && 2 * panel + part < frequencies_.in_double.count(); ++part) {
      double* const of_part = turns + part * half;
      SparsePhases<double>(x_.row(i), frequencies_.in_double.at(2 * panel + part), turns_ + panel * width + part * half, of_part);
      for (std::size_t v = 0; v < half; v += lanes<double>) hn::Store(Reduced(hn::Load(d, of_part + v)), d, of_part + v);
    }
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t wave = panel * width + c;
      if (wave < frequencies_.n() && frequencies_.reach[wave] * static_cast<double>(largest_[i]) > PhaseGuard<float>::limit)
        phases[c] = static_cast<float>(turns[c]);
    }
  }

  const FrequencyPanels& frequencies_;
  const double* turns_;
  SparseRows<float> x_;
  float largest_[block_rows];
};

// Like a sweep over dense rows. Panel by panel for a block of rows: what the rows have in common of a panel stays in a cache. A sink that
// writes rows gets them from end to end instead where all frequencies fit into the second cache: rows are often a power of two apart and
// would fight for the same few places of the cache (up to four times as long).
template <class T, class Sink>
void SweepSparse(const FrequencyPanels& frequencies, const Amplitudes& amplitudes, SparseRows<T> x, Sink& sink) {
  constexpr std::size_t width = Panels<T>::width, cached_bytes = 1024 * 1024;
  const Panels<T>& panels = frequencies.panels<T>();
  const std::size_t n_panels = panels.count();
  const bool by_rows = Sink::writes_rows && frequencies.dim() * n_panels <= cached_bytes / panel_bytes;
  const T* const turns = amplitudes.polar<T>().turn.data();
  HWY_ALIGN T phases[tile_rows * width] = {};
  for (std::size_t first = 0; first < x.count; first += block_rows) {
    const std::size_t rows = std::min(block_rows, x.count - first), groups = ceil_div(rows, tile_rows);
    const SparseGuard<T> guard(frequencies, amplitudes, x, first, rows);
    sink.Begin();
    for (std::size_t step = 0; step < groups * n_panels; ++step) {
      const std::size_t g = by_rows ? step / n_panels : step % groups, p = by_rows ? step % n_panels : step / groups;
      const Tile<T> tile{nullptr, g, first + g * tile_rows, std::min(tile_rows, rows - g * tile_rows), p};
      for (std::size_t r = 0; r < tile.rows; ++r) {
        SparsePhases<T>(x.row(tile.first_row + r), panels.at(p), turns + p * width, phases + r * width);
        guard.Correct(g * tile_rows + r, p, phases + r * width);
      }
      auto visit = sink.Visit(tile);
      RunTile<Dot>(phases, phases, 0, phases, width, visit);
    }
    sink.End(first, rows);
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
