// Names and other text in results: which there are, as people read them, and made fit for pages, pictures, JSON and names of files (data
// sets, command lines and notices may hold anything).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::experiments {

/// One line of valid UTF-8: what is none becomes U+FFFD, control characters become spaces.
std::string clean(std::string_view text);

/// A part of a file name: lower-case letters, digits and single dashes; "x" if nothing else is left of it.
std::string file_stem(std::string_view text);

/// Values of a field in the order of their first appearance.
template <class Record>
std::vector<std::string> distinct(const std::vector<Record>& records, std::string Record::*field) {
  std::vector<std::string> values;
  for (const Record& record : records)
    if (std::ranges::find(values, record.*field) == values.end()) values.push_back(record.*field);
  return values;
}

/// "real positive" for "real_positive".
inline std::string part_title(std::string part) {
  std::ranges::replace(part, '_', ' ');
  return part;
}

}  // namespace askrff::experiments
