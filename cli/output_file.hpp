// A text file that is complete or absent: written beside its name and renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace askrff::cli {

/// Refuses to write over what is read: `out` and the file given by `option` must be different files.
void require_other_file(const std::string& out, const std::string& input, const char* option);

class OutputFile {
 public:
  /// Creates the unfinished file: what cannot be written is known before the work. Only regular files are replaced; a symbolic link stays,
  /// and what it leads to is replaced. Throws std::invalid_argument.
  explicit OutputFile(const std::string& path);
  /// Removes what was not finished.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Writes all of it and renames. Throws WriteError.
  void finish(std::string_view text);

 private:
  [[noreturn]] void fail(int error);

  std::string path_;
  std::filesystem::path destination_, temporary_;
  int descriptor_ = -1;
};

}  // namespace askrff::cli
