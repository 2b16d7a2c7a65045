// Elements of columns as numbers and text, and columns turned into rows.
#include "askrff/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "io/messages.hpp"

namespace askrff {
namespace {

/// Calls f(T{}) with the type of the elements. Only for numbers that take whole bytes.
template <class F>
auto with_element(ElementType type, const F& f) {
  switch (type) {
    case ElementType::int8:
      return f(std::int8_t{});
    case ElementType::int16:
      return f(std::int16_t{});
    case ElementType::int32:
      return f(std::int32_t{});
    case ElementType::int64:
      return f(std::int64_t{});
    case ElementType::uint16:
      return f(std::uint16_t{});
    case ElementType::uint32:
      return f(std::uint32_t{});
    case ElementType::uint64:
      return f(std::uint64_t{});
    case ElementType::float32:
      return f(float{});
    case ElementType::float64:
      return f(double{});
    default:
      return f(std::uint8_t{});
  }
}

/// Columns of others may begin at any byte.
template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

const char* element_at(const Column& column, std::size_t row) {
  return static_cast<const char*>(column.values) + static_cast<std::ptrdiff_t>(column.offset + row) * column.stride;
}

bool truth_at(const Column& column, std::size_t row) {
  const std::size_t at = column.offset + row;
  return static_cast<const std::uint8_t*>(column.values)[at / 8] >> (at % 8) & 1;
}

template <class To>
void copy_column(const Column& column, std::size_t first, std::size_t count, To* out, std::size_t out_stride) {
  if (column.type == ElementType::truth_bits) {
    for (std::size_t i = 0; i < count; ++i) out[i * out_stride] = truth_at(column, first + i) ? To{1} : To{0};
  } else if (column.type == ElementType::truth_bytes) {
    for (std::size_t i = 0; i < count; ++i) out[i * out_stride] = *element_at(column, first + i) != 0 ? To{1} : To{0};
  } else {
    with_element(column.type, [&](auto type) {
      using From = decltype(type);
      const char* const from = element_at(column, first);
      if (column.stride == sizeof(From)) {
        for (std::size_t i = 0; i < count; ++i) out[i * out_stride] = static_cast<To>(load<From>(from + i * sizeof(From)));
      } else {
        for (std::size_t i = 0; i < count; ++i)
          out[i * out_stride] = static_cast<To>(load<From>(from + static_cast<std::ptrdiff_t>(i) * column.stride));
      }
    });
  }
  if (column.valid == nullptr) return;
  for (std::size_t i = 0; i < count; ++i)
    if (column.is_missing(first + i)) out[i * out_stride] = std::numeric_limits<To>::quiet_NaN();
}

template <class To>
void copy_columns(const ColumnBatch& batch, std::span<const std::size_t> columns, std::size_t first, MatrixView<To> out) {
  // Few rows at a time: what one column writes is still in the nearest cache when the next one comes.
  constexpr std::size_t tile_rows = 64;
  for (std::size_t row = 0; row < out.rows(); row += tile_rows) {
    const std::size_t count = std::min(tile_rows, out.rows() - row);
    for (std::size_t j = 0; j < columns.size(); ++j) copy_column(batch.columns[columns[j]], first + row, count, &out(row, j), out.stride());
  }
}

[[noreturn]] void fail_text(std::size_t row) {
  io::fail("text", fmt::format("element {} of a column leads outside of its text, expected offsets within it", row));
}

std::string_view text_between(const Column& column, std::size_t row) {
  const char* const at = element_at(column, row);
  const bool large = column.type == ElementType::large_text;
  const std::int64_t begin = large ? load<std::int64_t>(at) : load<std::int32_t>(at);
  const std::int64_t end = large ? load<std::int64_t>(at + 8) : load<std::int32_t>(at + 4);
  if (column.characters.empty() || begin < 0 || end < begin || static_cast<std::uint64_t>(end) > column.characters[0].size())
    fail_text(row);
  return column.characters[0].substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::string_view text_of_view(const Column& column, std::size_t row) {
  constexpr std::int32_t longest_inside = 12;
  const char* const view = element_at(column, row);
  const auto size = load<std::int32_t>(view);
  if (size < 0) fail_text(row);
  if (size <= longest_inside) return {view + 4, static_cast<std::size_t>(size)};
  const auto piece = load<std::int32_t>(view + 8), begin = load<std::int32_t>(view + 12);
  if (piece < 0 || static_cast<std::size_t>(piece) >= column.characters.size() || begin < 0) fail_text(row);
  const std::string_view characters = column.characters[static_cast<std::size_t>(piece)];
  if (static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(size) > characters.size()) fail_text(row);
  return characters.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
}

/// What to do about a column that holds no numbers.
std::string remedy_for(const ColumnField& field) {
  if (field.is_dictionary || is_text(field.type))
    return "expected numbers: turn categories into columns of 0 and 1 first (one-hot; scikit-learn's OneHotEncoder does), or leave the "
           "column out";
  if (field.content == "lists")
    return "expected one number in a row: give every element a column of its own first, or leave the column out";
  if (field.content == "missing values only") return "expected numbers: leave the column out";
  return "expected float32 or float64 numbers, integers or truth values: turn them into such numbers first, or leave the column out";
}

}  // namespace

std::size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::truth_bits:
    case ElementType::other:
      return 0;
    case ElementType::text:
      return 4;
    case ElementType::large_text:
      return 8;
    case ElementType::text_views:
      return 16;
    default:
      return with_element(type, [](auto element) { return sizeof element; });
  }
}

double Column::number(std::size_t row) const {
  double number = 0;
  Column present = *this;
  present.valid = nullptr;
  copy_column(present, row, 1, &number, 1);
  return number;
}

std::size_t Column::index(std::size_t row) const {
  const double place = number(row);  // exact: no dictionary has 2^53 values
  if (!dictionary || !(place >= 0 && place < static_cast<double>(dictionary->n_rows)))
    io::fail("dictionary", fmt::format("element {} of a column has the index {}, expected one of {} values", row, place,
                                       dictionary ? dictionary->n_rows : 0));
  return static_cast<std::size_t>(place);
}

std::string_view Column::text(std::size_t row) const {
  if (dictionary) return dictionary->text(index(row));
  return type == ElementType::text_views ? text_of_view(*this, row) : text_between(*this, row);
}

ColumnBatch ColumnBatch::part(std::size_t first, std::size_t count) const {
  ColumnBatch rows = *this;
  rows.n_rows = count;
  for (Column& column : rows.columns) {
    column.offset += first;
    column.n_rows = count;
  }
  return rows;
}

void copy_rows(const ColumnBatch& batch, std::span<const std::size_t> columns, std::size_t first, MatrixView<double> out) {
  copy_columns(batch, columns, first, out);
}
void copy_rows(const ColumnBatch& batch, std::span<const std::size_t> columns, std::size_t first, MatrixView<float> out) {
  copy_columns(batch, columns, first, out);
}

void check_is_data(const ColumnField& field, const std::string& name) {
  if (is_number(field.type) && !field.is_dictionary) return;
  io::fail(name, fmt::format("{} holds {}, {}", column_text(field.name), field.content, remedy_for(field)));
}

std::optional<std::size_t> first_gap(const ColumnBatch& batch, std::span<const std::size_t> columns) {
  std::optional<std::size_t> first;
  constexpr std::size_t piece_rows = 512;
  double numbers[piece_rows];
  for (const std::size_t j : columns) {
    const Column& column = batch.columns[j];
    const bool can_have = column.valid != nullptr || column.type == ElementType::float32 || column.type == ElementType::float64;
    const std::size_t end = first.value_or(batch.n_rows);
    for (std::size_t row = 0; can_have && row < end; row += piece_rows) {
      const std::size_t count = std::min(piece_rows, end - row);
      copy_column(column, row, count, numbers, 1);
      const auto* const gap = std::find_if_not(numbers, numbers + count, [](double x) { return std::isfinite(x); });
      if (gap == numbers + count) continue;
      first = row + static_cast<std::size_t>(gap - numbers);
      break;
    }
  }
  return first;
}

void refuse_gap(const ColumnBatch& batch, std::span<const ColumnField> fields, std::span<const std::size_t> columns, std::size_t row,
                std::uint64_t number, const std::string& name) {
  for (const std::size_t j : columns) {
    const Column& column = batch.columns[j];
    const bool is_missing = column.is_missing(row);
    const double value = is_missing ? 0 : column.number(row);
    if (is_missing || std::isnan(value))
      io::fail(name, fmt::format("{} has {} in row {}, expected a number in every row: fill the gaps first (scikit-learn's SimpleImputer "
                                 "does), or leave such rows out",
                                 column_text(fields[j].name), is_missing ? "no value" : "NaN", number));
    if (!std::isfinite(value))
      io::fail(name, fmt::format("{} is {} in row {}, expected a finite number", column_text(fields[j].name), value, number));
  }
  io::fail(name, fmt::format("row {} has no gap", number));
}

std::string column_text(std::string_view name) { return "column " + io::in_quotes(name); }

}  // namespace askrff
