// Training rows wherever they are, in this process or elsewhere: train() asks for passes over them and decides everything else itself.
#pragma once

#include <optional>

#include "askrff/train.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_rows.hpp"

namespace askrff::pipeline {

class TrainingPasses {
 public:
  virtual ~TrainingPasses() = default;
  /// Name, columns, classes. Its rows are not read.
  virtual const RowStream& facts() const = 0;
  /// n_reserved: as in survey().
  virtual Survey survey(Scaling scaling, std::size_t n_reserved) = 0;
  /// The model on the features of a map. sums: gets those of ridge, unless it is null.
  virtual TrainedModel fit(const TrainOptions& options, const Map& map, const Targets& targets, std::optional<RidgeTrainer>* sums) = 0;
};

TrainedModel train_by(TrainingPasses& passes, const TrainOptions& options, std::optional<RidgeTrainer>* sums);

}  // namespace askrff::pipeline
