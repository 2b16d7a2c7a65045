// Tables of FlatBuffers, which Arrow's metadata are written as: every access is checked against the bytes that are there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace askrff::data {

/// Thrown where an offset leads outside of the bytes; whoever knows the source makes a DataError of it.
struct FlatDamage {};

class FlatTable;

/// Elements of one size, side by side.
class FlatVector {
 public:
  FlatVector() = default;
  FlatVector(std::string_view bytes, std::size_t first, std::size_t size, std::size_t element_bytes)
      : bytes_(bytes), first_(first), size_(size), element_bytes_(element_bytes) {}
  std::size_t size() const { return size_; }
  /// A number `at` bytes into element i < size().
  template <class T>
  T number(std::size_t i, std::size_t at = 0) const {
    T value;
    std::memcpy(&value, bytes_.data() + first_ + i * element_bytes_ + at, sizeof value);
    return value;
  }
  /// Of a vector of tables.
  FlatTable table(std::size_t i) const;

 private:
  std::string_view bytes_;
  std::size_t first_ = 0, size_ = 0, element_bytes_ = 0;
};

/// A table: fields by number, each of which may be absent. Every member throws FlatDamage.
class FlatTable {
 public:
  /// The table that all bytes are about.
  static FlatTable root(std::string_view bytes) { return {bytes, load<std::uint32_t>(bytes, 0)}; }
  FlatTable(std::string_view bytes, std::uint64_t at) : bytes_(bytes), at_(at) {
    const auto back = load<std::int32_t>(bytes_, at_);
    const std::int64_t fields = static_cast<std::int64_t>(at_) - back;
    if (fields < 0) throw FlatDamage{};
    fields_ = static_cast<std::uint64_t>(fields);
    n_fields_ = load<std::uint16_t>(bytes_, fields_);
    n_fields_ = n_fields_ < 4 ? 0 : (n_fields_ - 4) / 2;
  }

  template <class T>
  T number(unsigned field, T fallback) const {
    const std::uint64_t at = place(field);
    return at == 0 ? fallback : load<T>(bytes_, at);
  }
  std::optional<FlatTable> table(unsigned field) const {
    const std::uint64_t at = place(field);
    if (at == 0) return std::nullopt;
    return FlatTable(bytes_, at + load<std::uint32_t>(bytes_, at));
  }
  /// Empty if it is absent.
  FlatVector vector(unsigned field, std::size_t element_bytes) const {
    const std::uint64_t at = place(field);
    if (at == 0) return {};
    const std::uint64_t begin = at + load<std::uint32_t>(bytes_, at);
    const std::uint64_t size = load<std::uint32_t>(bytes_, begin);
    if (size * element_bytes > bytes_.size() - (begin + 4)) throw FlatDamage{};
    return {bytes_, static_cast<std::size_t>(begin + 4), static_cast<std::size_t>(size), element_bytes};
  }
  std::string_view text(unsigned field) const {
    const std::uint64_t at = place(field);
    if (at == 0) return {};
    const std::uint64_t begin = at + load<std::uint32_t>(bytes_, at);
    const std::uint64_t size = load<std::uint32_t>(bytes_, begin);
    if (size > bytes_.size() - (begin + 4)) throw FlatDamage{};
    return bytes_.substr(static_cast<std::size_t>(begin + 4), static_cast<std::size_t>(size));
  }

 private:
  friend class FlatVector;

  template <class T>
  static T load(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) throw FlatDamage{};
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  /// Where a field is; 0 if it is absent.
  std::uint64_t place(unsigned field) const {
    if (field >= n_fields_) return 0;
    const auto offset = load<std::uint16_t>(bytes_, fields_ + 4 + 2 * std::uint64_t{field});
    return offset == 0 ? 0 : at_ + offset;
  }

  std::string_view bytes_;
  std::uint64_t at_, fields_ = 0;
  unsigned n_fields_ = 0;
};

inline FlatTable FlatVector::table(std::size_t i) const {
  const std::uint64_t at = first_ + i * element_bytes_;
  return {bytes_, at + FlatTable::load<std::uint32_t>(bytes_, at)};
}

}  // namespace askrff::data
