// What `askrff train` says of its work.
#pragma once

#include <string>

#include "command.hpp"
#include "fitting.hpp"
#include "tune.hpp"

namespace askrff::cli {

/// All there is to tell.
struct TrainedFacts {
  const TrainOptions& options;
  const Survey& survey;
  const Targets& targets;
  const std::optional<Tuning>& tuning;
  const Preparation& preparation;
  const Fitted& fitted;
  double seconds = 0;
};

Json train_json(const TrainedFacts& facts);
std::string train_text(const TrainedFacts& facts);
/// One for every tuned parameter that is best at an end of what was tried.
std::vector<std::string> edge_warnings(const Tuning& tuning);
/// The best C lies at an end of the grid: a sentence that says so, or nothing.
std::string edge_warning(const CrossValidation& validation);

}  // namespace askrff::cli
