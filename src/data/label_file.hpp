// Labels in a file of their own, in step with rows that come from elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/row_source.hpp"

namespace askrff::data {

/// The rows of `rows` with the labels of a file instead of their own. Throws DataError if they are not equally many.
std::unique_ptr<RowSource> with_label_file(std::unique_ptr<RowSource> rows, const std::string& label_file, const ReadOptions& options);
/// Throws DataError if there is a label in the file; `name` is the file that has no rows.
void expect_no_labels(const std::string& label_file, const std::string& name, const ReadOptions& options);

}  // namespace askrff::data
