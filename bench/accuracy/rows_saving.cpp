// How many more frequencies the paper's estimator needs on real data for the error the chosen Fourier map has with 8d.
#include <fmt/format.h>

#include <cmath>

#include "askrff/operators.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

constexpr std::size_t ours_per_dim = 8;

struct Point {
  double n_frequencies = 0, error = 0;
};

/// On all evaluation rows against a quarter of them: at 100 000 frequencies and more every pair counts.
double error_on_fewer_pairs(const Kernel& kernel, const SpectralAtoms& atoms, const Problem& problem) {
  const MatrixView<const double> rows = problem.evaluation;
  return approximation_error(kernel, FeatureMap(atoms), rows, rows.middle_rows(0, rows.rows() / 4)).frobenius;
}

/// The paper's estimator with 2d, 4d, … frequencies per part, until its error is at most `wanted`.
std::vector<Point> paper_curve(Context& context, const Kernel& kernel, const Problem& problem, double wanted) {
  std::vector<Point> curve;
  for (std::size_t per_dim = 2; per_dim <= context.sizes().max_per_dim; per_dim *= 2) {
    Point point;
    point.error = mean_of(trials(context.sizes().curve_trials, [&](std::uint64_t seed) {
      const SpectralAtoms atoms = paper_atoms(kernel, problem, per_dim * problem.dim(), seed);
      point.n_frequencies = static_cast<double>(atoms.size());
      return error_on_fewer_pairs(kernel, atoms, problem);
    }));
    curve.push_back(point);
    if (point.error <= wanted) break;
  }
  return curve;
}

struct Crossing {
  double n_frequencies = 0;
  bool is_lower_bound = false;
};

/// Where the curve falls to `wanted`, between its points on logarithmic axes; its end if it does not.
Crossing crossing(const std::vector<Point>& curve, double wanted) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].error > wanted) continue;
    if (i == 0) return {curve[0].n_frequencies, false};
    const Point &above = curve[i - 1], &below = curve[i];
    const double part = std::log(above.error / wanted) / std::log(above.error / below.error);
    return {above.n_frequencies * std::pow(below.n_frequencies / above.n_frequencies, part), false};
  }
  return {curve.back().n_frequencies, true};
}

Figures saving(Context& context, const std::string& data, const NamedKernel& named) {
  const Problem& problem = context.real_data(data);
  const Kernel& kernel = *named.kernel;
  const std::size_t budget = ours_per_dim * problem.dim();
  const auto ours = [&](std::size_t n, std::size_t n_trials) {
    return trials(n_trials, [&](std::uint64_t seed) { return error_of(kernel, chosen_atoms(named.kernel, problem, n, seed), problem); });
  };
  const auto errors = ours(budget, context.sizes().trials);
  const double wanted = mean_of(errors);
  const auto curve = paper_curve(context, kernel, problem, wanted);
  const Crossing found = crossing(curve, wanted);
  std::vector<double> savings;
  for (const double error : errors) savings.push_back(crossing(curve, error).n_frequencies / static_cast<double>(budget));

  Figures figures{.value = found.n_frequencies / static_cast<double>(budget),
                  .deviation = deviation_of(savings),
                  .trials = errors.size(),
                  .is_lower_bound = found.is_lower_bound};
  figures.note = fmt::format("ours {:.2e} ± {:.0e} with {}; the paper's {:.2e} with {:.0f}", wanted, deviation_of(errors), budget,
                             curve.back().error, curve.back().n_frequencies);
  Curve paper{data, named.name, "paper"}, chosen{data, named.name, "fourier"};
  for (const Point& point : curve) paper.points.emplace_back(2 * point.n_frequencies, point.error);
  for (const std::size_t per_dim : {2, 4, 8, 16, 32}) {
    const std::size_t n = per_dim * problem.dim();
    if (per_dim > context.sizes().max_per_dim) break;
    chosen.points.emplace_back(2.0 * static_cast<double>(n), n == budget ? wanted : mean_of(ours(n, context.sizes().curve_trials)));
  }
  figures.curves = {paper, chosen};
  return figures;
}

std::string row_name(const std::string& data, const std::string& kernel) { return fmt::format("saving-{}-{}", data, kernel); }

Figures mean_saving(Context& context) {
  double logs = 0;
  std::size_t n = 0;
  for (const RealDataset& data : real_datasets())
    for (const NamedKernel& kernel : paper_kernels()) {
      const auto found = context.found.find(row_name(data.name, kernel.name));
      if (found == context.found.end()) throw Skipped("needs the other rows of its group in the same run");
      logs += std::log(found->second);
      ++n;
    }
  return {.value = std::exp(logs / static_cast<double>(n)), .note = "lower bounds taken as they are"};
}

}  // namespace

Group saving_rows() {
  Group group{
      "Saving in frequencies on real data",
      "Frequencies (all parts) of the paper's estimator over ours, at the error that the Fourier map of `choose_features` has with 8d "
      "frequencies. The paper's estimator was run with 2d, 4d, … 1024d frequencies per part, 3 trials each, until it reached that "
      "error; between two sizes the error is interpolated on logarithmic axes. `≥`: it did not get there, and the figure is its "
      "largest size over ours.",
      {}};
  for (const RealDataset& data : real_datasets())
    for (const NamedKernel& kernel : paper_kernels())
      group.rows.push_back({row_name(data.name, kernel.name), fmt::format("{}, d = {}, {}-gaussian", data.name, data.dim, kernel.name),
                            "× fewer frequencies", Target{Sense::at_least, 50},
                            [=](Context& context) { return saving(context, data.name, kernel); }});
  group.rows.push_back({"saving-mean", "geometric mean of the twelve", "× fewer frequencies", Target{Sense::at_least, 200}, mean_saving});
  return group;
}

}  // namespace askrff::accuracy
