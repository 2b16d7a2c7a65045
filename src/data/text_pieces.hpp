// Text cut into pieces of whole lines and the pieces parsed on several threads, while the next ones are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/data.hpp"
#include "data/input.hpp"
#include "data/text_format.hpp"

namespace askrff::data {

/// The longest line (or CSV record) of any source: room for ten million numbers of 25 characters.
inline constexpr std::uint64_t longest_line = std::uint64_t{256} << 20;

/// Memory of one piece: text, then a line end, then bytes that may be read.
class TextPiece {
 public:
  std::string_view text() const { return {memory_.get() + begin_, end_ - begin_}; }
  void skip(std::size_t count) { begin_ += count; }
  void clear();
  /// Appends up to `count` bytes of the input; false if it has no more.
  bool append(Input& input, std::size_t count);
  void append(std::string_view text);
  /// Ends the text after `size` bytes.
  void finish(std::size_t size);

 private:
  void reserve(std::size_t capacity);

  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
};

/// Pieces are cut at the same places for any number of threads. Memory: some pieces for each thread.
class TextPieces {
 public:
  TextPieces(Input input, const ReadOptions& options);
  const std::string& name() const { return input_.name(); }

  /// The format decides where text is cut; set it before next().
  void set_format(const TextFormat& format) { format_ = &format; }
  /// Text that has not been parsed, cut by the format set; empty at the end.
  std::string_view peek();
  /// Skips the start of what peek() gave, with so many line ends.
  void skip(std::size_t count, std::uint64_t lines);

  /// The rows of the next piece, which may be none, in the order of the source; nullptr after the last. Valid while pieces of the same
  /// round follow. Throws DataError at the first bad line.
  const ParsedRows* next();
  bool round_ends() const { return at_ == n_texts_; }        ///< after the piece given last
  std::uint64_t line_before() const { return piece_line_; }  ///< the line before the piece given last
  std::uint64_t line_reached() const { return next_line_; }  ///< the last line of that piece

 private:
  bool cut_piece(TextPiece& piece);
  void read_ahead();
  bool start_round();
  void parse(std::size_t i);
  void parse_round();

  Input input_;
  const TextFormat* format_ = nullptr;
  Execution execution_;
  std::size_t n_threads_;
  std::uint64_t longest_;
  std::string tail_;  // the start of the next piece
  bool at_start_ = true, at_end_ = false;
  std::exception_ptr failure_;  // of reading; due after the pieces read before it

  std::vector<TextPiece> texts_, ahead_;
  std::size_t n_texts_ = 0, n_ahead_ = 0, at_ = 0;
  bool parsed_ = false;  // whether texts_ have become rows_
  std::vector<ParsedRows> rows_;
  std::uint64_t piece_line_ = 0, next_line_ = 0;
  std::optional<LineError> gap_;  // of earlier pieces, by the line of the source
};

}  // namespace askrff::data
