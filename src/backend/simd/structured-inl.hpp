// Waves of structured frequencies: rows go through the fast transform, and their phases to the sinks of dense ones. Compiled once per
// target.
#if defined(ASKRFF_BACKEND_SIMD_STRUCTURED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_STRUCTURED_INL
#undef ASKRFF_BACKEND_SIMD_STRUCTURED_INL
#else
#define ASKRFF_BACKEND_SIMD_STRUCTURED_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "backend/simd/hadamard-inl.hpp"
#include "backend/simd/phases-inl.hpp"
#include "backend/simd/sincos-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The turns of the amplitudes, with zeros up to whole blocks.
template <class T>
AlignedBuffer<T> BlockStarts(const HadamardProjection& projection, const Amplitudes& amplitudes) {
  AlignedBuffer<T> starts(projection.n_blocks * projection.padded_dim);
  std::fill_n(starts.data(), starts.size(), T{0});
  std::copy_n(amplitudes.polar<T>().turn.data(), projection.n, starts.data());
  return starts;
}

// Phases of one row and one block. Error ≤ (3p + 4)·2^-53 (‖x‖₂·|scale_j| + |θ_j|) radians for padded_dim = 2^p: each of the 3p stages adds
// an error of at most 2^-53 of the norm, which matrices carry on unchanged; scale, start and their sum round once each.
template <class T>
class RowPhases {
 public:
  RowPhases(const HadamardProjection& projection, const Amplitudes& amplitudes)
      : projection_(projection),
        factors_(projection.factors<T>()),
        transform_(TransformOf<T>(projection.padded_dim)),
        starts_(BlockStarts<T>(projection, amplitudes)) {}

  // x is padded. One precision for all rows: nothing to look after.
  HWY_INLINE void Fill(const T* x, std::size_t block, T* phases) {
    const std::size_t size = projection_.padded_dim, first = block * size;
    transform_({x, factors_.diagonals.data() + 3 * first, factors_.scales.data() + first, starts_.data() + first, size, phases});
  }
  void Measure(std::size_t, const T*) {}
  HWY_INLINE void Fill(std::size_t, const T* x, std::size_t block, T* phases) { Fill(x, block, phases); }

 private:
  const HadamardProjection& projection_;
  const HadamardFactors<T>& factors_;
  Transform<T> transform_;
  AlignedBuffer<T> starts_;
};

// float: the same with 2^-24 where ‖x‖₂·|scale_j| is at most 128 turns; beyond, the row passes through the transform of doubles as well,
// and the reduced phase is rounded once. A property of the row and the wave alone.
class GuardedRowPhases {
 public:
  GuardedRowPhases(const HadamardProjection& projection, const Amplitudes& amplitudes)
      : projection_(projection),
        in_float_(projection, amplitudes),
        in_double_(projection, amplitudes),
        wide_row_(projection.padded_dim),
        wide_phases_(projection.padded_dim) {}

  // ‖x‖₂ of row r of the group. Squares that overflow give infinity, which sends the row to double; those that vanish belong to rows so
  // small that with scales up to 2^64 a phase stays below the limit.
  void Measure(std::size_t r, const float* x) {
    const Tag<float> d;
    auto sum = hn::Zero(d);
    for (std::size_t k = 0; k < projection_.padded_dim; k += lanes<float>) {
      const auto value = hn::Load(d, x + k);
      sum = hn::MulAdd(value, value, sum);
    }
    norm_[r] = std::sqrt(static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum))));
  }
  HWY_INLINE void Fill(std::size_t r, const float* x, std::size_t block, float* phases) {
    in_float_.Fill(x, block, phases);
    if (HWY_UNLIKELY(!(norm_[r] * projection_.block_reach[block] <= PhaseGuard<float>::limit))) Correct(norm_[r], x, block, phases);
  }

 private:
  void Correct(double norm, const float* x, std::size_t block, float* phases) {
    const Tag<double> d;
    const std::size_t size = projection_.padded_dim;
    const double* reach = projection_.reach.data() + block * size;
    std::copy_n(x, size, wide_row_.data());
    in_double_.Fill(wide_row_.data(), block, wide_phases_.data());
    for (std::size_t k = 0; k < size; k += lanes<double>)
      hn::Store(Reduced(hn::Load(d, wide_phases_.data() + k)), d, wide_phases_.data() + k);
    for (std::size_t k = 0; k < size; ++k)
      if (!(norm * reach[k] <= PhaseGuard<float>::limit)) phases[k] = static_cast<float>(wide_phases_[k]);
  }

  const HadamardProjection& projection_;
  RowPhases<float> in_float_;
  RowPhases<double> in_double_;
  AlignedBuffer<double> wide_row_, wide_phases_;
  double norm_[tile_rows] = {};
};

template <class T>
using PhasesOf = std::conditional_t<sizeof(T) == sizeof(float), GuardedRowPhases, RowPhases<T>>;

// A group of rows against all blocks, a slab of blocks at a time: its phases stay in the first cache until the sink has taken them.
template <class T>
class StructuredGroup {
 public:
  StructuredGroup(const HadamardProjection& projection, const Amplitudes& amplitudes)
      : projection_(projection),
        slab_blocks_(std::min(projection.n_blocks, std::max<std::size_t>(1, slab_columns / projection.padded_dim))),
        stride_(slab_blocks_ * projection.padded_dim),
        phases_of_(projection, amplitudes),
        rows_(tile_rows * projection.padded_dim),
        phases_(tile_rows * stride_) {
    std::fill_n(rows_.data(), rows_.size(), T{0});
    std::fill_n(phases_.data(), phases_.size(), T{0});
  }

  // Rows first … first + rows - 1 of x, the group-th of their block of rows.
  template <class Sink>
  void Run(const InputRows<T>& x, std::size_t group, std::size_t first, std::size_t rows, Sink& sink) {
    const std::size_t size = projection_.padded_dim;
    for (std::size_t r = 0; r < rows; ++r) {
      Unpack(x, first + r, rows_.data() + r * size);
      phases_of_.Measure(r, rows_.data() + r * size);
    }
    for (std::size_t block = 0; block < projection_.n_blocks; block += slab_blocks_) {
      const std::size_t end = std::min(block + slab_blocks_, projection_.n_blocks);
      for (std::size_t b = block; b < end; ++b)
        for (std::size_t r = 0; r < rows; ++r)
          phases_of_.Fill(r, rows_.data() + r * size, b, phases_.data() + r * stride_ + (b - block) * size);
      const std::size_t columns = std::min(end * size, projection_.n) - block * size;
      for (std::size_t c = 0; c < columns; c += Panels<T>::width) {
        const Tile<T> tile{nullptr, group, first, rows, (block * size + c) / Panels<T>::width};
        auto visit = sink.Visit(tile);
        RunTile<Dot>(phases_.data(), phases_.data(), 0, phases_.data() + c, stride_, visit);
      }
    }
  }

 private:
  // What is behind the last coordinate stays 0.
  void Unpack(const InputRows<T>& x, std::size_t i, T* row) const {
    if (!x.is_sparse) {
      std::copy_n(x.dense.row(i), projection_.dim, row);
      return;
    }
    std::fill_n(row, projection_.dim, T{0});
    const SparseRow<T> entries = x.sparse.row(i);
    for (std::size_t k = 0; k < entries.size; ++k) row[entries.columns[k]] = entries.values[k];
  }

  static constexpr std::size_t slab_columns = 2048 / sizeof(T);  // 16 KiB of phases; more only if a block has more

  const HadamardProjection& projection_;
  std::size_t slab_blocks_, stride_;
  PhasesOf<T> phases_of_;
  AlignedBuffer<T> rows_, phases_;  // one after the other: rows padded with zeros, phases of a slab
};

// Like a sweep: sink.Begin(), a visitor for every group of rows and panel of waves, sink.End(first, rows) for every block of rows.
template <class T, class Sink>
void SweepStructured(const HadamardProjection& projection, const Amplitudes& amplitudes, const InputRows<T>& x, Sink& sink) {
  if (x.count == 0) return;
  StructuredGroup<T> groups(projection, amplitudes);
  for (std::size_t first = 0; first < x.count; first += block_rows) {
    const std::size_t rows = std::min(block_rows, x.count - first);
    sink.Begin();
    for (std::size_t g = 0; g * tile_rows < rows; ++g)
      groups.Run(x, g, first + g * tile_rows, std::min(tile_rows, rows - g * tile_rows), sink);
    sink.End(first, rows);
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
