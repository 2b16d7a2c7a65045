// From the name of a source to its rows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "askrff/data.hpp"
#include "data/row_source.hpp"

namespace askrff::data {

bool is_builtin(std::string_view source);

/// Finds the format and opens the source. For Reading::blocks the columns of LIBSVM text are counted first, which sets options.n_columns.
/// Throws DataError.
std::unique_ptr<RowSource> open_rows(const std::string& source, ReadOptions& options, Reading reading);

}  // namespace askrff::data
