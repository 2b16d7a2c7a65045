// Fast Fourier transforms of lines that lie side by side, so that every number is a vector: Stockham's steps of radix 2 to 5, no bits
// reversed, no shuffles. Compiled once per target.
//
// Written by hand because libraries transform one line at a time (KissFFT, Eigen's) or are compiled for one instruction set (pocketfft),
// and because a caller that has the lines in its hands needs not all of the numbers before and after.
#if defined(ASKRFF_BACKEND_SIMD_FOURIER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_FOURIER_INL
#undef ASKRFF_BACKEND_SIMD_FOURIER_INL
#else
#define ASKRFF_BACKEND_SIMD_FOURIER_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "backend/grid.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Complex {
  HWY_INLINE Complex() {}  // written out: see Pack
  HWY_INLINE Complex(Vector<T> real, Vector<T> imaginary) : re(real), im(imaginary) {}
  Vector<T> re, im;
};
template <class T>
HWY_INLINE Complex<T> Plus(Complex<T> a, Complex<T> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Complex<T> Minus(Complex<T> a, Complex<T> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
// a + s·b, s a number.
template <class T>
HWY_INLINE Complex<T> PlusTimes(Complex<T> a, T s, Complex<T> b) {
  const Tag<T> d;
  const auto factor = hn::Set(d, s);
  return {hn::MulAdd(factor, b.re, a.re), hn::MulAdd(factor, b.im, a.im)};
}
// a ∓ i·b, as two numbers: the one with -i first.
template <class T>
HWY_INLINE void PlusMinusTurned(Complex<T> a, Complex<T> b, Complex<T>& minus_i, Complex<T>& plus_i) {
  minus_i = {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
  plus_i = {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

// y_t = Σ_k x_k e^{-2πi·kt/radix}, in place.
template <std::size_t radix, class T>
HWY_INLINE void SmallTransform(Complex<T>* HWY_RESTRICT x) {
  if constexpr (radix == 2) {
    const auto sum = Plus<T>(x[0], x[1]);
    x[1] = Minus<T>(x[0], x[1]);
    x[0] = sum;
  } else if constexpr (radix == 3) {
    constexpr T half = T(0.5), sine = T(0.86602540378443864676);
    const auto sum = Plus<T>(x[1], x[2]), difference = Minus<T>(x[1], x[2]);
    const auto middle = PlusTimes<T>(x[0], -half, sum);
    const Complex<T> turned = {hn::Mul(hn::Set(Tag<T>(), sine), difference.re), hn::Mul(hn::Set(Tag<T>(), sine), difference.im)};
    x[0] = Plus<T>(x[0], sum);
    PlusMinusTurned<T>(middle, turned, x[1], x[2]);
  } else if constexpr (radix == 4) {
    const auto s02 = Plus<T>(x[0], x[2]), d02 = Minus<T>(x[0], x[2]), s13 = Plus<T>(x[1], x[3]), d13 = Minus<T>(x[1], x[3]);
    x[0] = Plus<T>(s02, s13);
    x[2] = Minus<T>(s02, s13);
    PlusMinusTurned<T>(d02, d13, x[1], x[3]);
  } else {
    constexpr T c1 = T(0.30901699437494742410), c2 = T(-0.80901699437494742410), s1 = T(0.95105651629515357212),
                s2 = T(0.58778525229247312917);
    const auto s14 = Plus<T>(x[1], x[4]), d14 = Minus<T>(x[1], x[4]), s23 = Plus<T>(x[2], x[3]), d23 = Minus<T>(x[2], x[3]);
    const Tag<T> d;
    const auto first = PlusTimes<T>(PlusTimes<T>(x[0], c1, s14), c2, s23), second = PlusTimes<T>(PlusTimes<T>(x[0], c2, s14), c1, s23);
    const Complex<T> s14_turned = {hn::Mul(hn::Set(d, s1), d14.re), hn::Mul(hn::Set(d, s1), d14.im)};
    const Complex<T> s23_turned = {hn::Mul(hn::Set(d, s2), d14.re), hn::Mul(hn::Set(d, s2), d14.im)};
    const auto turned_first = PlusTimes<T>(s14_turned, s2, d23), turned_second = PlusTimes<T>(s23_turned, -s1, d23);
    x[0] = Plus<T>(x[0], Plus<T>(s14, s23));
    PlusMinusTurned<T>(first, turned_first, x[1], x[4]);
    PlusMinusTurned<T>(second, turned_second, x[2], x[3]);
  }
}

template <class T>
HWY_INLINE Complex<T> Turned(Complex<T> x, std::complex<T> turn) {
  const Tag<T> d;
  const auto re = hn::Set(d, turn.real()), im = hn::Set(d, turn.imag());
  return {hn::NegMulAdd(x.im, im, hn::Mul(x.re, re)), hn::MulAdd(x.im, re, hn::Mul(x.re, im))};
}

// One step, from x to y: with s = stride and m = count, y[q + s·(radix·p + t)] = e^{-2πi·pt/(radix·m)} Σ_k x[q + s·(p + m·k)]
// e^{-2πi·kt/radix}.
template <std::size_t radix, class T>
void TransformStep(const FourierStep<T>& step, const T* HWY_RESTRICT re, const T* HWY_RESTRICT im, T* HWY_RESTRICT to_re,
                   T* HWY_RESTRICT to_im) {
  const Tag<T> d;
  constexpr std::size_t lines = fourier_lines<T>;
  const std::size_t s = step.stride, m = step.count;
  for (std::size_t p = 0; p < m; ++p) {
    const std::complex<T>* const turns = step.turns.data() + p * (radix - 1);
    for (std::size_t q = 0; q < s; ++q)
      for (std::size_t v = 0; v < lines; v += lanes<T>) {
        Complex<T> x[radix];
#pragma GCC unroll 5
        for (std::size_t k = 0; k < radix; ++k) {
          const std::size_t from = (q + s * (p + m * k)) * lines + v;
          x[k] = {hn::Load(d, re + from), hn::Load(d, im + from)};
        }
        SmallTransform<radix, T>(x);
#pragma GCC unroll 5
        for (std::size_t t = 0; t < radix; ++t) {
          const std::size_t to = (q + s * (radix * p + t)) * lines + v;
          const Complex<T> y = t == 0 || p == 0 ? x[t] : Turned<T>(x[t], turns[t - 1]);
          hn::Store(y.re, d, to_re + to);
          hn::Store(y.im, d, to_im + to);
        }
      }
  }
}

template <class T>
void TransformLines(const FourierLine<T>& line, T* re, T* im, T* work) {
  const std::size_t size = line.n * fourier_lines<T>;
  T *from_re = re, *from_im = im, *to_re = work, *to_im = work + size;
  for (const FourierStep<T>& step : line.steps) {
    switch (step.radix) {
      case 2:
        TransformStep<2, T>(step, from_re, from_im, to_re, to_im);
        break;
      case 3:
        TransformStep<3, T>(step, from_re, from_im, to_re, to_im);
        break;
      case 4:
        TransformStep<4, T>(step, from_re, from_im, to_re, to_im);
        break;
      default:
        TransformStep<5, T>(step, from_re, from_im, to_re, to_im);
    }
    std::swap(from_re, to_re);
    std::swap(from_im, to_im);
  }
  if (from_re == re) return;
  std::copy_n(from_re, size, re);
  std::copy_n(from_im, size, im);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
