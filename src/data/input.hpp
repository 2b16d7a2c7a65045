// Where data come from: an open file or standard input, decompressed, in large chunks. First step of read_data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/execution.hpp"

namespace askrff::data {

/// Bytes from the start of a source to its end.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Puts up to `size` ≥ 1 bytes at `out` and returns how many; 0 only at the end of complete data. Throws DataError.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  /// The part of the source that has been read, 0 … 1; negative where nobody knows how long it is.
  virtual double fraction() const { return -1; }
  /// The open file itself if it is a regular one that is read as it is; else -1.
  virtual int regular_file() const { return -1; }
};

/// Tells whoever asked how much of a source has been read.
inline void report_reading(const Execution& execution, double fraction) {
  if (execution.progress) execution.progress({"read", fraction});
}

/// The execution of whoever reads file k (from 0) of n: what it tells becomes a part of the whole.
Execution execution_of_file(Execution execution, std::size_t k, std::size_t n);

/// A window that moves over a ByteStream: look ahead, then consume.
class Input {
 public:
  /// `name` starts the error messages. The window (one line, at most) never grows beyond max_bytes (DataError).
  Input(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes);

  const std::string& name() const { return name_; }
  /// What follows, without consuming it: at least `wanted` bytes, fewer only if the data end before. Valid until the next call.
  std::string_view peek(std::size_t wanted);
  /// Skips `count` bytes, which peek has shown.
  void consume(std::size_t count) {
    begin_ += count;
    position_ += count;
  }
  /// Consumes up to `size` ≥ 1 bytes into `out` and returns how many; 0 only at the end of the data.
  std::size_t read(char* out, std::size_t size);
  std::uint64_t position() const { return position_; }  ///< bytes consumed
  double fraction() const { return bytes_->fraction(); }
  int regular_file() const { return bytes_->regular_file(); }

 private:
  void make_room();

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t max_bytes_;
  std::vector<char> window_;
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t position_ = 0;
  bool at_end_ = false;
};

/// Opens a file or standard input ("-") and decompresses it if its first bytes say so. Throws DataError "cannot read 'path': reason".
/// Whoever waits for a pipe or terminal looks at the token.
Input open_input(const std::string& source, std::uint64_t max_bytes, const StopToken& stop = {});

/// Whether the source can be opened again and gives the same bytes, as long as nobody changes it: a regular file.
bool can_reopen(const std::string& source);

/// Which file a name leads to, and its state. Differs if the file has been replaced, has grown or shrunk, or has been written to.
struct FileStamp {
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = -1, seconds = 0, nanoseconds = 0;  // bytes -1: no regular file
  bool operator==(const FileStamp&) const = default;
};
FileStamp stamp_of(const std::string& source);

/// The lines of an Input, numbered from 1, without their ends (LF or CR LF) and without a byte order mark.
class LineReader {
 public:
  explicit LineReader(Input& input);
  /// False after the last line. The line is valid until the next call.
  bool next(std::string_view& line);
  std::uint64_t number() const { return number_; }  ///< of the line that next() gave last
  const std::string& name() const { return input_.name(); }

 private:
  Input& input_;
  std::size_t shown_ = 0;  // bytes of the line given last, with its end
  std::uint64_t number_ = 0;
};

}  // namespace askrff::data
