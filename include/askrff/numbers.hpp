// Numbers in text, the same in every locale and with every standard library.
#pragma once

#include <charconv>

namespace askrff {

/// What std::from_chars does with a double, which libc++ has from version 20 on only: the longest number that [first, last) begins with, as
/// std::chars_format::general has it ("-1.5e3", "inf", "nan"; no plus sign, no blanks, no hexadecimal digits), correctly rounded. `value`
/// stays as it is if there is none (std::errc::invalid_argument, ptr == first), or none that a double can hold
/// (std::errc::result_out_of_range, also for numbers that are next to 0).
std::from_chars_result number_from_chars(const char* first, const char* last, double& value);

namespace detail {
/// The same by strtod of the C library, for where there is no std::from_chars, and for tests.
std::from_chars_result number_by_strtod(const char* first, const char* last, double& value);
}  // namespace detail

}  // namespace askrff
