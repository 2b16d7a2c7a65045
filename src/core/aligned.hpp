// Scratch memory that starts on a cache line and is not filled: what packed panels and tiles live in.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>

#include "core/ceil_div.hpp"
#include "core/scratch_memory.hpp"

namespace askrff {

inline constexpr std::size_t cache_line = 64;

/// n elements, uninitialised, aligned to a cache line. Movable. Throws std::bad_alloc.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t n) : size_(n) {
    if (n > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_alloc();
    if (n == 0) return;
    const ScratchMemory memory = take_scratch(n * sizeof(T));
    data_ = {static_cast<T*>(memory.data), Return{memory.n_bytes}};
  }

  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Return {
    std::size_t n_bytes = 0;
    void operator()(T* memory) const { return_scratch({memory, n_bytes}); }
  };
  std::unique_ptr<T, Return> data_;
  std::size_t size_ = 0;
};

/// Elements from row to row of a matrix that is read in blocks: whole cache lines, an odd number of them, because rows a power of two apart
/// would share few places of a cache.
template <class T>
constexpr std::size_t padded_stride(std::size_t n) {
  const std::size_t line = cache_line / sizeof(T), lines = ceil_div(n, line);
  return (lines % 2 == 0 ? lines + 1 : lines) * line;
}

}  // namespace askrff
