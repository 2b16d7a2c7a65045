// Products and distances of pairs of rows, and exponentials: the dense linear algebra of the library. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_PRODUCT_INL
#undef ASKRFF_BACKEND_SIMD_PRODUCT_INL
#else
#define ASKRFF_BACKEND_SIMD_PRODUCT_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

#include "backend/simd/exp-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

struct PlainSink {
  template <class T>
  void Begin(std::size_t, std::size_t, const T*) {}
  void End(std::size_t, std::size_t) {}
  HWY_INLINE bool Doubts(std::size_t, std::size_t) const { return false; }
  template <class T>
  void Correct(const Tile<T>&, T*) const {}
};

// Puts sums into a matrix of the same type.
template <class T, Update update>
class TileWriter : public PlainSink {
 public:
  TileWriter(std::size_t columns, Rows<T> out) : columns_(columns), out_(out) {}

  HWY_INLINE bool Wants(std::size_t, std::size_t) const { return true; }

  struct Visitor {
    T* out;  // of the first row, at the panel
    std::size_t stride, rows, columns;

    HWY_INLINE void Open(std::size_t) const {}
    HWY_INLINE void Close(std::size_t) const {}
    HWY_INLINE void operator()(std::size_t r, std::size_t v, Vector<T> first, Vector<T> second) const {
      if (r >= rows) return;
      Put(out + r * stride, v, first);
      Put(out + r * stride, v + lanes<T>, second);
    }
    HWY_INLINE void Put(T* row, std::size_t v, Vector<T> sums) const {
      const Tag<T> d;
      if (HWY_LIKELY(v + lanes<T> <= columns)) {
        hn::StoreU(Updated(row + v, sums), d, row + v);
      } else if (v < columns) {
        HWY_ALIGN T buffer[lanes<T>] = {};
        std::copy(row + v, row + columns, buffer);
        hn::Store(Updated(buffer, sums), d, buffer);
        std::copy(buffer, buffer + (columns - v), row + v);
      }
    }
    static HWY_INLINE Vector<T> Updated(const T* old, Vector<T> sums) {
      const Tag<T> d;
      if constexpr (update == Update::add) return hn::Add(hn::LoadU(d, old), sums);
      if constexpr (update == Update::subtract) return hn::Sub(hn::LoadU(d, old), sums);
      return sums;
    }
  };
  HWY_INLINE Visitor Visit(const Tile<T>& tile) const {
    const std::size_t first = tile.panel * Panels<T>::width;
    return {out_.row(tile.first_row) + first, out_.stride, tile.rows, std::min(Panels<T>::width, columns_ - first)};
  }

 private:
  std::size_t columns_;
  Rows<T> out_;
};

HWY_INLINE void AddTo(Vector<double> sums, double* out) {
  const Tag<double> d;
  hn::StoreU(hn::Add(hn::LoadU(d, out), sums), d, out);
}
HWY_INLINE void AddTo(Vector<float> sums, double* out) {
#if HWY_TARGET == HWY_SCALAR
  *out += static_cast<double>(hn::GetLane(sums));
#else
  const Tag<double> wide;
  const hn::Half<Tag<float> > half;
  AddTo(hn::PromoteTo(wide, hn::LowerHalf(half, sums)), out);
  AddTo(hn::PromoteTo(wide, hn::UpperHalf(half, sums)), out + lanes<double>);
#endif
}

// Adds sums to a matrix of doubles, all of it or its upper triangle.
template <class T>
class TileAccumulator : public PlainSink {
 public:
  TileAccumulator(std::size_t first, std::size_t columns, bool upper, Rows<double> out)
      : first_(first), columns_(columns), upper_(upper), out_(out) {}

  HWY_INLINE bool Wants(std::size_t row, std::size_t panel) const { return !upper_ || (panel + 1) * Panels<T>::width > first_ + row; }

  struct Visitor {
    double* out;  // of the first row, at the panel
    std::size_t stride, rows, columns;
    std::ptrdiff_t diagonal;  // column of the diagonal in the first row; far to the left if all of the matrix is wanted

    HWY_INLINE void Open(std::size_t) const {}
    HWY_INLINE void Close(std::size_t) const {}
    HWY_INLINE void operator()(std::size_t r, std::size_t v, Vector<T> first, Vector<T> second) const {
      if (r >= rows) return;
      Put(r, v, first);
      Put(r, v + lanes<T>, second);
    }
    HWY_INLINE void Put(std::size_t r, std::size_t v, Vector<T> sums) const {
      double* row = out + r * stride + v;
      const auto begin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, diagonal + static_cast<std::ptrdiff_t>(r)));
      if (HWY_LIKELY(begin <= v && v + lanes<T> <= columns)) {
        AddTo(sums, row);
      } else {
        const Tag<T> d;
        HWY_ALIGN T buffer[lanes<T>];
        hn::Store(sums, d, buffer);
        for (std::size_t c = 0; c < lanes<T>; ++c)
          if (v + c >= begin && v + c < columns) row[c] += static_cast<double>(buffer[c]);
      }
    }
  };
  HWY_INLINE Visitor Visit(const Tile<T>& tile) const {
    const std::size_t column = tile.panel * Panels<T>::width;
    const auto diagonal = static_cast<std::ptrdiff_t>(first_ + tile.first_row) - static_cast<std::ptrdiff_t>(column);
    return {out_.row(tile.first_row) + column, out_.stride, tile.rows, std::min(Panels<T>::width, columns_ - column),
            upper_ ? diagonal : -static_cast<std::ptrdiff_t>(tile_rows)};
  }

 private:
  std::size_t first_, columns_;
  bool upper_;
  Rows<double> out_;
};

template <class Form, Update update, class T>
void SweepPairs(Rows<const T> a, Rows<const T> b, std::size_t dim, T start, Rows<T> out) {
  const Panels<T> panels = PackRows(b, dim);
  AlignedBuffer<T> starts(panels.count() * Panels<T>::width);
  std::fill_n(starts.data(), starts.size(), start);
  TileWriter<T, update> sink(b.count, out);
  Sweep<Form>(panels, RowSource<T>{a, dim}, starts.data(), block_rows, sink);
}

template <class T>
void Product(Rows<const T> a, Rows<const T> b, std::size_t n, Rows<T> out, Update update) {
  switch (update) {
    case Update::set:
      return SweepPairs<Dot, Update::set>(a, b, n, T{0}, out);
    case Update::add:
      return SweepPairs<Dot, Update::add>(a, b, n, T{0}, out);
    case Update::subtract:
      return SweepPairs<Dot, Update::subtract>(a, b, n, T{0}, out);
  }
}

template <class T>
void TransposedProduct(Rows<const T> a, Rows<const T> b, const T* weights, std::size_t b_cols, std::size_t first, bool upper,
                       Rows<double> out) {
  constexpr std::size_t width = Panels<T>::width;
  Panels<T> panels(b_cols, b.count);
  for (std::size_t p = upper ? first / width : 0; p < panels.count(); ++p) {
    const std::size_t count = std::min(width, b_cols - p * width);
    for (std::size_t k = 0; k < b.count; ++k) {
      const T* row = b.row(k) + p * width;
      T* packed = panels.at(p, k);
      std::copy_n(row, count, packed);
      std::fill(packed + count, packed + width, T{0});
    }
  }
  AlignedBuffer<T> zeros(panels.count() * width);
  std::fill_n(zeros.data(), zeros.size(), T{0});
  TileAccumulator<T> sink(first, b_cols, upper, out);
  Sweep<Dot>(panels, ColumnSource<T>{a, first, out.count, weights}, zeros.data(), block_rows, sink);
}

// One vector with stored rows. Every number is used once, so nothing is packed; four rows at a time keep the multipliers busy. The sum of a
// row, and that of a column over rows, does not depend on how rows are grouped.
inline constexpr std::size_t rows_together = 4;

template <std::size_t rows, class T>
HWY_INLINE void AddDots(Rows<const T> a, std::size_t n, const T* weights, T* out) {
  const Tag<T> d;
  constexpr std::size_t N = lanes<T>;
  Vector<T> sums[rows];
  for (std::size_t r = 0; r < rows; ++r) sums[r] = hn::Zero(d);
  std::size_t f = 0;
  for (; f + N <= n; f += N) {
    const auto weight = hn::LoadU(d, weights + f);
    for (std::size_t r = 0; r < rows; ++r) sums[r] = hn::MulAdd(hn::LoadU(d, a.row(r) + f), weight, sums[r]);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    T rest = 0;
    for (std::size_t k = f; k < n; ++k) rest += a.row(r)[k] * weights[k];
    out[r] += hn::GetLane(hn::SumOfLanes(d, sums[r])) + rest;
  }
}

template <class T>
void RowsTimes(Rows<const T> a, std::size_t n, const T* weights, T* out) {
  std::size_t i = 0;
  for (; i + rows_together <= a.count; i += rows_together) AddDots<rows_together>(a.from(i, rows_together), n, weights, out + i);
  for (; i < a.count; ++i) AddDots<1>(a.from(i, 1), n, weights, out + i);
}

template <std::size_t rows, class T>
HWY_INLINE void AddRows(Rows<const T> a, std::size_t n, const T* values, T* HWY_RESTRICT sums) {
  const Tag<T> d;
  constexpr std::size_t N = lanes<T>;
  std::size_t f = 0;
  for (; f + N <= n; f += N) {
    auto sum = hn::Load(d, sums + f);
    for (std::size_t r = 0; r < rows; ++r) sum = hn::MulAdd(hn::LoadU(d, a.row(r) + f), hn::Set(d, values[r]), sum);
    hn::Store(sum, d, sums + f);
  }
  for (; f < n; ++f)
    for (std::size_t r = 0; r < rows; ++r) sums[f] += a.row(r)[f] * values[r];
}

template <class T>
void RowsTransposedTimes(Rows<const T> a, std::size_t n, const T* values, double* out) {
  AlignedBuffer<T> sums(n);
  for (std::size_t i = 0; i < a.count;) {
    std::fill_n(sums.data(), n, T{0});
    const std::size_t end = std::min(a.count, i + block_rows);
    for (; i + rows_together <= end; i += rows_together) AddRows<rows_together>(a.from(i, rows_together), n, values + i, sums.data());
    for (; i < end; ++i) AddRows<1>(a.from(i, 1), n, values + i, sums.data());
    for (std::size_t f = 0; f < n; ++f) out[f] += static_cast<double>(sums.data()[f]);
  }
}

void Pairs(PairForm form, Rows<const double> x, Rows<const double> y, std::size_t dim, Rows<double> out) {
  switch (form) {
    case PairForm::squared:
      return SweepPairs<SquaredDistance, Update::set>(x, y, dim, 0.0, out);
    case PairForm::absolute:
      return SweepPairs<AbsoluteDistance, Update::set>(x, y, dim, 0.0, out);
    case PairForm::product:
      return SweepPairs<CauchyProduct, Update::set>(x, y, dim, 1.0, out);
  }
}

// Columns f … f + count·N - 1 of one row, sums in registers.
template <std::size_t count>
HWY_INLINE void AddSparseRow(const SparseRow<double>& a, Rows<const double> b, std::size_t f, double* HWY_RESTRICT out) {
  const Tag<double> d;
  constexpr std::size_t N = lanes<double>;
  Vector<double> sums[count];
  for (std::size_t v = 0; v < count; ++v) sums[v] = hn::Zero(d);
  for (std::size_t k = 0; k < a.size; ++k) {
    const auto value = hn::Set(d, a.values[k]);
    const double* HWY_RESTRICT row = b.row(a.columns[k]) + f;
    for (std::size_t v = 0; v < count; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(d, row + v * N), sums[v]);
  }
  for (std::size_t v = 0; v < count; ++v) hn::StoreU(sums[v], d, out + f + v * N);
}

// Fewer columns than a vector has.
HWY_INLINE void AddShortRow(const SparseRow<double>& a, Rows<const double> b, std::size_t n, double* HWY_RESTRICT out) {
  const Tag<double> d;
  HWY_ALIGN double buffer[lanes<double>] = {};
  auto sum = hn::Zero(d);
  for (std::size_t k = 0; k < a.size; ++k) {
    std::copy_n(b.row(a.columns[k]), n, buffer);
    sum = hn::MulAdd(hn::Set(d, a.values[k]), hn::Load(d, buffer), sum);
  }
  hn::Store(sum, d, buffer);
  std::copy_n(buffer, n, out);
}

void SparseProduct(SparseRows<double> a, Rows<const double> b, std::size_t n, Rows<double> out) {
  constexpr std::size_t N = lanes<double>, together = 8;
  for (std::size_t i = 0; i < a.count; ++i) {
    const SparseRow<double> row = a.row(i);
    if (n < N) {
      AddShortRow(row, b, n, out.row(i));
      continue;
    }
    std::size_t f = 0;
    for (; f + together * N <= n; f += together * N) AddSparseRow<together>(row, b, f, out.row(i));
    for (; f + N <= n; f += N) AddSparseRow<1>(row, b, f, out.row(i));
    if (f < n) AddSparseRow<1>(row, b, n - N, out.row(i));  // some columns once more, with the same bits
  }
}

void Exponentials(double* values, std::size_t n) {
  const Tag<double> d;
  constexpr std::size_t N = lanes<double>;
  std::size_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(Exponential(d, hn::LoadU(d, values + i)), d, values + i);
  if (i == n) return;
  HWY_ALIGN double rest[N] = {};
  std::copy(values + i, values + n, rest);
  hn::Store(Exponential(d, hn::Load(d, rest)), d, rest);
  std::copy(rest, rest + (n - i), values + i);
}

void Fill(float* out, std::size_t n, float value) {
  const Tag<float> d;
  constexpr std::size_t N = lanes<float>;
  std::size_t i = 0;
  while (i < n && reinterpret_cast<std::uintptr_t>(out + i) % (N * sizeof(float)) != 0) out[i++] = value;
  for (; i + N <= n; i += N) hn::Stream(hn::Set(d, value), d, out + i);
  while (i < n) out[i++] = value;
  hwy::FlushStream();
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
