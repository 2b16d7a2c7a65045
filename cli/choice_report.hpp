// What was found in the search for a map, for people and for JSON: the map, why, what was tried and what is certain of it.
#pragma once

#include <string>
#include <vector>

#include "askrff/map.hpp"
#include "command.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {

/// "polar mub calibrated" or "nystrom".
std::string map_name(const Map& map);

/// {"estimator","sampler","weights","n_frequencies","n_landmarks","n_features"}; for a Nyström map sampler and weights are null.
Json chosen_json(const Map& map);
Json tried_json(const std::vector<Candidate>& tried);
/// {"error","lower","upper","n_rows","n_pairs","matrix_rows","between","refitted","n_frequencies","n_features","reached"}: see HeldOutError
/// and Certificate; "between" is null where the file is too old to say; "reached" is null where no tolerance was asked for.
Json certificate_json(const Certificate& certificate, bool has_tolerance = true);
/// What the library says of a large error; null if nothing.
Json warning_json(const Map& map);

/// A line per candidate; what was refused stands below, in the library's words.
std::string tried_text(const std::vector<Candidate>& tried);
/// "polar mub calibrated: 64 frequencies, 128 features" and the reason.
std::string chosen_text(const Map& map);
/// A sentence, and another one if the tolerance was not reached.
std::string certificate_text(const Certificate& certificate, std::optional<double> tolerance);

/// "askrff: warning: …" if there is a tolerance and it was not reached.
void warn_if_not_reached(const Map& map, std::optional<double> tolerance);

/// Shows every candidate on `progress`, which must outlive the search.
std::function<void(const Candidate&)> shown_on(ProgressBar& progress);

}  // namespace askrff::cli
