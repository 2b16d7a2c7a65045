// Several vectors side by side as if they were one: a chain of dependent instructions leaves the processor idle, several of them do not.
// Functions that call Highway's operations without its namespace take a vector or a pack, with the same bits. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_PACK_INL
#undef ASKRFF_BACKEND_SIMD_PACK_INL
#else
#define ASKRFF_BACKEND_SIMD_PACK_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Their constructors are written out because those the compiler makes do not have the target's attributes, and GCC then refuses to inline
// NEON's vectors into them.
template <std::size_t n>
struct Pack {
  HWY_INLINE Pack() {}
  Vector<double> part[n];
};
template <std::size_t n>
struct PackMask {
  HWY_INLINE PackMask() {}
  decltype(hn::Eq(Vector<double>(), Vector<double>())) part[n];
};
/// In the place of Highway's tag.
template <std::size_t n>
struct PackTag {};

#define ASKRFF_FOR_PARTS(VALUE)                                                       \
  _Pragma("GCC unroll 8") for (std::size_t p = 0; p < n; ++p) result.part[p] = VALUE; \
  return result

template <std::size_t n>
HWY_INLINE Pack<n> Set(PackTag<n>, double value) {
  Pack<n> result;
  ASKRFF_FOR_PARTS(hn::Set(Tag<double>(), value));
}

#define ASKRFF_PACK_1(NAME)                   \
  template <std::size_t n>                    \
  HWY_INLINE Pack<n> NAME(const Pack<n>& a) { \
    Pack<n> result;                           \
    ASKRFF_FOR_PARTS(hn::NAME(a.part[p]));    \
  }
#define ASKRFF_PACK_2(NAME, RESULT)                               \
  template <std::size_t n>                                        \
  HWY_INLINE RESULT<n> NAME(const Pack<n>& a, const Pack<n>& b) { \
    RESULT<n> result;                                             \
    ASKRFF_FOR_PARTS(hn::NAME(a.part[p], b.part[p]));             \
  }
#define ASKRFF_PACK_3(NAME, FIRST)                                                 \
  template <std::size_t n>                                                         \
  HWY_INLINE Pack<n> NAME(const FIRST<n>& a, const Pack<n>& b, const Pack<n>& c) { \
    Pack<n> result;                                                                \
    ASKRFF_FOR_PARTS(hn::NAME(a.part[p], b.part[p], c.part[p]));                   \
  }
ASKRFF_PACK_1(Abs)
ASKRFF_PACK_2(Add, Pack)
ASKRFF_PACK_2(Sub, Pack)
ASKRFF_PACK_2(Mul, Pack)
ASKRFF_PACK_2(Div, Pack)
ASKRFF_PACK_2(Min, Pack)
ASKRFF_PACK_2(Max, Pack)
ASKRFF_PACK_2(CopySign, Pack)
ASKRFF_PACK_2(Lt, PackMask)
ASKRFF_PACK_2(Eq, PackMask)
ASKRFF_PACK_3(MulAdd, Pack)
ASKRFF_PACK_3(NegMulAdd, Pack)
ASKRFF_PACK_3(IfThenElse, PackMask)
#undef ASKRFF_PACK_1
#undef ASKRFF_PACK_2
#undef ASKRFF_PACK_3

// Of bits: 2^52 times the unsigned number that a double's bits are, and a double's upper 37 bits.
template <class D, class V>
HWY_INLINE V ShiftedToExponent(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(bits, x)));
}
template <std::size_t n>
HWY_INLINE Pack<n> ShiftedToExponent(PackTag<n>, const Pack<n>& x) {
  Pack<n> result;
  ASKRFF_FOR_PARTS(ShiftedToExponent(Tag<double>(), x.part[p]));
}
template <class D, class V>
HWY_INLINE V UpperBits(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  return hn::And(x, hn::BitCast(d, hn::Set(bits, ~((std::uint64_t{1} << 27) - 1))));
}
template <std::size_t n>
HWY_INLINE Pack<n> UpperBits(PackTag<n>, const Pack<n>& x) {
  Pack<n> result;
  ASKRFF_FOR_PARTS(UpperBits(Tag<double>(), x.part[p]));
}
template <std::size_t n>
HWY_INLINE bool AllTrue(PackTag<n>, PackMask<n> mask) {
  bool all = true;
  for (std::size_t p = 0; p < n; ++p) all = all && hn::AllTrue(Tag<double>(), mask.part[p]);
  return all;
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
