// Figure 3: test accuracy and sampling time of the paper's method against the number of frequencies, a linear classifier beside it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/artefacts.hpp"
#include "experiments/classification_trials.hpp"

namespace askrff::experiments {
namespace {

constexpr int largest_tuned_exponent = 1;  // beyond, cross-validation in every trial would be most of the report's time

std::vector<int> exponents_of(const Plan& plan) {
  std::vector<int> exponents;
  for (int e = plan.sizes.smallest_exponent; e <= plan.sizes.largest_exponent; ++e) exponents.push_back(e);
  return exponents;
}

Tuning tuning_of(int exponent) { return exponent <= largest_tuned_exponent ? Tuning::every_trial : Tuning::first_trial; }

Recipe recipe_of(const Plan& plan, const PaperData& data, const std::string& kernel, int exponent) {
  const double frequencies = std::ldexp(static_cast<double>(data.record.dim), exponent);
  return {View::asy, kernel, static_cast<std::size_t>(std::max(1.0, std::round(frequencies))), plan.sizes.subset_rows};
}

AccuracyPoint point_of(const Plan& plan, const PaperData& data, const std::string& kernel, int exponent, const Journal& journal) {
  const Recipe recipe = recipe_of(plan, data, kernel, exponent);
  const auto trials = classifications(plan, data, recipe, tuning_of(exponent), journal);
  return {.dataset = data.record.name,
          .kernel = kernel,
          .dim = data.record.dim,
          .log2_multiple = std::log2(static_cast<double>(recipe.per_part) / static_cast<double>(data.record.dim)),
          .n_frequencies = trials.front().n_frequencies,
          .n_features = trials.front().n_features,
          .accuracy = spread_over(trials, &Classification::accuracy),
          .sampling_seconds = spread_over(trials, &Classification::sampling_seconds)};
}

/// The smallest log2(M/d) from which on a curve stays above the linear classifier; NaN if it does not.
double above_from(const Figure3& figure, const std::string& dataset, const std::string& kernel, double linear) {
  double from = std::numeric_limits<double>::quiet_NaN();
  for (const AccuracyPoint& point : figure.points) {
    if (point.dataset != dataset || point.kernel != kernel) continue;
    if (point.accuracy.mean <= linear)
      from = std::numeric_limits<double>::quiet_NaN();
    else if (std::isnan(from))
      from = point.log2_multiple;
  }
  return from;
}

std::vector<std::string> findings_of(const Plan& plan, const Figure3& figure) {
  std::vector<std::string> sentences;
  std::size_t n_curves = 0, n_above = 0;
  std::string exceptions;
  for (const LinearAccuracy& linear : figure.linear)
    for (const std::string& kernel : plan.kernels) {
      const double from = above_from(figure, linear.dataset, kernel, linear.accuracy.mean);
      ++n_curves;
      if (from <= 0.01)
        ++n_above;
      else
        exceptions += fmt::format("{}{} on {} ({})", exceptions.empty() ? "" : ", ", kernel, linear.dataset,
                                  std::isnan(from) ? "not up to the largest M" : fmt::format("from M/d = {:.3g} on", std::exp2(from)));
    }
  if (n_curves == 0) return sentences;
  sentences.push_back(fmt::format(
      "The paper says its features beat the linear classifier when M ≥ d. So it is, in the mean of {} trials, for {} of {} curves{}.",
      plan.n_trials, n_above, n_curves, exceptions.empty() ? "" : "; the others: " + exceptions));
  double fastest = std::numeric_limits<double>::infinity(), slowest = 0;
  for (const AccuracyPoint& point : figure.points) {
    fastest = std::min(fastest, point.sampling_seconds.mean);
    slowest = std::max(slowest, point.sampling_seconds.mean);
  }
  sentences.push_back(
      fmt::format("Drawing all frequencies and fitting the masses takes {:.2g} to {:.2g} seconds. The paper's rejection sampler would not "
                  "have ended: see the "
                  "erratum on it. These frequencies are drawn exactly.",
                  fastest, slowest));
  sentences.push_back(
      "C is found by cross-validation in every trial up to M = 2d, and beyond in the first trial, whose C the others take.");
  return sentences;
}

}  // namespace

std::vector<Trial> fig3_trials(const Plan& plan, const Journal& journal) {
  std::vector<Trial> trials;
  const auto add = [&](std::vector<Trial> more) { std::ranges::move(more, std::back_inserter(trials)); };
  for (const PaperData& data : plan.datasets) {
    add(classification_trials(plan, data, {}, Tuning::every_trial, &journal));
    for (const std::string& kernel : plan.kernels)
      for (const int exponent : exponents_of(plan))
        add(classification_trials(plan, data, recipe_of(plan, data, kernel, exponent), tuning_of(exponent), &journal));
  }
  return trials;
}

Figure3 fig3_of(const Plan& plan, const Journal& journal) {
  Figure3 figure;
  for (const PaperData& data : plan.datasets) {
    const auto linear = classifications(plan, data, {}, Tuning::every_trial, journal);
    figure.linear.push_back({data.record.name, spread_over(linear, &Classification::accuracy)});
    for (const std::string& kernel : plan.kernels)
      for (const int exponent : exponents_of(plan)) figure.points.push_back(point_of(plan, data, kernel, exponent, journal));
  }
  figure.findings = findings_of(plan, figure);
  figure.seconds = seconds_of(fig3_trials(plan, journal), journal);
  return figure;
}

}  // namespace askrff::experiments
