// Maps for the errors of the paper's estimator, their table and their picture.
#include "demo_saving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "choice_report.hpp"
#include "interrupt.hpp"
#include "plot.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

Map choose(const ChosenKernel& chosen, const RowsView<double>& data, double tolerance) {
  // Features are compared with features; those of a Nyström map cost more each.
  return make_map(chosen, data, {.estimator = Estimator::fourier, .tolerance = tolerance, .execution = {.stop = stop_token()}});
}

const Certificate& certificate_of(const Map& map) { return *map.content().certificate; }

std::string percent(double value) { return fmt::format("{:.3g} %", 100 * value); }

Curve paper_curve(const KernelSaving& saving) {
  Curve curve{"the paper's estimator: M frequencies of each part", "○", {}};
  for (const Evaluation& evaluation : saving.paper)
    curve.points.emplace_back(static_cast<double>(evaluation.n_features), evaluation.error_mean);
  return curve;
}

Curve chosen_curve(const KernelSaving& saving) {
  Curve curve{"askrff choose: certified on rows that had no part in the fit", "●", {}};
  const auto add = [&](const Certificate& certificate) {
    curve.points.emplace_back(static_cast<double>(certificate.n_features), certificate.error.error);
  };
  add(certificate_of(saving.equal));
  for (const Map& map : saving.others) add(certificate_of(map));
  std::ranges::sort(curve.points);
  return curve;
}

Json curve_json(const Curve& curve) {
  Json json = Json::array();
  for (const auto& [n_features, error] : curve.points) json.push_back({{"n_features", n_features}, {"error", error}});
  return json;
}

}  // namespace

double KernelSaving::factor() const {
  return static_cast<double>(paper.back().n_features) / static_cast<double>(certificate_of(equal).n_features);
}

KernelSaving save_features(const ChosenKernel& chosen, MatrixView<const double> data, std::vector<Evaluation> paper, bool with_others) {
  const double error = paper.back().error_mean;
  KernelSaving saving{chosen.name, std::move(paper), choose(chosen, data, error), {}};
  if (!with_others) return saving;
  for (std::size_t i = 0; i + 1 < saving.paper.size(); ++i) saving.others.push_back(choose(chosen, data, saving.paper[i].error_mean));
  for (const double smaller : {4.0, 16.0}) saving.others.push_back(choose(chosen, data, error / smaller));
  return saving;
}

Json saving_json(const KernelSaving& saving) {
  Json json = {{"tolerance", saving.paper.back().error_mean},
               {"paper_features", saving.paper.back().n_features},
               {"chosen", chosen_json(saving.equal)},
               {"certificate", certificate_json(certificate_of(saving.equal))},
               {"factor", saving.factor()}};
  if (!saving.others.empty()) json["curves"] = {{"paper", curve_json(paper_curve(saving))}, {"chosen", curve_json(chosen_curve(saving))}};
  return json;
}

std::string savings_text(const std::vector<KernelSaving>& savings) {
  Table table({{"kernel", Align::left}, {"paper features"}, {"error"}, {"chosen"}, {"certified error"}, {"fewer"}});
  bool all_reached = true;
  for (const KernelSaving& saving : savings) {
    const Certificate& certificate = certificate_of(saving.equal);
    all_reached = all_reached && certificate.reached;
    table.add({saving.kernel, fmt::format("{}", saving.paper.back().n_features), percent(saving.paper.back().error_mean),
               fmt::format("{}{}", certificate.n_features, certificate.reached ? "" : "*"),
               fmt::format("{} ({:.3g} to {})", percent(certificate.error.error), 100 * certificate.error.lower,
                           percent(certificate.error.upper)),
               fmt::format("{:.3g}x", saving.factor())});
  }
  return table.text() + (all_reached ? "" : "* the interval does not lie below the paper's error\n");
}

std::string saving_picture(const KernelSaving& saving) {
  const LogAxis features{"features", 2, [](double value) { return fmt::format("{:.0f}", value); }};
  const LogAxis error{"error, " + saving.kernel, 10, percent};
  return log_log_plot({paper_curve(saving), chosen_curve(saving)}, features, error);
}

}  // namespace askrff::cli
