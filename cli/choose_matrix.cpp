// askrff choose --kernel precomputed: the map of a kernel matrix, certified, in a file.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "choice_report.hpp"
#include "choose.hpp"
#include "command_text.hpp"
#include "matrix_options.hpp"
#include "messages.hpp"
#include "output_checks.hpp"

namespace askrff::cli {
namespace {

Json map_json_of_matrix(const ChooseCommandOptions& options, const RowsView<double>& K, const Map& map,
                        const std::vector<Candidate>& tried) {
  const MapContent& content = map.content();
  const auto& tolerance = options.map.values.tolerance;
  Json json = matrix_header_json(options.data, K);
  json["seed"] = content.seed;
  json["tolerance"] = tolerance ? Json(*tolerance) : Json(nullptr);
  json["out"] = options.out;
  json["chosen"] = chosen_json(map);
  json["columns_read"] = map.matrix()->columns.size();
  json["rows_read"] = map.matrix()->rows.size();
  json["one_sided"] = map.matrix()->is_one_sided();
  json["reason"] = content.reason;
  json["reached"] = tolerance ? Json(content.certificate->reached) : Json(nullptr);
  json["certificate"] = content.certificate ? certificate_json(*content.certificate, tolerance.has_value()) : Json(nullptr);
  json["warning"] = warning_json(map);
  json["tried"] = tried_json(tried);
  return json;
}

std::string next_steps(const ChooseCommandOptions& options, const Map& map) {
  const std::string transform = "  askrff transform --features " + shell_word(options.out) + " --data " + shell_word(options.data.source);
  std::string text = fmt::format("{}: the map; features of the rows of K, and of its columns, by\n{} --side left --out left.npy\n",
                                 options.out, transform);
  return text + (map.matrix()->is_one_sided() ? "K is symmetric and positive definite as far as the features go: both are the same.\n"
                                              : transform + " --transpose --side right --out right.npy\n");
}

}  // namespace

Report run_choose_of_matrix(const ChooseCommandOptions& options, const std::string& command) {
  check_matrix_options(options.kernel, options.data);
  refuse_if_given(options.no_prune_given, "--kernel precomputed has no frequencies");
  const MatrixOptions how = options.map.of_matrix(options.execution);
  check_files({{"--out", options.out}}, options.data.inputs());
  const NamedMatrix matrix = read_named_matrix(options.data, options.execution);
  std::vector<Candidate> tried;
  const auto& tolerance = options.map.values.tolerance;
  const Map map = made_matrix_map(matrix, how, tolerance, "choose", tried).with([&](MapContent& content) { content.command = command; });
  map.save(options.out);
  warn_if_not_reached(map, tolerance);
  warn_if_any(map.accuracy_warning());
  const auto& certificate = map.content().certificate;
  return {.json = map_json_of_matrix(options, matrix.K(), map, tried),
          .text = fmt::format("{}; seed {}\n\n{}{}\n{}\n{}", matrix_title(options.data, matrix.K()), how.seed,
                              tried.empty() ? "" : tried_text(tried) + "\n", chosen_text(map),
                              certificate ? certificate_text(*certificate, tolerance) : no_certificate_text(), next_steps(options, map)),
          .files = {options.out}};
}

}  // namespace askrff::cli
