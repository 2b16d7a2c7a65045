// Figure 1: the masses Algorithm 2 of the paper estimates from ten rows, in one dimension, beside the exact ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/random.hpp"
#include "experiments/approximations.hpp"
#include "experiments/artefacts.hpp"

namespace askrff::experiments {
namespace {

using Json = Journal::Json;

std::vector<std::size_t> sizes_of(const Plan& plan) {
  std::vector<std::size_t> sizes;
  for (std::size_t power = 1; power <= plan.sizes.largest_power; ++power) sizes.push_back(std::size_t{1} << power);
  return sizes;
}

/// Algorithm 2 once: its own frequencies, its own rows.
MassFit estimate(const Plan& plan, const Kernel& kernel, MatrixView<const double> data, std::size_t n_frequencies, std::uint64_t seed) {
  const SpectralAtoms draws = approximate(kernel, 1, {.n_frequencies = n_frequencies, .seed = seed});
  return fit_masses(kernel, draws, subset_rows(data, plan.sizes.figure1_subset_rows, seed));
}

double of(const MassFit& fit, Part part) {
  return part == Part::real_positive ? fit.real_positive : part == Part::real_negative ? fit.real_negative : fit.imaginary_positive;
}

Json empty_lists() {
  Json lists;
  for (const Part part : all_parts) lists[std::string(traits(part).name)] = Json::array();
  return lists;
}

void append(Json& lists, const MassFit& fit) {
  for (const Part part : all_parts) lists[std::string(traits(part).name)].push_back(of(fit, part));
}

Matrix<double> normal_points(const Plan& plan) { return read_data(fmt::format("builtin:gauss1d:{}", plan.sizes.figure1_points)).X; }

/// One estimate for every M.
Json run_trial(const Plan& plan, const std::string& name, std::size_t trial) {
  const auto kernel = make_kernel(name);
  const Matrix<double> data = normal_points(plan);
  Json lists = empty_lists();
  for (const std::size_t n : sizes_of(plan)) append(lists, estimate(plan, *kernel, data, n, derive_seed(plan.seed_of(trial), n)));
  return lists;
}

/// Many estimates at the largest M, from seeds of their own.
Json run_many(const Plan& plan, const std::string& name) {
  const auto kernel = make_kernel(name);
  const Matrix<double> data = normal_points(plan);
  const std::uint64_t seed = derive_seed(plan.seed, std::uint64_t{1} << 32);
  Json lists = empty_lists();
  for (std::size_t i = 0; i < plan.sizes.bias_trials; ++i)
    append(lists, estimate(plan, *kernel, data, sizes_of(plan).back(), derive_seed(seed, i)));
  return lists;
}

std::string what_of(const Plan& plan, const std::string& kernel) {
  return fmt::format("figure 1, {}, {} of {} points", kernel, plan.sizes.figure1_subset_rows, plan.sizes.figure1_points);
}
std::string key_of(const Plan& plan, const std::string& kernel, std::size_t trial) {
  return trial_key(plan, fmt::format("{}, {} sizes", what_of(plan, kernel), plan.sizes.largest_power), trial);
}
std::string many_key(const Plan& plan, const std::string& kernel) {
  const std::string what = fmt::format("{}, {} trials of 2^{}", what_of(plan, kernel), plan.sizes.bias_trials, plan.sizes.largest_power);
  return trial_key(plan, what, 0);
}

/// "real positive".
std::string in_words(std::string part) {
  std::ranges::replace(part, '_', ' ');
  return part;
}

bool is_biased(const MassCheck& check) { return std::abs(check.many.mean - check.exact) > 3 * check.many.standard_error(); }

std::string explanation_of(const MassCheck& check, std::size_t n_subset) {
  const std::string mean = fmt::format("the mean of {} trials is {:.4g} ± {:.1g} (standard error), the exact mass {:.4g}",
                                       check.many.n_trials, check.many.mean, check.many.standard_error(), check.exact);
  if (!is_biased(check))
    return fmt::format("luck of {} trial{}: {}", check.estimate.n_trials, check.estimate.n_trials == 1 ? "" : "s", mean);
  return fmt::format(
      "a bias of the estimator: {}. Least squares on {} rows divides by squared norms of sampled matrices, and masses are cut at 0", mean,
      n_subset);
}

/// Of the mean of the trials in the figure; a single trial has no deviation of its own, that of many stands in.
double standard_error_of(const MassCheck& check) {
  return check.estimate.n_trials > 1 ? check.estimate.standard_error() : check.many.deviation;
}

MassCheck check_of(const MassPoint& point, const Journal::Json& many, std::size_t n_subset) {
  MassCheck check{point.kernel, point.part, point.n_frequencies, point.exact, point.estimate, {}, false, ""};
  check.many = spread_of(many.at(point.part).get<std::vector<double>>());
  // A mass that is the same in every trial (sinh-gaussian's real parts) has no standard error.
  check.within = point.estimate.mean == point.exact || std::abs(point.estimate.mean - point.exact) <= 2 * standard_error_of(check);
  if (!check.within) check.explanation = explanation_of(check, n_subset);
  return check;
}

std::string bias_text(const Figure1& figure) {
  std::size_t n_biased = 0;
  double largest = 0;
  for (const MassCheck& check : figure.checks) {
    if (!is_biased(check)) continue;
    ++n_biased;
    largest = std::max(largest, std::abs(check.many.mean - check.exact) / check.many.deviation);
  }
  const MassCheck& any = figure.checks.front();
  return fmt::format("With {} trials instead of {}, {} of {} means differ from the exact mass by more than three standard errors: {}.",
                     any.many.n_trials, any.estimate.n_trials, n_biased, figure.checks.size(),
                     n_biased == 0 ? "no bias is seen at this M"
                                   : fmt::format("the estimator is biased, by up to {:.2g} of its standard deviation", largest));
}

/// Where the estimate is too small by the largest factor; empty if it is nowhere too small.
std::string shrinkage_text(const Figure1& figure) {
  const MassPoint* worst = nullptr;
  for (const MassPoint& point : figure.points)
    if (point.estimate.mean < point.exact && (worst == nullptr || point.estimate.mean / point.exact < worst->estimate.mean / worst->exact))
      worst = &point;
  if (worst == nullptr) return "";
  return fmt::format("Furthest below the truth is {} of {} at M = {}: {:.3g} in the mean, {:.4g} in truth.", in_words(worst->part),
                     worst->kernel, worst->n_frequencies, worst->estimate.mean, worst->exact);
}

std::vector<std::string> findings_of(const Figure1& figure) {
  const auto n_within = std::ranges::count_if(figure.checks, &MassCheck::within);
  const MassCheck& noisiest = *std::ranges::max_element(figure.checks, {}, [](const MassCheck& check) { return check.many.deviation; });
  std::vector<std::string> sentences{
      fmt::format("{} of {} exact masses lie within two standard errors{} of the mean estimate at M = {}.", n_within, figure.checks.size(),
                  noisiest.estimate.n_trials > 1 ? "" : " (one trial has none: of many trials)", noisiest.n_frequencies),
      bias_text(figure)};
  if (const std::string text = shrinkage_text(figure); !text.empty()) sentences.push_back(text);
  sentences.push_back(fmt::format(
      "The noisiest estimate at M = {} is that of {} of {}, which is {:.4g}: its standard deviation is {:.2g}. The exact masses "
      "take one function call and have no error.",
      noisiest.n_frequencies, in_words(noisiest.part), noisiest.kernel, noisiest.exact, noisiest.many.deviation));
  return sentences;
}

}  // namespace

std::vector<TrialTask> fig1_trials(const Plan& plan) {
  std::vector<TrialTask> trials;
  for (const std::string& kernel : plan.kernels) {
    for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
      trials.push_back({key_of(plan, kernel, trial), fmt::format("figure 1, {}, trial {}", kernel, trial + 1), 0.01,
                        [&plan, kernel, trial] { return run_trial(plan, kernel, trial); }});
    trials.push_back({many_key(plan, kernel), fmt::format("figure 1, {}, {} trials", kernel, plan.sizes.bias_trials),
                      0.002 * static_cast<double>(plan.sizes.bias_trials), [&plan, kernel] { return run_many(plan, kernel); }});
  }
  return trials;
}

Figure1 fig1_of(const Plan& plan, const Journal& journal) {
  Figure1 figure;
  const auto sizes = sizes_of(plan);
  for (const std::string& name : plan.kernels) {
    const Masses exact = exact_masses(*make_kernel(name)->measure(1));
    for (const Part part : all_parts) {
      const std::string part_name(traits(part).name);
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::vector<double> values;
        for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
          values.push_back(journal.at(key_of(plan, name, trial)).value.at(part_name).at(i).get<double>());
        figure.points.push_back({name, part_name, sizes[i], spread_of(values), exact.of(part)});
      }
      figure.checks.push_back(check_of(figure.points.back(), journal.at(many_key(plan, name)).value, plan.sizes.figure1_subset_rows));
    }
  }
  figure.findings = findings_of(figure);
  figure.seconds = seconds_of(fig1_trials(plan), journal);
  return figure;
}

}  // namespace askrff::experiments
