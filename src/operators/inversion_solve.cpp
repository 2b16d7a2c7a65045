// LSQR on the stacked system [K; √λ I], and FISTA with a step that is checked and momentum that is dropped where it leads uphill.
#include "operators/inversion_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "core/vectors.hpp"

namespace askrff {
namespace {

/// y += factor · x
void add_multiple(std::vector<double>& y, double factor, std::span<const double> x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// y = x - factor · y
void subtract_from(std::span<const double> x, double factor, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] - factor * y[i];
}

void divide(std::vector<double>& x, double divisor) {
  for (double& value : x) value /= divisor;
}

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] - b[i];
  return out;
}

double length(double a, double b) { return std::sqrt(a * a + b * b); }
double norm(std::span<const double> a) { return std::sqrt(squared_norm(a)); }

/// A vector of the stacked system's rows: of readings, and one for every source.
struct Stacked {
  std::vector<double> readings, sources;

  double normalise() {
    const double size = std::sqrt(squared_norm(readings) + squared_norm(sources));
    if (size > 0) {
      divide(readings, size);
      divide(sources, size);
    }
    return size;
  }
};

/// Golub and Kahan's bidiagonalisation of [K; √λ I] from its residual at `state`, and the correction of least squares that LSQR makes of
/// it.
class LsqrRun {
 public:
  LsqrRun(const ReadingSystem& system, double lambda, const SourceState& state)
      : system_(system), root_(std::sqrt(lambda)), correction_(system.n_sources()) {
    u_ = {difference(system.readings(), state.fitted), state.amplitudes};
    for (double& value : u_.sources) value *= -root_;
    phi_ = u_.normalise();
    v_ = transposed(u_);
    alpha_ = norm(v_);
    if (alpha_ > 0) divide(v_, alpha_);
    w_ = v_;
    rho_ = alpha_;
    gradient_ = phi_ * alpha_;
  }

  /// Of the residual so far, as the recurrences have it.
  double gradient() const { return gradient_; }
  const std::vector<double>& correction() const { return correction_; }

  void step() {
    Stacked next{system_.apply(v_), v_};
    for (double& value : next.sources) value *= root_;
    add_multiple(next.readings, -alpha_, u_.readings);
    add_multiple(next.sources, -alpha_, u_.sources);
    const double beta = next.normalise();
    u_ = std::move(next);
    std::vector<double> v = transposed(u_);
    add_multiple(v, -beta, v_);
    alpha_ = norm(v);
    if (alpha_ > 0) divide(v, alpha_);
    v_ = std::move(v);
    const double rho = length(rho_, beta), cosine = rho_ / rho, sine = beta / rho;
    add_multiple(correction_, cosine * phi_ / rho, w_);
    subtract_from(v_, sine * alpha_ / rho, w_);
    rho_ = -cosine * alpha_;
    phi_ *= sine;
    gradient_ = phi_ * alpha_ * std::fabs(cosine);
  }

 private:
  std::vector<double> transposed(const Stacked& u) const {
    std::vector<double> out = system_.apply_transposed(u.readings);
    add_multiple(out, root_, u.sources);
    return out;
  }

  const ReadingSystem& system_;
  double root_, phi_ = 0, alpha_ = 0, rho_ = 0, gradient_ = 0;
  Stacked u_;
  std::vector<double> v_, w_, correction_;
};

/// A point of FISTA with its image; combinations need no product.
struct Point {
  std::vector<double> a, image;

  /// this + factor · (this - other)
  Point beyond(const Point& other, double factor) const {
    Point out = *this;
    add_multiple(out.a, factor, difference(a, other.a));
    add_multiple(out.image, factor, difference(image, other.image));
    return out;
  }
};

/// A projected step from z, and the curvature that KᵀK + λ shows along it.
struct ProjectedStep {
  Point to;
  double length = 0, curvature = 0;

  ProjectedStep(const ReadingSystem& system, double lambda, double curvature_bound, const Point& z) : to{z.a, {}} {
    add_multiple(to.a, -1 / curvature_bound, system.gradient(z.a, z.image, lambda));
    for (double& value : to.a) value = std::max(value, 0.0);
    to.image = system.apply(to.a);
    const double squared_length = squared_norm(difference(to.a, z.a));
    length = std::sqrt(squared_length);
    if (length > 0) curvature = squared_norm(difference(to.image, z.image)) / squared_length + lambda;
  }
};

bool overshoots(const Point& z, const Point& next, const Point& last) {
  return dot(difference(z.a, next.a), difference(next.a, last.a)) > 0;
}

}  // namespace

ReadingSystem::ReadingSystem(const SourceOperator& K, std::span<const double> readings, const std::vector<bool>& left_out,
                             const Execution& execution)
    : K_(K), readings_(readings.begin(), readings.end()), left_out_(left_out), execution_(execution) {
  execution_.progress = {};  // that of the products is not that of the solve
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i]) readings_[i] = 0;
}

std::vector<double> ReadingSystem::product(const SourceOperator::Product& multiply, std::span<const double> v, std::size_t n) const {
  execution_.stop.check();
  const Matrix<double> result = multiply({v.data(), v.size(), 1}, execution_);
  if (result.rows() != n || result.cols() != 1)
    throw InvalidArgument(inversion_name, fmt::format("a product of K is {} x {}, expected {} x 1", result.rows(), result.cols(), n));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(result(i, 0)))
      throw NumericalError(inversion_name, fmt::format("a product of K holds {}, expected finite numbers", result(i, 0)));
  return {result.data(), result.data() + n};
}

std::vector<double> ReadingSystem::apply_to_all(std::span<const double> a) const { return product(K_.apply, a, readings_.size()); }

std::vector<double> ReadingSystem::apply(std::span<const double> a) const {
  std::vector<double> out = apply_to_all(a);
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i]) out[i] = 0;
  return out;
}

std::vector<double> ReadingSystem::apply_transposed(std::span<const double> u) const {
  return product(K_.apply_transposed, u, K_.n_sources);
}

std::vector<double> ReadingSystem::gradient(std::span<const double> a, std::span<const double> fitted, double lambda) const {
  std::vector<double> out = apply_transposed(difference(fitted, readings_));
  add_multiple(out, lambda, a);
  return out;
}

double largest_eigenvalue(const ReadingSystem& system, std::vector<double> start) {
  constexpr std::size_t most_steps = 30;
  double value = 0;
  for (std::size_t step = 0; step < most_steps; ++step) {
    const double size = norm(start);
    if (size == 0) return value;
    divide(start, size);
    const std::vector<double> image = system.apply(start);
    const double last = value;
    value = squared_norm(image);
    if (value - last <= 1e-3 * value) break;
    start = system.apply_transposed(image);
  }
  return value;
}

double projected_norm(std::span<const double> a, std::span<const double> gradient, double curvature) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double part = std::min(gradient[j], curvature * a[j]);  // a step of 1/curvature ends at the bound
    sum += part * part;
  }
  return std::sqrt(sum);
}

std::size_t solve_of_any_sign(const ReadingSystem& system, const SolveOptions& options, SourceState& state) {
  std::size_t iterations = 0;
  for (double last = INFINITY;;) {  // what the recurrences lose by rounding, another run from there finds
    LsqrRun run(system, options.lambda, state);
    state.converged = run.gradient() <= options.gradient;
    if (state.converged || iterations >= options.max_iterations || run.gradient() > 0.5 * last) return iterations;
    last = run.gradient();
    for (; run.gradient() > 0.5 * options.gradient && iterations < options.max_iterations; ++iterations) {
      run.step();
      if (options.progress && iterations % 16 == 0) options.progress(run.gradient());
    }
    add_multiple(state.amplitudes, 1, run.correction());
    state.fitted = system.apply(state.amplitudes);
  }
}

std::size_t solve_non_negative(const ReadingSystem& system, const SolveOptions& options, SourceState& state) {
  Point x{state.amplitudes, state.fitted}, z = x;
  double curvature = 1.02 * options.curvature + options.lambda, momentum = 1;
  state.converged = false;
  std::size_t iterations = 0;
  while (iterations < options.max_iterations && !state.converged) {
    ++iterations;
    ProjectedStep step(system, options.lambda, curvature, z);
    if (step.curvature > curvature * (1 + 1e-12)) {  // the power method had not come so far
      curvature = 1.05 * step.curvature;
      continue;
    }
    const bool begins_anew = overshoots(z, step.to, x);
    const double next_momentum = begins_anew ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    z = begins_anew ? step.to : step.to.beyond(x, (momentum - 1) / next_momentum);
    momentum = next_momentum;
    x = std::move(step.to);
    const double moved = curvature * step.length;
    if (moved <= options.gradient)
      state.converged = projected_norm(x.a, system.gradient(x.a, x.image, options.lambda), curvature) <= options.gradient;
    if (options.progress && iterations % 16 == 0) options.progress(moved);
  }
  state.amplitudes = std::move(x.a);
  state.fitted = std::move(x.image);
  return iterations;
}

}  // namespace askrff
