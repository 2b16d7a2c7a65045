// Models tried out by cross-validation on a sample of the training rows: what is not worth all of them is chosen there.
#pragma once

#include <memory>

#include "askrff/train.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/training_rows.hpp"

namespace askrff::pipeline {

/// At most 4000 rows of the survey's sample, drawn by the seed, with their labels.
class Trials {
 public:
  /// All but the options is looked at only here.
  Trials(const TrainOptions& options, const Survey& survey, const Targets& targets, const RowStream& stream);
  ~Trials();

  std::size_t n_rows() const;
  /// The cross-validation of a model on the features of a map of scaled rows.
  CrossValidation validate(const Map& map);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How a map is made for the options, from the sample's rows, without a tolerance: that is one of models, unless it is one of a grid.
MapOptions map_options_of(const TrainOptions& options);

}  // namespace askrff::pipeline
