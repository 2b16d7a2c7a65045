// Checks of the files of a call before the work: what is to be written can be created, and is none of the others.
#pragma once

#include <string>
#include <vector>

namespace askrff::cli {

/// A file and the option that named it.
struct NamedFile {
  const char* option;
  std::string path;  ///< of an input: empty if it is not given
};

/// Refuses to write over what is read, standard input ("-") among it, or one output over another: they must be different files, whether
/// they exist or not. Each output is created beside its name and removed again. Throws std::invalid_argument in the name of an output.
void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

}  // namespace askrff::cli
