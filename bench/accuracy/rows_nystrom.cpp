// Nyström maps against the best approximation of the same rank.
#include <fmt/format.h>

#include <Eigen/SVD>
#include <cmath>

#include "askrff/eigen.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/operators.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

constexpr std::size_t rated_features = 128, largest = 512;

/// Relative errors of the best approximations of rank 0, 1, … of K on the evaluation rows.
std::vector<double> best_errors(const Kernel& kernel, const Problem& problem) {
  const Matrix<double> K = exact_gram(kernel, problem.evaluation, problem.evaluation);
  const Eigen::MatrixXd dense = map_of(K.view());
  const Eigen::VectorXd singular = Eigen::BDCSVD<Eigen::MatrixXd>(dense).singularValues();
  std::vector<double> errors(static_cast<std::size_t>(singular.size()));
  double squares = 0;
  for (std::size_t rank = errors.size(); rank-- > 0;) {
    squares += singular[static_cast<Eigen::Index>(rank)] * singular[static_cast<Eigen::Index>(rank)];
    errors[rank] = std::sqrt(squares);
  }
  const double norm = errors.front();
  for (double& error : errors) error /= norm;
  return errors;
}

std::vector<double> nystrom_errors(const NamedKernel& named, const Problem& problem, std::size_t n_features, std::size_t n_trials,
                                   Landmarks landmarks) {
  return trials(n_trials, [&](std::uint64_t seed) {
    const auto factors = nystrom(named.kernel, problem.training, {.n_features = n_features, .landmarks = landmarks, .seed = seed});
    return error_of(*named.kernel, FeatureMap(factors), problem);
  });
}

Figures against_best(Context& context, const std::string& data, const NamedKernel& named) {
  const Problem& problem = context.real_data(data);
  const Sizes& sizes = context.sizes();
  const auto best = best_errors(*named.kernel, problem);
  const Landmarks usual = NystromOptions{}.landmarks;
  const std::size_t rated = context.scaled(rated_features);
  auto errors = nystrom_errors(named, problem, rated, sizes.trials, usual);
  const double mean = mean_of(errors), deviation = deviation_of(errors);
  Curve curve{data, named.name, "nystrom"}, optimum{data, named.name, "svd"};
  for (std::size_t rank = 2; rank < best.size(); rank = std::max(rank + 1, rank * 5 / 4))
    if (best[rank] > 1e-14) optimum.points.emplace_back(static_cast<double>(rank), best[rank]);

  for (double& error : errors) error /= best[rated];
  Figures figures = figures_of(errors);
  figures.note = fmt::format("{:.2e} ± {:.0e}, best possible {:.2e}; factor with", mean, deviation, best[rated]);
  for (const std::size_t n_features : {std::size_t{32}, std::size_t{64}, rated_features, std::size_t{256}, largest}) {
    const std::size_t n = context.scaled(n_features);
    if (n >= best.size()) break;
    const std::size_t n_trials = n_features == largest ? 1 : sizes.curve_trials;  // one takes as long as twenty of 128 features
    const double error = n == rated ? mean : mean_of(nystrom_errors(named, problem, n, n_trials, usual));
    curve.points.emplace_back(static_cast<double>(n), error);
    if (n != rated) figures.note += fmt::format(" {}: {:.3g},", n_features, error / best[n]);
  }
  figures.note += fmt::format(" with {}", rated_features);
  for (const auto& [landmarks, name] :
       {std::pair{Landmarks::uniform, "uniform"}, std::pair{Landmarks::pivoted, "pivoted"}, std::pair{Landmarks::greedy, "greedy"}}) {
    if (landmarks == usual) continue;
    figures.note +=
        fmt::format(" {}: {:.3g}", name, mean_of(nystrom_errors(named, problem, rated, sizes.curve_trials, landmarks)) / best[rated]);
  }
  figures.curves = {curve, optimum};
  return figures;
}

}  // namespace

Group nystrom_rows() {
  Group group{
      "Nyström against the best of its rank",
      "Error of a Nyström map with 128 features and the default choice of landmarks, over that of the best approximation of rank 128 of "
      "the very matrix it is measured on (truncated singular value decomposition). Other sizes and other choices of landmarks, 3 trials "
      "each (512 features: one), are in the note.",
      {}};
  for (const RealDataset& data : real_datasets())
    for (const NamedKernel& kernel : paper_kernels())
      group.rows.push_back({fmt::format("nystrom-{}-{}", data.name, kernel.name),
                            fmt::format("{}, d = {}, {}-gaussian", data.name, data.dim, kernel.name), "× the least error",
                            Target{Sense::at_most, 20}, [=](Context& context) { return against_best(context, data.name, kernel); }});
  return group;
}

}  // namespace askrff::accuracy
