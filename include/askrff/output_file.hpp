// OutputFile: bytes that appear under their name complete or not at all. Under every file the library writes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "askrff/errors.hpp"

namespace askrff {

/// Written beside its name and renamed by finish(); until then the old file, if there is one, is untouched. A symbolic link stays, and what
/// it leads to is replaced; only regular files are replaced, and the new file has the permissions of the old one.
class OutputFile {
 public:
  /// Creates the unfinished file: what cannot be written is known before the work. `who` starts the messages of errors, "Model::save" or
  /// "--out". Throws std::invalid_argument if the file cannot be created.
  explicit OutputFile(const std::string& path, std::string who = "OutputFile");
  /// Removes what was not finished.
  ~OutputFile();
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;

  const std::string& path() const;
  /// Throws WriteError if the bytes cannot be written in full or an earlier write failed, std::invalid_argument after finish().
  void append(std::string_view bytes);
  /// Writes over the first bytes, as many of which have been appended: a header that is known at the end. Throws as append.
  void overwrite_start(std::string_view bytes);
  /// Writes out and synchronises with the disk: after it nothing but the renaming is left, which hardly ever fails. For files that belong
  /// together: complete all, then finish all. Throws as append.
  void complete();
  /// complete(), if that has not been done, and renames. Throws as append.
  void finish();
  /// Removes the unfinished file and throws WriteError "who: cannot write 'path': why".
  [[noreturn]] void fail(const std::string& why);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes the unfinished files of all OutputFiles there are, and does only what is allowed in a signal handler: for one that ends the
/// process at once. Whatever is written to them afterwards is lost.
void remove_unfinished_files() noexcept;

}  // namespace askrff
