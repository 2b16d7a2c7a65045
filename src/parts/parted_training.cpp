// train() and make_map() of rows in parts: the library's own flow, each look at the rows a pass over all parts.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "askrff/errors.hpp"
#include "io/finish_scaler.hpp"
#include "models/svm_passes.hpp"
#include "parts/outputs_pass.hpp"
#include "parts/ridge_pass.hpp"
#include "parts/row_facts.hpp"
#include "parts/sample_pass.hpp"
#include "parts/survey_pass.hpp"
#include "parts/svm_pass.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/training_passes.hpp"

namespace askrff {
namespace {

using namespace parts;
using pipeline::Survey;
using pipeline::Targets;

/// Rows in parts, and what earlier passes have said of them.
class Passes {
 public:
  Passes(PartedRows& rows, const Execution& execution)
      : rows_(rows), execution_(execution), facts_{rows.n_columns(), rows.n_targets(), rows.class_names(), {}} {
    if (rows.n_parts() == 0) throw DataError(rows.name(), "no parts, expected at least one");
    for (std::size_t part = 0; part < rows.n_parts(); ++part) starts_.push_back({.part = part, .n_before = {}, .n_here = {}});
  }

  const RowFacts& facts() const { return facts_; }
  void set_class_weights(std::vector<double> weights) { facts_.class_weights = std::move(weights); }
  std::uint64_t n_rows() const { return n_rows_; }
  const PartSurvey& found() const { return survey_; }

  /// add(file): what the pass wants to know.
  template <class Add>
  io::Records run(const PassKind& kind, const Add& add) {
    execution_.stop.check();
    io::RecordWriter task = begin_task(kind, facts_);
    add(task);
    std::vector<std::string> starts;
    for (const PartStart& start : starts_) starts.push_back(start.to_bytes());
    const std::string asked = task.finish();
    return result_of_all(rows_, kind, asked, rows_.run(asked, starts));
  }

  void survey(Scaling scaling) {
    survey_ = PartSurvey::read(run(survey_pass, [&](io::RecordWriter& task) { task.text("scaling", name_of(scaling)); }));
    if (survey_.totals.size() != facts_.n_counted() || survey_.columns.n_columns() != facts_.n_columns)
      throw DataError(rows_.name(), "the survey is of other classes or columns than the rows have");
    std::vector<std::uint64_t> n_before(facts_.n_counted());
    for (std::size_t part = 0; part < starts_.size(); ++part) {
      starts_[part].n_before = n_before;
      starts_[part].n_here = survey_.n_of_part[part];
      starts_[part].hash = survey_.hashes[part];
      for (std::size_t k = 0; k < n_before.size(); ++k) n_before[k] += survey_.n_of_part[part][k];
    }
    for (const std::uint64_t n : n_before) n_rows_ += n;
    n_of_class_ = std::move(n_before);
    if (n_rows_ == 0) throw DataError(rows_.name(), "no rows that count, expected at least one of a weight above 0");
  }

  const std::vector<std::uint64_t>& n_of_class() const { return n_of_class_; }
  ColumnRange box(const Scaler& scaler) const {
    return pipeline::scaled_box({survey_.columns.lowest(), survey_.columns.highest()}, scaler);
  }

  /// The rows that a map is made of and, by it, the scaler.
  pipeline::RowSample sample(Scaling scaling, std::uint64_t seed, std::size_t n_reserved, Scaler& scaler) {
    const io::Records result = run(sample_pass, [&](io::RecordWriter& task) {
      task.count("seed", seed);
      task.count("reserved", n_reserved);
      task.count("quantiles", scaling == Scaling::robust ? 1 : 0);
    });
    const auto quantiles = quantiles_in(result);
    scaler = io::finish_scaler(survey_.columns, quantiles ? &*quantiles : nullptr);
    return pipeline::RowSample::read(result);
  }

 private:
  PartedRows& rows_;
  Execution execution_;
  RowFacts facts_;
  std::vector<PartStart> starts_;
  PartSurvey survey_;
  std::uint64_t n_rows_ = 0;
  std::vector<std::uint64_t> n_of_class_;
};

class PartedPasses final : public pipeline::TrainingPasses {
 public:
  PartedPasses(PartedRows& rows, const TrainOptions& options)
      : passes_(rows, options.execution), stream_(rows.name(), passes_.facts(), rows.column_names()), seed_(options.seed) {}

  const RowStream& facts() const override { return stream_; }
  bool in_parts() const override { return true; }

  Survey survey(Scaling scaling, std::size_t n_reserved) override {
    passes_.survey(scaling);
    Survey found{.n_rows = passes_.n_rows(), .labels = pipeline::LabelSurvey(stream_, passes_.n_of_class(), passes_.found().totals)};
    pipeline::RowSample sample = passes_.sample(scaling, seed_, stream_.class_names().empty() ? 0 : n_reserved, found.scaler);
    found.box = passes_.box(found.scaler);
    found.sample = sample.sample(found.scaler);
    found.reserve = sample.reserve(found.scaler);
    return found;
  }

  TrainedModel fit(const TrainOptions& options, const pipeline::Preparation& ready, std::optional<RidgeTrainer>* sums) override {
    passes_.set_class_weights(ready.targets.class_weights);
    return options.trainer == Trainer::ridge ? fit_ridge(options, ready, sums) : fit_svm(options, ready.map, ready.targets);
  }

 private:
  TrainedModel fit_ridge(const TrainOptions& options, const pipeline::Preparation& ready, std::optional<RidgeTrainer>* sums) {
    const Map& map = ready.map;
    const Targets& targets = ready.targets;
    const std::size_t n_folds = pipeline::chooses_c(options) ? options.n_folds : 1;
    RidgeTrainer trainer = pipeline::ridge_trainer(options, map, targets, n_folds, ready.all_products);
    add_first_row(trainer, targets);
    {
      const io::Records result = passes_.run(ridge_pass, [&](io::RecordWriter& task) {
        write_trainer(task, trainer.part(std::vector<std::uint64_t>(passes_.n_of_class().size())));
      });
      trainer = RidgeTrainer::from_bytes(result.text("trainer"), options.execution, result.name(),
                                         kernel_for(result, map.content().kernel.kernel));
    }
    if (trainer.counted() != std::vector<RowRange>{{0, passes_.n_rows()}})
      throw DataError(stream_.name(), fmt::format("the sums are of {} rows, expected all {}", trainer.n_rows(), passes_.n_rows()));
    TrainedModel model = pipeline::solve_ridge_model(
        options, trainer,
        {.output_scale = [&](std::uint64_t,
                             std::vector<LinearModel> models) { return output_scale(options, map, targets, std::move(models)); },
         .leave_one_out = {}});
    if (sums) *sums = std::move(trainer);
    return model;
  }

  /// From which all parts count.
  void add_first_row(RidgeTrainer& trainer, const Targets& targets) const {
    const PartSurvey& found = passes_.found();
    const MatrixView<const double> X(found.first_row.data(), 1, found.first_row.size());
    if (found.first_label.size() != targets.n_numbers) throw DataError(stream_.name(), "no labels, expected them with the rows");
    if (targets.task == Task::regression) {
      trainer.add<double>(X, MatrixView<const double>(found.first_label.data(), 1, targets.n_numbers));
    } else {
      const std::uint32_t of_class = static_cast<std::uint32_t>(found.first_label[0]);
      trainer.add<double>(X, std::span<const std::uint32_t>(&of_class, 1));
    }
  }

  TrainedModel fit_svm(const TrainOptions& options, const Map& map, const Targets& targets) {
    const auto sums = [&](const models::SvmPassTask& task) {
      return svm_sums_in(passes_.run(svm_pass, [&](io::RecordWriter& file) {
        write_model_facts(file, options, map);
        write_svm_task(file, task);
      }));
    };
    const auto scale = [&](std::uint64_t, std::vector<LinearModel> models) {
      return output_scale(options, map, targets, std::move(models));
    };
    return pipeline::solve_svm_model(options, map, targets, {sums, scale});
  }

  static void write_model_facts(io::RecordWriter& file, const TrainOptions& options, const Map& map) {
    file.count("own-kernel", leaves_out_kernel(map) ? 1 : 0);
    file.text("map", map.to_bytes());
    file.text("precision", name_of(options.precision));
    file.count("seed", options.seed);
  }

  OutputScale output_scale(const TrainOptions& options, const Map& map, const Targets& targets, std::vector<LinearModel> models) {
    return held_out_outputs_in(passes_.run(outputs_pass,
                                           [&](io::RecordWriter& task) {
                                             write_model_facts(task, options, map);
                                             task.count("step", pipeline::held_out_step(passes_.n_rows(), targets.n_outputs()));
                                             write_fold_models(task, models);
                                           }))
        .scale();
  }

  Passes passes_;
  FactStream stream_;
  std::uint64_t seed_;
};

}  // namespace

TrainedModel train(PartedRows& rows, const TrainOptions& options) {
  if (options.leave_one_out) throw InvalidArgument("train", "leave-one-out is asked for, which rows in parts do not have");
  PartedPasses passes(rows, options);
  return pipeline::train_by(passes, options, nullptr);
}

Map make_map(const KernelChoice& kernel, PartedRows& rows, const MapOptions& options) {
  Passes passes(rows, options.execution);
  passes.survey(options.scale);
  Scaler scaler;
  const RowsMatrix<double> sample = [&] {
    pipeline::RowSample drawn = passes.sample(options.scale, options.seed, 0, scaler);
    return drawn.sample(scaler).X;
  }();
  std::vector<Candidate> tried;
  MapOptions how = options;
  if (how.sampler == Sampler::grid) how.box = passes.box(scaler);
  const Map map = pipeline::make_map_of_scaled(kernel, sample, std::move(scaler), how, tried);
  if (rows.column_names().empty()) return map;
  return map.with([&](MapContent& content) { content.column_names = rows.column_names(); });
}

}  // namespace askrff
