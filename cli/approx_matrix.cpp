// askrff approx --kernel precomputed: how far features are from a kernel matrix, by their number or for a tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "approx.hpp"
#include "choice_report.hpp"
#include "matrix_options.hpp"
#include "messages.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

struct MatrixRow {
  Map map;
  double seconds = 0;

  const Certificate& certificate() const { return *map.content().certificate; }
};

/// 0: as many as the tolerance takes.
std::vector<std::size_t> sizes_asked(const ApproxOptions& options, const RowsView<double>& K) {
  if (options.map.values.tolerance) return {0};
  std::vector<std::size_t> sizes;
  for (const FrequencyCount& count : options.frequencies) sizes.push_back(matrix_features(count, "--frequencies"));
  if (!sizes.empty()) return sizes;
  const std::size_t n_landmarks = options.map.of_matrix(options.execution, 1).n_landmarks;
  const std::size_t most = std::min({K.rows(), K.cols(), n_landmarks > 0 ? n_landmarks : max_landmarks});
  for (const std::size_t n : {32, 128, 512})
    if (sizes.empty() || n <= most) sizes.push_back(std::min(n, most));
  return sizes;
}

std::vector<MatrixRow> make_all(const ApproxOptions& options, const NamedMatrix& matrix, std::vector<Candidate>& tried) {
  std::vector<MatrixRow> rows;
  for (const std::size_t n : sizes_asked(options, matrix.K())) {
    const auto start = std::chrono::steady_clock::now();
    Map map = made_matrix_map(matrix, options.map.of_matrix(options.execution, n), options.map.values.tolerance, "approx", tried);
    if (!map.content().certificate)
      throw InvalidArgument("--data",
                            fmt::format("{} is {} x {}, expected at least 15 rows and columns, numbers other than 0 between those "
                                        "held out among them, to measure an error",
                                        options.data.source, matrix.K().rows(), matrix.K().cols()));
    rows.push_back({std::move(map), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  }
  return rows;
}

Json rows_json(const std::vector<MatrixRow>& rows, bool has_tolerance) {
  Json json = Json::array();
  for (const MatrixRow& row : rows)
    json.push_back({{"n_features", row.map.n_features()},
                    {"error_mean", row.certificate().error.error},
                    {"error_lower", row.certificate().error.lower},
                    {"error_upper", row.certificate().error.upper},
                    {"seconds", row.seconds},
                    {"certificate", certificate_json(row.certificate(), has_tolerance)}});
  return json;
}

}  // namespace

Report approx_matrix(const ApproxOptions& options) {
  const NamedMatrix matrix = read_named_matrix(options.data, options.execution);
  std::vector<Candidate> tried;
  const std::vector<MatrixRow> rows = make_all(options, matrix, tried);
  const auto& tolerance = options.map.values.tolerance;
  const Map& last = rows.back().map;
  warn_if_not_reached(last, tolerance);

  Json json = matrix_header_json(options.data, matrix.K());
  json["seed"] = options.map.values.seed;
  json["tolerance"] = tolerance ? Json(*tolerance) : Json(nullptr);
  json["reason"] = last.content().reason;
  json["tried"] = tried_json(tried);
  json["rows"] = rows_json(rows, tolerance.has_value());

  Table table({{"features"}, {"error on unseen rows"}, {"95 % interval", Align::left}, {"making [s]"}});
  for (const MatrixRow& row : rows) {
    const HeldOutError& error = row.certificate().error;
    table.add({fmt::format("{}", row.map.n_features()), fmt::format("{:.3e}", error.error),
               fmt::format("{:.3e} to {:.3e}", error.lower, error.upper), fmt::format("{:.2f}", row.seconds)});
  }
  return {.json = std::move(json),
          .text = fmt::format("{}; seed {}\n\n{}{}\n{}", matrix_title(options.data, matrix.K()), options.map.values.seed,
                              tried.empty() ? "" : tried_text(tried) + "\n", table.text(),
                              certificate_text(rows.back().certificate(), tolerance))};
}

}  // namespace askrff::cli
