// From the files of a source to its rows.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "askrff/data.hpp"
#include "data/input.hpp"
#include "data/row_source.hpp"
#include "data/source_files.hpp"

namespace askrff::data {

/// Opens the source. For Reading::blocks the columns of LIBSVM text are counted first, unless the options or `libsvm_width` say how many
/// there are; it is set then, so that opening again need not count. Throws DataError.
std::unique_ptr<RowSource> open_rows(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width, Reading reading);

/// A file that has been opened, and what it holds: never DataFormat::automatic.
struct OpenFile {
  Input input;
  DataFormat format;
};
/// Opens a file and finds its format. Throws DataError, also if the options ask for labels that this format cannot give.
OpenFile open_file(const std::string& file, const ReadOptions& options);

/// Sets the width of LIBSVM text that is read block by block to the largest index of all files, unless it is known or given. Throws
/// DataError if there is no index, or a file that cannot be read again.
void find_libsvm_width(const SourceFiles& files, DataFormat format, const ReadOptions& options, std::size_t& libsvm_width);

/// Labels are those of the file itself. Throws DataError.
std::unique_ptr<RowSource> rows_of(OpenFile file, const ReadOptions& options, std::size_t libsvm_width, Reading reading);

}  // namespace askrff::data
