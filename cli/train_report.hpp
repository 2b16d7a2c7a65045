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
/// What the user should look at: what the library says, and errors that are rounding.
std::vector<std::string> train_warnings(const TrainedModel& model);

}  // namespace askrff::cli
