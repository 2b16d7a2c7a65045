// Verdicts, JSON and table.
#include "report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "askrff/execution.hpp"
#include "askrff/version.hpp"
#include "table.hpp"

namespace askrff::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string verdict_of(const Benchmark& benchmark, const Spread& spread, bool quick) {
  const Target& target = benchmark.target;
  if (target.sense == Sense::none) return "for information";
  if (quick) return "not rated";  // sizes this small say nothing
  const bool reached = target.sense == Sense::at_least ? spread.median >= target.value : spread.median <= target.value;
  return reached ? "reached" : "falls short";
}

std::string target_text(const Target& target) {
  switch (target.sense) {
    case Sense::at_least:
      return fmt::format("≥ {:g}", target.value);
    case Sense::at_most:
      return fmt::format("≤ {:g}", target.value);
    case Sense::none:
      break;
  }
  return "";
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const Row& row) {
  const bool has_figures = !row.figures.values.empty();
  const auto figure = [&](double value) { return has_figures ? number_or_null(value) : Json(nullptr); };
  return {{"name", row.benchmark.name},
          {"what", row.benchmark.what},
          {"against", row.benchmark.against},
          {"target", target_text(row.benchmark.target)},
          {"unit", row.benchmark.unit},
          {"median", figure(row.spread.median)},
          {"lower", figure(row.spread.lower)},
          {"upper", figure(row.spread.upper)},
          {"repeats", row.figures.values.size()},
          {"ours_ms", figure(row.figures.ours_ms)},
          {"theirs_ms", figure(row.figures.theirs_ms)},
          {"verdict", row.verdict},
          {"note", row.figures.note}};
}

Json blas_json(const Context& context) {
  Json probes = Json::array();
  for (const Probe& probe : context.probes())
    probes.push_back({{"library", probe.library},
                      {"core_type", probe.core_type},
                      {"core", probe.core},
                      {"gflops", probe.gflops},
                      {"error", probe.error}});
  Json used = nullptr;
  if (const auto& chosen = context.chosen())
    used = {{"library", chosen->library}, {"core_type", chosen->core_type}, {"core", chosen->core}, {"gflops", chosen->gflops}};
  return {{"used", used}, {"probes", probes}};
}

Json python_json(const Context& context) {
  const auto& description = context.python_description();
  return description ? Json{{"sklearn", description->sklearn}, {"numpy", description->numpy}} : Json(nullptr);
}

std::string blas_text(const Context& context) {
  const auto& chosen = context.chosen();
  if (!chosen) return "none used";
  return fmt::format("{}, core {} ({}), {:.0f} GFLOP/s", std::filesystem::path(chosen->library).filename().string(), chosen->core,
                     chosen->core_type.empty() ? "its own choice" : "OPENBLAS_CORETYPE=" + chosen->core_type, chosen->gflops);
}

}  // namespace

Row measured(const Benchmark& benchmark, Context& context) {
  Row row{benchmark, {}, {}, {}, false};
  try {
    row.figures = benchmark.measure(context);
    row.spread = spread_of(row.figures.values);
    row.verdict = verdict_of(benchmark, row.spread, context.quick());
  } catch (const Skipped& reason) {
    row.verdict = fmt::format("skipped: {}", reason.what());
  } catch (const std::bad_alloc&) {
    row.verdict = "skipped: there is not enough memory";
  } catch (const std::exception& error) {
    row.verdict = fmt::format("failed: {}", error.what());
    row.failed = true;
  }
  return row;
}

Json json_of(const std::vector<Row>& rows, const Context& context) {
  const Machine machine = describe_machine();
  std::array<double, 3> load{};
  const bool has_load = getloadavg(load.data(), 3) == 3;
  Json list = Json::array();
  for (const Row& row : rows) list.push_back(json_of(row));
  return {{"format", 1},
          {"askrff", ASKRFF_VERSION},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::now()))},
          {"quick", context.quick()},
          {"machine",
           {{"processor", machine.processor},
            {"backend", machine.backend},
            {"backends", machine.backends},
            {"n_processors", machine.n_processors},
            {"load_average", has_load ? Json(load[1]) : Json(nullptr)}}},
          {"blas", blas_json(context)},
          {"python", python_json(context)},
          {"rows", list}};
}

std::string headline(const Row& row) {
  if (row.figures.values.empty()) return row.verdict;
  return fmt::format("{:.4g} {} ({:.4g} – {:.4g}), {}", row.spread.median, row.benchmark.unit, row.spread.lower, row.spread.upper,
                     row.verdict);
}

std::string verdict_word(const Row& row) { return row.verdict.substr(0, row.verdict.find(':')); }

std::string text_of(const std::vector<Row>& rows, const Context& context) {
  using cli::Align;
  cli::Table table({{"row", Align::left},
                    {"median"},
                    {"quartiles"},
                    {"unit", Align::left},
                    {"target", Align::left},
                    {"ours [ms]"},
                    {"theirs [ms]"},
                    {"note", Align::left},
                    {"verdict", Align::left}});
  for (const Row& row : rows) {
    const bool has_figures = !row.figures.values.empty();
    const std::string reason = row.verdict.substr(std::min(row.verdict.size(), verdict_word(row).size() + 2));
    const auto cell = [&](double value) { return has_figures && std::isfinite(value) ? fmt::format("{:.4g}", value) : std::string(); };
    const auto milliseconds = [&](double value) {
      return has_figures && std::isfinite(value) ? fmt::format("{:.2f}", value) : std::string();
    };
    table.add({row.benchmark.name, cell(row.spread.median), has_figures ? cell(row.spread.lower) + " – " + cell(row.spread.upper) : "",
               row.benchmark.unit, target_text(row.benchmark.target), milliseconds(row.figures.ours_ms),
               milliseconds(row.figures.theirs_ms), has_figures ? row.figures.note : reason, verdict_word(row)});
  }
  const Machine machine = describe_machine();
  return fmt::format("{}\n{}, backend {}, {} processors\nBLAS: {}\n", table.text(), machine.processor, machine.backend,
                     machine.n_processors, blas_text(context));
}

}  // namespace askrff::bench
