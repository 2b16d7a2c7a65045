// From the name of a source to its rows.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "askrff/data.hpp"
#include "data/row_source.hpp"

namespace askrff::data {

bool is_builtin(std::string_view source);

/// Finds the format and opens the source. For Reading::blocks the columns of LIBSVM text are counted first, unless the options or
/// `libsvm_width` say how many there are; it is set then, so that opening again need not count. Throws DataError.
std::unique_ptr<RowSource> open_rows(const std::string& source, const ReadOptions& options, std::size_t& libsvm_width, Reading reading);

}  // namespace askrff::data
