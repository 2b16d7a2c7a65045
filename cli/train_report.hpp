// What askrff train reports.
#pragma once

#include <string>
#include <vector>

#include "askrff/train.hpp"
#include "command.hpp"

namespace askrff::cli {

struct TrainFacts {
  const TrainedModel& model;
  const std::string &source, &out;
  double seconds = 0;
};

Json train_json(const TrainFacts& facts);
std::string train_text(const TrainFacts& facts);
/// "shift-gaussian (sigma = 2, shift = 2/d) in 8 dimensions", "512 features of 256 frequencies".
std::string map_title(const Map& map);
std::string map_features_text(const Map& map);
/// What tuning and a tolerance tried; empty, and nothing added, without.
std::string trials_text(const TrainingReport& report, const Map& map);
void add_trials(Json& json, const TrainingReport& report, std::size_t dim);
/// What the user should look at: what the library says, and errors that are rounding.
std::vector<std::string> train_warnings(const TrainedModel& model);

}  // namespace askrff::cli
