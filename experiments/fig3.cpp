// Figure 3: test accuracy and sampling time of the paper's method against the number of frequencies, a linear classifier beside it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "experiments/artefacts.hpp"
#include "experiments/classification_trials.hpp"

namespace askrff::experiments {
namespace {

constexpr int largest_tuned_exponent = 1;  // beyond, cross-validation in every trial would be most of the report's time

Tuning tuning_of(int exponent) { return exponent <= largest_tuned_exponent ? Tuning::every_trial : Tuning::first_trial; }

ClassifierSetup setup_of(const Plan& plan, const PaperData& data, const std::string& kernel, int exponent) {
  const double frequencies = std::ldexp(static_cast<double>(data.record.dim), exponent);
  return {View::asy, kernel, static_cast<std::size_t>(std::max(1.0, std::round(frequencies))), plan.sizes.subset_rows};
}

AccuracyPoint point_of(const Plan& plan, const PaperData& data, const std::string& kernel, int exponent, const Journal& journal) {
  const ClassifierSetup setup = setup_of(plan, data, kernel, exponent);
  const auto trials = classifications(plan, data, setup, tuning_of(exponent), journal);
  return {.dataset = data.record.name,
          .kernel = kernel,
          .dim = data.record.dim,
          .log2_multiple = std::log2(static_cast<double>(setup.per_part) / static_cast<double>(data.record.dim)),
          .n_frequencies = trials.front().n_frequencies,
          .n_features = trials.front().n_features,
          .accuracy = spread_over(trials, &Classification::accuracy),
          .sampling_seconds = spread_over(trials, &Classification::sampling_seconds)};
}

/// Those that give different M: in two dimensions d/4 and d/2 frequencies are both one.
std::vector<int> exponents_of(const Plan& plan, const PaperData& data) {
  std::vector<int> exponents;
  const auto frequencies = [&](int exponent) { return setup_of(plan, data, "", exponent).per_part; };
  for (int e = plan.sizes.smallest_exponent; e <= plan.sizes.largest_exponent; ++e)
    if (exponents.empty() || frequencies(e) != frequencies(exponents.back())) exponents.push_back(e);
  return exponents;
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

std::string linear_text(const Plan& plan, const Figure3& figure) {
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
                                  std::isnan(from) ? "not at the largest M" : fmt::format("from M/d = {:.3g} on", std::exp2(from)));
    }
  return fmt::format(
      "The paper says its features beat the linear classifier when M ≥ d. So it is, in the mean of {} trial{}, for {} of {} curves{}.",
      plan.n_trials, plan.n_trials == 1 ? "" : "s", n_above, n_curves, exceptions.empty() ? "" : "; the others: " + exceptions);
}

/// Least probability that rejection, the paper's sampler, takes a candidate: of the part with the smallest mass.
double min_acceptance(const Plan& plan) {
  double least = 1;
  for (const PaperData& data : plan.datasets)
    for (const std::string& name : plan.kernels) {
      const Masses masses = exact_masses(*make_kernel(name)->measure(data.record.dim));
      for (const Part part : all_parts)
        if (masses.of(part) > 0) least = std::min(least, masses.of(part) / masses.total_variation);
    }
  return least;
}

std::string sampling_text(const Plan& plan, const Figure3& figure) {
  double fastest = std::numeric_limits<double>::infinity(), slowest = 0;
  for (const AccuracyPoint& point : figure.points) {
    fastest = std::min(fastest, point.sampling_seconds.mean);
    slowest = std::max(slowest, point.sampling_seconds.mean);
  }
  const std::string rejection =
      min_acceptance(plan) < 1e-9 ? " The paper's rejection sampler would not have ended: see the erratum on it." : "";
  return fmt::format(
      "Drawing all frequencies and fitting the masses takes {:.2g} to {:.2g} seconds.{} These frequencies are drawn exactly.", fastest,
      slowest, rejection);
}

std::vector<std::string> findings_of(const Plan& plan, const Figure3& figure) {
  const bool all_tuned = plan.sizes.largest_exponent <= largest_tuned_exponent || plan.n_trials == 1;
  return {linear_text(plan, figure), sampling_text(plan, figure),
          fmt::format("C is found by cross-validation in every trial{}.",
                      all_tuned ? "" : " up to M = 2d, and beyond in the first trial, whose C the others take")};
}

}  // namespace

std::vector<TrialTask> fig3_trials(const Plan& plan, const Journal& journal) {
  std::vector<TrialTask> trials;
  const auto add = [&](std::vector<TrialTask> more) { std::ranges::move(more, std::back_inserter(trials)); };
  for (const PaperData& data : plan.datasets) {
    add(classification_trials(plan, data, {}, Tuning::every_trial, &journal));
    for (const std::string& kernel : plan.kernels)
      for (const int exponent : exponents_of(plan, data))
        add(classification_trials(plan, data, setup_of(plan, data, kernel, exponent), tuning_of(exponent), &journal));
  }
  return trials;
}

Figure3 fig3_of(const Plan& plan, const Journal& journal) {
  Figure3 figure;
  for (const PaperData& data : plan.datasets) {
    const auto linear = classifications(plan, data, {}, Tuning::every_trial, journal);
    figure.linear.push_back({data.record.name, spread_over(linear, &Classification::accuracy)});
    for (const std::string& kernel : plan.kernels)
      for (const int exponent : exponents_of(plan, data)) figure.points.push_back(point_of(plan, data, kernel, exponent, journal));
  }
  figure.findings = findings_of(plan, figure);
  figure.seconds = seconds_of(fig3_trials(plan, journal), journal);
  return figure;
}

}  // namespace askrff::experiments
