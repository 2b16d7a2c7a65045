// Least squares over a ≥ 0. FISTA finds which amplitudes are above 0, with a step that is checked and momentum that is dropped where it
// leads uphill; but kernels are so smooth that it takes thousands of steps to find how large they are. So it takes turns with what is
// quicker at that: where these amplitudes are few, as most often, their normal equations, else conjugate gradients among them.
#include <algorithm>
#include <cmath>

#include "operators/inversion_solve.hpp"
#include "operators/inversion_vectors.hpp"

namespace askrff {

using namespace inversion;

namespace {

/// Steps of FISTA between two runs of conjugate gradients, and the most of one such run.
constexpr std::size_t steps_between = 5, most_conjugate_steps = 200;
/// Of the best step's decrease: less is not worth going on for where amplitudes are negative already.
constexpr double worthwhile = 0.1;

/// Amplitudes and their image Ka; combinations of such need no product.
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

/// The norm of the gradient's part that a projected step of 1/curvature goes along.
double projected_norm(std::span<const double> a, std::span<const double> gradient, double curvature) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double part = std::min(gradient[j], curvature * a[j]);  // a step of 1/curvature ends at the bound
    sum += part * part;
  }
  return std::sqrt(sum);
}

/// Conjugate gradients among the amplitudes of x that are above 0; the others stay.
class FaceRun {
 public:
  FaceRun(const ReadingSystem& system, double lambda, const Point& x)
      : system_(system), lambda_(lambda), x_(x), change_{std::vector<double>(x.a.size()), std::vector<double>(x.image.size())} {
    descent_ = descent();
    direction_ = descent_;
    squares_ = squared_norm(descent_);
  }

  const Point& change() const { return change_; }
  double gradient() const { return std::sqrt(squares_); }
  bool is_feasible() const {
    for (std::size_t j = 0; j < x_.a.size(); ++j)
      if (x_.a[j] + change_.a[j] < 0) return false;
    return true;
  }

  /// Returns by how much the objective falls.
  double step() {
    const std::vector<double> image = system_.apply(direction_);
    const double bend = squared_norm(image) + lambda_ * squared_norm(direction_);
    if (bend == 0) return squares_ = 0;  // by underflow: there is nothing left to gain
    const double size = squares_ / bend;
    add_multiple(change_.a, size, direction_);
    add_multiple(change_.image, size, image);
    const double last = squares_;
    descent_ = descent();
    squares_ = squared_norm(descent_);
    subtract_from(descent_, -squares_ / last, direction_);  // plus the share of the last one
    return 0.5 * size * last;
  }

 private:
  std::vector<double> descent() const {
    std::vector<double> a = x_.a, image = x_.image;
    add_multiple(a, 1, change_.a);
    add_multiple(image, 1, change_.image);
    std::vector<double> out = system_.gradient(a, image, lambda_);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = x_.a[j] > 0 ? -out[j] : 0.0;
    return out;
  }

  const ReadingSystem& system_;
  double lambda_;
  const Point& x_;
  Point change_;
  std::vector<double> descent_, direction_;
  double squares_ = 0;
};

double objective(const ReadingSystem& system, double lambda, const Point& x) {
  return squared_norm(difference(x.image, system.readings())) + lambda * squared_norm(x.a);
}

/// From x along the change, bent at the bounds, as far as the objective falls; else straight to the first bound.
Point moved_along(const ReadingSystem& system, double lambda, const Point& x, const Point& change) {
  const double before = objective(system, lambda, x);
  double part = 1;
  for (std::size_t attempt = 0; attempt < 4; ++attempt, part *= 0.25) {
    Point to = x;
    add_multiple(to.a, part, change.a);
    for (double& value : to.a) value = std::max(value, 0.0);
    to.image = system.apply(to.a);
    if (objective(system, lambda, to) < before) return to;
  }
  part = 1;
  for (std::size_t j = 0; j < x.a.size(); ++j)
    if (x.a[j] + change.a[j] < 0) part = std::min(part, x.a[j] / -change.a[j]);
  Point to = x;
  add_multiple(to.a, part, change.a);
  for (double& value : to.a) value = std::max(value, 0.0);  // rounding
  to.image = system.apply(to.a);
  return to;
}

/// Conjugate gradients from x, which is moved. Returns how many steps they were.
std::size_t descend_among_positive(const ReadingSystem& system, const SolveOptions& options, std::size_t most, Point& x) {
  FaceRun run(system, options.lambda, x);
  double best = 0;
  std::size_t steps = 0;
  while (steps < most && run.gradient() > 0.3 * options.gradient) {
    const double decrease = run.step();
    ++steps;
    best = std::max(best, decrease);
    if (decrease < worthwhile * best && !run.is_feasible()) break;
  }
  if (steps > 0) x = moved_along(system, options.lambda, x, run.change());
  return steps;
}

/// Either way of it; a column of K that was made counts as a step.
std::size_t improve_positive(const ReadingSystem& system, const SolveOptions& options, std::size_t most, Point& x) {
  const std::size_t made_before = system.n_columns_made();
  if (!solve_among_positive(system, options.lambda, x.a))
    return descend_among_positive(system, options, std::min(most_conjugate_steps, most), x);
  x.image = system.apply(x.a);
  return 1 + system.n_columns_made() - made_before;
}

}  // namespace

std::size_t solve_non_negative(const ReadingSystem& system, const SolveOptions& options, SourceState& state) {
  Point x{state.amplitudes, state.fitted}, z = x;
  double curvature = 1.02 * options.curvature + options.lambda, momentum = 1;
  state.converged = false;
  std::size_t iterations = 0;
  for (std::size_t turn = 1; iterations < options.max_iterations && !state.converged; ++turn) {
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
    if (turn % steps_between != 0 || state.converged) continue;
    iterations += improve_positive(system, options, options.max_iterations - iterations, x);
    z = x;
    momentum = 1;
  }
  state.amplitudes = std::move(x.a);
  state.fitted = std::move(x.image);
  return iterations;
}

}  // namespace askrff
