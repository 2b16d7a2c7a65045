// Bytes and files of plans, and of sums, which bring their plan with them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/output_file.hpp"
#include "askrff/version.hpp"
#include "io/records.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/ridge_plan.hpp"
#include "pipeline/training_record.hpp"

namespace askrff {
namespace {

constexpr const char *plan_kind = "ridge-plan", *sums_kind = "planned-sums";

/// Throws DataError unless the file is of this kind and this version of the library.
void require_kind(const io::Records& file, const std::string& wanted) {
  const std::string kind = file.text("kind"), version = file.text("written-by");
  if (kind != wanted)
    throw DataError(file.name(),
                    fmt::format("holds {}, expected {}",
                                kind == plan_kind   ? "a plan without sums"
                                : kind == sums_kind ? "sums"
                                                    : "no " + wanted,
                                wanted == plan_kind ? "a plan written by askrff plan" : "a file written by askrff sums or askrff merge"));
  if (version != ASKRFF_VERSION)
    throw DataError(file.name(), fmt::format("written by askrff {}, this is askrff {}: expected the same version for a plan and its sums",
                                             printable(version, 30), ASKRFF_VERSION));
}

/// Calls read(); what the library finds wrong with the numbers is said of the file.
template <class Read>
auto as_data_error(const std::string& name, const Read& read) {
  try {
    return read();
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw DataError(name, error.what());
  }
}

std::vector<PlannedPart> read_parts(const io::Records& file, std::size_t n_counted) {
  const std::vector<std::string> names = file.texts("plan/parts");
  if (names.empty()) file.refuse("plan/parts", "names no part");
  const auto sizes = file.counts("plan/class-sizes", names.size(), n_counted);
  const auto seen = file.counts("plan/rows", names.size(), 2);
  std::vector<PlannedPart> parts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(i * n_counted);
    parts.push_back({names[i], {first, first + static_cast<std::ptrdiff_t>(n_counted)}, seen[2 * i], seen[2 * i + 1]});
  }
  return parts;
}

/// Where every part begins, and where the last one ends.
std::vector<std::uint64_t> first_rows(const io::Records& file, const std::vector<PlannedPart>& parts) {
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  std::vector<std::uint64_t> first{0};
  for (const PlannedPart& part : parts) {
    std::uint64_t end = first.back();
    for (const std::uint64_t n : part.class_sizes) {
      if (n > most - end) file.refuse("plan/class-sizes", "counts more rows than there can be");
      end += n;
    }
    if (part.n_read < end - first.back()) file.refuse("plan/rows", "counts fewer rows than their classes");
    first.push_back(end);
  }
  if (first.back() == 0) file.refuse("plan/class-sizes", "counts no rows");
  return first;
}

pipeline::Targets read_targets(const io::Records& file, const RidgeTrainerOptions& options, const std::vector<PlannedPart>& parts) {
  pipeline::Targets targets{.task = options.classes.empty() ? Task::regression : Task::classification,
                            .classes = options.classes,
                            .n_numbers = options.n_targets,
                            .class_sizes = std::vector<std::uint64_t>(parts[0].class_sizes.size()),
                            .class_totals = {},
                            .class_weights = file.numbers("plan/class-weights")};
  for (const PlannedPart& part : parts)
    for (std::size_t k = 0; k < targets.class_sizes.size(); ++k) targets.class_sizes[k] += part.class_sizes[k];
  const std::vector<double>& weights = targets.class_weights;
  if (!weights.empty() && weights.size() != options.classes.size()) file.refuse("plan/class-weights", "is not one for each class");
  for (const double weight : weights)
    if (!(weight > 0)) file.refuse("plan/class-weights", "holds numbers out of range");
  return targets;
}

PlannedReading read_reading(const io::Records& file, std::size_t n_parts) {
  auto texts = file.texts("plan/reading", 3);
  PlannedReading reading{std::move(texts[0]), std::move(texts[1]), std::move(texts[2]), file.texts("plan/label-files")};
  if (!reading.label_files.empty() && reading.label_files.size() != n_parts) file.refuse("plan/label-files", "is not one for each part");
  return reading;
}

pipeline::TrainingText read_text(const io::Records& file) {
  auto texts = file.texts("plan/texts", 3);
  const auto folds = file.counts("plan/folds", 1, 2);
  return {std::move(texts[0]), std::move(texts[1]), std::move(texts[2]), folds[0], folds[1] != 0};
}

RidgePlan plan_in(const io::Records& file) {
  require_kind(file, plan_kind);
  std::string trainer = file.text("trainer");
  pipeline::StoredTrainer start = pipeline::trainer_in(trainer, file.name(), nullptr);
  RidgeTrainerOptions& options = start.options;
  if (!start.sums.counted.empty() || start.sums.origin.empty() || start.first_row() != 0)
    file.refuse("trainer", "is not one without rows that knows the first row");
  if (options.classes.size() == 1 || options.n_targets == 0) file.refuse("trainer", "has one class or no targets");
  std::vector<PlannedPart> parts = read_parts(file, std::max<std::size_t>(1, options.classes.size()));
  std::vector<std::uint64_t> first = first_rows(file, parts);
  pipeline::Targets targets = read_targets(file, options, parts);
  PlannedReading reading = read_reading(file, parts.size());
  std::vector<double> c = file.numbers("plan/c");
  if (!c.empty()) checked_c_grid(c);
  if (options.n_folds == 1 && c.size() != 1) file.refuse("plan/c", "is not one number, and there are no folds to choose by");
  return RidgePlan(std::make_shared<RidgePlan::State>(
      RidgePlan::State{file.content(), std::move(trainer), std::move(start.map), std::move(options), std::move(parts), std::move(first),
                       std::move(targets), std::move(reading), std::move(c), read_text(file)}));
}

/// The bytes of a trainer as it was before any row.
std::string without_rows(std::string trainer, const std::string& name) {
  pipeline::StoredTrainer stored = pipeline::trainer_in(std::move(trainer), name, nullptr);
  stored.sums = {.counted = {}, .folds = {}, .waiting = {}, .origin = stored.sums.origin, .feature_origin = stored.sums.feature_origin};
  std::ranges::fill(stored.n_before, 0);
  std::ranges::fill(stored.n_dealt, 0);
  return pipeline::bytes_of_trainer(stored);
}

PlannedSums sums_in(const io::Records& file, const Execution& execution) {
  require_kind(file, sums_kind);
  RidgePlan plan = RidgePlan::from_bytes(file.text("plan"), file.name());
  if (without_rows(file.text("trainer"), file.name()) != plan.state().trainer) file.refuse("trainer", "is not one of the plan");
  RidgeTrainer trainer = RidgeTrainer::from_bytes(file.text("trainer"), execution, file.name());
  PlannedSums sums(std::move(plan), std::move(trainer));
  std::uint64_t n_rows = 0;
  for (std::size_t i = 0; i < sums.plan().parts().size(); ++i) n_rows += sums.has(i) ? sums.plan().parts()[i].n_rows() : 0;
  if (n_rows != sums.n_rows()) file.refuse("trainer", "has rows that are no whole parts of the plan");
  return sums;
}

void write_bytes(const char* who, const std::string& path, const std::string& bytes) {
  OutputFile out(path, who);
  out.append(bytes);
  out.finish();
}

}  // namespace

std::string pipeline::bytes_of_plan(const std::string& trainer, const Preparation& ready, const std::vector<PlannedPart>& parts,
                                    const PlannedReading& reading, const TrainOptions& options) {
  std::vector<std::string> names;
  std::vector<std::uint64_t> sizes, seen;
  for (const PlannedPart& part : parts) {
    names.push_back(part.name);
    sizes.insert(sizes.end(), part.class_sizes.begin(), part.class_sizes.end());
    seen.insert(seen.end(), {part.n_read, part.hash});
  }
  const TrainingText text = TrainingText::of(options);
  io::RecordWriter file;
  file.text("kind", plan_kind);
  file.text("written-by", ASKRFF_VERSION);
  file.text("trainer", trainer);
  file.texts("plan/parts", names);
  file.counts("plan/class-sizes", sizes, parts[0].class_sizes.size());
  file.counts("plan/rows", seen, 2);
  file.numbers("plan/class-weights", ready.targets.class_weights);
  file.texts("plan/reading", std::vector<std::string>{reading.format, reading.label, reading.weight});
  file.texts("plan/label-files", reading.label_files);
  file.numbers("plan/c", options.c);
  file.texts("plan/texts", std::vector<std::string>{text.start, text.class_weights, text.end});
  file.counts("plan/folds", std::vector<std::uint64_t>{text.n_folds, text.is_tuned ? 1u : 0u}, 2);
  return file.finish();
}

RidgePlan RidgePlan::from_bytes(std::string bytes, const std::string& name) {
  const io::Records file(name, std::move(bytes));
  return as_data_error(name, [&] { return plan_in(file); });
}

std::string PlannedSums::to_bytes() const {
  io::RecordWriter file;
  file.text("kind", sums_kind);
  file.text("written-by", ASKRFF_VERSION);
  file.text("plan", plan_.to_bytes());
  file.text("trainer", sums_.to_bytes());
  return file.finish();
}

PlannedSums PlannedSums::from_bytes(std::string bytes, const Execution& execution, const std::string& name) {
  const io::Records file(name, std::move(bytes));
  return as_data_error(name, [&] { return sums_in(file, execution); });
}

void RidgePlan::save(const std::string& path) const { write_bytes("RidgePlan::save", path, to_bytes()); }
void PlannedSums::save(const std::string& path) const { write_bytes("PlannedSums::save", path, to_bytes()); }

RidgePlan load_plan(const std::string& path) {
  const io::Records file = io::Records::read(path);
  return as_data_error(path, [&] { return plan_in(file); });
}

PlannedSums pipeline::load_sums_file(const std::string& path, const Execution& execution) {
  const io::Records file = io::Records::read(path);
  return as_data_error(path, [&] { return sums_in(file, execution); });
}

std::string kind_of_file(const std::string& path) {
  const io::Records file = io::Records::read(path);
  const std::string kind = file.text("kind");
  for (const char* each : {"map", "model", plan_kind, sums_kind})
    if (kind == each) return kind;
  file.refuse("kind", "is none of map, model, ridge-plan and planned-sums");
}

}  // namespace askrff
