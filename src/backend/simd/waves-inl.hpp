// Waves of rows: stored, multiplied by weights, or summed over rows, without leaving the registers. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_WAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_WAVES_INL
#undef ASKRFF_BACKEND_SIMD_WAVES_INL
#else
#define ASKRFF_BACKEND_SIMD_WAVES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "backend/simd/phases-inl.hpp"
#include "backend/simd/sincos-inl.hpp"
#include "backend/simd/sparse-inl.hpp"
#include "backend/simd/structured-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What all uses of waves share.
template <class T>
class WaveSink {
 public:
  static constexpr bool writes_rows = false;

  explicit WaveSink(const Amplitudes& amplitudes) : n_(amplitudes.size()), amplitudes_(amplitudes.polar<T>()) {}

 protected:
  static constexpr std::size_t width = Panels<T>::width;

  std::size_t n_;
  const PolarAmplitudes<T>& amplitudes_;
};

// Writes waves into rows of memory.
template <class T, bool streaming>
class WaveWriter : public WaveSink<T> {
 public:
  static constexpr bool writes_rows = true;

  WaveWriter(const Amplitudes& amplitudes, Rows<T> out) : WaveSink<T>(amplitudes), out_(out) {}

  void Begin() {}
  void End(std::size_t, std::size_t) {}

  struct Visitor {
    const T *amplitude, *twice;  // of the panel
    T *cosines, *sines;          // of the first row, at the panel
    std::size_t stride, rows, columns;

    HWY_INLINE void Open(std::size_t) const {}
    HWY_INLINE void Close(std::size_t) const {}
    HWY_INLINE void operator()(std::size_t r, std::size_t v, Vector<T> first, Vector<T> second) const {
      if (r >= rows) return;
      One(r, v, first);
      One(r, v + lanes<T>, second);
    }
    HWY_INLINE void One(std::size_t r, std::size_t v, Vector<T> turns) const {
      const Tag<T> d;
      const auto half = HalfAngle(d, turns);
      const auto scaled = hn::Mul(half.sine, hn::Load(d, twice + v));
      const auto cosine = hn::NegMulAdd(scaled, half.sine, hn::Load(d, amplitude + v));
      Put(cosine, cosines + r * stride, v);
      Put(hn::Mul(scaled, half.cosine), sines + r * stride, v);
    }
    HWY_INLINE void Put(Vector<T> values, T* row, std::size_t v) const {
      const Tag<T> d;
      if constexpr (streaming) {
        hn::Stream(values, d, row + v);
      } else if (HWY_LIKELY(v + lanes<T> <= columns)) {
        hn::StoreU(values, d, row + v);
      } else if (v < columns) {
        HWY_ALIGN T buffer[lanes<T>];
        hn::Store(values, d, buffer);
        std::memcpy(row + v, buffer, (columns - v) * sizeof(T));
      }
    }
  };
  HWY_INLINE Visitor Visit(const Tile<T>& tile) const {
    const std::size_t first = tile.panel * this->width;
    T* row = out_.row(tile.first_row) + first;
    return {this->amplitudes_.amplitude.data() + first, this->amplitudes_.twice.data() + first, row, row + this->n_, out_.stride, tile.rows,
            std::min(this->width, this->n_ - first)};
  }

 private:
  Rows<T> out_;
};

// out[i] += Σ_f Φ(i,f) w_f. A vector of sums per row; its lanes are added at the end of the row. With s, c of the half angle a wave gives
// w₁cos + w₂sin = w₁ + 2s(w₂c - w₁s): 3 operations where cosine and sine by themselves would take 5; Σw₁ is the same for all rows.
template <class T>
class WaveTimes : public WaveSink<T> {
 public:
  WaveTimes(const Amplitudes& amplitudes, const T* weights, T* out)
      : WaveSink<T>(amplitudes),
        out_(out),
        cosine_weights_(this->amplitudes_.amplitude.size()),
        sine_weights_(cosine_weights_.size()),
        sums_(block_rows * lanes<T>) {
    const std::size_t n = this->n_;
    double constant = 0;
    for (std::size_t j = 0; j < cosine_weights_.size(); ++j) {
      const T amplitude = this->amplitudes_.amplitude[j];
      cosine_weights_[j] = j < n ? amplitude * weights[j] : T{0};
      sine_weights_[j] = j < n ? amplitude * weights[n + j] : T{0};
      constant += static_cast<double>(cosine_weights_[j]);
    }
    constant_ = static_cast<T>(constant);
  }

  void Begin() { std::fill_n(sums_.data(), sums_.size(), T{0}); }

  struct Visitor {
    const T *cosine_weights, *sine_weights;
    T* sums;

    HWY_INLINE void Open(std::size_t) const {}
    HWY_INLINE void Close(std::size_t) const {}
    HWY_INLINE void operator()(std::size_t r, std::size_t v, Vector<T> first, Vector<T> second) const {
      const Tag<T> d;
      T* row = sums + r * lanes<T>;
      hn::Store(Added(v + lanes<T>, second, Added(v, first, hn::Load(d, row))), d, row);
    }
    HWY_INLINE Vector<T> Added(std::size_t v, Vector<T> turns, Vector<T> sum) const {
      const Tag<T> d;
      const auto half = HalfAngle(d, turns);
      const auto sine_part = hn::Mul(half.cosine, hn::Load(d, sine_weights + v));
      return hn::MulAdd(half.sine, hn::NegMulAdd(half.sine, hn::Load(d, cosine_weights + v), sine_part), sum);
    }
  };
  HWY_INLINE Visitor Visit(const Tile<T>& tile) {
    const std::size_t first = tile.panel * this->width;
    return {cosine_weights_.data() + first, sine_weights_.data() + first, sums_.data() + tile.group * tile_rows * lanes<T>};
  }

  void End(std::size_t first, std::size_t rows) {
    const Tag<T> d;
    for (std::size_t i = 0; i < rows; ++i)
      out_[first + i] += constant_ + 2 * hn::GetLane(hn::SumOfLanes(d, hn::Load(d, sums_.data() + i * lanes<T>)));
  }

 private:
  T* out_;
  T constant_ = 0;
  AlignedBuffer<T> cosine_weights_, sine_weights_, sums_;  // weights times the amplitude
};

// out[f] += Σ_i v_i Φ(i,f): sums of T over a block of rows, then in double. Σv_i cos = Σv_i - 2Σv_i s², s of the half angle, as above.
template <class T>
class WaveSums : public WaveSink<T> {
 public:
  WaveSums(const Amplitudes& amplitudes, const T* values, double* out)
      : WaveSink<T>(amplitudes),
        values_(values),
        out_(out),
        cosine_sums_(this->amplitudes_.amplitude.size()),
        sine_sums_(cosine_sums_.size()) {}

  void Begin() {
    std::fill_n(cosine_sums_.data(), cosine_sums_.size(), T{0});
    std::fill_n(sine_sums_.data(), sine_sums_.size(), T{0});
  }

  struct Visitor {
    T *cosine_sums, *sine_sums;
    const T* values;
    std::size_t rows;
    Vector<T> cosine[2], sine[2];

    HWY_INLINE void Open(std::size_t v) {
      const Tag<T> d;
      for (std::size_t h = 0; h < 2; ++h) {
        cosine[h] = hn::Load(d, cosine_sums + v + h * lanes<T>);
        sine[h] = hn::Load(d, sine_sums + v + h * lanes<T>);
      }
    }
    HWY_INLINE void Close(std::size_t v) {
      const Tag<T> d;
      for (std::size_t h = 0; h < 2; ++h) {
        hn::Store(cosine[h], d, cosine_sums + v + h * lanes<T>);
        hn::Store(sine[h], d, sine_sums + v + h * lanes<T>);
      }
    }
    HWY_INLINE void operator()(std::size_t r, std::size_t, Vector<T> first, Vector<T> second) {
      if (r >= rows) return;
      Add(0, values[r], first);
      Add(1, values[r], second);
    }
    HWY_INLINE void Add(std::size_t h, T value, Vector<T> turns) {
      const Tag<T> d;
      const auto half = HalfAngle(d, turns);
      const auto scaled = hn::Mul(half.sine, hn::Set(d, value));
      cosine[h] = hn::NegMulAdd(scaled, half.sine, cosine[h]);
      sine[h] = hn::MulAdd(scaled, half.cosine, sine[h]);
    }
  };
  HWY_INLINE Visitor Visit(const Tile<T>& tile) {
    const Tag<T> d;
    const std::size_t first = tile.panel * this->width;
    const auto zero = hn::Zero(d);
    return {cosine_sums_.data() + first, sine_sums_.data() + first, values_ + tile.first_row, tile.rows, {zero, zero}, {zero, zero}};
  }

  void End(std::size_t first, std::size_t rows) {
    double constant = 0;
    for (std::size_t i = 0; i < rows; ++i) constant += static_cast<double>(values_[first + i]);
    for (std::size_t j = 0; j < this->n_; ++j) {
      const double amplitude = this->amplitudes_.amplitude[j];
      out_[j] += amplitude * (constant + 2 * static_cast<double>(cosine_sums_[j]));
      out_[this->n_ + j] += amplitude * 2 * static_cast<double>(sine_sums_[j]);
    }
  }

 private:
  const T* values_;
  double* out_;
  AlignedBuffer<T> cosine_sums_, sine_sums_;
};

// A sink of waves in a sweep over dense frequencies: every tile is wanted, and phases that may be too large are looked after.
template <class T, class Sink>
class DenseWaves {
 public:
  DenseWaves(const FrequencyPanels& frequencies, const Amplitudes& amplitudes, Sink& sink) : guard_(frequencies, amplitudes), sink_(sink) {}

  HWY_INLINE bool Wants(std::size_t, std::size_t) const { return true; }
  HWY_INLINE bool Doubts(std::size_t group, std::size_t panel) const { return guard_.Doubts(group, panel); }
  void Correct(const Tile<T>& tile, T* phases) const { guard_.Correct(tile, phases); }
  void Begin(std::size_t, std::size_t rows, const T* packed) {
    guard_.Measure(packed, rows);
    sink_.Begin();
  }
  HWY_INLINE auto Visit(const Tile<T>& tile) { return sink_.Visit(tile); }
  void End(std::size_t first, std::size_t rows) { sink_.End(first, rows); }

 private:
  PhaseGuard<T> guard_;
  Sink& sink_;
};

// Hands the waves of all rows to the sink, whatever kind of projection they come from and whatever kind of rows.
template <class T, class Sink>
void SweepWaves(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, std::size_t max_rows, Sink& sink) {
  if (const auto* structured = dynamic_cast<const HadamardProjection*>(&projection)) {
    SweepStructured(*structured, amplitudes, x, sink);
    return;
  }
  const auto& frequencies = static_cast<const FrequencyPanels&>(projection);
  if (x.is_sparse) {
    SweepSparse(frequencies, amplitudes, x.sparse, sink);
  } else {
    DenseWaves<T, Sink> waves(frequencies, amplitudes, sink);
    Sweep<Dot>(frequencies.panels<T>(), RowSource<T>{x.dense, frequencies.dim()}, amplitudes.polar<T>().turn.data(), max_rows, waves);
  }
}

// Past the caches only in whole aligned vectors: rows of an even number of vectors that begin on one.
template <class T>
bool MayStream(Rows<T> out, std::size_t n) {
  constexpr std::size_t bytes = lanes<T> * sizeof(T);
  return reinterpret_cast<std::uintptr_t>(out.data) % bytes == 0 && out.stride * sizeof(T) % bytes == 0 && n % Panels<T>::width == 0;
}

template <class T>
void Waves(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, Rows<T> out, Store store) {
  if (store == Store::streaming && MayStream(out, amplitudes.size())) {
    WaveWriter<T, true> sink(amplitudes, out);
    SweepWaves(projection, amplitudes, x, block_rows, sink);
    hwy::FlushStream();
  } else {
    // Few rows at a time: rows are often a power of two apart and would fight for the same few places of the cache.
    WaveWriter<T, false> sink(amplitudes, out);
    SweepWaves(projection, amplitudes, x, 24, sink);
  }
}

template <class T>
void WavesTimes(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, const T* weights, T* out) {
  WaveTimes<T> sink(amplitudes, weights, out);
  SweepWaves(projection, amplitudes, x, block_rows, sink);
}

template <class T>
void WavesTransposedTimes(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, const T* values, double* out) {
  WaveSums<T> sink(amplitudes, values, out);
  SweepWaves(projection, amplitudes, x, block_rows, sink);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
