// Products on some of the readings, and LSQR on the stacked system [K; √λ I].
#include "operators/inversion_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "operators/inversion_vectors.hpp"

namespace askrff {

using namespace inversion;

namespace {

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
    const double rho = std::sqrt(rho_ * rho_ + beta * beta), cosine = rho_ / rho, sine = beta / rho;
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

}  // namespace

std::vector<double> checked_product(const SourceOperator::Product& multiply, std::span<const double> v, std::size_t n,
                                    const Execution& execution) {
  execution.stop.check();
  const Matrix<double> result = multiply({v.data(), v.size(), 1}, execution);
  if (result.rows() != n || result.cols() != 1)
    throw InvalidArgument(inversion_name, fmt::format("a product of K is {} x {}, expected {} x 1", result.rows(), result.cols(), n));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(result(i, 0)))
      throw NumericalError(inversion_name, fmt::format("a product of K holds {}, expected finite numbers", result(i, 0)));
  return {result.data(), result.data() + n};
}

ReadingSystem::ReadingSystem(const SourceOperator& K, SourceColumns& columns, std::span<const double> readings,
                             const std::vector<bool>& left_out, const Execution& execution)
    : K_(K), columns_(columns), readings_(readings.begin(), readings.end()), left_out_(left_out), execution_(execution) {
  execution_.progress = {};  // that of the products is not that of the solve
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i]) readings_[i] = 0;
}

std::vector<double> ReadingSystem::apply_to_all(std::span<const double> a) const {
  return checked_product(K_.apply, a, readings_.size(), execution_);
}

std::vector<double> ReadingSystem::apply(std::span<const double> a) const {
  std::vector<double> out = apply_to_all(a);
  for (std::size_t i = 0; i < left_out_.size(); ++i)
    if (left_out_[i]) out[i] = 0;
  return out;
}

std::vector<double> ReadingSystem::apply_transposed(std::span<const double> u) const {
  return checked_product(K_.apply_transposed, u, K_.n_sources, execution_);
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

}  // namespace askrff
