// The files a source stands for: itself, or all that a pattern matches, with the files of their labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "askrff/data.hpp"

namespace askrff::data {

inline constexpr std::string_view builtin_prefix = "builtin:";
inline bool is_builtin(std::string_view source) { return source.starts_with(builtin_prefix); }

/// Found once, so that every pass reads the same files.
struct SourceFiles {
  std::string source;                     ///< as it was asked for
  std::vector<std::string> data, labels;  ///< in order; labels: none, one file for all rows, or one for each file of rows

  /// What errors about all of them start with.
  const std::string& name() const { return data.size() == 1 ? data.front() : source; }
  bool can_read_again() const;
};

/// Throws DataError if a pattern matches nothing, or if there are neither one label file nor as many as files of rows.
SourceFiles find_files(const std::string& source, const ReadOptions& options);

}  // namespace askrff::data
