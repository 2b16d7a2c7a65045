// Where zstd frames end: follows the frame structure (RFC 8878, section 3.1) over the compressed bytes without decompressing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace askrff::data {

/// Only as strict as needed to tell complete frames from incomplete ones; the decompressor refuses whatever is malformed.
class ZstdFrames {
 public:
  void feed(std::string_view compressed);
  /// Whether the bytes so far are complete frames.
  bool between_frames() const { return field_ == Field::magic && missing_ == 4; }

 private:
  enum class Field { magic, descriptor, header_rest, block_header, block, checksum, skippable_size, skipped };
  void begin(Field field, std::uint64_t size);
  void begin_block_or_end();
  void end_of_field();

  Field field_ = Field::magic;
  std::uint64_t missing_ = 4;  // bytes of the field still to come
  std::uint32_t value_ = 0;    // of the field so far, little-endian (fields of up to 4 bytes)
  unsigned shift_ = 0;
  bool last_block_ = false, has_checksum_ = false;
};

}  // namespace askrff::data
