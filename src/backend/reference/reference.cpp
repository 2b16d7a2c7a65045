// The reference backend: plain loops, written to be read, and the judge of every faster one. Computes in double, rounds once.
// Error of a wave: (dim + 2)/2 · 2^-52 · Σ|ω_k x_k| in the phase, 1 ulp of libm in cos and sin; valid for every finite phase.
#include <cmath>

#include "backend/backend.hpp"

namespace askrff::backend {
namespace {

template <class T>
void waves(const T* x, std::size_t rows, std::size_t x_stride, const WaveBlock& waves, T* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < rows; ++i) {
    const T* point = x + i * x_stride;
    T* row = out + i * out_stride;
    for (std::size_t j = 0; j < waves.n; ++j) {
      const double* omega = waves.frequencies + j * waves.dim;
      double phase = 0;
      for (std::size_t k = 0; k < waves.dim; ++k) phase += omega[k] * static_cast<double>(point[k]);
      const double cosine = std::cos(phase), sine = std::sin(phase);
      row[j] = static_cast<T>(waves.along[j] * cosine - waves.across[j] * sine);
      row[waves.n + j] = static_cast<T>(waves.along[j] * sine + waves.across[j] * cosine);
    }
  }
}

// Tiles of 4 × 4 sums at a time: sixteen independent additions hide the latency of one, and every sum still runs in the order of f.
constexpr std::size_t tile = 4;

void product(const double* a, std::size_t a_rows, std::size_t a_stride, const double* b, std::size_t b_rows, std::size_t b_stride,
             std::size_t n, double* out, std::size_t out_stride) {
  for (std::size_t i = 0; i < a_rows; i += tile)
    for (std::size_t j = 0; j < b_rows; j += tile) {
      const std::size_t height = a_rows - i < tile ? a_rows - i : tile, width = b_rows - j < tile ? b_rows - j : tile;
      double sums[tile][tile] = {};
      // Rows past the end repeat the last one, so that the inner loops have fixed lengths.
      const double *rows[tile], *columns[tile];
      for (std::size_t t = 0; t < tile; ++t) {
        rows[t] = a + (i + (t < height ? t : height - 1)) * a_stride;
        columns[t] = b + (j + (t < width ? t : width - 1)) * b_stride;
      }
      for (std::size_t f = 0; f < n; ++f)
        for (std::size_t p = 0; p < tile; ++p)
          for (std::size_t q = 0; q < tile; ++q) sums[p][q] += rows[p][f] * columns[q][f];
      for (std::size_t p = 0; p < height; ++p)
        for (std::size_t q = 0; q < width; ++q) out[(i + p) * out_stride + j + q] = sums[p][q];
    }
}

}  // namespace

const Primitives& reference_primitives() {
  static constexpr Primitives primitives{"reference", waves<float>, waves<double>, product};
  return primitives;
}

}  // namespace askrff::backend
