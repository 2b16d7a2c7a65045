// Takes a good file apart and puts a spoilt one together, checksum and sizes correct: what somebody who knows the format could write.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "io/record_format.hpp"
#include "io/records.hpp"

namespace askrff::test {

inline std::string little_endian(std::uint64_t value, std::size_t n_bytes = 8) {
  std::string bytes;
  for (std::size_t i = 0; i < n_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

inline std::uint64_t number_at(const std::string& bytes, std::size_t at, std::size_t n_bytes = 8) {
  std::uint64_t value = 0;
  for (std::size_t i = n_bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

inline std::string as_bytes(double value) { return little_endian(std::bit_cast<std::uint64_t>(value)); }

/// The same bytes with a correct checksum.
inline std::string with_checksum(std::string file) {
  file.resize(file.size() - io::checksum_bytes);
  return file + little_endian(io::crc64(file));
}

struct EditedRecord {
  std::string key;
  std::uint64_t type, rows, cols;
  std::string content;  ///< without padding
};

/// The records of a file in order.
class RecordEditor {
 public:
  explicit RecordEditor(const std::string& file) {
    for (std::size_t at = io::header_bytes; at + io::checksum_bytes < file.size();) {
      const std::uint64_t key_size = number_at(file, at, 4), type = number_at(file, at + 4, 4);
      EditedRecord record{file.substr(at + 24, key_size), type, number_at(file, at + 8), number_at(file, at + 16), {}};
      at += 24 + io::padded(key_size);
      const std::size_t n_bytes = type == 4 ? record.cols : record.rows * record.cols * (type == 3 ? 1 : 8);
      record.content = file.substr(at, n_bytes);
      at += io::padded(n_bytes);
      records.push_back(record);
    }
  }

  EditedRecord& operator[](std::string_view key) {
    for (EditedRecord& record : records)
      if (record.key == key) return record;
    throw std::logic_error("no record " + std::string(key));
  }
  void erase(std::string_view key) {
    std::erase_if(records, [&](const EditedRecord& record) { return record.key == key; });
  }
  void set_number(std::string_view key, std::size_t place, double value) { (*this)[key].content.replace(8 * place, 8, as_bytes(value)); }
  void set_count(std::string_view key, std::size_t place, std::uint64_t value) {
    (*this)[key].content.replace(8 * place, 8, little_endian(value));
  }
  void set_text(std::string_view key, const std::string& text) {
    (*this)[key].rows = 1;
    (*this)[key].cols = 8 + text.size();
    (*this)[key].content = little_endian(text.size()) + text;
  }
  void set_shape(std::string_view key, std::uint64_t rows, std::uint64_t cols) {
    (*this)[key].rows = rows;
    (*this)[key].cols = cols;
  }

  std::string file() const {
    std::string bytes(io::record_magic);
    bytes += little_endian(1, 4) + little_endian(records.size(), 4) + little_endian(0);
    for (const EditedRecord& record : records) {
      bytes +=
          little_endian(record.key.size(), 4) + little_endian(record.type, 4) + little_endian(record.rows) + little_endian(record.cols);
      bytes += record.key;
      bytes.resize(io::padded(bytes.size()));
      bytes += record.content;
      bytes.resize(io::padded(bytes.size()));
    }
    bytes.replace(io::size_at, 8, little_endian(bytes.size() + io::checksum_bytes));
    return with_checksum(bytes + std::string(8, '\0'));
  }

  std::vector<EditedRecord> records;
};

}  // namespace askrff::test
