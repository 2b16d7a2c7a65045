// NPY arrays of one or two dimensions as rows × columns of doubles.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/messages.hpp"
#include "io/npy_header.hpp"
#include "io/readers.hpp"

namespace askrff::io {
namespace {

template <std::size_t size>
using Bits = std::conditional_t<size == 1, std::uint8_t,
                                std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

template <class Unsigned>
Unsigned reversed(Unsigned bits) {
  Unsigned out = 0;
  for (std::size_t k = 0; k < sizeof(Unsigned); ++k) {
    out = static_cast<Unsigned>(out << 8 | (bits & 0xFF));
    bits = static_cast<Unsigned>(bits >> 8);
  }
  return out;
}

/// Appends `count` elements of type T at `bytes` to `values`; 64-bit integers are rounded to the nearest double.
template <class T>
void append_elements(const char* bytes, std::size_t count, bool big_endian, std::vector<double>& values) {
  const bool foreign = big_endian != (std::endian::native == std::endian::big);
  const std::size_t before = values.size();
  values.resize(before + count);
  for (std::size_t i = 0; i < count; ++i) {
    Bits<sizeof(T)> bits;
    std::memcpy(&bits, bytes + i * sizeof(T), sizeof(T));
    if (foreign) bits = reversed(bits);
    if constexpr (std::is_same_v<T, bool>)
      values[before + i] = bits != 0 ? 1.0 : 0.0;
    else
      values[before + i] = static_cast<double>(std::bit_cast<T>(bits));
  }
}

using Append = void (*)(const char*, std::size_t, bool, std::vector<double>&);

Append append_of(const NpyHeader& header) {
  switch (header.kind) {
    case 'f':
      return header.item_size == 4 ? append_elements<float> : append_elements<double>;
    case 'b':
      return append_elements<bool>;
    case 'i':
      switch (header.item_size) {
        case 1:
          return append_elements<std::int8_t>;
        case 2:
          return append_elements<std::int16_t>;
        case 4:
          return append_elements<std::int32_t>;
        default:
          return append_elements<std::int64_t>;
      }
    default:
      switch (header.item_size) {
        case 1:
          return append_elements<std::uint8_t>;
        case 2:
          return append_elements<std::uint16_t>;
        case 4:
          return append_elements<std::uint32_t>;
        default:
          return append_elements<std::uint64_t>;
      }
  }
}

/// In the order of the file. The header is not believed: memory grows with the elements that are there.
std::vector<double> read_elements(Input& input, const NpyHeader& header, std::size_t count) {
  constexpr std::size_t first_elements = std::size_t{1} << 17;
  const Append append = append_of(header);
  std::vector<double> values;
  while (values.size() < count) {
    const std::size_t present = input.peek(header.item_size).size() / header.item_size;
    if (present == 0)
      fail(input.name(), fmt::format("the data end after {} elements, expected {} as the NPY header says", values.size(), count));
    const std::size_t taken = std::min(present, count - values.size());
    if (values.capacity() < values.size() + taken)
      values.reserve(std::min(count, std::max({first_elements, values.size() + taken, values.capacity() * 2})));
    append(input.peek(header.item_size).data(), taken, header.big_endian, values);
    input.consume(taken * header.item_size);
  }
  if (!input.peek(1).empty())
    fail(input.name(), fmt::format("more bytes follow the data, expected {} elements as the NPY header says", count));
  return values;
}

std::vector<double> transposed(const std::vector<double>& by_column, std::size_t rows, std::size_t cols) {
  std::vector<double> by_row(by_column.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) by_row[i * cols + j] = by_column[j * rows + i];
  return by_row;
}

std::string shape_text(const NpyHeader& header) {
  return header.shape.size() == 1 ? fmt::format("({},)", header.shape[0]) : fmt::format("({})", fmt::join(header.shape, ", "));
}

}  // namespace

Dataset read_npy(Input& input, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(input);
  if (header.shape.empty() || header.shape.size() > 2)
    fail(input.name(), fmt::format("an NPY array of shape {}, expected (rows,) or (rows, columns)", shape_text(header)));
  const std::uint64_t claimed_rows = header.shape[0], claimed_cols = header.shape.size() == 2 ? header.shape[1] : 1;
  if (claimed_rows == 0 || claimed_cols == 0)
    fail(input.name(), fmt::format("an NPY array of shape {}, expected at least one row and one column", shape_text(header)));
  check_memory(input.name(), claimed_rows, claimed_cols, options.max_bytes);
  const auto rows = static_cast<std::size_t>(claimed_rows), cols = static_cast<std::size_t>(claimed_cols);
  check_columns(input.name(), options.n_columns, cols);

  std::vector<double> values = read_elements(input, header, rows * cols);
  if (header.fortran_order && rows > 1 && cols > 1) values = transposed(values, rows, cols);
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad != values.end()) {
    const auto at = static_cast<std::size_t>(bad - values.begin());
    fail(input.name(), fmt::format("row {}, column {} is {}, expected a finite number", at / cols + 1, at % cols + 1, *bad));
  }
  Dataset data;
  data.X = Matrix<double>(rows, cols, std::move(values));
  return data;
}

}  // namespace askrff::io
