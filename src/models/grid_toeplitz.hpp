// Linear algebra of ridge regression on a grid: spectra of real functions, and the block Toeplitz matrix of normal equations.
#pragma once

#include <cstddef>
#include <functional>
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

  /// this += factor · other.
  void add(double factor, const Spectrum& other);
  /// Mode by mode.
  void multiply(std::span<const double> factors);
};

/// Σ over all modes, both signs, of the real part of conj(a)·b.
double inner_product(const Spectrum& a, const Spectrum& b, const nufft::GridShape& shape);
/// The modes of a transform.
void copy_modes(nufft::GridTransform<double>& transform, const nufft::GridShape& shape, Spectrum& modes);

/// (T v)_n = Σ_m t_{n-m} v_m for n, m within `half`, t a spectrum of twice as many modes to each side: a product with the real function of
/// t, its symbol, on cells so many that nothing wraps around. Immutable.
class ToeplitzPlan {
 public:
  /// half: of v, for each dimension.
  explicit ToeplitzPlan(const std::vector<std::size_t>& half);

  const nufft::GridShape& shape() const { return plan_.shape(); }
  const nufft::GridShape& double_shape() const { return double_plan_.shape(); }
  const nufft::GridPlan<double>& plan() const { return plan_; }
  /// The function of t at the cells.
  std::vector<double> symbol(const Spectrum& t, const Execution& execution) const;

 private:
  nufft::GridPlan<double> plan_, double_plan_;
};

/// The equations (D (T - t tᴴ/W) D + λ) w = D r, D the diagonal of the roots; without a bias t tᴴ/W is left out. Memory for their products
/// comes with them.
class NormalSystem {
 public:
  /// t: within `half`, t_0 the weight W of all rows.
  NormalSystem(const ToeplitzPlan& plan, std::vector<double> symbol, Spectrum t, std::span<const double> roots, bool bias,
               const Execution& execution);

  /// Conjugate gradients: `scaled_right` is D r, w where they begin and what they find. Ends when the residual is below `tolerance` times
  /// the right side, or after max_steps: then it returns false. Now and then it calls `listener`, if there is one, with how much of the way
  /// to the tolerance is done, in digits. Throws Stopped.
  bool solve(double ridge, const Spectrum& scaled_right, Spectrum& w, double tolerance, std::size_t max_steps,
             const std::function<void(double)>& listener = {});
  /// out = T v.
  void times_toeplitz(const Spectrum& v, Spectrum& out);

 private:
  void times(double ridge, const Spectrum& w, Spectrum& out);

  const ToeplitzPlan& plan_;
  std::vector<double> symbol_;
  std::span<const double> roots_;
  double weight_;
  Spectrum centre_;  // D t/√W; empty without a bias
  nufft::GridTransform<double> transform_;
  Spectrum scaled_, r_, z_, p_, q_;
  StopToken stop_;
};

}  // namespace askrff::models
