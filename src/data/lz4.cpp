// The LZ4 frame format 1.6 and its blocks.
#include "data/lz4.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace askrff::data {
namespace {

struct Lz4Damage {};

/// Bytes that are taken one after another.
class Lz4Input {
 public:
  explicit Lz4Input(std::string_view bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw Lz4Damage{};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint32_t number(std::size_t n_bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < n_bytes; ++i) value |= std::uint32_t{byte()} << (8 * i);
    return value;
  }

 private:
  std::string_view bytes_;
};

class Lz4Frames {
 public:
  Lz4Frames(std::string_view bytes, std::size_t size) : input_(bytes), size_(size) {}

  std::vector<char> decompress() {
    while (!input_.empty()) frame();
    if (out_.size() != size_) throw Lz4Damage{};
    return std::move(out_);
  }

 private:
  void frame() {
    constexpr std::uint32_t magic = 0x184D2204, first_skippable = 0x184D2A50;
    const std::uint32_t found = input_.number(4);
    if ((found & 0xFFFFFFF0) == first_skippable) {
      input_.take(input_.number(4));
      return;
    }
    if (found != magic) throw Lz4Damage{};
    const std::uint8_t flags = input_.byte();
    constexpr std::uint8_t version = 0xC0, version_1 = 0x40, has_checksums = 0x10, has_size = 0x08, has_checksum = 0x04,
                           has_dictionary = 0x01;
    if ((flags & version) != version_1 || (flags & has_dictionary) != 0) throw Lz4Damage{};
    input_.byte();  // the largest block
    if ((flags & has_size) != 0) input_.take(8);
    input_.byte();  // checksum of the header
    const std::size_t frame_begin = out_.size();
    for (;;) {
      constexpr std::uint32_t is_stored = 0x80000000;
      const std::uint32_t block = input_.number(4);
      if (block == 0) break;
      const std::string_view bytes = input_.take(block & ~is_stored);
      if ((block & is_stored) != 0)
        append(bytes);
      else
        decompress_block(bytes, frame_begin);
      if ((flags & has_checksums) != 0) input_.take(4);
    }
    if ((flags & has_checksum) != 0) input_.take(4);
  }

  /// Sequences of literal bytes and copies of what has been written; the last has literals only.
  void decompress_block(std::string_view bytes, std::size_t frame_begin) {
    Lz4Input input(bytes);
    constexpr std::size_t shortest_copy = 4;
    for (;;) {
      const std::uint8_t token = input.byte();
      append(input.take(length(input, token >> 4)));
      if (input.empty()) return;
      const std::size_t distance = input.number(2);
      copy(distance, length(input, token & 15) + shortest_copy, frame_begin);
    }
  }

  /// 15 goes on with bytes, up to one below 255.
  static std::size_t length(Lz4Input& input, std::size_t start) {
    constexpr std::size_t goes_on = 15;
    if (start != goes_on) return start;
    for (;;) {
      const std::uint8_t more = input.byte();
      start += more;
      if (more != 255) return start;
    }
  }

  void check_room(std::size_t count) const {
    if (count > size_ - out_.size()) throw Lz4Damage{};
  }

  void append(std::string_view bytes) {
    check_room(bytes.size());
    out_.insert(out_.end(), bytes.begin(), bytes.end());
  }

  void copy(std::size_t distance, std::size_t count, std::size_t frame_begin) {
    check_room(count);
    if (distance == 0 || distance > out_.size() - frame_begin) throw Lz4Damage{};
    const std::size_t begin = out_.size();
    out_.resize(begin + count);
    char* const out = out_.data() + begin;
    // What is copied may be what is being written: never more than `distance` bytes at a time.
    for (std::size_t done = 0; done < count;) {
      const std::size_t step = std::min(distance + done, count - done);
      std::memcpy(out + done, out - distance, step);
      done += step;
    }
  }

  Lz4Input input_;
  std::size_t size_;
  std::vector<char> out_;
};

}  // namespace

std::optional<std::vector<char>> decompress_lz4(std::string_view bytes, std::size_t size) try {
  return Lz4Frames(bytes, size).decompress();
} catch (const Lz4Damage&) {
  return std::nullopt;
}

}  // namespace askrff::data
