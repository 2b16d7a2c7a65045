// The fast transform of one row: x → scales · H D₃ H D₂ H D₁ x + start. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_HADAMARD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_HADAMARD_INL
#undef ASKRFF_BACKEND_SIMD_HADAMARD_INL
#else
#define ASKRFF_BACKEND_SIMD_HADAMARD_INL
#endif

#include <hwy/highway.h>

#include "backend/simd/hadamard.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// A Hadamard matrix of size 2^p is p stages, one per bit of the index, of sums and differences of pairs that differ in that bit. Stages of
// one matrix commute: bits within a vector, among vectors side by side and among vectors far apart come in whatever order saves most
// loads and stores.

// -1 where the bit `stride` of the lane's number is set, else +1.
template <class T, std::size_t stride>
struct LaneSigns {
  alignas(64) T values[lanes<T>] = {};
  constexpr LaneSigns() {
    for (std::size_t lane = 0; lane < lanes<T>; ++lane) values[lane] = (lane & stride) != 0 ? T{-1} : T{1};
  }
};
template <class T, std::size_t stride>
inline constexpr LaneSigns<T, stride> lane_signs{};

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE Vector<T> WithinVector(Vector<T> v) {
  return v;
}
#else
// Lane l ← lane l ^ stride.
template <class T, std::size_t stride>
HWY_INLINE Vector<T> Swapped(Vector<T> v) {
  constexpr std::size_t bytes = stride * sizeof(T);
  if constexpr (bytes == 4)
    return hn::Shuffle2301(v);
  else if constexpr (bytes == 8 && sizeof(T) == 4)
    return hn::Shuffle1032(v);
  else if constexpr (bytes == 8)
    return hn::Shuffle01(v);
  else if constexpr (bytes == 16)
    return hn::SwapAdjacentBlocks(v);
  else
    return hn::ConcatLowerUpper(Tag<T>(), v, v);
}

// The stages within a vector. Products with ±1 are exact, so that a stage rounds once with or without fused multiply-add.
template <class T, std::size_t stride = 1>
HWY_INLINE Vector<T> WithinVector(Vector<T> v) {
  if constexpr (stride < lanes<T>) {
    static_assert(stride * sizeof(T) <= 32, "vectors of more than 64 bytes need another swap");
    const auto signs = hn::Load(Tag<T>(), lane_signs<T, stride>.values);
    return WithinVector<T, 2 * stride>(hn::MulAdd(v, signs, Swapped<T, stride>(v)));
  } else {
    return v;
  }
}
#endif

// Up to 8 vectors in registers, `gap` elements apart in memory, and the stages among them.
template <class T, std::size_t n>
struct Bundle {
  HWY_INLINE Bundle() {}  // written out: the target's attributes do not reach one that the compiler makes
  Vector<T> v[n];

  HWY_INLINE void Load(const T* from, std::size_t gap) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) v[i] = hn::Load(Tag<T>(), from + i * gap);
  }
  HWY_INLINE void Store(T* to, std::size_t gap) const {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) hn::Store(v[i], Tag<T>(), to + i * gap);
  }
  HWY_INLINE void StoreScaled(const T* scales, const T* start, T* to, std::size_t gap) const {
    const Tag<T> d;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i)
      hn::Store(hn::MulAdd(v[i], hn::Load(d, scales + i * gap), hn::Load(d, start + i * gap)), d, to + i * gap);
  }
  HWY_INLINE void Times(const T* diagonal, std::size_t gap) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) v[i] = hn::Mul(v[i], hn::Load(Tag<T>(), diagonal + i * gap));
  }
  HWY_INLINE void Within() {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) v[i] = WithinVector<T>(v[i]);
  }
  template <std::size_t half = 1>
  HWY_INLINE void Among() {
    if constexpr (half < n) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < n; ++i) {
        if ((i & half) != 0) continue;
        const auto a = v[i], b = v[i + half];
        v[i] = hn::Add(a, b);
        v[i + half] = hn::Sub(a, b);
      }
      Among<2 * half>();
    }
  }
};

inline constexpr std::size_t bundle = 8;  // 8 vectors and their temporaries fit into 16 registers

// What a block's transform reads and writes; all on vectors, all of padded_dim elements but the diagonals, which are three times as many.
template <class T>
struct BlockRow {
  const T *x, *diagonals, *scales, *start;
  std::size_t padded_dim;
  T* out;  // also the work space
};

// A block of n ≤ 8 vectors never leaves the registers.
template <class T, std::size_t n>
void TransformInRegisters(const BlockRow<T>& row) {
  constexpr std::size_t N = lanes<T>;
  Bundle<T, n> all;
  all.Load(row.x, N);
  for (std::size_t round = 0; round < 3; ++round) {
    all.Times(row.diagonals + round * row.padded_dim, N);
    all.Within();
    all.Among();
  }
  all.StoreScaled(row.scales, row.start, row.out, N);
}

// The stages of pairs `stride` to n/2 · stride elements apart, in place.
template <class T, std::size_t n>
HWY_INLINE void DistantPass(T* values, std::size_t size, std::size_t stride) {
  for (std::size_t first = 0; first < size; first += n * stride)
    for (std::size_t k = first; k < first + stride; k += lanes<T>) {
      Bundle<T, n> apart;
      apart.Load(values + k, stride);
      apart.Among();
      apart.Store(values + k, stride);
    }
}
// The stages of all pairs `stride` or more elements apart.
template <class T>
HWY_INLINE void Distant(T* values, std::size_t size, std::size_t stride) {
  for (; stride * 8 <= size; stride *= 8) DistantPass<T, 8>(values, size, stride);
  if (stride * 4 == size) DistantPass<T, 4>(values, size, stride);
  if (stride * 2 == size) DistantPass<T, 2>(values, size, stride);
}

// Longer blocks in four passes: bits of vectors side by side (near) and bits above those (far) take turns at being last of one matrix and
// first of the next. Bits above both, if any, are passes of their own in between.
template <class T, std::size_t far>
void TransformInPasses(const BlockRow<T>& row) {
  constexpr std::size_t N = lanes<T>, gap = bundle * N;
  const std::size_t size = row.padded_dim;
  const T *second = row.diagonals + size, *third = second + size;
  for (std::size_t k = 0; k < size; k += gap) {
    Bundle<T, bundle> near;
    near.Load(row.x + k, N);
    near.Times(row.diagonals + k, N);
    near.Within();
    near.Among();
    near.Store(row.out + k, N);
  }
  Distant(row.out, size, far * gap);
  for (std::size_t first = 0; first < size; first += far * gap)
    for (std::size_t k = first; k < first + gap; k += N) {
      Bundle<T, far> apart;
      apart.Load(row.out + k, gap);
      apart.Among();
      apart.Times(second + k, gap);
      apart.Within();
      apart.Among();
      apart.Store(row.out + k, gap);
    }
  Distant(row.out, size, far * gap);
  for (std::size_t k = 0; k < size; k += gap) {
    Bundle<T, bundle> near;
    near.Load(row.out + k, N);
    near.Among();
    near.Times(third + k, N);
    near.Within();
    near.Among();
    near.Store(row.out + k, N);
  }
  Distant(row.out, size, far * gap);
  for (std::size_t first = 0; first < size; first += far * gap)
    for (std::size_t k = first; k < first + gap; k += N) {
      Bundle<T, far> apart;
      apart.Load(row.out + k, gap);
      apart.Among();
      apart.StoreScaled(row.scales + k, row.start + k, row.out + k, gap);
    }
}

template <class T>
using Transform = void (*)(const BlockRow<T>&);

template <class T>
Transform<T> TransformOf(std::size_t padded_dim) {
  switch (padded_dim / lanes<T>) {
    case 1:
      return TransformInRegisters<T, 1>;
    case 2:
      return TransformInRegisters<T, 2>;
    case 4:
      return TransformInRegisters<T, 4>;
    case 8:
      return TransformInRegisters<T, 8>;
    case 16:
      return TransformInPasses<T, 2>;
    case 32:
      return TransformInPasses<T, 4>;
    default:
      return TransformInPasses<T, 8>;
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
