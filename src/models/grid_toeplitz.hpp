// Linear algebra of ridge regression on a grid: spectra of real functions, and the block Toeplitz matrix of normal equations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "nufft/grid_transform.hpp"

namespace askrff::models {

/// Modes of a real function, those that GridShape keeps, in its order.
struct Spectrum {
  std::vector<double> re, im;

  explicit Spectrum(std::size_t n = 0) : re(n), im(n) {}
  std::size_t size() const { return re.size(); }
};

/// Σ over all modes, both signs, of the real part of conj(a)·b.
double inner_product(const Spectrum& a, const Spectrum& b, const nufft::GridShape& shape);
/// a += factor · b.
void add_scaled(Spectrum& a, double factor, const Spectrum& b);
/// The modes of a transform, and back.
Spectrum modes_of(nufft::GridTransform<double>& transform, const nufft::GridShape& shape);
void put_modes(const Spectrum& modes, nufft::GridTransform<double>& transform, const nufft::GridShape& shape);

/// (T v)_n = Σ_m t_{n-m} v_m for n, m within `half`, t a spectrum of twice as many modes to each side: a product with the real function of
/// t on cells so many that nothing wraps around.
class ToeplitzMatrix {
 public:
  /// half: of v, for each dimension.
  ToeplitzMatrix(const std::vector<std::size_t>& half, const Execution& execution);

  const nufft::GridShape& shape() const { return plan_.shape(); }
  const nufft::GridShape& double_shape() const { return double_plan_.shape(); }
  /// The function of t at the cells.
  std::vector<double> symbol(const Spectrum& t) const;
  Spectrum times(std::span<const double> symbol, const Spectrum& v) const;

 private:
  nufft::GridPlan<double> plan_, double_plan_;
  Execution execution_;
};

/// Solves (D T D + λ) w = right by conjugate gradients, D the diagonal of the roots; w is where they begin and what they find. Returns the
/// number of steps.
struct NormalSystem {
  const ToeplitzMatrix& toeplitz;
  std::span<const double> symbol;
  std::span<const double> roots;  ///< of the weights of the modes
  double total_weight = 0;        ///< t_0
  double ridge = 0;

  Spectrum times(const Spectrum& w) const;
  std::size_t solve(const Spectrum& right, Spectrum& w, double residual, std::size_t max_steps, const StopToken& stop,
                    bool& converged) const;
};

}  // namespace askrff::models
