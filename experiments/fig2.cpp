// Figure 2: the relative error of the kernel matrix of 1000 rows against the number of frequencies, the paper's estimator and ours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"
#include "experiments/approximations.hpp"
#include "experiments/artefacts.hpp"

namespace askrff::experiments {
namespace {

using Json = Journal::Json;

std::vector<Method> methods_of(const Plan& plan) {
  return {
      {"paper", "paper: fitted masses",
       fmt::format("Algorithm 2 of the paper: M frequencies of each Jordan part, masses fitted on {} rows.", plan.sizes.subset_rows)},
      {"exact-masses", "exact masses", "The same frequencies, weighted by the exact masses."},
      {"polar", "better points",
       "One set of frequencies for all parts: Gauss points along the direction of asymmetry, spherical-radial rules across, exact "
       "weights; three trials from M = 256d on."},
      {"calibrated", "calibrated",
       "One set of frequencies for all parts, mutually unbiased bases, every weight fitted on pairs of training rows."},
      {"nystrom", "Nyström",
       fmt::format("Landmarks among at most {} training rows in place of frequencies, as many features.", plan.sizes.nystrom_rows)},
  };
}

std::vector<std::size_t> multiples_of(const Plan& plan) {
  std::vector<std::size_t> multiples;
  for (std::size_t power = 1; power <= plan.sizes.largest_power; ++power) multiples.push_back(std::size_t{1} << power);
  return multiples;
}

/// What the methods of one trial share: rows to fit on, rows to compare, and their exact kernel matrix.
struct Comparable {
  std::shared_ptr<const Kernel> kernel;
  TrialRows rows;
  Matrix<double> points, exact;
  std::uint64_t seed;
  std::size_t trial, n_parts;
};

Comparable prepare(const Plan& plan, const PaperData& data, const std::string& kernel, std::size_t trial) {
  Comparable c{make_kernel(kernel), rows_of_trial(data, plan.seed_of(trial), plan.sizes.max_rows), {}, {}, plan.seed_of(trial), trial, 0};
  c.points = some_rows(c.rows.test.X, plan.sizes.evaluation_rows, c.seed);
  c.exact = exact_gram(*c.kernel, c.points, c.points, plan.execution);
  c.n_parts = n_parts_of(*c.kernel, c.points.cols());
  return c;
}

/// One list per method and quantity, an entry for every multiple; methods stop where they become too dear.
struct Recorder {
  Json json;
  void add(const char* method, double error, std::size_t n_frequencies, std::size_t n_features) {
    json[method]["error"].push_back(error);
    json[method]["n_frequencies"].push_back(n_frequencies);
    json[method]["n_features"].push_back(n_features);
  }
};

/// The paper's estimator and that with exact masses, on the same draws; those for a larger M contain those for a smaller one.
Json run_parts(const Plan& plan, const Comparable& c) {
  const std::size_t dim = c.points.cols();
  const auto multiples = multiples_of(plan);
  const Matrix<double> subset = subset_rows(c.rows.training.X, plan.sizes.subset_rows, c.seed);
  const SpectralAtoms draws = approximate(*c.kernel, dim, {.n_frequencies = multiples.back() * dim, .seed = c.seed});
  PartSums sums(draws, c.points, plan.execution);
  Recorder recorder;
  for (const std::size_t multiple : multiples) {
    const SpectralAtoms used = first_of_parts(draws, multiple * dim);
    sums.extend_to(multiple * dim);
    const MassFit fit = fit_masses(*c.kernel, used, subset);
    recorder.add("paper", relative_error(c.exact, sums.weighted({fit.real_positive, fit.real_negative, fit.imaginary_positive})),
                 used.size(), 2 * used.size());
    recorder.add("exact-masses", relative_error(c.exact, sums.weighted(masses_of(draws))), used.size(), 2 * used.size());
  }
  return recorder.json;
}

// Better points are drawn anew for every M, and from here on they would take most of the figure's time: fewer trials, whose results hardly
// differ, have to do.
constexpr std::size_t dear_multiple = 256, dear_trials = 3;

Json run_polar(const Plan& plan, const Comparable& c) {
  // In few dimensions these points are so good that the rounding of float sums would be their error.
  constexpr std::size_t few_dimensions = 5;
  const auto gram = [&](const SpectralAtoms& atoms) {
    return c.points.cols() <= few_dimensions ? approximate_gram(FeatureMap(atoms), c.points, c.points, plan.execution)
                                             : approximate_sum(atoms, c.points, plan.execution);
  };
  Recorder recorder;
  for (const std::size_t multiple : multiples_of(plan)) {
    if (multiple >= dear_multiple && c.trial >= dear_trials) break;
    const std::size_t n = multiple * c.points.cols() * c.n_parts;
    const SpectralAtoms atoms = polar_atoms(*c.kernel, c.rows.training.X, {n, Sampler::ridge, Weights::exact, c.seed, plan.execution});
    recorder.add("polar", relative_error(c.exact, gram(atoms)), atoms.size(), 2 * atoms.size());
  }
  return recorder.json;
}

Json run_calibrated(const Plan& plan, const Comparable& c) {
  Recorder recorder;
  recorder.json["calibrated"] = Json::object();
  for (const std::size_t multiple : multiples_of(plan)) {
    const std::size_t n = multiple * c.points.cols() * c.n_parts;
    if (n > plan.sizes.max_calibrated) break;
    const SpectralAtoms atoms = polar_atoms(*c.kernel, c.rows.training.X, {n, Sampler::mub, Weights::calibrated, c.seed, plan.execution});
    recorder.add("calibrated", relative_error(c.exact, approximate_gram(FeatureMap(atoms), c.points, c.points, plan.execution)),
                 atoms.size(), 2 * atoms.size());
  }
  return recorder.json;
}

Json run_nystrom(const Plan& plan, const Comparable& c) {
  Recorder recorder;
  recorder.json["nystrom"] = Json::object();
  const Matrix<double> pool = subset_rows(c.rows.training.X, plan.sizes.nystrom_rows, c.seed);
  for (const std::size_t multiple : multiples_of(plan)) {
    const std::size_t n_features = 2 * multiple * c.points.cols() * c.n_parts;
    const bool is_first = multiple == multiples_of(plan).front();
    if ((n_features > plan.sizes.max_nystrom && !is_first) || n_features > pool.rows()) break;
    const auto factors = some_landmarks(c.kernel, pool, n_features, c.seed, plan.execution);
    recorder.add("nystrom", relative_error(c.exact, approximate_gram(FeatureMap(factors), c.points, c.points, plan.execution)), 0,
                 factors.n_features());
  }
  return recorder.json;
}

/// Methods that are run together, and the most that makes them dear.
struct Group {
  std::string name;
  std::vector<std::string> methods;
  Json (*run)(const Plan&, const Comparable&);
  std::string limit;  ///< of sizes, for the key
  double cost;        ///< seconds for every part, 100 dimensions and M = 1024d
  double fixed_cost;  ///< seconds whatever the sizes
};

std::vector<Group> groups_of(const Plan& plan) {
  return {{"parts", {"paper", "exact-masses"}, run_parts, fmt::format("{} rows for masses", plan.sizes.subset_rows), 5, 0},
          {"polar", {"polar"}, run_polar, fmt::format("{} trials from {}d on", dear_trials, dear_multiple), 10, 0},
          {"calibrated", {"calibrated"}, run_calibrated, fmt::format("up to {}", plan.sizes.max_calibrated), 0, 1},
          {"nystrom", {"nystrom"}, run_nystrom, fmt::format("up to {} of {} rows", plan.sizes.max_nystrom, plan.sizes.nystrom_rows), 0, 2}};
}

std::string key_of(const Plan& plan, const Group& group, const PaperData& data, const std::string& kernel, std::size_t trial) {
  return trial_key(plan,
                   fmt::format("figure 2, {}, {}, {}, {} points, {} sizes{}{}", data_key(data), kernel, group.name,
                               plan.sizes.evaluation_rows, plan.sizes.largest_power, group.limit.empty() ? "" : ", ", group.limit),
                   trial);
}

/// Points of one method on one problem, from the values of all trials.
void add_points(Figure2& figure, const PaperData& data, const std::string& kernel, const std::string& method,
                const std::vector<const Json*>& values, const std::vector<std::size_t>& multiples) {
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    std::vector<double> errors;
    ErrorPoint point{data.record.name, kernel, method, data.record.dim, multiples[i], 0, 0, {}};
    for (const Json* value : values) {
      const Json& lists = value->at(method);
      if (lists.empty() || lists.at("error").size() <= i) continue;
      errors.push_back(lists.at("error").at(i).get<double>());
      point.n_frequencies = std::max(point.n_frequencies, lists.at("n_frequencies").at(i).get<std::size_t>());
      point.n_features = std::max(point.n_features, lists.at("n_features").at(i).get<std::size_t>());
    }
    if (errors.empty()) return;
    point.error = spread_of(errors);
    figure.points.push_back(point);
  }
}

std::vector<const ErrorPoint*> curve_of(const Figure2& figure, const std::string& dataset, const std::string& kernel,
                                        const std::string& method) {
  std::vector<const ErrorPoint*> curve;
  for (const ErrorPoint& point : figure.points)
    if (point.dataset == dataset && point.kernel == kernel && point.method == method) curve.push_back(&point);
  return curve;
}

/// Where numbers lie, and how many of them pass.
struct Range {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  std::size_t n = 0, n_pass = 0;
  void add(double value, bool pass) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    ++n;
    n_pass += pass ? 1 : 0;
  }
};

/// Least squares on logarithms.
double slope_of(const std::vector<const ErrorPoint*>& curve) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const ErrorPoint* point : curve) {
    const double a = std::log(static_cast<double>(point->multiple)), b = std::log(point->error.mean);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  const double n = static_cast<double>(curve.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Exact masses on the paper's frequencies show what the fit of masses does; they are not meant to be below it.
bool is_ours(const Method& method) { return method.name != "paper" && method.name != "exact-masses"; }

/// The paper's mean error over that with exact masses, at the M where it is smallest and where it is largest.
std::string fit_text(const Plan& plan, const Figure2& figure) {
  Range ratios;
  for (const ErrorPoint& point : figure.points) {
    if (point.method != "exact-masses") continue;
    for (const ErrorPoint* paper : curve_of(figure, point.dataset, point.kernel, "paper"))
      if (paper->multiple == point.multiple) ratios.add(paper->error.mean / point.error.mean, paper->error.mean < point.error.mean);
  }
  if (ratios.n == 0) return "";
  return fmt::format(
      "Masses fitted on {} rows give {:.2f} to {:.2f} times the error of exact masses on the same frequencies, and less in {} of {} "
      "points{}.",
      plan.sizes.subset_rows, ratios.lowest, ratios.highest, ratios.n_pass, ratios.n,
      ratios.n_pass == 0 ? "" : ": biased as it is, the fit makes up for some of the draws' luck");
}

void judge(Figure2& figure, const std::string& dataset, const std::string& kernel) {
  const auto paper = curve_of(figure, dataset, kernel, "paper");
  for (const Method& method : figure.methods) {
    const auto curve = curve_of(figure, dataset, kernel, method.name);
    if (curve.size() >= 2) {
      const double slope = slope_of(curve);
      figure.slopes.push_back({dataset, kernel, method.name, slope, slope >= -0.55 && slope <= -0.45});
    }
    if (!is_ours(method) || curve.empty()) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const ErrorPoint* point : curve)
      for (const ErrorPoint* other : paper)
        if (other->multiple == point->multiple) least = std::min(least, other->error.mean / point->error.mean);
    figure.comparisons.push_back({dataset, kernel, method.name, least, least > 1});
  }
}

std::vector<std::string> findings_of(const Plan& plan, const Figure2& figure) {
  std::vector<std::string> sentences;
  Range slopes;
  for (const Slope& slope : figure.slopes)
    if (slope.method == "paper") slopes.add(slope.slope, slope.pass);
  if (slopes.n > 0)
    sentences.push_back(
        fmt::format("The paper's estimator falls like M to the power {:.3f} to {:.3f} (fitted to mean errors over all M); {} of {} slopes "
                    "lie between -0.55 and -0.45, as the M^-½ law has it.",
                    slopes.lowest, slopes.highest, slopes.n_pass, slopes.n));
  if (const std::string text = fit_text(plan, figure); !text.empty()) sentences.push_back(text);
  for (const Method& method : figure.methods) {
    Range gains;
    for (const Comparison& comparison : figure.comparisons)
      if (comparison.method == method.name) gains.add(comparison.least_gain, comparison.pass);
    if (gains.n == 0) continue;
    sentences.push_back(fmt::format(
        "\"{}\", at every M it was run with, has a smaller error than the paper's estimator in {} of {} problems; the least gain "
        "of a problem is a factor of {:.3g} to {:.3g}.",
        method.title, gains.n_pass, gains.n, gains.lowest, gains.highest));
  }
  return sentences;
}

double cost_of(const Plan& plan, const Group& group, std::size_t dim, const std::string& kernel, std::size_t trial) {
  const bool is_short = group.name == "polar" && trial >= dear_trials;
  const double largest = std::ldexp(1.0, static_cast<int>(plan.sizes.largest_power)) / 1024;
  const double n_parts = kernel == "cosh-gaussian" ? 3 : 2;
  return group.fixed_cost + group.cost * n_parts * static_cast<double>(dim) / 100 * (is_short ? std::min(largest, 0.125) : largest);
}

}  // namespace

std::vector<TrialTask> fig2_trials(const Plan& plan) {
  std::vector<TrialTask> trials;
  for (const PaperData& data : plan.datasets)
    for (const std::string& kernel : plan.kernels)
      for (const Group& group : groups_of(plan))
        for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
          trials.push_back({key_of(plan, group, data, kernel, trial),
                            fmt::format("figure 2, {}, {}, {}, trial {}", data.record.name, kernel, group.name, trial + 1),
                            cost_of(plan, group, data.record.dim, kernel, trial),
                            [&plan, &data, kernel, run = group.run, trial] { return run(plan, prepare(plan, data, kernel, trial)); }});
  return trials;
}

Figure2 fig2_of(const Plan& plan, const Journal& journal) {
  Figure2 figure;
  figure.methods = methods_of(plan);
  for (const PaperData& data : plan.datasets)
    for (const std::string& kernel : plan.kernels) {
      for (const Group& group : groups_of(plan)) {
        std::vector<const Json*> values;
        for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
          values.push_back(&journal.at(key_of(plan, group, data, kernel, trial)).value);
        for (const std::string& method : group.methods) add_points(figure, data, kernel, method, values, multiples_of(plan));
      }
      judge(figure, data.record.name, kernel);
    }
  figure.findings = findings_of(plan, figure);
  figure.seconds = seconds_of(fig2_trials(plan), journal);
  return figure;
}

}  // namespace askrff::experiments
