// What a pass for probabilities is given, and what it finds.
#pragma once

#include <vector>

#include "parts/pass.hpp"
#include "pipeline/held_out_outputs.hpp"

namespace askrff::parts {

/// The models of a task, one per fold.
void write_fold_models(io::RecordWriter& task, const std::vector<LinearModel>& models);
pipeline::HeldOutOutputs held_out_outputs_in(const io::Records& file);

}  // namespace askrff::parts
