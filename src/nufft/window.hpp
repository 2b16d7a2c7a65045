// The window of non-uniform transforms: what a point is spread with, and what its transform takes out again.
#pragma once

#include <cstddef>
#include <vector>

#include "askrff/execution.hpp"
#include "backend/grid.hpp"
#include "core/aligned.hpp"

namespace askrff::nufft {

/// exp(β(√(1-z²) - 1)) for |z| ≤ 1, stretched over `width` cells; β = 2.3·width suits grids of twice as many cells as modes. With it sums
/// over points have a relative error of about 10^(1-width), measured in the root mean square of all modes.
template <class T>
class Window {
 public:
  /// The smallest that gives the tolerance; its best is 1e-14 for double and 1e-6 for float.
  explicit Window(double tolerance);

  std::size_t width() const { return width_; }
  backend::GridWindow<T> view() const { return {coefficients_.data(), width_, degree_}; }
  /// ∫ window(x) cos(2πkx/n) dx, x in cells, for k = 0 … count - 1, at most n/4. Throws Stopped.
  std::vector<double> transform(std::size_t n_cells, std::size_t count, const StopToken& stop = {}) const;

 private:
  double value(double z) const;

  std::size_t width_, degree_;
  double beta_;
  AlignedBuffer<T> coefficients_;
};

extern template class Window<float>;
extern template class Window<double>;

}  // namespace askrff::nufft
