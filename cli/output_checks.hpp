// Checks of the files to be written before the work: what --out names can be created and is none of the inputs.
#pragma once

#include <string>

namespace askrff::cli {

/// A file and the option that named it.
struct NamedFile {
  const char* option;
  const std::string& path;
};

/// Refuses to write over what is read, or one output over another: they must be different files, whether they exist or not. Nothing to do
/// where one of them is not given (empty). Throws std::invalid_argument in the name of the first.
void require_other_file(const NamedFile& out, const NamedFile& other);

/// Creates an unfinished file beside `out` and removes it again. Throws std::invalid_argument.
void require_creatable(const std::string& out);

}  // namespace askrff::cli
