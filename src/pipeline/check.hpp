// What maps and models must satisfy, and how the pipeline makes a map whose plan exists already.
#pragma once

#include "askrff/model.hpp"

namespace askrff {

namespace pipeline {

/// Throw InvalidArgument unless all parts fit together and all numbers are finite.
void check(const Map& map);
void check(const Model& model);

}  // namespace pipeline

/// packed: the plan of content.source for the automatic backend, which its error was measured with.
Map map_of_choice(MapContent content, FeatureMap packed);

}  // namespace askrff
