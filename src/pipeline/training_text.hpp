// The options of a training as the command line has them: what models say of how they came about, whoever asked for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "askrff/train.hpp"

namespace askrff::pipeline {

/// In pieces around what may be said later, when sums are solved.
struct TrainingText {
  std::string start, class_weights, end;
  std::uint64_t n_folds = 0;
  bool is_tuned = false;  ///< by folds, whether C is chosen or not

  static TrainingText of(const TrainOptions& options);
  std::string with(const std::vector<double>& c, bool leave_one_out, bool has_folds) const;
};

}  // namespace askrff::pipeline
