// Whether data has the columns a stored map or model was made for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "askrff/map.hpp"
#include "data_options.hpp"

namespace askrff::cli {

/// As many columns, and of the same names in the same order where both have names: a column with another name is another column. `file` is
/// where the map is from. Throws DataError; a column too many may be that of the labels, which the error says if nobody named one.
void check_stored_columns(const DataOptions& data, std::size_t n_columns, const std::vector<std::string>& names, const Map& map,
                          const std::string& file, FeatureSide side = FeatureSide::left);

}  // namespace askrff::cli
