// How many blocks of a size it takes.
#pragma once

#include <cstddef>

namespace askrff {

/// ⌈n / size⌉, size ≥ 1; n + size must not overflow.
constexpr std::size_t ceil_div(std::size_t n, std::size_t size) { return (n + size - 1) / size; }

}  // namespace askrff
