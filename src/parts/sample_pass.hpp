// What the second pass over rows in parts finds: a RowSample, and where they were asked for quantiles of columns.
#pragma once

#include <optional>

#include "io/column_quantiles.hpp"
#include "parts/pass.hpp"
#include "pipeline/row_sample.hpp"

namespace askrff::parts {

/// Nothing where they were not asked for.
std::optional<io::ColumnQuantiles> quantiles_in(const io::Records& file);

}  // namespace askrff::parts
