// Numbers that are none.
#pragma once

#include <limits>

namespace askrff::test {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

}  // namespace askrff::test
