// askrff diagnose: what a kernel is on given rows, and what to do with it, before anything is approximated.
#include "diagnose.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "askrff/map.hpp"
#include "askrff/output_file.hpp"
#include "matrix_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output_checks.hpp"
#include "plot.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

/// Null for a decay faster than any power.
Json decay_json(double decay) { return std::isfinite(decay) ? Json(decay) : Json(nullptr); }

Json lines_json(const std::vector<KernelLine>& lines) {
  Json json = Json::array();
  for (const KernelLine& line : lines)
    json.push_back({{"name", line.name},
                    {"at", line.at},
                    {"value", line.value},
                    {"skew", line.skew},
                    {"frequency", line.frequency},
                    {"real", line.real},
                    {"imaginary", line.imaginary}});
  return json;
}

Json to_json(const DiagnoseCommandOptions& options, const ChosenKernel& kernel, std::uint64_t n_rows, const Diagnosis& found) {
  return {{"kernel", kernel.name},
          {"parameters", kernel.parameters_json(found.dim)},
          {"dim", found.dim},
          {"data", options.data.source},
          {"data_rows", n_rows},
          {"scale", name_of(options.data.scale)},
          {"seed", options.how.seed},
          {"rows", found.n_rows},
          {"class", name_of(found.kernel_class)},
          {"symmetric_share", found.symmetric_share},
          {"skew_share", found.skew_share},
          {"negative_share", found.negative_share},
          {"smallest_eigenvalue", found.smallest_eigenvalue},
          {"largest_eigenvalue", found.largest_eigenvalue},
          {"shift_invariant", found.shift_invariant},
          {"shift_variation", found.shift_variation},
          {"smoothness", name_of(found.smoothness)},
          {"decay", decay_json(found.decay)},
          {"integrable", found.integrable},
          {"has_measure", found.has_measure},
          {"measure", found.measure_reason},
          {"total_variation", found.total_variation ? Json(*found.total_variation) : Json(nullptr)},
          {"features_for_1e-2", found.features_for_1e_2},
          {"features_for_1e-3", found.features_for_1e_3},
          {"route", found.route},
          {"reason", found.reason},
          {"plot", options.plot.empty() ? Json(nullptr) : Json(options.plot)},
          {"singular_values", found.singular_values},
          {"lines", lines_json(found.lines)}};
}

/// |k| far out, and what that means.
std::pair<std::string, std::string> decay_text(double decay) {
  constexpr double least = 0.05;
  if (std::isinf(decay)) return {"fast", "|k| falls faster than any power"};
  if (decay > least) return {fmt::format("|δ|^{:.2g}", -decay), "of |k| far out"};
  return {"none", decay < -least ? "|k| grows far out" : "|k| is not seen to fall far out"};
}

std::string facts_text(const Diagnosis& found) {
  Table table({{"", Align::left}, {"found", Align::left}, {"", Align::left}});
  const auto share = [](double value) { return fmt::format("{:.3g}", value); };
  table.add({"class", std::string(name_of(found.kernel_class)), ""});
  table.add({"skew share", share(found.skew_share), "‖(K - Kᵀ)/2‖ / ‖K‖"});
  table.add({"negative share", share(found.negative_share), "norm of the eigenvalues of (K + Kᵀ)/2 below 0, over that of all"});
  table.add({"smallest eigenvalue", fmt::format("{:.3g}", found.smallest_eigenvalue),
             fmt::format("of (K + Kᵀ)/2; the largest is {:.3g}", found.largest_eigenvalue)});
  table.add(
      {"shift-invariant", found.shift_invariant ? "yes" : "no",
       found.shift_invariant ? "" : fmt::format("k(x + h, y + h) differs by up to {:.3g} of the largest |k|", found.shift_variation)});
  if (found.shift_invariant) {
    const auto& words = smoothness_words[static_cast<std::size_t>(found.smoothness)];
    table.add({"smoothness", std::string(words.name), std::string(words.meaning)});
    const auto [decay, meaning] = decay_text(found.decay);
    table.add({"decay", decay, meaning});
    table.add({"integrable", found.integrable ? "yes" : "not seen",
               found.integrable ? "" : "∫|k| is not seen to come to an end within 10^18 times the rows' extent"});
    table.add({"Fourier measure", found.has_measure ? "yes" : "no", found.measure_reason});
  }
  table.add({"features for 1e-2", fmt::format("{}", found.features_for_1e_2), "at best, by the singular values"});
  table.add({"features for 1e-3", fmt::format("{}", found.features_for_1e_3), ""});
  return table.text();
}

std::string picture(const std::string& heading, const Diagnosis& found) {
  Chart values{"k along lines", "distance along the line", {}}, skew{"skew part, (k(δ) - k(-δ))/2", "distance along the line", {}};
  Chart spectrum{"density of the Fourier measure", "frequency along the line", {}};
  for (const KernelLine& line : found.lines) {
    values.curves.push_back({line.name, line.at, line.value});
    skew.curves.push_back({line.name, line.at, line.skew});
  }
  if (!found.lines.empty() && !found.lines.front().frequency.empty()) {
    const KernelLine& line = found.lines.front();
    spectrum.curves = {{"real, " + line.name, line.frequency, line.real}, {"imaginary, " + line.name, line.frequency, line.imaginary}};
  }
  std::vector<Chart> charts;
  for (Chart* chart : {&values, &skew, &spectrum})
    if (!chart->curves.empty()) charts.push_back(std::move(*chart));
  charts.push_back({"singular values of K, over the largest", "number", {decay_curve(found)}, true});
  return svg_charts(heading, charts);
}

Report run_diagnose(const DiagnoseCommandOptions& options) {
  if (options.kernel.is_matrix()) return run_diagnose_of_matrix(options);
  options.kernel.choose();  // what is wrong with it is known before the data are read
  if (!options.plot.empty()) check_files({{"--plot", options.plot}}, options.data.inputs());
  DataStream rows = options.data.open(options.how.execution);
  const DrawnRows drawn = draw_rows(rows, options.data.scale, options.how.seed, 0, options.how.execution.stop);
  warn_if_any(drawn.scaling_warning());
  const ChosenKernel kernel{fitted_kernel(options.kernel.choice(), drawn.X, options.how.seed, options.how.execution.stop)};
  DiagnoseOptions how = options.how;
  how.execution.progress = stages_on_a_bar();
  const Diagnosis found = diagnose(*kernel.kernel, drawn.X, how);
  const std::string title = kernel.title(found.dim);
  Report report;
  if (!options.plot.empty()) {
    write_picture(options.plot, picture(title, found));
    report.files = {options.plot};
  }
  report.json = to_json(options, kernel, drawn.n_rows, found);
  report.text = fmt::format("{}\ndata {}: {}{}, {} looked at\n\n{}\n{}\nrecommended: {}: {}\n", title, options.data.source,
                            counted(drawn.n_rows, "row"), scale_text(options.data.scale), found.n_rows, facts_text(found),
                            decay_plot(found), found.route, found.reason);
  if (!options.plot.empty()) report.text += options.plot + ": the picture\n";
  return report;
}

}  // namespace

ChartCurve decay_curve(const SpectrumFacts& found) {
  ChartCurve curve{"", {}, {}};
  for (std::size_t i = 0; i < found.singular_values.size() && found.singular_values[i] > 1e-16 * found.singular_values[0]; ++i) {
    curve.x.push_back(static_cast<double>(i + 1));
    curve.y.push_back(found.singular_values[i] / found.singular_values[0]);
  }
  return curve;
}

std::string decay_plot(const SpectrumFacts& found) {
  const ChartCurve curve = decay_curve(found);
  Curve shown{"singular values of K over the largest", "*", {}};
  for (std::size_t i = 0; i < curve.x.size(); i = std::max(i + 1, i * 5 / 4)) shown.points.emplace_back(curve.x[i], curve.y[i]);
  return log_log_plot({shown}, {"number", 10, [](double value) { return fmt::format("{:g}", value); }},
                      {"size", 10, [](double value) { return fmt::format("{:.0e}", value); }}, 60, 10);
}

void write_picture(const std::string& path, const std::string& svg) {
  OutputFile file(path, "--plot");
  file.append(svg);
  file.finish();
}

Command add_diagnose(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "diagnose", "What a kernel is on given rows: symmetric, definite, integrable, smooth, of what rank");
  auto options = std::make_shared<DiagnoseCommandOptions>();
  options->kernel.add_to(*parser, matrix_kernel_help());
  options->data.scale = Scaling::minmax;
  options->data.add_to(*parser, "The kernel is looked at on scaled rows.");
  options->data.require();
  add_count(*parser, "--rows", options->how.n_rows,
            "Rows, drawn by --seed, whose matrix K is looked at; precomputed: all of K is, but of one of more than 1000\nrows or columns "
            "only so many of the largest singular values are found",
            2, 2000);
  add_count(*parser, "--seed", options->how.seed, "Seed of the draw", 0);
  add_text(*parser, "--plot", options->plot,
           "An SVG picture to write: k and its skew part along lines, the density of its\nmeasure, the "
           "singular values; precomputed: these, and the least error by number of features",
           "FILE");
  add_threads(*parser, options->how.execution);
  add_footer(
      *parser,
      "What is said holds for the rows looked at and along the coordinates (three of them) and the diagonal; k may differ elsewhere.\n"
      "Examples:\n"
      "  askrff diagnose --kernel sinh-gaussian --data train.csv --plot kernel.svg\n"
      "  askrff diagnose --kernel difference-of-gaussians --data builtin:uniform:3 --json\n"
      "  askrff diagnose --kernel precomputed --data K.npy");
  return {parser, [options] { return run_diagnose(*options); }};
}

}  // namespace askrff::cli
