// One loop for every element type and byte order.
#include "data/npy_elements.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace askrff::data {
namespace {

template <std::size_t size>
using Bits = std::conditional_t<size == 1, std::uint8_t,
                                std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

template <class Unsigned>
Unsigned reversed(Unsigned bits) {
  Unsigned out = 0;
  for (std::size_t k = 0; k < sizeof(Unsigned); ++k) {
    out = static_cast<Unsigned>(out << 8 | (bits & 0xFF));
    bits = static_cast<Unsigned>(bits >> 8);
  }
  return out;
}

template <class T, bool foreign>
void convert(const char* bytes, std::size_t count, double* out, std::size_t stride) {
  for (std::size_t i = 0; i < count; ++i) {
    Bits<sizeof(T)> bits;
    std::memcpy(&bits, bytes + i * sizeof(T), sizeof(T));
    if constexpr (foreign) bits = reversed(bits);
    if constexpr (std::is_same_v<T, bool>)
      out[i * stride] = bits != 0 ? 1.0 : 0.0;
    else
      out[i * stride] = static_cast<double>(std::bit_cast<T>(bits));
  }
}

template <class T>
ConvertElements in_order(bool big_endian) {
  return big_endian == (std::endian::native == std::endian::big) ? convert<T, false> : convert<T, true>;
}

}  // namespace

ConvertElements converter_of(const NpyHeader& header) {
  const bool big = header.big_endian;
  switch (header.kind) {
    case 'f':
      return header.item_size == 4 ? in_order<float>(big) : in_order<double>(big);
    case 'b':
      return in_order<bool>(big);
    case 'i':
      switch (header.item_size) {
        case 1:
          return in_order<std::int8_t>(big);
        case 2:
          return in_order<std::int16_t>(big);
        case 4:
          return in_order<std::int32_t>(big);
        default:
          return in_order<std::int64_t>(big);
      }
    default:
      switch (header.item_size) {
        case 1:
          return in_order<std::uint8_t>(big);
        case 2:
          return in_order<std::uint16_t>(big);
        case 4:
          return in_order<std::uint32_t>(big);
        default:
          return in_order<std::uint64_t>(big);
      }
  }
}

}  // namespace askrff::data
