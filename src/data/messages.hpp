// Words of the readers' error messages: places, and the memory limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/messages.hpp"

namespace askrff::data {

using io::fail;
using io::in_quotes;

/// "1.5 MiB".
std::string in_bytes(double bytes);

/// Throws DataError whose where() is "name:line".
[[noreturn]] void fail_at(const std::string& name, std::uint64_t line, const std::string& message);

/// Throws DataError if rows × cols doubles need more than max_bytes (computed without overflow). `hint` ends the message.
void check_memory(const std::string& name, std::uint64_t rows, std::uint64_t cols, std::uint64_t max_bytes, std::string_view hint = {});

/// The widest data of any source: everything is dense here, and one row of this width takes 80 MB.
inline constexpr std::uint64_t max_columns = 10'000'000;

/// Throws DataError if a reader already holds more than max_bytes.
void check_held(const std::string& name, std::uint64_t line, std::uint64_t held_bytes, std::uint64_t max_bytes);

/// Throws DataError if the caller asked for n_columns (0: any) and the data have another number.
void check_columns(const std::string& name, std::size_t n_columns, std::size_t found);

}  // namespace askrff::data
