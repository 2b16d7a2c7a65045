// Products with a Toeplitz matrix by Fourier transforms, and conjugate gradients on them.
#include "models/grid_toeplitz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nufft/fourier_line.hpp"

namespace askrff::models {
namespace {

constexpr std::size_t n_looked_back = 16;  // steps the error is estimated by

/// Cells for products of functions of `half` and twice `half` modes, of which `half` are wanted: those beyond wrap around outside them.
nufft::GridShape shape_of(const std::vector<std::size_t>& half, std::size_t times) {
  nufft::GridShape shape{half.size()};
  for (std::size_t k = 0; k < half.size(); ++k) {
    const std::size_t axis = 3 - half.size() + k;
    shape.half[axis] = times * half[k];
    shape.cells[axis] = nufft::smooth_size(4 * half[k] + 2);
  }
  return shape;
}

/// Calls visit(row of real parts, row of imaginary parts, place of its first mode) for all rows of modes.
template <class Visit>
void for_each_row(nufft::GridTransform<double>& transform, const nufft::GridShape& shape, const Visit& visit) {
  for (std::size_t a = 0, at = 0; a < shape.modes(0); ++a)
    for (std::size_t b = 0; b < shape.modes(1); ++b, at += shape.modes(2)) visit(transform.re(a, b), transform.im(a, b), at);
}

/// Calls visit(row of cells, place of its first).
template <class Visit>
void for_each_cell_row(nufft::GridTransform<double>& transform, const nufft::GridPlan<double>& plan, const Visit& visit) {
  const auto cells = transform.cells();
  const nufft::GridShape& shape = plan.shape();
  for (std::size_t a = 0, at = 0; a < shape.cells[0]; ++a)
    for (std::size_t b = 0; b < shape.cells[1]; ++b, at += shape.cells[2])
      visit(cells.data + plan.borders().first_cell() + a * cells.strides[0] + b * cells.strides[1], at);
}

void put_modes(const Spectrum& modes, nufft::GridTransform<double>& transform, const nufft::GridShape& shape) {
  for_each_row(transform, shape, [&](double* re, double* im, std::size_t at) {
    std::copy_n(modes.re.data() + at, shape.modes(2), re);
    std::copy_n(modes.im.data() + at, shape.modes(2), im);
  });
}

}  // namespace

void Spectrum::add(double factor, const Spectrum& other) {
  for (std::size_t i = 0; i < size(); ++i) {
    re[i] += factor * other.re[i];
    im[i] += factor * other.im[i];
  }
}

void Spectrum::multiply(std::span<const double> factors) {
  for (std::size_t i = 0; i < size(); ++i) {
    re[i] *= factors[i];
    im[i] *= factors[i];
  }
}

double inner_product(const Spectrum& a, const Spectrum& b, const nufft::GridShape& shape) {
  double all = 0, once = 0;
  for (std::size_t i = 0; i < a.size(); ++i) all += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  for (std::size_t i = 0; i < a.size(); i += shape.modes(2)) once += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  return 2 * all - once;
}

void copy_modes(nufft::GridTransform<double>& transform, const nufft::GridShape& shape, Spectrum& modes) {
  for_each_row(transform, shape, [&](const double* re, const double* im, std::size_t at) {
    std::copy_n(re, shape.modes(2), modes.re.data() + at);
    std::copy_n(im, shape.modes(2), modes.im.data() + at);
  });
}

ToeplitzPlan::ToeplitzPlan(const std::vector<std::size_t>& half) : plan_(shape_of(half, 1), 0), double_plan_(shape_of(half, 2), 0) {}

std::vector<double> ToeplitzPlan::symbol(const Spectrum& t, const Execution& execution) const {
  nufft::GridTransform<double> transform(double_plan_, execution);
  put_modes(t, transform, double_plan_.shape());
  transform.to_cells();
  const nufft::GridShape& shape = double_plan_.shape();
  std::vector<double> out(shape.cells[0] * shape.cells[1] * shape.cells[2]);
  for_each_cell_row(transform, double_plan_, [&](const double* row, std::size_t at) { std::copy_n(row, shape.cells[2], out.data() + at); });
  return out;
}

NormalSystem::NormalSystem(const ToeplitzPlan& plan, std::vector<double> symbol, Spectrum t, std::span<const double> roots, bool bias,
                           const Execution& execution)
    : plan_(plan),
      symbol_(std::move(symbol)),
      roots_(roots),
      weight_(t.re[t.size() / plan.shape().modes(2) / 2 * plan.shape().modes(2)]),
      transform_(plan.plan(), execution),
      scaled_(t.size()),
      r_(t.size()),
      z_(t.size()),
      p_(t.size()),
      q_(t.size()),
      stop_(execution.stop) {
  const double scale = 1 / static_cast<double>(symbol_.size());
  for (double& value : symbol_) value *= scale;
  if (!bias) return;
  centre_ = std::move(t);
  centre_.multiply(roots_);
  const double root = 1 / std::sqrt(weight_);
  for (std::size_t i = 0; i < centre_.size(); ++i) {
    centre_.re[i] *= root;
    centre_.im[i] *= root;
  }
}

void NormalSystem::times_toeplitz(const Spectrum& v, Spectrum& out) {
  put_modes(v, transform_, plan_.shape());
  transform_.to_cells();
  for_each_cell_row(transform_, plan_.plan(), [&](double* row, std::size_t at) {
    for (std::size_t i = 0; i < plan_.shape().cells[2]; ++i) row[i] *= symbol_[at + i];
  });
  transform_.to_modes();
  copy_modes(transform_, plan_.shape(), out);
}

void NormalSystem::times(double ridge, const Spectrum& w, Spectrum& out) {
  scaled_ = w;
  scaled_.multiply(roots_);
  times_toeplitz(scaled_, out);
  out.multiply(roots_);
  out.add(ridge, w);
  if (centre_.size() > 0) out.add(-inner_product(centre_, w, plan_.shape()), centre_);
}

bool NormalSystem::solve(double ridge, const Spectrum& scaled_right, Spectrum& w, double tolerance, std::size_t max_steps,
                         const std::function<void(double)>& listener) {
  const nufft::GridShape& shape = plan_.shape();
  const auto precondition = [&] {
    for (std::size_t i = 0; i < r_.size(); ++i) {
      const double inverse = 1 / (roots_[i] * roots_[i] * weight_ + ridge);
      z_.re[i] = inverse * r_.re[i];
      z_.im[i] = inverse * r_.im[i];
    }
  };
  times(ridge, w, q_);
  r_ = scaled_right;
  r_.add(-1, q_);
  precondition();
  p_ = z_;
  double rz = inner_product(r_, z_, shape);
  // What every step takes off the squared error in the norm of the equations; what a few of them took off bounds, nearly, what was left
  // before them. The size of the solution in that norm is the inner product with the right side.
  std::array<double, n_looked_back> decreases{};
  double furthest = 0;  // what was told of the way
  for (std::size_t step = 0; rz > 0; ++step) {
    stop_.check();
    if (step == max_steps) return false;
    times(ridge, p_, q_);
    const double length = rz / inner_product(p_, q_, shape);
    w.add(length, p_);
    r_.add(-length, q_);
    decreases[step % n_looked_back] = length * rz;
    const double size = inner_product(scaled_right, w, shape);
    const double error = std::reduce(decreases.begin(), decreases.end()), wanted = tolerance * tolerance * size;
    if (step >= n_looked_back && error <= wanted) return true;
    if (listener && step % n_looked_back == n_looked_back - 1) {
      furthest = std::max(furthest, std::clamp(std::log(error / size) / std::log(wanted / size), 0.0, 1.0));
      listener(furthest);
    }
    precondition();
    const double next = inner_product(r_, z_, shape), ratio = next / rz;
    rz = next;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      p_.re[i] = z_.re[i] + ratio * p_.re[i];
      p_.im[i] = z_.im[i] + ratio * p_.im[i];
    }
  }
  return true;
}

}  // namespace askrff::models
