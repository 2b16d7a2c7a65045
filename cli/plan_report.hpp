// What plans and their sums hold, as tables for people and as JSON: for askrff plan, sums, merge and inspect.
#pragma once

#include <string>

#include "askrff/plan.hpp"
#include "program.hpp"

namespace askrff::cli {

/// Rows, features, options and all parts.
Json plan_json(const RidgePlan& plan);
/// The same for people; of many parts some.
std::string plan_text(const RidgePlan& plan);

/// Which parts are in.
Json sums_json(const PlannedSums& sums);
/// "parts 1 to 3 of 7, 120 of 400 rows; missing are …": one line.
std::string sums_line(const PlannedSums& sums);

}  // namespace askrff::cli
