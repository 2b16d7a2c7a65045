// Where data come from: an open file or standard input, decompressed, in large chunks. First step of read_data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::io {

/// Bytes from the start of a source to its end.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  /// Puts up to `size` ≥ 1 bytes at `out` and returns how many; 0 only at the end of complete data. Throws DataError.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// A window that moves over a ByteStream: look ahead, then consume.
class Input {
 public:
  /// `name` starts the error messages. The window (one line, at most) never grows beyond max_bytes (DataError).
  Input(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes);

  const std::string& name() const { return name_; }
  /// What follows, without consuming it: at least `wanted` bytes, fewer only if the data end before. Valid until the next call.
  std::string_view peek(std::size_t wanted);
  /// Skips `count` bytes, which peek has shown.
  void consume(std::size_t count) { begin_ += count; }

 private:
  void make_room();

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t max_bytes_;
  std::vector<char> window_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
};

/// Opens a file or standard input ("-") and decompresses it if its first bytes say so. Throws DataError "cannot read 'path': reason".
Input open_input(const std::string& source, std::uint64_t max_bytes);

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

}  // namespace askrff::io
