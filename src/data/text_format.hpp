// What a text format is to the machinery that reads it: where text may be cut, and how a piece of it becomes rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/fast_number.hpp"

namespace askrff::data {

/// A bad line, counted from 1 in its piece: which line of the source that is, is known only when the pieces before it have been counted.
struct LineError {
  std::uint64_t line;
  std::string message;
};

/// Memory for elements whose number has a bound: kept from piece to piece, not touched before it is written.
template <class T>
class Scratch {
 public:
  T* room_for(std::size_t count) {
    if (count > capacity_) {
      memory_.reset();
      memory_ = std::make_unique_for_overwrite<T[]>(count);
      capacity_ = count;
    }
    return memory_.get();
  }
  const T* data() const { return memory_.get(); }
  /// Gives back what only an uncommonly large piece has needed.
  void trim() {
    if (capacity_ <= largest_kept) return;
    memory_.reset();
    capacity_ = 0;
  }

 private:
  static constexpr std::size_t largest_kept = std::size_t{1} << 20;
  std::unique_ptr<T[]> memory_;
  std::size_t capacity_ = 0;
};

/// The rows of a piece of text. Sparse: row i has the values before value_ends[i], each in its column (from 0). Dense (value_ends empty):
/// n_columns values per row.
struct ParsedRows {
  std::size_t n_rows = 0, n_values = 0;
  Scratch<double> values;
  Scratch<std::uint32_t> columns;
  std::vector<std::uint32_t> value_ends;
  std::string labels;                     // one after another
  std::vector<std::uint32_t> label_ends;  // in them
  std::uint64_t n_lines = 0;
  std::size_t width = 0;                // sparse: the largest index (from 1) …
  std::uint64_t line_of_width = 0;      // … and the first line it is on
  std::optional<LineError> error = {};  // then the rest is not to be used
  std::optional<LineError> gap = {};    // an error if anything follows the piece: lines that are blank may only end the source

  void clear() {
    n_rows = n_values = width = 0;
    n_lines = line_of_width = 0;
    values.trim();
    columns.trim();
    value_ends.clear();
    labels.clear();
    if (labels.capacity() > std::size_t{1} << 20) labels.shrink_to_fit();
    label_ends.clear();
    error.reset();
    gap.reset();
  }
  void add_label(std::string_view label) {
    labels += label;
    label_ends.push_back(static_cast<std::uint32_t>(labels.size()));
  }
  std::string_view label(std::size_t row) const {
    const std::size_t begin = row == 0 ? 0 : label_ends[row - 1];
    return std::string_view(labels).substr(begin, label_ends[row] - begin);
  }
};

/// Immutable while pieces are parsed: several threads parse at once.
class TextFormat {
 public:
  virtual ~TextFormat() = default;
  /// Where the last whole record of `text` ends; 0: there is none.
  virtual std::size_t last_cut(std::string_view text) const {
    const std::size_t end = text.rfind('\n');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  /// Whole records → rows, which are clear. After text come a line end and bytes_after_text more bytes. Throws LineError.
  virtual void parse(std::string_view text, ParsedRows& rows) const = 0;

  /// Columns of the rows; 0: the largest index there is.
  virtual std::size_t n_columns() const = 0;
  virtual bool has_labels() const = 0;
  virtual const std::vector<std::string>& column_names() const = 0;
  /// What to say of a source without rows.
  virtual std::string no_rows() const = 0;
};

}  // namespace askrff::data
