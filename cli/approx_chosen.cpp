// askrff approx without a method: one is found, and its error is measured on rows it has not seen.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "approx.hpp"
#include "askrff/map.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "choice_report.hpp"
#include "evaluation.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

/// What was chosen for one number of frequencies, or for the tolerance: means of the trials.
struct Row {
  std::size_t n_asked = 0;  ///< 0 with a tolerance
  std::string maps;         ///< every one that was chosen, once
  std::size_t n_features = 0;
  double error = 0, lower = 0, upper = 0, seconds = 0;
  std::optional<Map> map;        ///< of the first trial
  std::vector<Candidate> tried;  ///< likewise
};

std::size_t trials_of(const ApproxOptions& options) { return std::max<std::size_t>(1, options.n_trials); }

Row choose_row(const ApproxOptions& options, const ChosenKernel& chosen, const RowSplit& split, std::size_t n_asked,
               ProgressBar& progress) {
  Row row;
  row.n_asked = n_asked;
  MapOptions how = options.map.resolved(split.others.cols(), options.execution);
  if (n_asked > 0) how.n_frequencies = n_asked;
  how.on_candidate = shown_on(progress);
  const std::uint64_t seed = how.seed;
  const std::size_t n_trials = trials_of(options);
  for (std::size_t trial = 0; trial < n_trials; ++trial) {
    how.seed = n_trials == 1 ? seed : derive_seed(seed, trial);  // one trial is what askrff choose does
    const auto start = std::chrono::steady_clock::now();
    std::vector<Candidate> tried;
    Map map = make_map(chosen, split.others, how, tried);
    const auto mean = [share = 1.0 / static_cast<double>(n_trials)](double& value, double next) { value += share * next; };
    mean(row.seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    const HeldOutError error = held_out_error(*chosen.kernel, map.feature_map(), split.chosen, options.execution);
    mean(row.error, error.error);
    mean(row.lower, error.lower);
    mean(row.upper, error.upper);
    row.n_features = std::max(row.n_features, map.n_features());
    const std::string name = map_name(map);
    if (row.maps.find(name) == std::string::npos) row.maps += (row.maps.empty() ? "" : " / ") + name;
    if (row.map) continue;
    row.map = std::move(map);
    row.tried = std::move(tried);
  }
  return row;
}

std::vector<Row> choose_all(const ApproxOptions& options, const ChosenKernel& chosen, const RowSplit& split) {
  std::vector<std::size_t> asked;  // refuse an impossible one before the first is worked on
  auto counts = options.frequencies;
  if (counts.empty()) counts = {{2, true}, {8, true}, {32, true}};
  for (const FrequencyCount& count : counts) asked.push_back(count.per_part(split.others.cols()));
  if (options.map.values.tolerance) asked = {0};
  ProgressBar progress("approx", 1);
  std::vector<Row> rows;
  for (const std::size_t count : asked) rows.push_back(choose_row(options, chosen, split, count, progress));
  return rows;
}

Json to_json(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
             const std::vector<Row>& rows) {
  Json json = approx_header_json(options, chosen, data, n_points, trials_of(options));
  json["tolerance"] = options.map.values.tolerance ? Json(*options.map.values.tolerance) : Json(nullptr);
  const Map& last = *rows.back().map;
  json["chosen"] = chosen_json(last);
  json["reason"] = last.content().reason;
  const bool has_tolerance = options.map.values.tolerance.has_value();
  json["certificate"] = certificate_json(*last.content().certificate, has_tolerance);
  json["tried"] = tried_json(rows.back().tried);
  json["rows"] = Json::array();
  for (const Row& row : rows) {
    json["rows"].push_back({{"frequencies_asked", row.n_asked == 0 ? Json(nullptr) : Json(row.n_asked)},
                            {"chosen", chosen_json(*row.map)},
                            {"n_frequencies", row.map->n_frequencies()},
                            {"n_features", row.n_features},
                            {"error_mean", row.error},
                            {"error_lower", row.lower},
                            {"error_upper", row.upper},
                            {"seconds", row.seconds},
                            {"reason", row.map->content().reason},
                            {"certificate", certificate_json(*row.map->content().certificate, has_tolerance)}});
  }
  return json;
}

std::string to_text(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
                    const std::vector<Row>& rows) {
  Table table({{options.map.values.tolerance ? "tolerance" : "frequencies"},
               {"map chosen", Align::left},
               {"features"},
               {"error on unseen rows"},
               {"95 % interval", Align::left},
               {"choosing [s]"}});
  for (const Row& row : rows)
    table.add({options.map.values.tolerance ? fmt::format("{:.3g}", *options.map.values.tolerance) : fmt::format("{}", row.n_asked),
               row.maps, fmt::format("{}", row.n_features), fmt::format("{:.3e}", row.error),
               fmt::format("{:.3e} to {:.3e}", row.lower, row.upper), fmt::format("{:.2f}", row.seconds)});
  const Map& last = *rows.back().map;
  const std::string trials = trials_of(options) == 1 ? "" : fmt::format(", means of {} trials", trials_of(options));
  const std::string of_last = options.map.values.tolerance ? "" : fmt::format(" for {} frequencies", rows.back().n_asked);
  return fmt::format(
      "{}\n"
      "data {}: chosen on {} rows, the error measured on {} others{}{}; seed {}{}\n\n"
      "{}\n"
      "{}\nTried{}{}:\n\n{}\n{}",
      chosen.title(data.X.cols()), options.data.source, data.X.rows() - n_points, n_points, drawn_text(data),
      scale_text(options.data.scale), options.map.values.seed, trials, table.text(), chosen_text(last), of_last,
      trials_of(options) == 1 ? "" : " in the first trial", tried_text(rows.back().tried),
      certificate_text(*last.content().certificate, options.map.values.tolerance));
}

}  // namespace

Report approx_chosen(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data) {
  constexpr std::size_t min_rows = 48;  // half of them measure the error, the search needs 24
  if (data.X.rows() < min_rows)
    throw InvalidArgument(
        "--data", fmt::format("{} has {} rows, expected at least {} to choose a map and measure its error on others; --estimator jordan "
                              "needs fewer",
                              options.data.source, data.X.rows(), min_rows));
  const RowSplit split = split_points(data.X, options.n_points, options.map.values.seed, options.data.source);
  constexpr std::size_t max_points = 20'000;  // what held_out_error takes, known before the work
  if (split.chosen.rows() > max_points)
    throw InvalidArgument("--points", fmt::format("got {}, expected at most {} where the map is chosen", options.n_points, max_points));
  const std::vector<Row> rows = choose_all(options, chosen, split);
  warn_if_not_reached(*rows.back().map, options.map.values.tolerance);
  return {to_json(options, chosen, data, split.chosen.rows(), rows), to_text(options, chosen, data, split.chosen.rows(), rows)};
}

}  // namespace askrff::cli
