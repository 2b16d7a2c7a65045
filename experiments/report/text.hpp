// Text from outside made fit for pages, pictures and JSON: names of data sets, command lines and notices may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace askrff::experiments {

/// One line of valid UTF-8: what is none becomes U+FFFD, control characters become spaces.
std::string clean(std::string_view text);

/// A part of a file name: lower-case letters, digits and single dashes; "x" if nothing else is left of it.
std::string file_stem(std::string_view text);

}  // namespace askrff::experiments
