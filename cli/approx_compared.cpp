// askrff approx --compare: every sensible method at one number of frequencies, and how many the paper's would need for the same error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "approx.hpp"
#include "askrff/errors.hpp"
#include "evaluation.hpp"
#include "paper_curve.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

constexpr std::size_t default_trials = 3, default_multiple = 8;
constexpr std::size_t max_nystrom_features = 1024;  // the time grows with their cube
// Of the time that is allowed; the rest is for the paper's estimator at other sizes.
constexpr double share_of_methods = 0.75;

/// One method: how it is made, and what came of it.
struct Line {
  MapOptions options;
  std::string note;
  Evaluation result = {};
  std::string refused = {};  ///< why it could not be tried; empty if it was

  std::string estimator() const { return std::string(name_of(options.estimator)); }
  std::string sampler() const { return is_nystrom() ? "" : std::string(name_of(options.sampler)); }
  std::string weights() const { return is_nystrom() ? "" : std::string(name_of(options.weights)); }
  std::string name() const { return is_nystrom() ? estimator() : fmt::format("{} {} {}", estimator(), sampler(), weights()); }
  bool is_nystrom() const { return options.estimator == Estimator::nystrom; }
  bool is_the_papers() const { return options.weights == Weights::subset; }
  bool was_tried() const { return result.n_trials > 0; }
  bool had_no_time() const { return !was_tried() && refused.empty(); }
  /// Seconds of a trial, relative to those of others, for the time that is left.
  double work() const { return is_nystrom() ? 40 : is_calibrated(options.weights) ? 12 : 1; }
  /// The yardstick itself saves nothing, whatever the luck of other sizes.
  Saving saving(const PaperCurve& curve) const {
    return is_the_papers() ? Saving{1.0, Saving::Kind::measured} : curve.saving(result.error_mean, result.n_features);
  }
};

/// Parts of the measure that are not negligible.
std::size_t count_parts(const ChosenKernel& chosen, const RowsView<double>& data) {
  return approximate(*chosen.kernel, data.cols(), {.n_frequencies = 1}).size();
}

std::vector<Line> sensible_lines(const ApproxOptions& options, const ChosenKernel& chosen, const RowsView<double>& data,
                                 std::size_t n_frequencies, std::size_t n_parts) {
  const std::size_t dim = data.cols();
  const auto measure = chosen.measure(dim);
  const MapOptions base{.seed = options.map.values.seed, .execution = options.execution};
  std::vector<Line> lines;
  // Frequencies are shared equally among Jordan parts.
  const auto add_jordan = [&](Weights weights, Allocation allocation, const char* note) {
    lines.push_back({base, note});
    MapOptions& line = lines.back().options;
    line.n_frequencies = std::max<std::size_t>(1, n_frequencies / n_parts);
    line.estimator = Estimator::jordan;
    line.sampler = Sampler::exact;
    line.weights = weights;
    line.n_subset = paper_subset(data);
    line.allocation = allocation;
  };
  const auto add = [&](Estimator estimator, Sampler sampler, Weights weights) {
    lines.push_back({base, ""});
    MapOptions& line = lines.back().options;
    line.n_frequencies = n_frequencies;
    line.estimator = estimator;
    line.sampler = sampler;
    line.weights = weights;
  };
  add_jordan(Weights::subset, Allocation::equal, "the paper");
  add_jordan(Weights::exact, Allocation::equal, "");
  if (n_parts > 1) add_jordan(Weights::exact, Allocation::mass, "frequencies by mass");
  std::vector<Sampler> samplers = {Sampler::exact, Sampler::orthogonal, Sampler::mub, Sampler::sobol};
  if (dim >= 16) samplers.push_back(Sampler::structured);
  if (dim <= 5) samplers.push_back(Sampler::quadrature);
  if (dim <= 3) samplers.push_back(Sampler::grid);
  if (measure->gaussian_sigma() && !measure->ridge().empty()) samplers.push_back(Sampler::ridge);
  for (const Sampler sampler : samplers)
    for (const Weights weights : {Weights::exact, Weights::calibrated}) add(Estimator::polar, sampler, weights);
  add(Estimator::nystrom, base.sampler, base.weights);
  lines.back().options.n_frequencies = std::min(n_frequencies, max_nystrom_features / 2);
  return lines;
}

void run_line(Line& line, const ChosenKernel& chosen, const RowSplit& split, std::size_t n_trials, ProgressBar& progress,
              const Deadline& deadline) {
  progress.relabel(line.name());
  try {
    line.result = evaluate(chosen, split.others, split.chosen, line.options, n_trials, progress, line.work(), deadline);
  } catch (const std::invalid_argument& error) {
    line.refused = error.what();
  } catch (const NumericalError& error) {
    line.refused = error.what();
  }
}

/// The paper's method first, in any case: the others are compared with it; then those that take the least time.
void run_lines(std::vector<Line>& lines, const ChosenKernel& chosen, const RowSplit& split, std::size_t n_trials,
               const Deadline& deadline) {
  double work = 0;
  for (const Line& line : lines) work += line.work() * static_cast<double>(n_trials);
  ProgressBar progress("methods", work);
  std::vector<Line*> order;
  for (Line& line : lines) order.push_back(&line);
  std::ranges::stable_sort(order, {}, &Line::work);
  for (Line* line : order) run_line(*line, chosen, split, n_trials, progress, line->is_the_papers() ? Deadline(std::nullopt) : deadline);
}

std::string saving_text(const Saving& saving) {
  const char* sign = saving.kind == Saving::Kind::at_least ? "≥ " : saving.kind == Saving::Kind::at_most ? "≤ " : "";
  return saving.factor >= 9.95 ? fmt::format("{}{:.0f}×", sign, saving.factor) : fmt::format("{}{:.1f}×", sign, saving.factor);
}

Json lines_json(const std::vector<Line>& lines, const PaperCurve& curve) {
  Json json = Json::array();
  for (const Line& line : lines) {
    if (!line.was_tried()) continue;
    const Saving saving = line.saving(curve);
    json.push_back({{"estimator", line.estimator()},
                    {"sampler", line.sampler()},
                    {"weights", line.weights()},
                    {"note", line.note},
                    {"n_frequencies", line.result.n_frequencies},
                    {"n_landmarks", line.result.n_landmarks},
                    {"n_features", line.result.n_features},
                    {"n_trials", line.result.n_trials},
                    {"error_mean", line.result.error_mean},
                    {"error_std", line.result.error_std},
                    {"seconds", line.result.seconds_sample},
                    {"saving", saving.factor},
                    {"saving_kind", saving.kind_name()}});
  }
  return json;
}

Json refused_json(const std::vector<Line>& lines) {
  Json json = Json::array();
  for (const Line& line : lines)
    if (!line.refused.empty())
      json.push_back({{"estimator", line.estimator()}, {"sampler", line.sampler()}, {"weights", line.weights()}, {"reason", line.refused}});
  return json;
}

Json without_time_json(const std::vector<Line>& lines) {
  Json json = Json::array();
  for (const Line& line : lines)
    if (line.had_no_time()) json.push_back({{"estimator", line.estimator()}, {"sampler", line.sampler()}, {"weights", line.weights()}});
  return json;
}

std::string without_time_text(const std::vector<Line>& lines) {
  std::string names;
  for (const Line& line : lines)
    if (line.had_no_time()) names += (names.empty() ? "" : ", ") + line.name();
  return names.empty() ? "" : "\nNot tried, there was no time: " + names + "\n";
}

/// What the table says beside a line.
std::string note_of(const Line& line, std::size_t n_trials) {
  if (line.result.n_trials == n_trials) return line.note;
  const std::string fewer = fmt::format("time for {} of {} trials", line.result.n_trials, n_trials);
  return line.note.empty() ? fewer : line.note + "; " + fewer;
}

/// Every reason once, with all it was given for.
std::string refusals_text(const std::vector<Line>& lines) {
  std::vector<std::pair<std::string, std::string>> names_by_reason;
  for (const Line& line : lines) {
    if (line.refused.empty()) continue;
    const auto same = [&](const auto& entry) { return entry.first == line.refused; };
    const auto found = std::find_if(names_by_reason.begin(), names_by_reason.end(), same);
    if (found == names_by_reason.end())
      names_by_reason.emplace_back(line.refused, line.name());
    else
      found->second += ", " + line.name();
  }
  std::string text;
  for (const auto& [reason, names] : names_by_reason) text += fmt::format("  {}: {}\n", names, reason);
  return text.empty() ? "" : "\nRefused:\n" + text;
}

std::string lines_text(const std::vector<Line>& lines, const PaperCurve& curve, std::size_t n_trials) {
  Table table({{"method", Align::left},
               {"frequencies"},
               {"features"},
               {"relative error"},
               {"± deviation"},
               {"making [s]"},
               {"saving"},
               {"", Align::left}});
  for (const Line& line : lines) {
    const Evaluation& result = line.result;
    if (!line.was_tried()) continue;
    table.add({line.name(), result.n_frequencies == 0 ? "-" : fmt::format("{}", result.n_frequencies), fmt::format("{}", result.n_features),
               fmt::format("{:.3e}", result.error_mean), fmt::format("{:.1e}", result.error_std),
               fmt::format("{:.4f}", result.seconds_sample), saving_text(line.saving(curve)), note_of(line, n_trials)});
  }
  return table.text() + refusals_text(lines) + without_time_text(lines);
}

}  // namespace

Report approx_compared(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data) {
  const std::size_t n_trials = options.n_trials == 0 ? default_trials : options.n_trials;
  const FrequencyCount asked = options.frequencies.empty() ? FrequencyCount{default_multiple, true} : options.frequencies.front();
  const std::size_t n_frequencies = asked.per_part(data.X.cols());
  const RowSplit split = split_points(data.X, options.n_points, options.map.values.seed, options.data.source);
  const std::size_t n_parts = count_parts(chosen, data.X);
  std::vector<Line> lines = sensible_lines(options, chosen, split.others, n_frequencies, n_parts);
  const std::optional<double> limit = options.map.values.time_limit;
  const Deadline of_methods(limit ? std::optional(share_of_methods * *limit) : limit), of_all(limit);
  run_lines(lines, chosen, split, n_trials, of_methods);
  double best = std::numeric_limits<double>::infinity();
  for (const Line& line : lines)
    if (line.was_tried()) best = std::min(best, line.result.error_mean);
  const PaperCurve curve =
      PaperCurve::measured({chosen, split.others, split.chosen, options.map.values.seed, n_trials, n_parts, options.execution},
                           std::max<std::size_t>(1, n_frequencies / n_parts), lines.front().result, best, of_all);
  Report report;
  report.json = approx_header_json(options, chosen, data, split.chosen.rows(), n_trials);
  report.json["n_frequencies"] = n_frequencies;
  report.json["lines"] = lines_json(lines, curve);
  report.json["refused"] = refused_json(lines);
  report.json["not_tried"] = without_time_json(lines);
  report.json["paper_curve"] = curve.json();
  report.text = fmt::format(
      "{}\n"
      "data {}: {} of {} rows{} for the error, fits on the others{}; {} frequencies, {}, seed {}\n\n"
      "{}\n"
      "Saving: how many times as many features the paper's estimator (jordan, equal parts, masses fitted on {} rows) needs for the same\n"
      "error; measured with up to {} frequencies, ≥ where that was not enough.\n",
      chosen.title(data.X.cols()), options.data.source, split.chosen.rows(), data.X.rows(), drawn_text(data),
      scale_text(options.data.scale), n_frequencies, n_trials == 1 ? "one trial" : fmt::format("means of {} trials", n_trials),
      options.map.values.seed, lines_text(lines, curve, n_trials), paper_subset(split.others), curve.largest());
  return report;
}

}  // namespace askrff::cli
