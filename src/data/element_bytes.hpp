// The elements of an NPY file as bytes: a window of the file in memory that moves over it, or what a stream gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/input.hpp"

namespace askrff::data {

/// The bytes after the header. A regular file that is not compressed is mapped, never more of it than a window; it is refused at once if it
/// is not as long as its header says.
class ElementBytes {
 public:
  /// `input` stands at the first element. Throws DataError.
  ElementBytes(Input input, std::uint64_t n_elements, std::size_t item_size);
  ElementBytes(const ElementBytes&) = delete;
  ElementBytes& operator=(const ElementBytes&) = delete;
  ~ElementBytes();

  const std::string& name() const { return input_.name(); }
  bool is_file() const { return file_ >= 0; }
  double fraction_after(std::uint64_t element) const;

  /// The largest number of elements to ask for at once.
  std::size_t max_elements() const;
  /// The bytes of `count` elements from `first` on; valid until the next call. A stream must be asked for them in order. Throws DataError
  /// if the data end before.
  const char* elements(std::uint64_t first, std::size_t count);
  /// The same of a file, copied; may be called by several threads at once.
  void copy(std::uint64_t first, std::size_t count, char* out) const;
  /// After the last element: throws DataError if a stream goes on.
  void check_end();

 private:
  [[noreturn]] void fail_short(std::uint64_t n_present) const;
  std::uint64_t bytes_in_file() const;
  void map(std::uint64_t offset, std::size_t bytes);
  void unmap();

  Input input_;
  std::uint64_t n_elements_;
  std::size_t item_size_;
  int file_;
  std::uint64_t begin_;  // of the elements, in the file
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::uint64_t mapped_at_ = 0;
  std::vector<char> buffer_;  // of a stream
};

}  // namespace askrff::data
