// Plans and sums in words.
#include "plan_report.hpp"

#include <fmt/format.h>

#include "data_options.hpp"
#include "kernel_options.hpp"
#include "askrff/errors.hpp"
#include "plural.hpp"
#include "table.hpp"
#include "train_report.hpp"

namespace askrff::cli {
namespace {

std::string targets_text(const RidgePlan& plan) {
  if (plan.task() == Task::regression) return "numbers to be predicted";
  constexpr std::size_t max_shown = 6;
  const std::vector<std::uint64_t> sizes = plan.class_sizes();
  std::string text = fmt::format("{} classes (", sizes.size());
  for (std::size_t k = 0; k < std::min(max_shown, sizes.size()); ++k)
    text += fmt::format("{}{}: {}", k == 0 ? "" : ", ", printable(plan.classes()[k], 30), sizes[k]);
  return text + (sizes.size() > max_shown ? ", …)" : ")");
}

std::string penalties_text(const RidgePlan& plan) {
  if (plan.n_folds() == 1) return fmt::format("no folds, C = {:.6g}", plan.c()[0]);
  return fmt::format("{} folds, C {}", plan.n_folds(), plan.c().empty() ? "auto" : fmt::format("of {:.6g}", fmt::join(plan.c(), ", ")));
}

/// All of few parts; of many the first and the last.
std::string table_of_parts(const RidgePlan& plan) {
  constexpr std::size_t first_ones = 8, most = 12;
  const std::vector<PlannedPart>& parts = plan.parts();
  Table table({{"part"}, {"rows"}, {"file", Align::left}});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts.size() > most && i == first_ones) {
      table.add({"…", "", ""});
      i = parts.size() - 1;
    }
    table.add({fmt::format("{}", i + 1), fmt::format("{}", parts[i].n_rows()), printable(parts[i].name, 200)});
  }
  return table.text();
}

}  // namespace

Json plan_json(const RidgePlan& plan) {
  Json parts = Json::array(), classes = Json::array();
  for (std::size_t i = 0; i < plan.parts().size(); ++i)
    parts.push_back({{"part", i + 1},
                     {"file", plan.parts()[i].name},
                     {"rows", plan.parts()[i].n_rows()},
                     {"class_sizes", plan.parts()[i].class_sizes}});
  const std::vector<std::uint64_t> sizes = plan.class_sizes();
  for (std::size_t k = 0; k < plan.classes().size(); ++k) classes.push_back({{"label", plan.classes()[k]}, {"rows", sizes[k]}});
  const NamedKernel& kernel = plan.map().content().kernel;
  return {{"n_parts", plan.parts().size()},
          {"rows", plan.n_rows()},
          {"dim", plan.map().dim()},
          {"n_features", plan.map().n_features()},
          {"kernel", kernel.name.empty() ? Json(nullptr) : Json(kernel.name)},
          {"parameters", ChosenKernel{kernel}.parameters_json(plan.map().dim())},
          {"scale", name_of(plan.map().content().scaler.kind)},
          {"task", name_of(plan.task())},
          {"classes", classes},
          {"n_folds", plan.n_folds()},
          {"c", plan.c()},
          {"precision", name_of(plan.precision())},
          {"seed", plan.seed()},
          {"command", plan.command()},
          {"parts", parts}};
}

std::string plan_text(const RidgePlan& plan) {
  return fmt::format("{}\n{} in {}{}, {}\n{}; {}; seed {}\n\n{}", map_title(plan.map()), counted(plan.n_rows(), "row"),
                     counted(plan.parts().size(), "part"), scale_text(plan.map().content().scaler.kind), targets_text(plan),
                     map_features_text(plan.map()), penalties_text(plan), plan.seed(), table_of_parts(plan));
}

Json sums_json(const PlannedSums& sums) {
  Json missing = Json::array();
  for (const std::size_t part : sums.missing()) missing.push_back(part + 1);
  return {{"n_parts", sums.plan().parts().size()},
          {"rows", sums.plan().n_rows()},
          {"rows_counted", sums.n_rows()},
          {"complete", missing.empty()},
          {"missing", missing}};
}

std::string sums_line(const PlannedSums& sums) {
  const std::string missing = sums.missing_text();
  return fmt::format("{} of {}, {}", sums.n_rows(), counted(sums.plan().n_rows(), "row"),
                     missing.empty() ? fmt::format("all {} parts", sums.plan().parts().size()) : "missing " + missing);
}

}  // namespace askrff::cli
