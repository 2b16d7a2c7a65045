// Verdicts, JSON and table.
#include "report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "askrff/execution.hpp"
#include "askrff/version.hpp"
#include "table.hpp"

namespace askrff::accuracy {
namespace {

using Json = nlohmann::ordered_json;

std::string verdict_of(const Target& target, const Figures& figures, bool quick) {
  if (target.sense == Sense::none) return "report";
  if (quick) return "not rated";  // sizes this small say nothing
  const bool reached = target.sense == Sense::at_least ? figures.value >= target.value - figures.allowance
                                                       : figures.value <= target.value + figures.allowance;
  return reached ? "reached" : "falls short";
}

std::string target_text(const Target& target) {
  if (target.sense == Sense::none) return "";
  const std::string text = fmt::format("{} {:g}", target.sense == Sense::at_least ? "≥" : "≤", target.value);
  return target.addition.empty() ? text : text + " + " + target.addition;
}

std::string value_text(const Figures& figures) { return fmt::format("{}{:.3g}", figures.is_lower_bound ? "≥ " : "", figures.value); }

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const Row& row) {
  const auto figure = [&](double value) { return row.has_figures ? number_or_null(value) : Json(nullptr); };
  return {{"group", row.group},
          {"name", row.benchmark.name},
          {"what", row.benchmark.what},
          {"target", target_text(row.benchmark.target)},
          {"unit", row.benchmark.unit},
          {"value", figure(row.figures.value)},
          {"is_lower_bound", row.figures.is_lower_bound},
          {"deviation", figure(row.figures.deviation)},
          {"trials", row.has_figures ? row.figures.trials : 0},
          {"seconds", row.seconds},
          {"verdict", row.verdict},
          {"note", row.figures.note}};
}

Json curves_of(const std::vector<Row>& rows) {
  Json list = Json::array();
  for (const Row& row : rows)
    for (const Curve& curve : row.figures.curves)
      list.push_back({{"data", curve.data}, {"kernel", curve.kernel}, {"method", curve.method}, {"points", curve.points}});
  return list;
}

}  // namespace

Row measured(const std::string& group, const Benchmark& benchmark, Context& context) {
  Row row{group, benchmark, {}, {}, 0, false, false};
  const auto start = std::chrono::steady_clock::now();
  try {
    row.figures = benchmark.measure(context);
    if (!std::isfinite(row.figures.value)) throw std::runtime_error("the figure is not finite");
    row.verdict = verdict_of(benchmark.target, row.figures, context.quick());
    row.has_figures = true;
    context.found[benchmark.name] = row.figures.value;
  } catch (const Skipped& reason) {
    row.verdict = fmt::format("skipped: {}", reason.what());
  } catch (const std::exception& error) {
    row.verdict = fmt::format("failed: {}", error.what());
    row.failed = true;
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

Json json_of(const std::vector<Group>& groups, const std::vector<Row>& rows, const Context& context) {
  const Machine machine = describe_machine();
  Json titles = Json::array(), list = Json::array();
  for (const Group& group : groups) titles.push_back({{"title", group.title}, {"about", group.about}});
  for (const Row& row : rows) list.push_back(json_of(row));
  return {{"format", 1},
          {"askrff", ASKRFF_VERSION},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()))},
          {"quick", context.quick()},
          {"seed", base_seed},
          {"machine", {{"processor", machine.processor}, {"backend", machine.backend}, {"n_processors", machine.n_processors}}},
          {"groups", titles},
          {"rows", list},
          {"curves", curves_of(rows)}};
}

std::string headline(const Row& row) {
  if (!row.has_figures) return row.verdict;
  return fmt::format("{} {}, {} ({:.0f} s)", value_text(row.figures), row.benchmark.unit, row.verdict, row.seconds);
}

std::string text_of(const std::vector<Row>& rows) {
  using cli::Align;
  cli::Table table({{"row", Align::left},
                    {"value"},
                    {"deviation"},
                    {"unit", Align::left},
                    {"target", Align::left},
                    {"trials"},
                    {"seconds"},
                    {"verdict", Align::left},
                    {"note", Align::left}});
  for (const Row& row : rows) {
    const std::size_t colon = row.verdict.find(": ");
    const std::string reason = colon == std::string::npos ? "" : row.verdict.substr(colon + 2);
    table.add({row.benchmark.name, row.has_figures ? value_text(row.figures) : "",
               row.has_figures && std::isfinite(row.figures.deviation) ? fmt::format("{:.2g}", row.figures.deviation) : "",
               row.benchmark.unit, target_text(row.benchmark.target), row.has_figures ? fmt::format("{}", row.figures.trials) : "",
               fmt::format("{:.0f}", row.seconds), row.verdict.substr(0, colon), reason.empty() ? row.figures.note : reason});
  }
  return table.text();
}

}  // namespace askrff::accuracy
