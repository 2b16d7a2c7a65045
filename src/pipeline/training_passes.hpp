// Training rows wherever they are, in this process or elsewhere: train() asks for passes over them and decides everything else itself.
#pragma once

#include <optional>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_rows.hpp"

namespace askrff::pipeline {

/// The first of them.
class SurveyPass {
 public:
  virtual ~SurveyPass() = default;
  /// Name, columns, classes. Its rows are not read.
  virtual const RowStream& facts() const = 0;
  /// Sums are made in parts and merged.
  virtual bool in_parts() const { return false; }
  /// n_reserved: as in survey().
  virtual Survey survey(Scaling scaling, std::size_t n_reserved) = 0;
};

/// What is known before the fit: what the outputs stand for, and the features.
struct Preparation {
  Targets targets;
  Map map;
  bool all_products = false;  ///< of ridge: RidgeTrainerOptions
  std::optional<Tuning> tuning;
  std::optional<SizeSearch> sizes;
};

class TrainingPasses : public SurveyPass {
 public:
  /// The model on the features of the map. sums: gets those of ridge, unless it is null.
  virtual TrainedModel fit(const TrainOptions& options, const Preparation& ready, std::optional<RidgeTrainer>* sums) = 0;
};

/// Throws InvalidArgument for options that contradict each other, before any row is read.
void check_train_options(const TrainOptions& options);
Preparation prepare_training(SurveyPass& pass, const TrainOptions& options);

/// Calls solve(); what the equations say of their matrix is said of the features.
template <class Solve>
TrainedModel in_words_of_features(const Solve& solve) {
  try {
    return solve();
  } catch (const InvalidArgument& error) {
    if (error.where() != "cholesky") throw;  // which knows its matrix only
    throw InvalidArgument("Map", "the squares of the features add up to numbers that are too large or too different");
  }
}

TrainedModel train_by(TrainingPasses& passes, const TrainOptions& options, std::optional<RidgeTrainer>* sums);

}  // namespace askrff::pipeline
