// Plans of ridge regression in parts: one look at all rows; later the sums of one part, by rows that must be those seen then.
#include "pipeline/ridge_plan.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "askrff/errors.hpp"
#include "io/messages.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/training_record.hpp"

namespace askrff {
namespace {

using pipeline::LabelCoder;
using pipeline::LabelSurvey;
using pipeline::Preparation;
using pipeline::Survey;
using pipeline::TrainingRows;
using pipeline::WatchedRows;

/// The survey of a stream, part by part, and its first row.
class PlanPass final : public pipeline::SurveyPass {
 public:
  PlanPass(RowStream& stream, const TrainOptions& options)
      : watched_(stream),
        rows_(watched_, 0, options.execution),
        first_(stream.n_columns(), stream.is_sparse(), stream.n_targets()),
        seed_(options.seed) {}

  const RowStream& facts() const override { return watched_; }
  bool in_parts() const override { return true; }
  Survey survey(Scaling scaling, std::size_t n_reserved) override {
    Survey found = pipeline::survey(rows_, scaling, seed_, n_reserved, [this](const RowBlock& block, LabelSurvey& labels) {
      if (first_.size() == 0) first_.set(0, 0, block, 0);
      labels.begin_part(watched_.part());
    });
    found.labels.begin_part(watched_.part_names().size() - 1);  // the last ones may be without rows
    return found;
  }

  std::vector<PlannedPart> parts(const pipeline::Targets& targets) const {
    std::vector<PlannedPart> parts;
    const std::vector<std::string> names = watched_.part_names();
    for (std::size_t i = 0; i < names.size(); ++i)
      parts.push_back({names[i], targets.part_sizes[i], watched_.seen(i).n_rows, watched_.seen(i).hash});
    return parts;
  }

  /// Without rows, but counting from the first one.
  RidgeTrainer trainer(const TrainOptions& options, const Preparation& ready) {
    RidgeTrainer trainer =
        pipeline::ridge_trainer(options, ready.map, ready.targets, pipeline::chooses_c(options) ? options.n_folds : 1, ready.all_products);
    const pipeline::SampledRows first = first_.scaled_by({});
    LabelCoder coder(watched_, ready.targets);
    coder.read(first.labels);
    pipeline::add_to(trainer, first.X, coder);
    return trainer.part(std::vector<std::uint64_t>(ready.targets.class_sizes.size()));
  }

 private:
  WatchedRows watched_;
  TrainingRows rows_;
  pipeline::CopiedRows first_;
  std::uint64_t seed_;
};

}  // namespace

NewRidgePlan plan_ridge(RowStream& rows, const TrainOptions& given, PlannedReading reading) {
  TrainOptions options = given;
  options.trainer = Trainer::ridge;
  if (options.leave_one_out) throw InvalidArgument("plan_ridge", "leave-one-out is asked for, expected it when the sums are solved");
  if (!rows.can_rewind()) throw DataError(rows.name(), "can be read only once, expected parts that can be read again for their sums");
  pipeline::check_train_options(options);
  PlanPass pass(rows, options);
  Preparation ready = pipeline::prepare_training(pass, options);
  if (ready.map.nystrom() && ready.map.content().kernel.name.empty())
    throw InvalidArgument("plan_ridge", "the kernel of the landmarks has no name, and no plan can hold it; expected one of the registry");
  std::vector<PlannedPart> parts = pass.parts(ready.targets);
  if (!reading.label_files.empty() && reading.label_files.size() != parts.size())
    throw InvalidArgument(
        "plan_ridge", fmt::format("{} label files for {} parts, expected none or one for each", reading.label_files.size(), parts.size()));
  std::string bytes = pipeline::bytes_of_plan(pass.trainer(options, ready).to_bytes(), ready, parts, reading, options);
  NewRidgePlan plan{RidgePlan::from_bytes(std::move(bytes), "plan_ridge"), {}};
  plan.report.n_rows = plan.n_rows();
  plan.report.class_sizes = plan.class_sizes();
  plan.report.tuning = std::move(ready.tuning);
  plan.report.sizes = std::move(ready.sizes);
  pipeline::warn_of_tuning(plan.report);
  return plan;
}

std::uint64_t PlannedPart::n_rows() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : class_sizes) sum += n;
  return sum;
}

const Map& RidgePlan::map() const { return state_->map; }
Task RidgePlan::task() const { return state_->targets.task; }
const std::vector<std::string>& RidgePlan::classes() const { return state_->targets.classes; }
const std::vector<double>& RidgePlan::class_weights() const { return state_->targets.class_weights; }
std::vector<std::uint64_t> RidgePlan::class_sizes() const { return state_->targets.class_sizes; }
std::uint64_t RidgePlan::n_rows() const { return state_->first_row.back(); }
const std::vector<PlannedPart>& RidgePlan::parts() const { return state_->parts; }
const PlannedReading& RidgePlan::reading() const { return state_->reading; }
const std::vector<double>& RidgePlan::c() const { return state_->c; }
std::size_t RidgePlan::n_folds() const { return state_->options.n_folds; }
Precision RidgePlan::precision() const { return state_->options.precision; }
std::uint64_t RidgePlan::seed() const { return state_->options.seed; }
std::string RidgePlan::command() const { return state_->text.with(state_->c, false, n_folds() > 1); }
const std::string& RidgePlan::to_bytes() const { return state_->bytes; }

namespace pipeline {

RidgeTrainer trainer_of_part(const RidgePlan& plan, std::size_t part, const Execution& execution) {
  std::vector<std::uint64_t> n_before(plan.parts()[part].class_sizes.size());
  for (std::size_t i = 0; i < part; ++i)
    for (std::size_t k = 0; k < n_before.size(); ++k) n_before[k] += plan.parts()[i].class_sizes[k];
  StoredTrainer start = trainer_in(plan.state().trainer, "plan", nullptr);
  start.n_before = std::move(n_before);
  return RidgeTrainer::from_bytes(bytes_of_trainer(start), execution, "plan");  // not part() of another: sums are large
}

void check_like_planned(const RidgePlan& plan, const RowStream& rows) {
  const Map& map = plan.map();
  const std::vector<std::string>&names = rows.column_names(), &planned = map.content().column_names;
  if (rows.n_columns() != map.dim())
    throw DataError(rows.name(), fmt::format("{} columns, the plan has {}; expected the same", rows.n_columns(), map.dim()));
  for (std::size_t j = 0; j < names.size() && !planned.empty(); ++j)
    if (names[j] != planned[j])
      throw DataError(rows.name(), fmt::format("column {} is called {}, in the plan it is {}; expected the same columns in the same order",
                                               j + 1, io::in_quotes(names[j]), io::in_quotes(planned[j])));
  if (rows.part_names().size() != 1) throw DataError(rows.name(), "several parts, expected one");
  const std::size_t n_targets = plan.state().targets.n_numbers;
  if (rows.n_targets() != n_targets)
    throw DataError(rows.name(), fmt::format("{} numbers to be predicted in a row, the plan has {}", rows.n_targets(), n_targets));
  if (!rows.class_names().empty() && rows.class_names() != plan.classes())
    throw DataError(rows.name(), "other names of classes than in the plan, expected the same");
}

void check_planned_labels(const RidgePlan& plan, const RowStream& rows, const RowBlock& block) {
  if (BlockLabels(block).empty() && block.X.rows() > 0) throw DataError(rows.name(), "no labels, expected them as in the plan");
  if (rows.class_names().empty()) return;
  for (const double code : block.label_numbers)
    if (!(code >= 0 && code < static_cast<double>(plan.classes().size()) && code == std::floor(code)))
      throw DataError(rows.name(), fmt::format("a row is of class {}, expected 0 to {}", code, plan.classes().size() - 1));
}

void check_seen_before(const RidgePlan& plan, std::size_t part, const SeenRows& seen, const std::string& name) {
  const PlannedPart& planned = plan.parts()[part];
  if (seen.n_rows != planned.n_read)
    throw DataError(name, fmt::format("{} rows, but the plan has seen {} in part {} ({}): expected the same rows, or a new plan",
                                      seen.n_rows, planned.n_read, part + 1, printable(planned.name, 100)));
  if (seen.hash != planned.hash)
    throw DataError(name, fmt::format("its {} rows are not those the plan has seen in part {} ({}): expected the same rows, or a new plan",
                                      seen.n_rows, part + 1, printable(planned.name, 100)));
}

namespace {

void check_planned_classes(const RidgePlan& plan, std::size_t part, const std::vector<std::uint64_t>& found, const std::string& name) {
  const PlannedPart& planned = plan.parts()[part];
  for (std::size_t k = 0; k < found.size() && !plan.classes().empty(); ++k)
    if (found[k] != planned.class_sizes[k])
      throw DataError(
          name, fmt::format("{} rows of class {}, but the plan has seen {} in part {} ({}): expected the same rows, or a new plan",
                            found[k], io::in_quotes(plan.classes()[k]), planned.class_sizes[k], part + 1, printable(planned.name, 100)));
}

}  // namespace
}  // namespace pipeline

PlannedSums sums_of_part(const RidgePlan& plan, std::size_t part, RowStream& stream, const Execution& execution) {
  if (part >= plan.parts().size())
    throw InvalidArgument("sums_of_part", fmt::format("part {} of a plan of {}, counted from 0", part, plan.parts().size()));
  pipeline::check_like_planned(plan, stream);
  RidgeTrainer trainer = pipeline::trainer_of_part(plan, part, execution);
  WatchedRows watched(stream);
  TrainingRows rows(watched, 0, execution);
  LabelCoder coder(watched, plan.state().targets);
  std::vector<std::uint64_t> found(plan.parts()[part].class_sizes.size());
  const auto add = [&](const RowBlock& block) {
    pipeline::check_planned_labels(plan, watched, block);
    coder.read(block);
    for (const std::uint32_t k : coder.classes()) ++found[k];
    pipeline::add_to(trainer, block.X, coder);
  };
  try {
    rows.visit(add);
  } catch (const DataError&) {
    throw;
  } catch (const InvalidArgument& error) {  // numbers that features or sums cannot be made of
    throw DataError(stream.name(), std::string(error.message()));
  }
  pipeline::check_planned_classes(plan, part, found, stream.name());
  pipeline::check_seen_before(plan, part, watched.seen(0), stream.name());
  return PlannedSums(plan, std::move(trainer));
}

}  // namespace askrff
