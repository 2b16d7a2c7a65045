// How many features a model needs: sizes tried by cross-validation, the smallest that loses little is taken.
#pragma once

#include "askrff/train.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_rows.hpp"

namespace askrff::pipeline {

/// The map, of the side that models see, that options.features.tolerance asks for; what was tried is in `sizes`.
Map smallest_map(const TrainOptions& options, const KernelChoice& kernel, const Survey& survey, const Targets& targets,
                 const RowStream& stream, SizeSearch& sizes);

}  // namespace askrff::pipeline
