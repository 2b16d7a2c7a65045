// Measures the paper's estimator at growing sizes.
#include "paper_curve.hpp"

#include <algorithm>
#include <cmath>

#include "evaluation.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

/// Sizes per part, each about twice the one before, `per_part` among them.
std::vector<std::size_t> sizes_around(std::size_t per_part, std::size_t most) {
  std::vector<std::size_t> sizes;
  for (const std::size_t share : {8, 4, 2})
    if (per_part / share > 0) sizes.push_back(per_part / share);
  for (std::size_t size = per_part; size <= std::max(per_part, most); size *= 2) sizes.push_back(size);
  return sizes;
}

/// Pairs of points times frequencies over all trials.
double work_of(const PaperCurve::Setting& setting, std::size_t per_part) {
  const double n_points = static_cast<double>(setting.points.rows());
  return static_cast<double>(per_part * setting.n_parts * setting.n_trials) * n_points * n_points;
}

}  // namespace

std::size_t paper_subset(const RowsView<double>& data) { return std::min<std::size_t>(50, data.rows()); }

const char* Saving::kind_name() const { return kind == Kind::measured ? "measured" : kind == Kind::at_least ? "at_least" : "at_most"; }

PaperCurve PaperCurve::measured(const Setting& setting, std::size_t per_part, const Evaluation& known, double wanted,
                                const Deadline& deadline) {
  constexpr double max_work = 5e10;  // some twenty seconds on two cores
  MapOptions paper{.estimator = Estimator::paper, .seed = setting.seed, .execution = setting.execution};
  std::vector<std::size_t> sizes;
  double total = 0;
  for (const std::size_t size : sizes_around(per_part, 1024 * setting.points.cols())) {
    if (size > per_part && work_of(setting, size) > max_work) break;
    sizes.push_back(size);
    total += static_cast<double>(size * setting.n_trials);
  }
  ProgressBar progress("the paper's estimator", total);
  const auto evaluated = [&](std::size_t size) {
    const bool is_needed = size == per_part;  // without it there is nothing to compare with
    if (is_needed && known.n_trials == setting.n_trials) {
      progress.advance(static_cast<double>(size * setting.n_trials));
      return known;
    }
    paper.n_frequencies = size;
    return evaluate(setting.kernel, setting.data, setting.points, paper, setting.n_trials, progress, {},
                    is_needed ? Deadline(std::nullopt) : deadline);
  };
  PaperCurve curve;
  for (const std::size_t size : sizes) {
    const Evaluation result = evaluated(size);
    if (result.n_trials < setting.n_trials) continue;  // there was no time; means of fewer trials would not be comparable
    curve.points_.push_back({size, result.n_frequencies, result.error_mean});
    if (size >= per_part && result.error_mean <= wanted) break;
  }
  return curve;
}

Saving PaperCurve::saving(double error, std::size_t n_features) const {
  const auto factor = [&](double n_frequencies) { return 2 * n_frequencies / static_cast<double>(n_features); };
  // The first size that reaches it, even if luck had a part in that: savings are not to be flattered.
  const auto found = std::ranges::find_if(points_, [&](const Point& point) { return point.error <= error; });
  if (found == points_.end()) return {factor(static_cast<double>(largest())), Saving::Kind::at_least};
  const double size = static_cast<double>(found->n_frequencies);
  if (found == points_.begin()) return {factor(size), found->error < error ? Saving::Kind::at_most : Saving::Kind::measured};
  const Point& before = *(found - 1);
  if (!(found->error > 0 && error > 0)) return {factor(size), Saving::Kind::measured};
  const double slope = std::log(size / static_cast<double>(before.n_frequencies)) / std::log(found->error / before.error);
  return {factor(size * std::exp(slope * std::log(error / found->error))), Saving::Kind::measured};
}

Json PaperCurve::json() const {
  Json json = Json::array();
  for (const Point& point : points_)
    json.push_back({{"frequencies_per_part", point.per_part}, {"n_frequencies", point.n_frequencies}, {"error_mean", point.error}});
  return json;
}

}  // namespace askrff::cli
