// Patterns and the files they match.
#include "data/source_files.hpp"

#include <fmt/format.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "data/input.hpp"
#include "data/messages.hpp"

namespace askrff {
namespace data {
namespace {

bool is_pattern(const std::string& source) {
  if (is_builtin(source) || source.find_first_of("*?[") == std::string::npos || source.find('\0') != std::string::npos) return false;
  struct stat status {};
  return ::stat(source.c_str(), &status) != 0 || S_ISDIR(status.st_mode);  // a file may be called so
}

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

/// What glob() has found, freed with it.
class Matches {
 public:
  explicit Matches(const std::string& pattern) {
    unreadable_error = 0;
    const int result = ::glob(pattern.c_str(), GLOB_NOSORT, &note_unreadable, &found_);
    if (result == 0 || result == GLOB_NOMATCH) return;
    ::globfree(&found_);
    if (result == GLOB_NOSPACE) throw std::bad_alloc();
    fail(pattern,
         fmt::format("{} cannot be searched: {}", in_quotes(unreadable_folder), std::generic_category().message(unreadable_error)));
  }
  ~Matches() { ::globfree(&found_); }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;

  std::vector<std::string> paths() const { return {found_.gl_pathv, found_.gl_pathv + found_.gl_pathc}; }

 private:
  /// A folder that may not be read could hold files that match: going on would lose rows. One that does not exist holds none.
  static int note_unreadable(const char* folder, int error) {
    if (error == ENOENT || error == ENOTDIR) return 0;
    unreadable_folder = folder;
    unreadable_error = error;
    return 1;
  }

  static inline thread_local std::string unreadable_folder;  // glob() has no place for what its callback knows
  static inline thread_local int unreadable_error = 0;
  glob_t found_{};
};

}  // namespace

bool SourceFiles::can_read_again() const {
  return (is_builtin(source) || std::all_of(data.begin(), data.end(), can_reopen)) && std::all_of(labels.begin(), labels.end(), can_reopen);
}

SourceFiles find_files(const std::string& source, const ReadOptions& options) {
  SourceFiles files{source, data_files(source), {}};
  if (options.label_file.empty()) return files;
  files.labels = data_files(options.label_file);
  if (files.labels.size() > 1 && files.labels.size() != files.data.size())
    fail(options.label_file, fmt::format("{} files match, but {} of {}; expected as many, or one file with the labels of all rows",
                                         files.labels.size(), files.data.size(), source));
  return files;
}

}  // namespace data

std::vector<std::string> data_files(const std::string& source) {
  if (!data::is_pattern(source)) return {source};
  std::vector<std::string> files = data::Matches(source).paths();
  std::erase_if(files, data::is_folder);
  if (files.empty()) data::fail(source, "no file matches");
  std::sort(files.begin(), files.end());  // glob() would sort by the words of the locale
  return files;
}

}  // namespace askrff
