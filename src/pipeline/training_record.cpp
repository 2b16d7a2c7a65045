// Records of a training: in models, and of trainers whose sums travel.
#include "pipeline/training_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"
#include "core/resources.hpp"
#include "io/records.hpp"
#include "pipeline/stored_keys.hpp"

namespace askrff::pipeline {
namespace {

using Counts = std::vector<std::uint64_t>;
using io::any_size;
using io::Records;

std::string fold_key(std::size_t fold, const char* what) { return fmt::format("sums/{}/{}", fold, what); }
std::string waiting_key(std::size_t i, const char* what) { return fmt::format("sums/waiting/{}/{}", i, what); }

void write_wide(io::RecordWriter& file, const std::string& key, const WideSums& sums) {
  file.numbers(key + "/high", sums.high);
  file.numbers(key + "/low", sums.low);
}

WideSums read_wide(const Records& file, const std::string& key, std::size_t size) {
  return {file.numbers(key + "/high", size), file.numbers(key + "/low", size)};
}

/// Nothing of a fold without complete groups: its sums are zero.
void write_fold(io::RecordWriter& file, std::size_t fold, const RidgeState::Fold& sums) {
  if (sums.n_rows == 0) return;
  write_wide(file, fold_key(fold, "gram"), sums.gram);
  write_wide(file, fold_key(fold, "moments"), sums.moments);
  write_wide(file, fold_key(fold, "targets"), sums.targets);
  file.count(fold_key(fold, "rows"), sums.n_rows);
}

RidgeState::Fold read_fold(const Records& file, std::size_t fold, std::size_t n_features, std::size_t n_targets) {
  RidgeState::Fold sums;
  const std::size_t n_products = n_features * (n_features + 1) / 2;
  if (!file.has(fold_key(fold, "rows")) && !file.has(fold_key(fold, "gram") + "/high")) {
    const auto zeros = [](std::size_t n) { return WideSums{std::vector<double>(n), std::vector<double>(n)}; };
    return {zeros(n_products), zeros(n_features * (n_targets + 1)), zeros(1 + 2 * n_targets), 0};
  }
  sums.gram = read_wide(file, fold_key(fold, "gram"), n_products);
  sums.moments = read_wide(file, fold_key(fold, "moments"), n_features * (n_targets + 1));
  sums.targets = read_wide(file, fold_key(fold, "targets"), 1 + 2 * n_targets);
  sums.n_rows = file.count(fold_key(fold, "rows"));
  return sums;
}

void write_waiting(io::RecordWriter& file, std::size_t i, const RidgeState::Rows& rows) {
  file.count(waiting_key(i, "first"), rows.first);
  file.matrix(waiting_key(i, "X"), rows.X);
  file.matrix(waiting_key(i, "Y"), rows.Y);
  file.counts(waiting_key(i, "folds"), Counts(rows.folds.begin(), rows.folds.end()), 1);
  file.numbers(waiting_key(i, "weights"), rows.weights);
}

RidgeState::Rows read_waiting(const Records& file, std::size_t i, std::size_t dim, std::size_t n_targets) {
  RidgeState::Rows rows;
  rows.first = file.count(waiting_key(i, "first"));
  rows.weights = file.numbers(waiting_key(i, "weights"));
  const std::size_t n_rows = rows.weights.size();
  rows.X = file.matrix(waiting_key(i, "X"), n_rows, dim);
  rows.Y = file.matrix(waiting_key(i, "Y"), n_rows, n_targets);
  for (const std::uint64_t fold : file.counts(waiting_key(i, "folds"), n_rows, 1)) {
    if (fold > std::numeric_limits<std::uint32_t>::max()) file.refuse(waiting_key(i, "folds"), "holds numbers out of range");
    rows.folds.push_back(static_cast<std::uint32_t>(fold));
  }
  return rows;
}

void write_grid(io::RecordWriter& file, const GridRidgeState& sums) {
  file.numbers("sums/origin", sums.origin);
  file.numbers("sums/grid/lowest", sums.lowest);
  file.numbers("sums/grid/highest", sums.highest);
  for (std::size_t i = 0; i < sums.folds.size(); ++i) {
    const GridRidgeState::Fold& fold = sums.folds[i];
    file.count(fold_key(i, "rows"), fold.n_rows);
    file.number(fold_key(i, "weight"), fold.weight);
    file.numbers(fold_key(i, "target-sums"), fold.target_sums);
    file.numbers(fold_key(i, "target-norms"), fold.target_norms);
    file.numbers(fold_key(i, "ones"), fold.ones);
    file.numbers(fold_key(i, "targets"), fold.targets);
    file.numbers(fold_key(i, "X"), fold.X);
    file.numbers(fold_key(i, "Y"), fold.Y);
    file.numbers(fold_key(i, "weights"), fold.weights);
  }
}

/// Whether its sizes are those of the grid is for GridRidge to say.
GridRidgeState read_grid_sums(const Records& file, std::size_t n_folds) {
  GridRidgeState sums;
  sums.origin = file.numbers("sums/origin");
  sums.lowest = file.numbers("sums/grid/lowest");
  sums.highest = file.numbers("sums/grid/highest");
  for (std::size_t i = 0; i < n_folds; ++i)
    sums.folds.push_back({.n_rows = file.count(fold_key(i, "rows")),
                          .weight = file.number(fold_key(i, "weight")),
                          .target_sums = file.numbers(fold_key(i, "target-sums")),
                          .target_norms = file.numbers(fold_key(i, "target-norms")),
                          .ones = file.numbers(fold_key(i, "ones")),
                          .targets = file.numbers(fold_key(i, "targets")),
                          .X = file.numbers(fold_key(i, "X")),
                          .Y = file.numbers(fold_key(i, "Y")),
                          .weights = file.numbers(fold_key(i, "weights"))});
  return sums;
}

std::uint64_t sum_of(const Counts& counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : counts) sum += n;
  return sum;
}

}  // namespace

Training training_record(Trainer trainer, std::uint64_t seed, double c, const TrainingReport& report) {
  Training training;
  training.version = ASKRFF_VERSION;
  training.trainer = name_of(trainer);
  training.solver = trainer == Trainer::svm ? "newton" : "normal-equations";
  training.seed = seed;
  training.n_rows = report.n_rows;
  training.c = c;
  training.cv_c = report.validation.c;
  if (!training.cv_c.empty()) training.cv_measure = name_of(report.validation.measure);
  for (std::size_t i = 0; i < training.cv_c.size(); ++i) {
    const double score = report.validation.mean(i);
    training.cv_scores.push_back(std::isnan(score) ? std::numeric_limits<double>::infinity() : score);  // files hold no NaN
  }
  return training;
}

void warn_of_c(TrainingReport& report, bool automatic) {
  const CrossValidation& validation = report.validation;
  if (!validation.is_open) return;
  // Numbers without noise are met the better the larger C: what is left of them is nothing to warn about.
  constexpr double nothing = 1e-6;
  double worst = 0;
  for (std::size_t i = 0; i < validation.c.size(); ++i)
    if (std::isfinite(validation.mean(i))) worst = std::max(worst, validation.mean(i));
  if (validation.measure == Score::squared_error && validation.mean(validation.best()) < nothing * worst) return;
  const double c = validation.c[validation.best()];
  if (validation.c.size() > 1 && validation.best() == 0 && validation.mean(0) == validation.mean(1)) {
    std::size_t last = 1;
    while (last + 1 < validation.c.size() && std::isfinite(validation.mean(last + 1))) ++last;
    report.warnings.push_back(
        fmt::format("every C that could be tried, {:.6g} to {:.6g}, gives the same accuracy, {:.4g}: features may be too small, or tell "
                    "nothing of the classes",
                    c, validation.c[last], validation.mean(0)));
    return;
  }
  const bool is_largest = 2 * validation.best() >= validation.c.size();
  report.warnings.push_back(fmt::format("the best C, {:.6g}, is the {} that {} tried{}", c, is_largest ? "largest" : "smallest",
                                        automatic ? "could be" : "was",
                                        automatic    ? ""
                                        : is_largest ? "; larger ones may be better"
                                                     : "; smaller ones may be better"));
}

void warn_of_tuning(TrainingReport& report) {
  if (!report.tuning) return;
  const TuningPoint& best = report.tuning->points[report.tuning->best];
  for (const std::size_t k : report.tuning->open)
    report.warnings.push_back(fmt::format("the best {}, {}, is the {} that could be tried", best.values[k].first,
                                          best.values[k].second.text(), best.factors[k] > 1 ? "largest" : "smallest"));
}

std::uint64_t StoredTrainer::first_row() const { return sum_of(n_before); }

std::string bytes_of_trainer(const StoredTrainer& trainer) {
  const RidgeTrainerOptions& options = trainer.options;
  const RidgeState& sums = trainer.sums;
  io::RecordWriter file;
  file.text("kind", "ridge-sums");
  file.text("written-by", ASKRFF_VERSION);
  write_map(file, trainer.map, OwnKernels::left_out);
  file.texts("sums/classes", options.classes);
  file.text("sums/precision", name_of(options.precision));
  file.counts("sums/options", Counts{options.n_targets, options.n_folds, options.bias ? 1u : 0u, options.seed}, 4);
  file.counts("sums/before", trainer.n_before, 1);
  file.counts("sums/dealt", trainer.n_dealt, 1);
  if (trainer.on_grid) {
    write_grid(file, *trainer.on_grid);
    return file.finish();
  }
  file.numbers("sums/origin", sums.origin);
  file.numbers("sums/feature-origin", sums.feature_origin);
  Counts counted;
  for (const RowRange& range : sums.counted) counted.insert(counted.end(), {range.first, range.end});
  file.counts("sums/counted", counted, 2);
  if (counted.empty()) return file.finish();  // the sums are all zero
  for (std::size_t fold = 0; fold < sums.folds.size(); ++fold) write_fold(file, fold, sums.folds[fold]);
  file.count("sums/waiting", sums.waiting.size());
  for (std::size_t i = 0; i < sums.waiting.size(); ++i) write_waiting(file, i, sums.waiting[i]);
  return file.finish();
}

namespace {

RidgeTrainerOptions read_options(const Records& file) {
  RidgeTrainerOptions options;
  options.classes = file.texts("sums/classes");
  options.precision = read_word<Precision>(file, "sums/precision");
  const auto counts = file.counts("sums/options", 1, 4);
  constexpr std::uint64_t max_folds = 1000;
  if (counts[1] == 0 || counts[1] > max_folds || counts[2] > 1) file.refuse("sums/options", "holds numbers out of range");
  options.n_targets = counts[0];
  options.n_folds = counts[1];
  options.bias = counts[2] == 1;
  options.seed = counts[3];
  options.all_products = !file.has("sums/grid/lowest");
  return options;
}

/// What has been summed, of so many features of so many columns and so many outputs.
RidgeState read_sums(const Records& file, const Map& map, const RidgeTrainerOptions& options, std::size_t n_outputs) {
  RidgeState sums;
  sums.epsilon = options.precision == Precision::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  sums.origin = file.numbers("sums/origin");
  sums.feature_origin = file.numbers("sums/feature-origin");
  const Counts counted = file.counts("sums/counted", any_size, 2);
  for (std::size_t i = 0; i < counted.size(); i += 2) sums.counted.push_back({counted[i], counted[i + 1]});
  if (counted.empty()) return sums;
  for (std::size_t fold = 0; fold < options.n_folds; ++fold) sums.folds.push_back(read_fold(file, fold, map.n_features(), n_outputs));
  const std::uint64_t n_waiting = file.count("sums/waiting");
  for (std::size_t i = 0; i < n_waiting; ++i) sums.waiting.push_back(read_waiting(file, i, map.dim(), n_outputs));
  return sums;
}

}  // namespace

StoredTrainer trainer_in(std::string bytes, const std::string& name, const std::shared_ptr<const Kernel>& kernel) {
  const Records file(name, std::move(bytes));
  if (file.text("kind") != "ridge-sums") file.refuse("kind", "is not ridge-sums");
  StoredTrainer trainer{
      .map = read_map(file, kernel), .options = read_options(file), .sums = {}, .on_grid = {}, .n_before = {}, .n_dealt = {}};
  const std::size_t n_classes = trainer.options.classes.size();
  trainer.n_before = file.counts("sums/before", std::max<std::size_t>(1, n_classes), 1);
  trainer.n_dealt = file.counts("sums/dealt", std::max<std::size_t>(1, n_classes), 1);
  const std::size_t n_outputs = n_classes == 0 ? trainer.options.n_targets : n_classes == 2 ? 1 : n_classes;
  // An overflow of these products could only be undone by another one.
  const std::size_t n_features = trainer.map.n_features();
  if (n_features > std::numeric_limits<std::uint32_t>::max() || n_outputs > std::numeric_limits<std::uint32_t>::max())
    file.refuse("sums/options", fmt::format("asks for {} features and {} targets", n_features, n_outputs));
  if (!trainer.options.all_products) {
    if (!trainer.map.atoms() || !trainer.map.atoms()->grid()) file.refuse("sums/grid/lowest", "is of a grid, and the map has none");
    trainer.on_grid = read_grid_sums(file, trainer.options.n_folds);
    std::uint64_t n_on_grid = 0;
    for (const GridRidgeState::Fold& fold : trainer.on_grid->folds) {
      if (fold.target_sums.size() != n_outputs) file.refuse("sums/0/target-sums", fmt::format("is not of {} targets", n_outputs));
      n_on_grid += fold.n_rows;
    }
    if (n_on_grid != sum_of(trainer.n_dealt) || trainer.first_row() != 0)
      file.refuse("sums/dealt", fmt::format("counts {} rows, the sums {}", sum_of(trainer.n_dealt), n_on_grid));
    return trainer;
  }
  const double size = static_cast<double>(n_features);  // which a map of columns has by its word alone
  require_memory(static_cast<double>(trainer.options.n_folds + 1) * size * size * sizeof(double), "RidgeTrainer",
                 fmt::format("sums over {} features", n_features), "use fewer");
  trainer.sums = read_sums(file, trainer.map, trainer.options, n_outputs);
  std::uint64_t n_rows = 0;
  for (const RowRange& range : trainer.sums.counted) n_rows += range.end - range.first;
  if (n_rows != sum_of(trainer.n_dealt))
    file.refuse("sums/dealt", fmt::format("counts {} rows, the sums {}", sum_of(trainer.n_dealt), n_rows));
  if (!trainer.sums.counted.empty() && trainer.sums.counted.front().first != trainer.first_row())
    file.refuse("sums/before",
                fmt::format("counts {} rows, the sums begin with row {}", trainer.first_row(), trainer.sums.counted.front().first));
  return trainer;
}

}  // namespace askrff::pipeline
