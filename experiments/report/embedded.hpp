// What the page takes from files of the project; CMake puts them in when it configures.
#pragma once

#include <span>
#include <string_view>

namespace askrff::experiments {

extern const std::string_view page_skeleton;  ///< page.html
extern const std::string_view page_style;     ///< style.css

/// A heading of docs/errata.md.
struct ErratumTitle {
  int number;
  std::string_view title;
};
std::span<const ErratumTitle> erratum_titles();

}  // namespace askrff::experiments
