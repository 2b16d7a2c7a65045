// What a model says of its training, and what bytes say of a trainer that is to go on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "askrff/grid_ridge.hpp"
#include "askrff/train.hpp"

namespace askrff::pipeline {

Training training_record(Trainer trainer, std::uint64_t seed, double c, const TrainingReport& report);

/// Adds to report.warnings if its cross-validation leaves open whether a C beyond those tried is better. automatic: nobody chose them.
void warn_of_c(TrainingReport& report, bool automatic);
/// The same of its tuned parameters.
void warn_of_tuning(TrainingReport& report);

struct StoredTrainer {
  Map map;
  RidgeTrainerOptions options;
  RidgeState sums;
  std::optional<GridRidgeState> on_grid;         ///< instead of them
  std::vector<std::uint64_t> n_before, n_dealt;  ///< rows of every class before these, and of these

  std::uint64_t first_row() const;
};

std::string bytes_of_trainer(const StoredTrainer& trainer);
/// Throws DataError, which names `name`. kernel: as in read_map.
StoredTrainer trainer_in(std::string bytes, const std::string& name, const std::shared_ptr<const Kernel>& kernel);

}  // namespace askrff::pipeline
