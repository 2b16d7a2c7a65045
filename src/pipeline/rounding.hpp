// What float32 features of a map add to the error that is certified of it.
#pragma once

#include "askrff/map.hpp"

namespace askrff::pipeline {

/// Adds it to the certificate of `content`, the map's: measured on at most 400 of the rows, which are scaled. Nothing need be held out for
/// it, rounding knows no fit. A tolerance of the options may then be missed, and the reason says so.
void add_rounding(MapContent& content, const Map& map, const RowsView<double>& rows, const MapOptions& options);

}  // namespace askrff::pipeline
