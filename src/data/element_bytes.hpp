// The elements of an NPY file as bytes, copied out of the file by any thread, or what a stream gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/input.hpp"

namespace askrff::data {

/// The bytes after the header. A regular file that is not compressed is refused at once if it is not as long as its header says. It is
/// read, not mapped: a mapping of a file that somebody cuts ends the process (SIGBUS), a read says how much there is.
class ElementBytes {
 public:
  /// `input` stands at the first element. Throws DataError.
  ElementBytes(Input input, std::uint64_t n_elements, std::size_t item_size);
  ElementBytes(const ElementBytes&) = delete;
  ElementBytes& operator=(const ElementBytes&) = delete;

  const std::string& name() const { return input_.name(); }
  bool is_file() const { return file_ >= 0; }
  double fraction_after(std::uint64_t element) const;

  /// The largest number of elements to ask a stream for at once.
  std::size_t max_elements() const;
  /// The next `count` elements of a stream, `first` being the number of those before; valid until the next call. Throws DataError if the
  /// data end before.
  const char* next_elements(std::uint64_t first, std::size_t count);
  /// `count` elements of a file from `first` on; may be called by several threads at once. Throws DataError if the data end before.
  void copy(std::uint64_t first, std::size_t count, char* out) const;
  /// After the last element: throws DataError if a stream goes on.
  void check_end();

 private:
  [[noreturn]] void fail_short(std::uint64_t n_present) const;
  std::uint64_t bytes_in_file() const;

  Input input_;
  std::uint64_t n_elements_;
  std::size_t item_size_;
  int file_;
  std::uint64_t begin_;       // of the elements, in the file
  std::vector<char> buffer_;  // of a stream
};

}  // namespace askrff::data
