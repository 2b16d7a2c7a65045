// Records of a training: in models, and of trainers whose sums travel.
#include "pipeline/training_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"
#include "io/records.hpp"
#include "pipeline/stored_keys.hpp"

namespace askrff::pipeline {
namespace {

using Counts = std::vector<std::uint64_t>;
using io::any_size;
using io::Records;

std::string fold_key(std::size_t fold, const char* what) { return fmt::format("sums/{}/{}", fold, what); }

void write_fold(io::RecordWriter& file, std::size_t fold, const FoldSums& sums) {
  file.matrix(fold_key(fold, "gram"), sums.gram);
  file.matrix(fold_key(fold, "moments"), sums.moments);
  file.numbers(fold_key(fold, "features"), sums.feature_sums);
  file.numbers(fold_key(fold, "targets"), sums.target_sums);
  file.numbers(fold_key(fold, "norms"), sums.target_norms);
  file.count(fold_key(fold, "rows"), sums.n_rows);
  file.number(fold_key(fold, "weight"), sums.weight);
}

FoldSums read_fold(const Records& file, std::size_t fold, std::size_t n_features, std::size_t n_targets) {
  FoldSums sums;
  sums.gram = file.matrix(fold_key(fold, "gram"), n_features, n_features);
  sums.moments = file.matrix(fold_key(fold, "moments"), n_features, n_targets);
  sums.feature_sums = file.numbers(fold_key(fold, "features"), n_features);
  sums.target_sums = file.numbers(fold_key(fold, "targets"), n_targets);
  sums.target_norms = file.numbers(fold_key(fold, "norms"), n_targets);
  sums.n_rows = file.count(fold_key(fold, "rows"));
  sums.weight = file.number(fold_key(fold, "weight"));
  return sums;
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

std::string bytes_of_trainer(const StoredTrainer& trainer) {
  const RidgeTrainerOptions& options = trainer.options;
  io::RecordWriter file;
  file.text("kind", "ridge-sums");
  file.text("written-by", ASKRFF_VERSION);
  write_map(file, trainer.map, OwnKernels::left_out);
  file.texts("sums/classes", options.classes);
  file.text("sums/precision", name_of(options.precision));
  file.counts("sums/options", Counts{options.n_targets, options.n_folds, options.bias ? 1u : 0u, options.seed}, 4);
  file.counts("sums/dealt", trainer.n_dealt, 1);
  file.numbers("sums/origin", trainer.sums.origin);
  file.numbers("sums/feature-origin", trainer.sums.feature_origin);
  for (std::size_t fold = 0; fold < trainer.sums.folds.size(); ++fold) write_fold(file, fold, trainer.sums.folds[fold]);
  return file.finish();
}

StoredTrainer trainer_in(std::string bytes, const std::string& name, const std::shared_ptr<const Kernel>& kernel) {
  const Records file(name, std::move(bytes));
  if (file.text("kind") != "ridge-sums") file.refuse("kind", "is not ridge-sums");
  StoredTrainer trainer{.map = read_map(file, kernel), .options = {}, .sums = {}, .n_dealt = {}};
  RidgeTrainerOptions& options = trainer.options;
  options.classes = file.texts("sums/classes");
  options.precision = read_word<Precision>(file, "sums/precision");
  const auto counts = file.counts("sums/options", 1, 4);
  constexpr std::uint64_t max_folds = 1000;
  if (counts[1] == 0 || counts[1] > max_folds || counts[2] > 1) file.refuse("sums/options", "holds numbers out of range");
  options.n_targets = counts[0];
  options.n_folds = counts[1];
  options.bias = counts[2] == 1;
  options.seed = counts[3];
  trainer.n_dealt = file.counts("sums/dealt", options.classes.empty() ? 1 : options.classes.size(), 1);
  RidgeSums& sums = trainer.sums;
  sums.origin = file.numbers("sums/origin");
  sums.feature_origin = file.numbers("sums/feature-origin");
  sums.epsilon = options.precision == Precision::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  std::uint64_t n_rows = 0, n_dealt = 0;
  for (std::size_t fold = 0; fold < options.n_folds; ++fold)
    sums.folds.push_back(read_fold(file, fold, sums.feature_origin.size(), sums.origin.size()));
  for (const FoldSums& fold : sums.folds) n_rows += fold.n_rows;
  for (const std::uint64_t n : trainer.n_dealt) n_dealt += n;
  if (n_rows != n_dealt) file.refuse("sums/dealt", fmt::format("counts {} rows, the sums {}", n_dealt, n_rows));
  return trainer;
}

}  // namespace askrff::pipeline
