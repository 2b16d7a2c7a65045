// What the types of Arrow's columns are here: which elements, and in which words errors speak of them.
#pragma once

#include <string>
#include <string_view>

#include "askrff/columns.hpp"

namespace askrff::io {

struct ArrowType {
  ElementType element = ElementType::other;
  std::string content;  ///< "float64 numbers", "timestamps"
};

/// Of a format string of the C data interface: "g", "tsu:UTC". Anything unknown is of type other.
ArrowType arrow_type(std::string_view format);

}  // namespace askrff::io
