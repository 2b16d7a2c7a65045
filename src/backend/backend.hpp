// THE seam for speed: a handful of primitives on plain pointers, one table of them per backend. Everything hot goes through here.
#pragma once

#include <cstddef>
#include <string_view>

#include "askrff/backend.hpp"

namespace askrff::backend {

/// n frequencies (row j at frequencies + j·dim, radians) with the amplitudes of their waves.
struct WaveBlock {
  const double* frequencies = nullptr;
  const double* along = nullptr;   ///< n
  const double* across = nullptr;  ///< n
  std::size_t n = 0, dim = 0;
};

/// For every row i and wave j, with u = ω_j·x_i:
///   out(i, j)     = along_j cos u - across_j sin u
///   out(i, n + j) = along_j sin u + across_j cos u
/// x and out may not overlap. Each output depends on its own row and wave only: the same bits for any blocking.
template <class T>
using WavesFunction = void (*)(const T* x, std::size_t rows, std::size_t x_stride, const WaveBlock& waves, T* out, std::size_t out_stride);

/// out(i, j) = Σ_f a(i, f) b(j, f), summed in the order of f.
using ProductFunction = void (*)(const double* a, std::size_t a_rows, std::size_t a_stride, const double* b, std::size_t b_rows,
                                 std::size_t b_stride, std::size_t n, double* out, std::size_t out_stride);

struct Primitives {
  std::string_view name;
  WavesFunction<float> waves_float;
  WavesFunction<double> waves_double;
  ProductFunction product;
};

/// The primitives of a backend; automatic: what ASKRFF_BACKEND names, else the best there is. Throws std::invalid_argument for an unknown
/// name.
const Primitives& select(Backend backend);

const Primitives& reference_primitives();

}  // namespace askrff::backend
