// Sums for ridge regression, as bytes.
#pragma once

#include "askrff/train.hpp"
#include "parts/pass.hpp"

namespace askrff::parts {

/// A trainer of a task, which has no rows, or of a result.
void write_trainer(io::RecordWriter& file, const RidgeTrainer& trainer);

}  // namespace askrff::parts
