// The rows of several files, one file after another, as if they were one.
#pragma once

#include <cstddef>
#include <memory>

#include "data/row_source.hpp"
#include "data/source_files.hpp"

namespace askrff::data {

/// Files are opened when they are reached, one at a time. They must have one format and the same columns; those without rows add nothing.
/// Where there is a label file for each, it has as many labels as that one rows. `libsvm_width` as for open_rows. Throws DataError.
std::unique_ptr<RowSource> open_many_files(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width);

}  // namespace askrff::data
