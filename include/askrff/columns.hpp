// Tables by columns, as data frames and Arrow have them: numbers of many types side by side in somebody's memory, and their way into rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// What the elements of a column are. Numbers and truth values can be data or labels, text can be labels; nothing else is read.
enum class ElementType : std::uint8_t {
  truth_bits,   ///< eight to a byte, the lowest bit first
  truth_bytes,  ///< one to a byte
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  text,        ///< UTF-8, by 32-bit offsets
  large_text,  ///< the same by 64-bit offsets
  text_views,  ///< the same by views of 16 bytes
  other,
};

/// Truth values are numbers too, 0 and 1.
constexpr bool is_number(ElementType type) { return type <= ElementType::float64; }
constexpr bool is_integer(ElementType type) { return type >= ElementType::int8 && type <= ElementType::uint64; }
constexpr bool is_text(ElementType type) { return type >= ElementType::text && type <= ElementType::text_views; }
/// Bytes from one element to the next; of text those of its offsets or views; 0 for truth_bits and other.
std::size_t element_bytes(ElementType type);

/// What a table says of a column.
struct ColumnField {
  std::string name;
  ElementType type = ElementType::other;  ///< of a dictionary: of its values
  bool is_dictionary = false;             ///< categories: numbers that stand for the values of a dictionary
  std::string content;                    ///< what it holds in words: "float64 numbers", "text", "timestamps"
};

/// Some rows of one column. Does not own its memory.
struct Column {
  ElementType type = ElementType::other;  ///< of a dictionary: of the indices
  std::size_t n_rows = 0;
  std::size_t offset = 0;                    ///< elements, and bits of valid, before the first row
  const std::uint8_t* valid = nullptr;       ///< a bit for every element, 0 where there is none; null: all are there
  const void* values = nullptr;              ///< elements, offsets of text or views
  std::ptrdiff_t stride = 0;                 ///< bytes from one to the next; not for truth_bits
  std::vector<std::string_view> characters;  ///< of text: one piece; of views: those they point to
  std::shared_ptr<const Column> dictionary;  ///< or none

  bool is_missing(std::size_t row) const {
    const std::size_t at = offset + row;
    return valid != nullptr && (valid[at / 8] >> (at % 8) & 1) == 0;
  }
  /// Of a column of numbers, as the nearest double. Not for missing ones.
  double number(std::size_t row) const;
  /// Of a column of text, or of a dictionary of text. Throws DataError for offsets, views or indices that lead nowhere.
  std::string_view text(std::size_t row) const;
  /// The row's place in the dictionary. Throws DataError if it has none there.
  std::size_t index(std::size_t row) const;
};

/// Some rows of a table, all of its columns.
struct ColumnBatch {
  std::size_t n_rows = 0;
  std::vector<Column> columns;
  std::shared_ptr<const void> owner;  ///< of the memory

  /// Rows first, …, first+count-1, which must be there; the owner is the same.
  ColumnBatch part(std::size_t first, std::size_t count) const;
};

/// Writes rows first, …, first+out.rows()-1 of the numbers in these columns, one column of `out` for each; NaN where there is none.
void copy_rows(const ColumnBatch& batch, std::span<const std::size_t> columns, std::size_t first, MatrixView<double> out);
void copy_rows(const ColumnBatch& batch, std::span<const std::size_t> columns, std::size_t first, MatrixView<float> out);

/// Throws DataError, whose where() is `name`, if the column cannot be data: what it holds, and what to do about it.
void check_is_data(const ColumnField& field, const std::string& name);
/// The first row whose number in one of these columns is missing or not finite, and nothing if all is well.
std::optional<std::size_t> first_gap(const ColumnBatch& batch, std::span<const std::size_t> columns);
/// Says what is wrong with that row, `number` in the caller's way of counting. Throws DataError.
[[noreturn]] void refuse_gap(const ColumnBatch& batch, std::span<const ColumnField> fields, std::span<const std::size_t> columns,
                             std::size_t row, std::uint64_t number, const std::string& name);

/// "column 'name'", of a name that is not trusted.
std::string column_text(std::string_view name);

}  // namespace askrff
