// Tables, sentences and JSON about a choice.
#include "choice_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "messages.hpp"
#include "plural.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

std::string name_of(const Candidate& candidate) {
  if (candidate.estimator == "matrix") return "features of K";
  if (candidate.estimator == "nystrom") return "nystrom " + candidate.sampler;
  return fmt::format("{} {} {}", candidate.estimator, candidate.sampler, candidate.weights);
}

std::string count_or_dash(std::size_t count) { return count == 0 ? "-" : fmt::format("{}", count); }

Json error_json(const HeldOutError& error) {
  return {{"error", error.error}, {"lower", error.lower}, {"upper", error.upper}, {"n_rows", error.n_rows}, {"n_pairs", error.n_pairs}};
}

/// Of files written before there was such a number nothing; infinite is an error where there is no kernel to compare it with.
std::string between_text(double between) {
  if (std::isnan(between)) return "";
  if (std::isinf(between)) return "; between different rows the kernel is zero";
  return fmt::format("; between different rows it is {:.3g}", between);
}

}  // namespace

std::string map_name(const Map& map) {
  if (!map.atoms()) return std::string(map.kind());
  const Provenance& provenance = map.atoms()->provenance();
  return fmt::format("{} {} {}", provenance.estimator, provenance.sampler, provenance.weights);
}

Json chosen_json(const Map& map) {
  Json json = {{"estimator", map.kind()},
               {"sampler", nullptr},
               {"weights", nullptr},
               {"n_frequencies", map.n_frequencies()},
               {"n_landmarks", map.n_landmarks()},
               {"n_features", map.n_features(FeatureSide::left)}};
  if (!map.atoms()) return json;
  json["estimator"] = map.atoms()->provenance().estimator;
  json["sampler"] = map.atoms()->provenance().sampler;
  json["weights"] = map.atoms()->provenance().weights;
  return json;
}

Json tried_json(const std::vector<Candidate>& tried) {
  Json json = Json::array();
  for (const Candidate& candidate : tried) {
    json.push_back({{"estimator", candidate.estimator},
                    {"sampler", candidate.sampler},
                    {"weights", candidate.weights},
                    {"n_frequencies", candidate.n_frequencies},
                    {"n_landmarks", candidate.n_landmarks},
                    {"n_features", candidate.n_features},
                    {"operations", candidate.operations},
                    {"seconds", candidate.seconds}});
    json.back().update(error_json(candidate.error));
    if (!candidate.refused.empty()) json.back()["refused"] = candidate.refused;
  }
  return json;
}

Json certificate_json(const Certificate& certificate, bool has_tolerance) {
  Json json = error_json(certificate.error);
  json["matrix_rows"] = certificate.error.matrix_rows;
  json["between"] = certificate.error.between;
  json["refitted"] = certificate.refitted;
  json["n_frequencies"] = certificate.n_frequencies;
  json["n_features"] = certificate.n_features;
  json["reached"] = has_tolerance ? Json(certificate.reached) : Json(nullptr);
  return json;
}

Json warning_json(const Map& map) {
  const std::string warning = map.accuracy_warning();
  return warning.empty() ? Json(nullptr) : Json(warning);
}

std::string tried_text(const std::vector<Candidate>& tried) {
  Table table(
      {{"map tried", Align::left}, {"frequencies"}, {"landmarks"}, {"features"}, {"operations per row"}, {"error"}, {"making [s]"}});
  std::string refusals;
  for (const Candidate& candidate : tried) {
    const bool made = candidate.refused.empty();
    table.add({name_of(candidate), count_or_dash(candidate.n_frequencies), count_or_dash(candidate.n_landmarks),
               count_or_dash(candidate.n_features), made ? fmt::format("{:.0f}", candidate.operations) : "-",
               made ? fmt::format("{:.3e}", candidate.error.error) : "refused", made ? fmt::format("{:.3f}", candidate.seconds) : "-"});
    const std::string refusal = made ? "" : fmt::format("  {}: {}\n", name_of(candidate), candidate.refused);
    if (refusals.find(refusal) == std::string::npos) refusals += refusal;
  }
  return table.text() + (refusals.empty() ? "" : "\nRefused:\n" + refusals);
}

std::string chosen_text(const Map& map) {
  const MatrixFactors* matrix = map.matrix();
  const std::string size = map.atoms() ? fmt::format("{} frequencies", map.n_frequencies())
                           : matrix    ? counted(matrix->columns.size(), "column") + " and " + counted(matrix->rows.size(), "row") + " of K"
                                       : fmt::format("{} landmarks", map.n_landmarks());
  const std::string& reason = map.content().reason;
  return fmt::format("Chosen: {}, {}, {} features.\n{}", map_name(map), size, map.n_features(FeatureSide::left),
                     reason.empty() ? "" : "Why: " + reason + ".\n");
}

std::string certificate_text(const Certificate& certificate, std::optional<double> tolerance) {
  const HeldOutError& error = certificate.error;
  std::string text = fmt::format(
      "Certificate: on {} rows, compared by maps they had no part in ({} pairs), the kernel matrix is {:.3g} away from the exact one,\n"
      "relative, in the Frobenius norm; 95 % interval {:.3g} to {:.3g}. That is of matrices of {} rows{}.{}",
      error.n_rows, error.n_pairs, error.error, error.lower, error.upper, error.matrix_rows, between_text(error.between),
      certificate.refitted ? "\nThe map was then fitted anew to all rows." : "");
  if (tolerance)
    text += certificate.reached ? fmt::format(" The tolerance {:.3g} is reached.", *tolerance)
                                : fmt::format(" The tolerance {:.3g} is NOT reached.", *tolerance);
  return text + "\n";
}

void warn_if_not_reached(const Map& map, std::optional<double> tolerance) {
  const auto& certificate = map.content().certificate;
  if (!tolerance || !certificate || certificate->reached) return;
  print_warning("the tolerance " + map.content().reason);
}

std::function<void(const Candidate&)> shown_on(ProgressBar& progress) {
  return [&progress](const Candidate& candidate) {
    const std::size_t size =
        std::max({candidate.n_frequencies, candidate.n_landmarks, candidate.estimator == "matrix" ? candidate.n_features : 0});
    progress.show(fmt::format("{} of {}: {}{}", name_of(candidate), size,
                              candidate.refused.empty() ? fmt::format("error {:.2e}", candidate.error.error) : "refused",
                              candidate.seconds_left ? fmt::format(", about {:.0f} s left", *candidate.seconds_left) : ""));
  };
}

}  // namespace askrff::cli
