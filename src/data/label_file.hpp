// Labels in a file of their own, in step with rows that come from elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/row_source.hpp"

namespace askrff::data {

/// The rows of `rows` with the labels of options.label_file instead of their own. Throws DataError if they are not equally many.
std::unique_ptr<RowSource> with_label_file(std::unique_ptr<RowSource> rows, const ReadOptions& options);

}  // namespace askrff::data
