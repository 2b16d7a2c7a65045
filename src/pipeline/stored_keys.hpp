// What the files of models share between writing and reading: limits, and the functions for their two halves.
#pragma once

#include <cstddef>

#include "askrff/model.hpp"
#include "io/records.hpp"

namespace askrff::pipeline {

// Structured frequencies are few bytes in a file and many in memory: at most 1 GiB of them, and no more work than that is worth.
inline constexpr std::size_t max_structured_numbers = std::size_t{1} << 27, max_structured_work = std::size_t{1} << 28;

/// Whether structured frequencies are few enough for a file. No overflow, whatever the numbers.
inline bool fits_file(std::size_t n_frequencies, std::size_t dim, std::size_t padded_dim) {
  return dim <= max_structured_numbers / n_frequencies && padded_dim <= max_structured_work / n_frequencies;
}

/// How a kernel's parameter is written; a list with the number of its values before them.
enum class ParameterForm : std::uint64_t { number, over_dim, vector, list };

/// What becomes of a kernel without a name that landmarks evaluate: refused, or left out for read_map to get it back.
enum class OwnKernels { refused, left_out };

void write_map(io::RecordWriter& file, const Map& map, OwnKernels own);
/// kernel: the one that was left out, else null. Throws DataError if it is missing, or given where none was left out.
Map read_map(const io::Records& file, const std::shared_ptr<const Kernel>& kernel);

using io::read_word;

}  // namespace askrff::pipeline
