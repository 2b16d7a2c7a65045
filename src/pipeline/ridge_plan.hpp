// What a plan of ridge regression in parts is made of, and how rows are compared with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "askrff/plan.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_passes.hpp"
#include "pipeline/training_text.hpp"
#include "pipeline/watched_rows.hpp"

namespace askrff {

struct RidgePlan::State {
  std::string bytes;    // of all of it
  std::string trainer;  // bytes of one without rows, of which all others are parts
  Map map;
  RidgeTrainerOptions options;
  std::vector<PlannedPart> parts;
  std::vector<std::uint64_t> first_row;  // of every part, and one more: all rows
  pipeline::Targets targets;
  PlannedReading reading;
  std::vector<double> c;
  pipeline::TrainingText text;
};

namespace pipeline {

/// The bytes of a plan, of which from_bytes makes one. The sizes of parts are those of the targets.
std::string bytes_of_plan(const std::string& trainer, const Preparation& ready, const std::vector<PlannedPart>& parts,
                          const PlannedReading& reading, const TrainOptions& options);

/// The sums of one file.
PlannedSums load_sums_file(const std::string& path, const Execution& execution);

/// A trainer without rows for those from a part on.
RidgeTrainer trainer_of_part(const RidgePlan& plan, std::size_t part, const Execution& execution);

// What follows throws DataError in the name of the rows.

/// One part, the plan's columns, and labels of the same kind.
void check_like_planned(const RidgePlan& plan, const RowStream& rows);
/// Labels are there, and numbers of classes are some.
void check_planned_labels(const RidgePlan& plan, const RowStream& rows, const RowBlock& block);
/// The rows of a part are those the plan has seen.
void check_seen_before(const RidgePlan& plan, std::size_t part, const SeenRows& seen, const std::string& name);

}  // namespace pipeline
}  // namespace askrff
