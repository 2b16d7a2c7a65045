// Numbers written as text: the one parser of every text format. Independent of the locale.
#pragma once

#include <cstdint>
#include <string_view>

namespace askrff::data {

enum class NumberStatus { ok, not_a_number, not_finite, too_large };

struct ParsedNumber {
  double value = 0;
  NumberStatus status = NumberStatus::not_a_number;
};

/// The double nearest to the whole of `text` (decimal, optional sign and exponent; no surrounding space). Numbers too small for a double
/// are zero. "nan" and "inf" are recognised (not_finite) but never accepted.
ParsedNumber parse_number(std::string_view text);

/// What is wrong with a number, for messages: "'abc' is not a number".
std::string_view describe(NumberStatus status);

/// What people write for a missing value: nothing, NA, N/A, ?, NaN, null.
bool is_missing(std::string_view text);

/// A missing value or an infinity: no format takes one for a label.
bool is_no_label(std::string_view text);

/// The double of the shortest decimal form of a float: 0.1 and not 0.10000000149011612.
double shortest_decimal(float number);

/// A whole number written with digits only; false if it is not one or does not fit into 64 bits.
bool parse_count(std::string_view text, std::uint64_t& count);

}  // namespace askrff::data
