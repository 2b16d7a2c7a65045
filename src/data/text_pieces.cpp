// Rounds of pieces: a round is parsed in parallel while one task reads the next.
#include "data/text_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/threads.hpp"
#include "data/messages.hpp"
#include "data/window_sizes.hpp"

namespace askrff::data {
namespace {

constexpr std::size_t pieces_per_thread = 4, max_pieces = 256;

}  // namespace

// One long line must not leave every piece as large as it was.
void TextPiece::clear() {
  begin_ = end_ = 0;
  if (capacity_ <= 4 * piece_bytes) return;
  memory_.reset();
  capacity_ = 0;
}

void TextPiece::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + 1 + bytes_after_text);
  if (end_ > 0) std::memcpy(larger.get(), memory_.get(), end_);
  memory_ = std::move(larger);
  capacity_ = capacity;
}

bool TextPiece::append(Input& input, std::size_t count) {
  reserve(end_ + count);
  const std::size_t got = input.read(memory_.get() + end_, count);
  end_ += got;
  return got > 0;
}

void TextPiece::append(std::string_view text) {
  reserve(std::max(piece_bytes, end_ + text.size()));
  if (!text.empty()) std::memcpy(memory_.get() + end_, text.data(), text.size());
  end_ += text.size();
}

void TextPiece::finish(std::size_t size) {
  end_ = size;
  memory_[end_] = '\n';
  std::memset(memory_.get() + end_ + 1, 0, bytes_after_text);
}

TextPieces::TextPieces(Input input, const ReadOptions& options)
    : input_(std::move(input)),
      execution_(options.execution),
      n_threads_(resolved_threads(options.execution)),
      longest_(std::min(longest_line, std::max<std::uint64_t>(options.max_bytes, piece_bytes))) {
  const std::size_t n_pieces = std::min(max_pieces, n_threads_ * pieces_per_thread);
  texts_.resize(n_pieces);
  ahead_.resize(n_pieces);
  rows_.resize(n_pieces);
}

// Whole lines, about piece_bytes of them; more only where one line is longer.
bool TextPieces::cut_piece(TextPiece& piece) {
  piece.clear();
  piece.append(tail_);
  tail_.clear();
  for (std::uint64_t wanted = piece_bytes;; wanted = std::min(2 * wanted, longest_)) {
    while (piece.text().size() < wanted && !at_end_)
      at_end_ = !piece.append(input_, static_cast<std::size_t>(wanted) - piece.text().size());
    const std::string_view text = piece.text();
    const std::size_t cut = at_end_ ? text.size() : format_->last_cut(text);
    if (cut == 0 && !at_end_ && wanted < longest_) continue;
    if (cut == 0 && !at_end_)
      fail(name(), fmt::format("one line needs more memory than the limit of {}", in_bytes(static_cast<double>(longest_))));
    tail_.assign(text.substr(cut));
    piece.finish(cut);
    if (at_start_ && piece.text().starts_with("\xEF\xBB\xBF")) piece.skip(3);
    at_start_ = false;
    return cut > 0;
  }
}

void TextPieces::read_ahead() {
  n_ahead_ = 0;
  std::size_t bytes = 0;  // of the round: long lines make it shorter
  try {
    while (bytes < ahead_.size() * piece_bytes && n_ahead_ < ahead_.size() && !at_end_ && cut_piece(ahead_[n_ahead_]))
      bytes += ahead_[n_ahead_++].text().size();
  } catch (...) {
    failure_ = std::current_exception();
    at_end_ = true;
  }
}

bool TextPieces::start_round() {
  if (n_ahead_ == 0 && !failure_) read_ahead();
  if (n_ahead_ == 0 && failure_) std::rethrow_exception(failure_);
  std::swap(texts_, ahead_);
  n_texts_ = std::exchange(n_ahead_, 0);
  at_ = 0;
  parsed_ = false;
  return n_texts_ > 0;
}

std::string_view TextPieces::peek() {
  while (at_ < n_texts_ && texts_[at_].text().empty()) ++at_;
  if (at_ == n_texts_) return start_round() ? peek() : std::string_view();
  return texts_[at_].text();
}

void TextPieces::skip(std::size_t count, std::uint64_t lines) {
  texts_[at_].skip(count);
  next_line_ += lines;
}

void TextPieces::parse(std::size_t i) {
  rows_[i].clear();
  try {
    format_->parse(texts_[i].text(), rows_[i]);
  } catch (const LineError& error) {
    rows_[i].error = error;
  }
}

void TextPieces::parse_round() {
  const std::size_t first = at_, n_reading = at_end_ ? 0 : 1;
  parallel_for(n_texts_ - first + n_reading, Team{n_threads_, execution_.stop}, [&](std::size_t task) {
    if (task < n_reading)
      read_ahead();
    else
      parse(first + task - n_reading);
  });
  parsed_ = true;
  report_reading(execution_, input_.fraction());
}

const ParsedRows* TextPieces::next() {
  if (at_ == n_texts_ && !start_round()) return nullptr;
  if (!parsed_) parse_round();
  const ParsedRows& rows = rows_[at_++];
  piece_line_ = next_line_;
  if (gap_ && (rows.n_rows > 0 || rows.error)) fail_at(name(), gap_->line, gap_->message);
  if (rows.error) fail_at(name(), piece_line_ + rows.error->line, rows.error->message);
  if (rows.gap && !gap_) gap_ = LineError{piece_line_ + rows.gap->line, rows.gap->message};
  next_line_ += rows.n_lines;
  return &rows;
}

}  // namespace askrff::data
