// Names in results: which there are, and how people read them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace askrff::experiments {

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
