// Where zstd frames end.
#include "data/zstd_frames.hpp"

#include <algorithm>

namespace askrff::data {

void ZstdFrames::feed(std::string_view compressed) {
  while (!compressed.empty()) {
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(missing_, compressed.size()));
    for (std::size_t i = 0; i < taken && shift_ < 32; ++i, shift_ += 8)
      value_ |= static_cast<std::uint32_t>(static_cast<unsigned char>(compressed[i])) << shift_;
    compressed.remove_prefix(taken);
    missing_ -= taken;
    if (missing_ == 0) end_of_field();
  }
}

// A field of no bytes ends where it begins.
void ZstdFrames::begin(Field field, std::uint64_t size) {
  field_ = field;
  missing_ = size;
  value_ = 0;
  shift_ = 0;
  if (size == 0) end_of_field();
}

void ZstdFrames::begin_block_or_end() {
  if (!last_block_) return begin(Field::block_header, 3);
  if (has_checksum_) return begin(Field::checksum, 4);
  begin(Field::magic, 4);
}

void ZstdFrames::end_of_field() {
  switch (field_) {
    case Field::magic:
      if ((value_ & 0xFFFFFFF0u) == 0x184D2A50u) return begin(Field::skippable_size, 4);
      return begin(Field::descriptor, 1);
    case Field::descriptor: {
      const bool single_segment = (value_ & 0x20) != 0;
      const unsigned dictionary_bytes[] = {0, 1, 2, 4}, size_bytes[] = {single_segment ? 1u : 0u, 2, 4, 8};
      has_checksum_ = (value_ & 0x04) != 0;
      last_block_ = false;
      return begin(Field::header_rest, (single_segment ? 0u : 1u) + dictionary_bytes[value_ & 3] + size_bytes[value_ >> 6]);
    }
    case Field::header_rest:
      return begin_block_or_end();
    case Field::block_header: {
      last_block_ = (value_ & 1) != 0;
      const bool repeated_byte = ((value_ >> 1) & 3) == 1;  // one byte stands for the whole block
      return begin(Field::block, repeated_byte ? 1 : value_ >> 3);
    }
    case Field::block:
      return begin_block_or_end();
    case Field::checksum:
      return begin(Field::magic, 4);
    case Field::skippable_size:
      return begin(Field::skipped, value_);
    case Field::skipped:
      return begin(Field::magic, 4);
  }
}

}  // namespace askrff::data
