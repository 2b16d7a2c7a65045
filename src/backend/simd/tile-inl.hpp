// The register tile, the one inner loop of projections, products and distances, and the sweep that feeds it. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_TILE_INL
#undef ASKRFF_BACKEND_SIMD_TILE_INL
#else
#define ASKRFF_BACKEND_SIMD_TILE_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "backend/simd/panels.hpp"
#include "core/ceil_div.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
template <class T>
inline constexpr std::size_t lanes = hn::MaxLanes(Tag<T>());

// Rows of a tile. Two vectors of sums for each, two of the panel and a broadcast must fit into the registers; where there are 32 the
// coefficients of sine and cosine fit beside them (8 rows: 16 sums + 11 coefficients), so that finished sums are used where they stand.
// 12 rows would load less per product but spill; measured 10 to 25 % slower with waves for dim ≤ 57 and the same beyond.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr std::size_t tile_rows = 8;
#else
inline constexpr std::size_t tile_rows = 6;
#endif
inline constexpr std::size_t block_rows = 192;  // packed at a time; a multiple of tile_rows

// Entries of a tile: what one more coordinate does to the sum of a pair.
struct Dot {
  template <class V>
  static HWY_INLINE V Step(V sum, V a, V b) {
    return hn::MulAdd(a, b, sum);
  }
};
struct SquaredDistance {
  template <class V>
  static HWY_INLINE V Step(V sum, V a, V b) {
    const V difference = hn::Sub(a, b);
    return hn::MulAdd(difference, difference, sum);
  }
};
struct AbsoluteDistance {
  template <class V>
  static HWY_INLINE V Step(V sum, V a, V b) {
    return hn::Add(sum, hn::Abs(hn::Sub(a, b)));
  }
};
struct CauchyProduct {
  template <class V>
  static HWY_INLINE V Step(V sum, V a, V b) {
    const V difference = hn::Sub(a, b);
    // The factor first: a product that has overflowed stays infinite where a later difference is 0.
    return hn::Mul(sum, hn::MulAdd(difference, difference, hn::Set(hn::DFromV<V>(), 1)));
  }
};

// Where a tile stands: rows first_row … first_row + rows - 1 (later ones are padding), the group-th of their block, against one panel.
template <class T>
struct Tile {
  const T* packed;  // the group, coordinate by coordinate
  std::size_t group, first_row, rows, panel;
};

// The form of packed row r and panel vector c over n coordinates, in their order, beginning with from[r · from_stride + c]: cutting the
// coordinates into pieces does not change a bit. visit gets two vectors of sums per row, columns v … v + N - 1 and the N after them,
// between visit.Open(v) and visit.Close(v).
template <class Form, class T, class Visit>
HWY_INLINE void RunTile(const T* HWY_RESTRICT a, const T* HWY_RESTRICT b, std::size_t n, const T* from, std::size_t from_stride,
                        Visit&& visit) {
  const Tag<T> d;
  constexpr std::size_t width = Panels<T>::width, N = lanes<T>;
  for (std::size_t v = 0; v < width; v += 2 * N) {
    Vector<T> sums[tile_rows][2];
#pragma GCC unroll 12
    for (std::size_t r = 0; r < tile_rows; ++r) {
      sums[r][0] = hn::Load(d, from + r * from_stride + v);
      sums[r][1] = hn::Load(d, from + r * from_stride + v + N);
    }
    const T* pa = a;
    const T* pb = b + v;
    for (std::size_t k = 0; k < n; ++k, pa += tile_rows, pb += width) {
      // Packed doubles arrive from the second cache at 8 bytes a cycle, which the processor's own prefetching does not keep up with: 35 %.
      if constexpr (sizeof(T) == 8) hwy::Prefetch(pa + 16 * tile_rows);
      const auto b0 = hn::Load(d, pb), b1 = hn::Load(d, pb + N);
#pragma GCC unroll 12
      for (std::size_t r = 0; r < tile_rows; ++r) {
        const auto x = hn::Set(d, pa[r]);
        sums[r][0] = Form::Step(sums[r][0], x, b0);
        sums[r][1] = Form::Step(sums[r][1], x, b1);
      }
    }
    visit.Open(v);
#pragma GCC unroll 12
    for (std::size_t r = 0; r < tile_rows; ++r) visit(r, v, sums[r][0], sums[r][1]);
    visit.Close(v);
  }
}

// Leaves the sums of an unfinished tile in memory.
template <class T>
struct Keep {
  T* values;  // tile_rows × width

  HWY_INLINE void Open(std::size_t) const {}
  HWY_INLINE void Close(std::size_t) const {}
  HWY_INLINE void operator()(std::size_t r, std::size_t v, Vector<T> first, Vector<T> second) const {
    const Tag<T> d;
    hn::Store(first, d, values + r * Panels<T>::width + v);
    hn::Store(second, d, values + r * Panels<T>::width + v + lanes<T>);
  }
};

// Copies `count` rows of length n side by side: packed[k · stride + r] = row r at k, zero for rows past the count. `lines` rows are
// written. Small squares are turned in registers; writing numbers one by one took 2 % of a projection of 784 coordinates.
template <std::size_t lines, std::size_t stride, class T, class RowAt>
HWY_INLINE void Interleave(const RowAt& row_at, std::size_t count, std::size_t n, T* HWY_RESTRICT packed) {
  std::size_t r = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::size_t side = 16 / sizeof(T);
  const hn::FixedTag<T, side> d;
  for (; r + side <= std::min(count, lines); r += side) {
    std::size_t k = 0;
    for (; k + side <= n; k += side) {
      T* to = packed + k * stride + r;
      const auto a = hn::LoadU(d, row_at(r) + k), b = hn::LoadU(d, row_at(r + 1) + k);
      if constexpr (side == 2) {
        hn::StoreU(hn::InterleaveLower(d, a, b), d, to);
        hn::StoreU(hn::InterleaveUpper(d, a, b), d, to + stride);
      } else {
        const auto c = hn::LoadU(d, row_at(r + 2) + k), e = hn::LoadU(d, row_at(r + 3) + k);
        const auto ab = hn::InterleaveLower(d, a, b), ce = hn::InterleaveLower(d, c, e);
        const auto ab_upper = hn::InterleaveUpper(d, a, b), ce_upper = hn::InterleaveUpper(d, c, e);
        hn::StoreU(hn::ConcatLowerLower(d, ce, ab), d, to);
        hn::StoreU(hn::ConcatUpperUpper(d, ce, ab), d, to + stride);
        hn::StoreU(hn::ConcatLowerLower(d, ce_upper, ab_upper), d, to + 2 * stride);
        hn::StoreU(hn::ConcatUpperUpper(d, ce_upper, ab_upper), d, to + 3 * stride);
      }
    }
    for (; k < n; ++k)
      for (std::size_t i = 0; i < side; ++i) packed[k * stride + r + i] = row_at(r + i)[k];
  }
#endif
  for (; r < lines; ++r)
    for (std::size_t k = 0; k < n; ++k) packed[k * stride + r] = r < count ? row_at(r)[k] : T{0};
}

// Rows of a matrix as a source of packed groups: coordinate k of all rows of the group, then k+1.
template <class T>
struct RowSource {
  Rows<const T> x;
  std::size_t dim;

  std::size_t count() const { return x.count; }
  HWY_INLINE void Pack(std::size_t first, T* HWY_RESTRICT packed) const {
    Interleave<tile_rows, tile_rows>([&](std::size_t r) { return x.row(first + r); }, std::min(tile_rows, x.count - first), dim, packed);
  }
};

// The same for panels.
template <class T>
Panels<T> PackRows(Rows<const T> rows, std::size_t dim) {
  constexpr std::size_t width = Panels<T>::width,
                        piece = 64;  // a piece of all rows of a panel at a time: its lines stay in the first cache
  Panels<T> panels(rows.count, dim);
  for (std::size_t p = 0; p < panels.count(); ++p)
    for (std::size_t k = 0; k < dim; k += piece)
      Interleave<width, width>([&](std::size_t r) { return rows.row(p * width + r) + k; }, std::min(width, rows.count - p * width),
                               std::min(piece, dim - k), panels.at(p, k));
  return panels;
}

// Columns first … of a matrix as a source of packed groups, each row times its weight.
template <class T>
struct ColumnSource {
  Rows<const T> x;
  std::size_t first_column, n_columns;
  const T* weights;  // of the rows; null: all 1

  std::size_t count() const { return n_columns; }
  HWY_INLINE void Pack(std::size_t first, T* HWY_RESTRICT packed) const {
    const std::size_t columns = std::min(tile_rows, n_columns - first);
    if (columns == tile_rows && !weights) {
      for (std::size_t k = 0; k < x.count; ++k) std::copy_n(x.row(k) + first_column + first, tile_rows, packed + k * tile_rows);
      return;
    }
    for (std::size_t k = 0; k < x.count; ++k) {
      const T* row = x.row(k) + first_column + first;
      const T weight = weights ? weights[k] : T{1};
      for (std::size_t r = 0; r < tile_rows; ++r) packed[k * tile_rows + r] = r < columns ? row[r] * weight : T{0};
    }
  }
};

// Sizes of the pieces a sweep works on. A piece of a panel, 32 KiB at most, stays in the first cache while all rows of the block pass by;
// the packed rows stay in the second. Of doubles two panels, so that a group of rows, twice as large, is fetched once for both. The sums of
// tiles wait in memory from one piece to the next.
template <class T>
struct SweepPlan {
  static constexpr std::size_t panels_at_once = sizeof(T) == 8 ? 2 : 1;
  std::size_t piece, n_pieces, groups;

  SweepPlan(std::size_t dim, std::size_t rows, std::size_t max_rows) {
    constexpr std::size_t longest = 32 * 1024 / (panels_at_once * panel_bytes), packed_bytes = 512 * 1024, max_bytes = 2048 * 1024;
    n_pieces = std::max<std::size_t>(1, ceil_div(dim, longest));
    piece = ceil_div(dim, n_pieces);
    // Long rows are packed beyond that, up to 128 of them: panels read again for fewer rows cost more.
    const std::size_t group_bytes = std::max<std::size_t>(1, dim) * tile_rows * sizeof(T);
    const std::size_t fitting = std::max(packed_bytes / group_bytes, std::min(max_bytes / group_bytes, 128 / tile_rows));
    const std::size_t wanted = (std::min(rows, max_rows) + tile_rows - 1) / tile_rows;
    groups = std::max<std::size_t>(1, std::min(fitting, wanted));
  }
};

// One piece of the coordinates of one tile: where its sums begin and, for the last piece, who gets them.
template <class T>
struct Piece {
  const T *a, *b;
  std::size_t n;
  const T* from;
  std::size_t from_stride;
};

template <class Form, class T, class Sink>
HWY_INLINE void RunPiece(const Tile<T>& tile, const Piece<T>& piece, bool last, const Keep<T>& keep, Sink& sink) {
  if (!last) {
    RunTile<Form>(piece.a, piece.b, piece.n, piece.from, piece.from_stride, keep);
  } else if (HWY_UNLIKELY(sink.Doubts(tile.group, tile.panel))) {
    RunTile<Form>(piece.a, piece.b, piece.n, piece.from, piece.from_stride, keep);
    sink.Correct(tile, keep.values);
    auto visit = sink.Visit(tile);
    RunTile<Form>(piece.a, piece.b, 0, keep.values, Panels<T>::width, visit);
  } else {
    auto visit = sink.Visit(tile);
    RunTile<Form>(piece.a, piece.b, piece.n, piece.from, piece.from_stride, visit);
  }
}

// Walks through all pairs of row groups and panels. For every block of rows: sink.Begin(first, rows, packed), then for every tile the sink
// wants RunTile with a visitor sink.Visit(tile), then sink.End(first, rows). Where sink.Doubts a tile its sums pass through sink.Correct
// first. start: what the sums begin with, one value per panel vector. At most `max_rows` rows are a block, fewer where they are long.
template <class Form, class T, class Source, class Sink>
void Sweep(const Panels<T>& panels, const Source& source, const T* start, std::size_t max_rows, Sink& sink) {
  constexpr std::size_t width = Panels<T>::width, tile_size = tile_rows * width;
  const std::size_t dim = panels.dim();
  const SweepPlan<T> plan(dim, source.count(), max_rows);
  constexpr std::size_t at_once = SweepPlan<T>::panels_at_once;
  AlignedBuffer<T> packed(plan.groups * tile_rows * dim), kept(plan.groups * at_once * tile_size);
  for (std::size_t first = 0; first < source.count(); first += plan.groups * tile_rows) {
    const std::size_t rows = std::min(plan.groups * tile_rows, source.count() - first), groups = ceil_div(rows, tile_rows);
    for (std::size_t g = 0; g < groups; ++g) source.Pack(first + g * tile_rows, packed.data() + g * tile_rows * dim);
    sink.Begin(first, rows, packed.data());
    for (std::size_t p0 = 0; p0 < panels.count(); p0 += at_once)
      for (std::size_t s = 0; s < plan.n_pieces; ++s) {
        const std::size_t k0 = s * plan.piece, n = std::min(dim, k0 + plan.piece) - k0;
        for (std::size_t g = 0; g < groups; ++g)
          for (std::size_t p = p0; p < std::min(panels.count(), p0 + at_once); ++p) {
            const std::size_t row = first + g * tile_rows;
            if (!sink.Wants(row, p)) continue;
            const Tile<T> tile{packed.data() + g * tile_rows * dim, g, row, std::min(tile_rows, first + rows - row), p};
            const Keep<T> keep{kept.data() + (g * at_once + p - p0) * tile_size};
            const Piece<T> piece{tile.packed + k0 * tile_rows, panels.at(p, k0), n, s == 0 ? start + p * width : keep.values,
                                 s == 0 ? 0 : width};
            RunPiece<Form>(tile, piece, s + 1 == plan.n_pieces, keep, sink);
          }
      }
    sink.End(first, rows);
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
