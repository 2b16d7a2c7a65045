// The last step of fitting a Scaler, from what was gathered of all rows in one pass or in two.
#pragma once

#include "askrff/rows.hpp"
#include "io/column_quantiles.hpp"
#include "io/column_sums.hpp"

namespace askrff::io {

/// The Scaler of the rows of these sums. Only robust asks for quantiles, which are of the same rows: they may be gathered in a second pass,
/// where the numbers of rows are known only after the first. Throws InvalidArgument for no rows, a column too wide for a double, or
/// quantiles that are missing or of other rows.
Scaler finish_scaler(const ColumnSums& sums, const ColumnQuantiles* quantiles);

}  // namespace askrff::io
