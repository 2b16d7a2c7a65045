// askrff inspect: what a file of a model, a map, a plan or its sums holds.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <variant>

#include "askrff/model.hpp"
#include "askrff/plan.hpp"
#include "askrff/version.hpp"
#include "choice_report.hpp"
#include "command.hpp"
#include "kernel_options.hpp"
#include "plan_report.hpp"
#include "plural.hpp"
#include "askrff/errors.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

// --- for programs ---------------------------------------------------------------------------------------------------------

Json stored_parts_json(const SpectralAtoms& atoms) {
  Json json = Json::array();
  for (const PartRecord& part : atoms.parts())
    json.push_back({{"part", traits(part.part).name}, {"mass", part.mass}, {"n_frequencies", part.count}, {"dropped", part.dropped}});
  return json;
}

Json calibration_json(const Calibration& calibration) {
  return {{"error_before", calibration.error_before}, {"error_after", calibration.error_after}, {"n_pairs", calibration.n_pairs}};
}

/// Of a kernel matrix: its size, and how many of its rows and columns are read.
Json matrix_json(const Map& map) {
  const MatrixFactors* matrix = map.matrix();
  if (!matrix) return nullptr;
  return {{"rows", matrix->n_rows},
          {"columns", matrix->n_columns},
          {"rows_read", matrix->rows.size()},
          {"columns_read", matrix->columns.size()}};
}

Json map_json(const Map& map) {
  Json json = {{"kind", map.kind()},
               {"side", name_of(map.content().side)},
               {"n_features", map.n_features()},
               {"n_frequencies", map.n_frequencies()},
               {"n_landmarks", map.n_landmarks()},
               {"matrix", matrix_json(map)},
               {"estimator", nullptr},
               {"sampler", nullptr},
               {"weights", nullptr},
               {"structured", map.atoms() && map.atoms()->structure() != nullptr},
               {"parts", Json::array()},
               {"calibration", nullptr},
               {"reason", map.content().reason},
               {"command", map.content().command},
               {"seed", map.content().seed}};
  if (!map.atoms()) return json;
  const Provenance& provenance = map.atoms()->provenance();
  json["estimator"] = provenance.estimator;
  json["sampler"] = provenance.sampler;
  json["weights"] = provenance.weights;
  json["parts"] = stored_parts_json(*map.atoms());
  if (provenance.calibration) json["calibration"] = calibration_json(*provenance.calibration);
  return json;
}

Json model_json(const Model& model) {
  const Training& training = model.training;
  Json tried = Json::array();
  for (std::size_t i = 0; i < training.cv_c.size(); ++i) tried.push_back({{"c", training.cv_c[i]}, {"score", training.cv_scores[i]}});
  return {{"task", name_of(model.task)},
          {"classes", model.classes},
          {"n_outputs", model.linear.n_outputs()},
          {"precision", name_of(model.precision)},
          {"trainer", training.trainer},
          {"solver", training.solver},
          {"c", training.c},
          {"output_scale",
           model.output_scale ? Json({{"scale", model.output_scale->scale}, {"offset", model.output_scale->offset}}) : Json(nullptr)},
          {"cross_validation", {{"measure", training.cv_measure}, {"tried", tried}}},
          {"training_rows", training.n_rows},
          {"seed", training.seed},
          {"command", training.command},
          {"version", training.version}};
}

Json to_json(const std::string& path, const StoredFile& file) {
  const ChosenKernel kernel{file.map().content().kernel};
  Json json = {{"file", path},
               {"holds", file.model() ? "model" : "map"},
               {"format_version", file.version},
               {"written_by", file.written_by},
               {"bytes", file.n_bytes},
               {"checksum", fmt::format("{:016x}", file.checksum)},
               {"dim", file.map().dim()},
               {"scaling", name_of(file.map().content().scaler.kind)},
               {"kernel", nullptr},
               {"parameters", nullptr},
               {"map", map_json(file.map())},
               {"certificate", nullptr},
               {"warning", warning_json(file.map())},
               {"model", nullptr}};
  if (!kernel.name.empty()) {
    json["kernel"] = kernel.name;
    json["parameters"] = kernel.parameters_json(file.map().dim());
  }
  if (file.map().content().certificate) json["certificate"] = certificate_json(*file.map().content().certificate);
  if (file.model()) json["model"] = model_json(*file.model());
  return json;
}

// --- for people -----------------------------------------------------------------------------------------------------------

const char* scaling_text(Scaling scaling) {
  switch (scaling) {
    case Scaling::none:
      return "none";
    case Scaling::minmax:
      return "every column to [0,1] as in the training rows";
    case Scaling::standard:
      return "every column to mean 0 and standard deviation 1 as in the training rows";
    case Scaling::robust:
      return "every column to median 0 and 5 % to 95 % quantiles 1 apart as in the training rows";
    case Scaling::maxabs:
      return "every column divided by its largest absolute value in the training rows";
  }
  return "";
}

std::string features_text(const Map& map) {
  if (map.is_linear()) return fmt::format("{}, the columns themselves", map.n_features());
  if (const MatrixFactors* matrix = map.matrix())
    return fmt::format("{}, {} side, of {} columns and {} rows of a {} x {} kernel matrix", map.n_features(), name_of(map.content().side),
                       matrix->columns.size(), matrix->rows.size(), matrix->n_rows, matrix->n_columns);
  const std::string of = map.atoms() ? fmt::format("{} {}{}", map.atoms()->size(), map.atoms()->structure() ? "structured " : "",
                                                   map.atoms()->size() == 1 ? "frequency" : "frequencies")
                                     : counted(map.nystrom()->n_landmarks(), "landmark");
  return fmt::format("{}, {} side, of {}", map.n_features(), name_of(map.content().side), of);
}

std::string method_text(const Map& map) {
  if (map.nystrom()) return "nystrom";
  if (map.matrix()) return "the singular value decomposition of a kernel matrix";
  const Provenance& provenance = map.atoms()->provenance();
  return printable(fmt::format("{} estimator, {} sampler, {} weights", provenance.estimator, provenance.sampler, provenance.weights));
}

std::string classes_text(const std::vector<std::string>& classes) {
  constexpr std::size_t most = 12;
  std::string text = fmt::format("{}: ", classes.size());
  for (std::size_t i = 0; i < std::min(most, classes.size()); ++i) text += (i == 0 ? "" : ", ") + printable(classes[i], 30);
  return text + (classes.size() > most ? ", …" : "");
}

void add_map(Table& table, const StoredFile& file) {
  const Map& map = file.map();
  const ChosenKernel kernel{map.content().kernel};
  table.add({"rows", fmt::format("of {}; scaling: {}", counted(map.dim(), "column"), scaling_text(map.content().scaler.kind))});
  if (!map.is_linear() && !map.matrix()) table.add({"kernel", kernel.name.empty() ? "not one of the registry" : kernel.title(map.dim())});
  table.add({"features", features_text(map)});
  if (!map.is_linear()) table.add({"made by", method_text(map)});
  if (map.atoms())
    for (const PartRecord& part : map.atoms()->parts())
      table.add(
          {fmt::format("  {}", traits(part.part).name),
           part.dropped ? "dropped: its mass is negligible" : fmt::format("mass {:.6g}, {}", part.mass, frequencies_text(part.count))});
  if (!map.content().reason.empty()) table.add({"why", printable(map.content().reason, 300)});
  if (!file.model() || !map.content().command.empty()) table.add({"command", printable(map.content().command, 1000)});
  if (!file.model()) table.add({"seed", fmt::format("{}", map.content().seed)});
}

void add_model(Table& table, const Model& model) {
  const Training& training = model.training;
  table.add({"task", fmt::format("{} in {}", name_of(model.task), name_of(model.precision))});
  if (model.task == Task::classification) table.add({"classes", classes_text(model.classes)});
  table.add({"trained", printable(fmt::format("{} ({}) on {}, C = {:.6g}", training.trainer, training.solver,
                                              counted(training.n_rows, "row"), training.c))});
  if (model.output_scale)
    table.add({"probabilities", model.linear.n_outputs() == 1
                                    ? fmt::format("1/(1 + exp(-({:.6g}·output {:+.6g}))) of the second class", model.output_scale->scale,
                                                  model.output_scale->offset)
                                    : fmt::format("in proportion to exp({:.6g}·output)", model.output_scale->scale)});
  table.add({"by", printable(fmt::format("askrff {}, seed {}", training.version, training.seed))});
  table.add({"command", printable(training.command, 1000)});
}

std::string tried_text(const Training& training) {
  if (training.cv_c.empty()) return "";
  Table table({{"C tried"}, {printable(training.cv_measure, 30)}});
  for (std::size_t i = 0; i < training.cv_c.size(); ++i)
    table.add({fmt::format("{:.6g}", training.cv_c[i]), fmt::format("{:.6g}", training.cv_scores[i])});
  return "\n" + table.text();
}

std::string to_text(const std::string& path, const StoredFile& file) {
  Table table({{"", Align::left}, {path, Align::left}});
  table.add({"holds", fmt::format("a {}, format version {}, written by askrff {}", file.model() ? "model" : "feature map", file.version,
                                  printable(file.written_by, 30))});
  table.add({"size", fmt::format("{} bytes, checksum {:016x}", file.n_bytes, file.checksum)});
  add_map(table, file);
  if (file.model()) add_model(table, *file.model());
  std::string text = table.text();
  if (file.map().content().certificate) {
    text += "\n" + certificate_text(*file.map().content().certificate, std::nullopt);
    if (!file.map().content().certificate->reached) text += "The tolerance asked for was NOT reached.\n";
    if (const std::string warning = file.map().accuracy_warning(); !warning.empty()) text += "Warning: " + warning + ".\n";
  }
  if (file.model()) text += tried_text(file.model()->training);
  return text;
}

/// Of a plan, or of sums, which bring theirs.
Report inspected(const std::string& path, const RidgePlan& plan, const PlannedSums* sums) {
  Json json = {{"file", path}, {"holds", sums ? "planned-sums" : "ridge-plan"}, {"written_by", ASKRFF_VERSION}};
  if (sums) json.update(sums_json(*sums));
  json["plan"] = plan_json(plan);
  const std::string line = sums ? "sums of parts of a plan, " + sums_line(*sums) : "a plan of ridge regression in parts";
  return {std::move(json), fmt::format("{}: {}, written by askrff {}\n\n{}", printable(path, 200), line, ASKRFF_VERSION, plan_text(plan))};
}

Report run_inspect(const std::string& path) {
  const std::string kind = kind_of_file(path);
  if (kind == "ridge-plan") return inspected(path, load_plan(path), nullptr);
  if (kind == "planned-sums") {
    const PlannedSums sums = load_sums({path});
    return inspected(path, sums.plan(), &sums);
  }
  const StoredFile file = load_stored(path);
  return {to_json(path, file), to_text(printable(path, 200), file)};
}

}  // namespace

Command add_inspect(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "inspect", "What a model, map, plan or sums in a file are, and how they came about");
  auto path = std::make_shared<std::string>();
  required(add_text(*parser, "FILE", *path, "A file written by askrff train, choose, plan, sums or merge", ""));
  add_footer(*parser,
             "The file is read and checked as it would be for a prediction: what inspect shows can be used, and damage is an error.\n"
             "Examples:\n"
             "  askrff inspect model.askrff\n"
             "  askrff inspect --json model.askrff | jq .model.classes");
  return {parser, [path] { return run_inspect(*path); }};
}

}  // namespace askrff::cli
