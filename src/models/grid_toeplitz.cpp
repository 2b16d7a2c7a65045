// Products with a Toeplitz matrix by Fourier transforms, and conjugate gradients on them.
#include "models/grid_toeplitz.hpp"

#include <algorithm>
#include <cmath>

#include "nufft/fourier_line.hpp"

namespace askrff::models {
namespace {

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

}  // namespace

double inner_product(const Spectrum& a, const Spectrum& b, const nufft::GridShape& shape) {
  double all = 0, once = 0;
  for (std::size_t i = 0; i < a.size(); ++i) all += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  for (std::size_t i = 0; i < a.size(); i += shape.modes(2)) once += a.re[i] * b.re[i] + a.im[i] * b.im[i];
  return 2 * all - once;
}

void add_scaled(Spectrum& a, double factor, const Spectrum& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a.re[i] += factor * b.re[i];
    a.im[i] += factor * b.im[i];
  }
}

Spectrum modes_of(nufft::GridTransform<double>& transform, const nufft::GridShape& shape) {
  Spectrum modes(shape.n_modes());
  for_each_row(transform, shape, [&](const double* re, const double* im, std::size_t at) {
    std::copy_n(re, shape.modes(2), modes.re.data() + at);
    std::copy_n(im, shape.modes(2), modes.im.data() + at);
  });
  return modes;
}

void put_modes(const Spectrum& modes, nufft::GridTransform<double>& transform, const nufft::GridShape& shape) {
  for_each_row(transform, shape, [&](double* re, double* im, std::size_t at) {
    std::copy_n(modes.re.data() + at, shape.modes(2), re);
    std::copy_n(modes.im.data() + at, shape.modes(2), im);
  });
}

ToeplitzMatrix::ToeplitzMatrix(const std::vector<std::size_t>& half, const Execution& execution)
    : plan_(shape_of(half, 1), 0), double_plan_(shape_of(half, 2), 0), execution_(execution) {}

std::vector<double> ToeplitzMatrix::symbol(const Spectrum& t) const {
  nufft::GridTransform<double> transform(double_plan_, execution_);
  put_modes(t, transform, double_plan_.shape());
  transform.to_cells();
  const nufft::GridShape& shape = double_plan_.shape();
  std::vector<double> out(shape.cells[0] * shape.cells[1] * shape.cells[2]);
  for_each_cell_row(transform, double_plan_, [&](const double* row, std::size_t at) { std::copy_n(row, shape.cells[2], out.data() + at); });
  return out;
}

Spectrum ToeplitzMatrix::times(std::span<const double> symbol, const Spectrum& v) const {
  nufft::GridTransform<double> transform(plan_, execution_);
  const double scale = 1 / static_cast<double>(symbol.size());
  put_modes(v, transform, plan_.shape());
  transform.to_cells();
  for_each_cell_row(transform, plan_, [&](double* row, std::size_t at) {
    for (std::size_t i = 0; i < plan_.shape().cells[2]; ++i) row[i] *= scale * symbol[at + i];
  });
  transform.to_modes();
  return modes_of(transform, plan_.shape());
}

Spectrum NormalSystem::times(const Spectrum& w) const {
  Spectrum scaled = w;
  for (std::size_t i = 0; i < w.size(); ++i) {
    scaled.re[i] *= roots[i];
    scaled.im[i] *= roots[i];
  }
  Spectrum out = toeplitz.times(symbol, scaled);
  for (std::size_t i = 0; i < w.size(); ++i) {
    out.re[i] = roots[i] * out.re[i] + ridge * w.re[i];
    out.im[i] = roots[i] * out.im[i] + ridge * w.im[i];
  }
  return out;
}

std::size_t NormalSystem::solve(const Spectrum& right, Spectrum& w, double residual, std::size_t max_steps, const StopToken& stop,
                                bool& converged) const {
  const nufft::GridShape& shape = toeplitz.shape();
  const auto preconditioned = [&](const Spectrum& r) {
    Spectrum z = r;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double diagonal = roots[i] * roots[i] * total_weight + ridge;
      z.re[i] /= diagonal;
      z.im[i] /= diagonal;
    }
    return z;
  };
  Spectrum r = right;
  add_scaled(r, -1, times(w));
  Spectrum z = preconditioned(r), p = z;
  double rz = inner_product(r, z, shape);
  const double limit = residual * residual * inner_product(right, right, shape);
  for (std::size_t step = 0;; ++step) {
    stop.check();
    converged = inner_product(r, r, shape) <= limit;
    if (converged || step == max_steps) return step;
    const Spectrum q = times(p);
    const double length = rz / inner_product(p, q, shape);
    add_scaled(w, length, p);
    add_scaled(r, -length, q);
    z = preconditioned(r);
    const double next = inner_product(r, z, shape), ratio = next / rz;
    rz = next;
    for (std::size_t i = 0; i < p.size(); ++i) {
      p.re[i] = z.re[i] + ratio * p.re[i];
      p.im[i] = z.im[i] + ratio * p.im[i];
    }
  }
}

}  // namespace askrff::models
