// Conjugate gradients, preconditioned where there are Hessians.
#include "models/svm_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/threads.hpp"
#include "core/vectors.hpp"

namespace askrff::models {
namespace {

// With a Hessian that is right but for rounding two or three iterations do.
constexpr int most_preconditioned = 30, most_plain = 500;

template <class T>
class Iterations {
 public:
  Iterations(const Design<T>& design, const BatchState& state, std::span<const std::size_t> problems, double c, const Hessians<T>* hessians,
             MatrixView<double> weights, MatrixView<double> outputs, const Execution& execution)
      : design_(design),
        state_(state),
        problems_(problems),
        ridge_(0.5 / c),
        hessians_(hessians),
        weights_(weights),
        outputs_(outputs),
        execution_(execution),
        residuals_(problems.size(), design.n_columns()),
        directions_(problems.size(), design.n_columns()),
        norms_(problems.size()) {
    begin();
  }

  /// Squared, of what is left, as the preconditioner measures it.
  double norm(std::size_t k) const { return norms_[k]; }

  /// One iteration for some of the problems, given by their places.
  void advance(std::span<const std::size_t> places) {
    const std::size_t n = places.size();
    Matrix<double> directions(n, design_.n_columns()), images(n, design_.rows()), products(n, design_.n_columns());
    for (std::size_t k = 0; k < n; ++k) std::ranges::copy(directions_.row(places[k]), directions.row(k).begin());
    design_.times(directions, images, execution_);
    Matrix<double> masked = images;
    for (std::size_t k = 0; k < n; ++k) {
      execution_.stop.check();
      const std::vector<std::uint8_t>& active = state_.active[problems_[places[k]]];
      for (std::size_t i = 0; i < design_.rows(); ++i) masked(k, i) = active[i] ? state_.row_weights[i] * masked(k, i) : 0;
    }
    design_.transposed_times(masked, products, execution_);
    for (std::size_t k = 0; k < n; execution_.stop.check(), ++k) update(places[k], products.row(k), images.row(k));
  }

 private:
  void begin() {
    const Team team = team_for(4 * static_cast<double>(problems_.size()) * static_cast<double>(design_.rows()), execution_);
    Matrix<double> differences(problems_.size(), design_.rows());
    parallel_for(problems_.size(), team, [&](std::size_t k) {
      const std::size_t p = problems_[k];
      std::ranges::copy(state_.weights.row(p), weights_.row(k).begin());
      std::ranges::copy(state_.outputs.row(p), outputs_.row(k).begin());
      for (std::size_t i = 0; i < design_.rows(); ++i)
        differences(k, i) = state_.active[p][i] ? state_.row_weights[i] * (state_.targets[p][i] - state_.outputs(p, i)) : 0;
    });
    design_.transposed_times(differences, residuals_, execution_);
    parallel_for(problems_.size(), team, [&](std::size_t k) {
      for (std::size_t f = 0; f < design_.n_columns(); ++f) residuals_(k, f) -= ridge_ * weights_(k, f);
      norms_[k] = precondition(k, directions_.row(k));
    });
  }

  /// What the Hessian makes of what is left; returns how large that is.
  double precondition(std::size_t k, std::span<double> out) const {
    std::ranges::copy(residuals_.row(k), out.begin());
    if (hessians_) hessians_->solve(problems_[k], out);
    return dot(residuals_.row(k), out);
  }

  void update(std::size_t k, std::span<double> product, std::span<const double> image) {
    const std::span<double> direction = directions_.row(k), residual = residuals_.row(k);
    for (std::size_t f = 0; f < product.size(); ++f) product[f] += ridge_ * direction[f];
    const double curvature = dot(direction, product);
    if (!(curvature > 0)) {
      norms_[k] = 0;  // nothing more to be had in this arithmetic
      return;
    }
    const double step = norms_[k] / curvature;
    for (std::size_t f = 0; f < product.size(); ++f) {
      weights_(k, f) += step * direction[f];
      residual[f] -= step * product[f];
    }
    for (std::size_t i = 0; i < image.size(); ++i) outputs_(k, i) += step * image[i];
    // The product has been used: its place is taken by the preconditioned rest.
    const double before = std::exchange(norms_[k], precondition(k, product));
    for (std::size_t f = 0; f < product.size(); ++f) direction[f] = product[f] + norms_[k] / before * direction[f];
  }

  const Design<T>& design_;
  const BatchState& state_;
  std::span<const std::size_t> problems_;
  double ridge_;
  const Hessians<T>* hessians_;
  MatrixView<double> weights_, outputs_;
  Execution execution_;
  Matrix<double> residuals_, directions_;
  std::vector<double> norms_;
};

}  // namespace

template <class T>
std::vector<GradientResult> gradient_steps(const Design<T>& design, const BatchState& state, std::span<const std::size_t> problems,
                                           double c, const Hessians<T>* hessians, std::span<const GradientTarget> targets,
                                           MatrixView<double> weights, MatrixView<double> outputs, const Execution& execution) {
  Iterations<T> iterations(design, state, problems, c, hessians, weights, outputs, execution);
  std::vector<double> wanted(problems.size());
  std::vector<GradientResult> results(problems.size());
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const bool is_little = hessians && !hessians->is_damped(problems[k]) && c * iterations.norm(k) <= targets[k].enough;
    wanted[k] = is_little ? iterations.norm(k) : targets[k].relative * iterations.norm(k);
    results[k].is_step = iterations.norm(k) > wanted[k];
  }
  const int most = hessians ? most_preconditioned : most_plain;
  for (int iteration = 0; iteration < most; ++iteration) {
    std::vector<std::size_t> places;
    for (std::size_t k = 0; k < problems.size(); ++k)
      if (iterations.norm(k) > wanted[k]) places.push_back(k);
    if (places.empty()) break;
    iterations.advance(places);
  }
  for (std::size_t k = 0; k < problems.size(); ++k) results[k].is_complete = !(iterations.norm(k) > wanted[k]);
  return results;
}

template std::vector<GradientResult> gradient_steps(const Design<float>&, const BatchState&, std::span<const std::size_t>, double,
                                                    const Hessians<float>*, std::span<const GradientTarget>, MatrixView<double>,
                                                    MatrixView<double>, const Execution&);
template std::vector<GradientResult> gradient_steps(const Design<double>&, const BatchState&, std::span<const std::size_t>, double,
                                                    const Hessians<double>*, std::span<const GradientTarget>, MatrixView<double>,
                                                    MatrixView<double>, const Execution&);

}  // namespace askrff::models
