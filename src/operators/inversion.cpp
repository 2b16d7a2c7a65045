// How large the penalty is: given, by the noise or by readings held out; and the solve that is asked for.
#include "askrff/inversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "operators/inversion_solve.hpp"

namespace askrff {
namespace {

/// Relative to ‖K‖²; below, rounding of products is as large as what the penalty does.
constexpr double least_lambda = 1e-12;
/// How near to noise·√n the residual comes.
constexpr double residual_tolerance = 1e-3;
/// Values of λ without a better one after which the path ends, and what counts as better.
constexpr std::size_t patience = 4;
constexpr double improvement = 1e-3;

void check_inversion(const SourceOperator& K, std::span<const double> readings, const InversionOptions& options) {
  const auto refuse = [](const std::string& message) { throw InvalidArgument(inversion_name, message); };
  if (readings.size() != K.n_readings) refuse(fmt::format("{} readings, expected {} as K has rows", readings.size(), K.n_readings));
  require_finite<double>(MatrixView<const double>(readings.data(), readings.size(), 1), inversion_name, "readings", options.execution.stop);
  if (options.lambda && options.noise) refuse("lambda and noise are both given, expected one of them or none");
  if (options.lambda && !(*options.lambda >= 0 && std::isfinite(*options.lambda)))
    refuse(fmt::format("lambda is {}, expected a number of at least 0", *options.lambda));
  if (options.noise && !(*options.noise > 0 && std::isfinite(*options.noise)))
    refuse(fmt::format("noise is {}, expected a number above 0", *options.noise));
  if (!(options.tolerance > 0 && options.tolerance < 1))
    refuse(fmt::format("tolerance is {}, expected a number above 0 and below 1", options.tolerance));
  if (options.max_iterations == 0) refuse("max_iterations is 0, expected at least 1");
  if (options.lambda || options.noise) return;
  if (options.n_folds < 2) refuse(fmt::format("{} folds, expected at least 2", options.n_folds));
  if (options.n_folds > readings.size())
    refuse(fmt::format("{} folds for {} readings, expected at most one per reading; give lambda or noise, or use fewer folds",
                       options.n_folds, readings.size()));
}

/// The fold of every reading: a random permutation of folds for every n_folds readings that follow each other.
std::vector<std::size_t> folds_of_readings(std::size_t n_readings, std::size_t n_folds, std::uint64_t seed) {
  std::vector<std::size_t> folds(n_readings), order(n_folds);
  for (std::size_t i = 0; i < n_readings; ++i) {
    if (i % n_folds == 0) {
      for (std::size_t fold = 0; fold < n_folds; ++fold) order[fold] = fold;
      RandomStream random(seed, Purpose::folds, i / n_folds);
      for (std::size_t k = n_folds; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    }
    folds[i] = order[i % n_folds];
  }
  return folds;
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Readings here are divided by the largest, so that squares neither overflow nor vanish.
class Inverter {
 public:
  Inverter(const SourceOperator& K, std::vector<double> readings, double scale, const InversionOptions& options)
      : K_(K), options_(options), scale_(scale), columns_(K), system_(K, columns_, readings, {}, options.execution), state_(system_) {
    start_ = system_.gradient(state_.amplitudes, state_.fitted, 0);
    if (!has_sources(start_)) return;
    std::vector<double> direction = start_;
    norm_ = largest_eigenvalue(system_, std::move(direction));
    if (norm_ <= largest_of_errors()) norm_ = 0;
  }

  Inversion run() {
    if (norm_ == 0) {
      state_.converged = true;
      return finished(options_.lambda.value_or(infinity));
    }
    if (options_.lambda) return final_solve(*options_.lambda);
    return options_.noise ? by_noise() : by_held_out();
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// About ‖K‖² if K were nothing but its errors.
  double largest_of_errors() const {
    return K_.accuracy * K_.accuracy * (static_cast<double>(K_.n_readings) + static_cast<double>(K_.n_sources));
  }

  /// Whether a = 0 can be improved on.
  bool has_sources(const std::vector<double>& gradient) const {
    return std::ranges::any_of(gradient, [&](double g) { return options_.non_negative ? g < 0 : g != 0; });
  }

  void solve(const ReadingSystem& system, double lambda, double start, SourceState& state,
             const std::function<void(double)>& progress = {}) {
    const SolveOptions options{lambda, options_.tolerance * start, norm_, options_.max_iterations, progress};
    iterations_ += options_.non_negative ? solve_non_negative(system, options, state) : solve_of_any_sign(system, options, state);
  }

  Inversion final_solve(double lambda) {
    const double start = std::sqrt(squared_norm(start_));
    solve(system_, lambda, start, state_, [&](double gradient) {
      const double done = std::log(std::max(gradient, 1e-300) / start) / std::log(options_.tolerance);
      report("sources", std::clamp(done, 0.0, 1.0));
    });
    report("sources", 1);
    return finished(lambda);
  }

  Inversion finished(double lambda) {
    Inversion out;
    out.amplitudes = std::move(state_.amplitudes);
    for (double& value : out.amplitudes) value *= scale_;
    out.lambda = lambda;
    out.residual = scale_ * distance(state_.fitted, system_.readings());
    out.iterations = iterations_;
    out.converged = state_.converged;
    out.path = std::move(path_);
    return out;
  }

  void report(const char* stage, double done) const {
    if (options_.execution.progress) options_.execution.progress({stage, done});
  }

  /// Solves, and tells how large the residual is.
  double residual_for(double lambda) {
    solve(system_, lambda, std::sqrt(squared_norm(start_)), state_);
    return distance(state_.fitted, system_.readings());
  }

  Inversion by_noise() {
    const double wanted = *options_.noise / scale_ * std::sqrt(static_cast<double>(K_.n_readings));
    if (std::sqrt(squared_norm(system_.readings())) <= wanted) {
      state_.converged = true;
      return finished(infinity);
    }
    report("search for lambda", -1);
    // Residuals grow with λ. Up to where they are too large, then down to where they are not.
    double above = norm_, residual = residual_for(above);
    while (residual < wanted && above < norm_ / least_lambda) residual = residual_for(above *= 10);
    const double chance = 1 + 3 / std::sqrt(2.0 * static_cast<double>(K_.n_readings));
    double below = above;
    while (residual > wanted && below > least_lambda * norm_) {
      const double last = residual;
      above = below;
      residual = residual_for(below = std::max(0.1 * below, least_lambda * norm_));
      report("search for lambda", -1);
      if (residual < wanted * chance && residual > last * (1 - residual_tolerance)) break;  // it will not fall as far as that
    }
    if (residual > wanted) return finished(below);
    double lambda = below;
    while (std::fabs(residual - wanted) > residual_tolerance * wanted && above > below * (1 + 1e-6)) {
      lambda = std::sqrt(above * below);
      residual = residual_for(lambda);
      (residual > wanted ? above : below) = lambda;
      report("search for lambda", -1);
    }
    return finished(lambda);
  }

  /// One fold: what is found without its readings.
  struct Fold {
    ReadingSystem system;
    std::vector<bool> left_out;
    SourceState state;
    double start;  ///< the gradient's norm at a = 0

    Fold(Inverter& all, std::vector<bool> readings)
        : system(all.K_, all.columns_, all.system_.readings(), readings, all.options_.execution),
          left_out(std::move(readings)),
          state(system) {
      start = std::sqrt(squared_norm(system.gradient(state.amplitudes, state.fitted, 0)));
    }

    double squared_error(std::span<const double> readings) const {
      const std::vector<double> told = system.apply_to_all(state.amplitudes);
      double sum = 0;
      for (std::size_t i = 0; i < readings.size(); ++i)
        if (left_out[i]) sum += (told[i] - readings[i]) * (told[i] - readings[i]);
      return sum;
    }
  };

  std::vector<Fold> made_folds() {
    const std::vector<std::size_t> of_readings = folds_of_readings(K_.n_readings, options_.n_folds, options_.seed);
    std::vector<Fold> folds;
    for (std::size_t fold = 0; fold < options_.n_folds; ++fold) {
      std::vector<bool> left_out(K_.n_readings);
      for (std::size_t i = 0; i < left_out.size(); ++i) left_out[i] = of_readings[i] == fold;
      folds.emplace_back(*this, std::move(left_out));
    }
    return folds;
  }

  Inversion by_held_out() {
    std::vector<Fold> folds = made_folds();
    const double n = static_cast<double>(K_.n_readings);
    double best = infinity, best_lambda = norm_;
    std::size_t since_best = 0;
    for (std::size_t step = 0; step <= 24 && since_best < patience; ++step) {
      const double lambda = norm_ * (step % 2 == 0 ? 1.0 : std::sqrt(0.1)) / whole_power_of_ten(step / 2);
      double squares = 0;
      for (std::size_t k = 0; k < folds.size(); ++k) {
        solve(folds[k].system, lambda, folds[k].start, folds[k].state);
        squares += folds[k].squared_error(system_.readings());
        report("search for lambda", static_cast<double>(step * folds.size() + k + 1) / static_cast<double>(25 * folds.size()));
      }
      const double error = std::sqrt(squares / n);
      path_.push_back({lambda, scale_ * error});
      ++since_best;
      if (error < best * (1 - improvement)) {
        best = error;
        best_lambda = lambda;
        since_best = 0;
      }
    }
    folds.clear();
    return final_solve(best_lambda);
  }

  static double whole_power_of_ten(std::size_t exponent) {
    double power = 1;
    for (; exponent > 0; --exponent) power *= 10;
    return power;
  }

  const SourceOperator& K_;
  const InversionOptions& options_;
  double scale_;
  SourceColumns columns_;  ///< for all folds
  ReadingSystem system_;
  SourceState state_;
  std::vector<double> start_;  ///< the gradient at a = 0
  double norm_ = 0;            ///< about ‖K‖²; 0 where a = 0 is the answer
  std::size_t iterations_ = 0;
  std::vector<HeldOutReadings> path_;
};

}  // namespace

Inversion invert_sources(const SourceOperator& K, std::span<const double> readings, const InversionOptions& options) {
  check_inversion(K, readings, options);
  double scale = 0;
  for (const double value : readings) scale = std::max(scale, std::fabs(value));
  if (scale == 0) scale = 1;
  std::vector<double> scaled(readings.begin(), readings.end());
  for (double& value : scaled) value /= scale;
  return Inverter(K, std::move(scaled), scale, options).run();
}

Inversion invert_sources(const GridOperator<double>& K, std::span<const double> readings, const InversionOptions& options) {
  return invert_sources(source_operator(K), readings, options);
}

}  // namespace askrff
