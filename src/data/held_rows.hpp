// For sources that know their columns only at their end and can be read only once.
#pragma once

#include <memory>

#include "data/row_source.hpp"

namespace askrff::data {

/// All rows of `source`, which is read to its end here. Throws DataError, also if there is none.
std::unique_ptr<RowSource> hold_rows(RowSource& source);

}  // namespace askrff::data
