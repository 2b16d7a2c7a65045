// Rows packed into panels: the order in which a register tile reads them. The same for every target.
#pragma once

#include <cstddef>
#include <vector>

#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/aligned.hpp"

namespace askrff::backend::simd {

/// n vectors of length `dim` in panels of panel_width: coordinate k of the panel's vectors side by side, then coordinate k+1. Vectors past
/// the n-th are zero.
template <class T>
class Panels {
 public:
  Panels() = default;
  Panels(std::size_t n, std::size_t dim) : n_(n), dim_(dim), count_(ceil_div(n, width)), values_(count_ * dim * width) {}

  static constexpr std::size_t width = panel_width<T>;

  std::size_t n() const { return n_; }
  std::size_t dim() const { return dim_; }
  std::size_t count() const { return count_; }
  /// Coordinate k of panel p.
  T* at(std::size_t p, std::size_t k = 0) { return values_.data() + (p * dim_ + k) * width; }
  const T* at(std::size_t p, std::size_t k = 0) const { return values_.data() + (p * dim_ + k) * width; }

 private:
  std::size_t n_ = 0, dim_ = 0, count_ = 0;
  AlignedBuffer<T> values_;
};

/// Panels of the rows of a matrix; value(row, k) gives its entries.
template <class T, class Value>
Panels<T> pack_panels(std::size_t n, std::size_t dim, const Value& value) {
  Panels<T> panels(n, dim);
  constexpr std::size_t width = Panels<T>::width, tile = 16;  // square tiles: both sides stay in cache while they are turned
  for (std::size_t p = 0; p < panels.count(); ++p)
    for (std::size_t first = 0; first < dim; first += tile)
      for (std::size_t lane = 0; lane < width; ++lane) {
        const std::size_t row = p * width + lane, end = first + tile < dim ? first + tile : dim;
        for (std::size_t k = first; k < end; ++k) panels.at(p, k)[lane] = row < n ? value(row, k) : T{0};
      }
  return panels;
}

/// Frequencies in turns (ω/2π), where reducing a phase to one period is u - round(u), exact.
class FrequencyPanels final : public Projection {
 public:
  explicit FrequencyPanels(MatrixView<const double> frequencies);

  std::size_t n() const { return in_double.n(); }
  std::size_t dim() const { return in_double.dim(); }
  template <class T>
  const Panels<T>& panels() const {
    if constexpr (sizeof(T) == sizeof(float))
      return in_float;
    else
      return in_double;
  }

  Panels<float> in_float;
  Panels<double> in_double;
  /// Σ_k |ω_jk|/2π, padded with zeros; |phase| ≤ this · max|x|. Infinite where float cannot hold the frequency.
  std::vector<double> reach;
  std::vector<double> panel_reach;  ///< the largest of each panel of floats
};

}  // namespace askrff::backend::simd
