// askrff diagnose --kernel precomputed: what a kernel matrix is, and how many features to take of it.
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "diagnose.hpp"
#include "matrix_options.hpp"
#include "output_checks.hpp"
#include "plural.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

Json optional_count(std::size_t n) { return n == 0 ? Json(nullptr) : Json(n); }

Json to_json(const DiagnoseCommandOptions& options, const RowsView<double>& K, const MatrixDiagnosis& found) {
  Json json = matrix_header_json(options.data, K);
  json["seed"] = options.how.seed;
  json["norm"] = found.norm;
  json["class"] = nullptr;
  for (const char* name : {"symmetric_share", "skew_share", "negative_share", "smallest_eigenvalue", "largest_eigenvalue"})
    json[name] = nullptr;
  if (found.symmetry) {
    json["class"] = name_of(found.symmetry->kernel_class);
    json["symmetric_share"] = found.symmetry->symmetric_share;
    json["skew_share"] = found.symmetry->skew_share;
    json["negative_share"] = found.symmetry->negative_share;
    json["smallest_eigenvalue"] = found.symmetry->smallest_eigenvalue;
    json["largest_eigenvalue"] = found.symmetry->largest_eigenvalue;
  }
  json["whole_spectrum"] = found.is_whole;
  json["features_for_1e-2"] = optional_count(found.features_for_1e_2);
  json["features_for_1e-3"] = optional_count(found.features_for_1e_3);
  json["n_features"] = found.n_features;
  json["best_error"] = found.best_error;
  json["reason"] = found.reason;
  json["plot"] = options.plot.empty() ? Json(nullptr) : Json(options.plot);
  json["singular_values"] = found.singular_values;
  return json;
}

std::string count_text(const MatrixDiagnosis& found, std::size_t n) {
  return n == 0 ? fmt::format("> {}", found.singular_values.size()) : fmt::format("{}", n);
}

std::string facts_text(const MatrixDiagnosis& found) {
  Table table({{"", Align::left}, {"found", Align::left}, {"", Align::left}});
  const auto share = [](double value) { return fmt::format("{:.3g}", value); };
  table.add({"norm", share(found.norm), "‖K‖, Frobenius"});
  if (const auto& symmetry = found.symmetry) {
    const std::string which = found.is_whole ? "" : fmt::format(", of the {} largest in size", found.singular_values.size());
    table.add({"class", std::string(name_of(symmetry->kernel_class)), found.is_whole ? "" : "as far as eigenvalues were found"});
    table.add({"symmetric share", share(symmetry->symmetric_share), "‖(K + Kᵀ)/2‖ / ‖K‖"});
    table.add({"skew share", share(symmetry->skew_share), "‖(K - Kᵀ)/2‖ / ‖K‖"});
    table.add({"negative share", share(symmetry->negative_share), "norm of the eigenvalues of (K + Kᵀ)/2 below 0, over that of all"});
    table.add({"smallest eigenvalue", share(symmetry->smallest_eigenvalue),
               fmt::format("of (K + Kᵀ)/2{}; the largest is {:.3g}", which, symmetry->largest_eigenvalue)});
  } else {
    table.add({"class", "not square", "rows and columns belong to different things"});
  }
  table.add({"features for 1e-2", count_text(found, found.features_for_1e_2), "at best, on K itself, by the singular values"});
  table.add({"features for 1e-3", count_text(found, found.features_for_1e_3), ""});
  return table.text();
}

/// What n features leave at best, for every n.
ChartCurve best_errors(const MatrixDiagnosis& found) {
  ChartCurve curve{"", {}, {}};
  double rest = found.norm * found.norm;
  for (std::size_t i = 0; i < found.singular_values.size(); ++i) {
    rest -= found.singular_values[i] * found.singular_values[i];
    if (rest <= 1e-14 * found.norm * found.norm) break;  // rounding
    curve.x.push_back(static_cast<double>(i + 1));
    curve.y.push_back(std::sqrt(rest) / found.norm);
  }
  return curve;
}

}  // namespace

Report run_diagnose_of_matrix(const DiagnoseCommandOptions& options) {
  check_matrix_options(options.kernel, options.data);
  if (!options.plot.empty()) check_files({{"--plot", options.plot}}, options.data.inputs());
  const NamedMatrix matrix = read_named_matrix(options.data, options.how.execution);
  const MatrixDiagnosis found = diagnose_matrix(matrix.K(), options.how);
  const std::string title = matrix_title(options.data, matrix.K());
  Report report;
  if (!options.plot.empty()) {
    write_picture(options.plot, svg_charts(title, {{"singular values of K, over the largest", "number", {decay_curve(found)}, true},
                                                   {"least error of K by features", "features", {best_errors(found)}, true}}));
    report.files = {options.plot};
  }
  report.json = to_json(options, matrix.K(), found);
  report.text = fmt::format(
      "{}\n\n{}\n{}\nrecommended: {}: {}.\nRows to come are approximated less well: askrff approx measures it, askrff choose "
      "--tolerance finds how many they need.\n",
      title, facts_text(found), decay_plot(found), counted(found.n_features, "feature"), found.reason);
  if (!options.plot.empty()) report.text += options.plot + ": the picture\n";
  return report;
}

}  // namespace askrff::cli
