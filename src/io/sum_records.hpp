// Exact sums to records and back.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/exact_sum.hpp"
#include "io/records.hpp"

namespace askrff::io {

/// Records "prefix/sums" and "prefix/words". Equal sums give equal bytes.
void write_sums(RecordWriter& file, const std::string& prefix, std::span<const ExactSum> sums);
/// Throws DataError unless there are so many, each in its shortest form.
std::vector<ExactSum> read_sums(const Records& file, const std::string& prefix, std::size_t n_sums);

}  // namespace askrff::io
