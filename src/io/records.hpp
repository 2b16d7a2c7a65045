// Named records in one checked binary file: what files of models and maps are made of. docs/model-files.md describes every byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff::io {

/// The largest version that is known: files of a larger one are refused. Files are written as the smallest that can hold what is in them;
/// new keys do not need another one, a new meaning of an old key does. 2: maps of matrices.
inline constexpr std::uint32_t record_version = 2, first_record_version = 1;

/// What a record holds, as numbered in the file.
enum class RecordType : std::uint32_t { float64 = 1, uint64 = 2, int8 = 3, texts = 4 };

/// Collects records and makes the bytes of a file of them. The same records in the same order give the same bytes. Keys are used once.
class RecordWriter {
 public:
  RecordWriter();

  void number(std::string_view key, double value) { numbers(key, {&value, 1}); }
  void numbers(std::string_view key, std::span<const double> values) { matrix(key, {values.data(), 1, values.size()}); }
  void matrix(std::string_view key, MatrixView<const double> values);
  void count(std::string_view key, std::uint64_t value) { counts(key, {&value, 1}, 1); }
  /// values.size()/cols rows.
  void counts(std::string_view key, std::span<const std::uint64_t> values, std::size_t cols);
  void bytes(std::string_view key, std::span<const signed char> values);
  void text(std::string_view key, std::string_view value);
  void texts(std::string_view key, std::span<const std::string> values);

  /// What is written needs a program that knows this version.
  void require_version(std::uint32_t version);
  /// The whole file, checksum included; the writer is empty after it.
  std::string finish();

 private:
  void begin(std::string_view key, RecordType type, std::uint64_t rows, std::uint64_t cols);
  void put(std::uint64_t value, std::size_t n_bytes = 8);
  void pad();

  std::string file_;
  std::uint32_t n_records_ = 0, version_ = first_record_version;
};

/// Which numbers a record may hold besides finite ones; NaN never.
enum class Allow { finite, infinite };

inline constexpr std::size_t any_size = std::numeric_limits<std::size_t>::max();

/// The records of a file, checked as a whole: every size lies inside it, nothing stands twice, nothing is left over. Members throw
/// DataError "path: record 'key' …, expected …" if a record is missing or not what is asked for. Memory: the file and a small multiple of
/// it.
class Records {
 public:
  /// Throws DataError if the file cannot be read, is not a regular one, is damaged, or of a newer version.
  static Records read(const std::string& path);
  /// The same of bytes; `name` starts the messages.
  Records(std::string name, std::string bytes);

  const std::string& name() const { return name_; }
  std::uint32_t version() const { return version_; }
  std::uint64_t checksum() const { return checksum_; }
  std::size_t n_bytes() const { return bytes_.size(); }
  /// The whole file.
  const std::string& content() const { return bytes_; }

  bool has(std::string_view key) const { return records_.find(key) != records_.end(); }
  double number(std::string_view key, Allow allow = Allow::finite) const;
  /// One row.
  std::vector<double> numbers(std::string_view key, std::size_t size = any_size, Allow allow = Allow::finite) const;
  Matrix<double> matrix(std::string_view key, std::size_t rows, std::size_t cols, Allow allow = Allow::finite) const;
  std::uint64_t count(std::string_view key, std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const;
  /// Row by row; cols columns.
  std::vector<std::uint64_t> counts(std::string_view key, std::size_t rows, std::size_t cols) const;
  std::vector<signed char> bytes(std::string_view key, std::size_t size = any_size) const;
  std::string text(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key, std::size_t size = any_size) const;

  [[noreturn]] void refuse(std::string_view key, const std::string& what) const;

 private:
  struct Record {
    RecordType type;
    std::uint64_t rows, cols;
    std::size_t first;  // of its payload in bytes_
  };

  void index();
  std::size_t index_one(std::size_t at, std::size_t end);
  void require_zeros(std::size_t first, std::size_t end, std::size_t record) const;
  const Record& find(std::string_view key, RecordType type, std::size_t rows, std::size_t cols) const;
  void copy_numbers(std::string_view key, const Record& record, double* out, Allow allow) const;
  std::uint64_t word(std::size_t at, std::size_t n_bytes = 8) const;

  std::string name_, bytes_;
  std::uint32_t version_ = 0;
  std::uint64_t checksum_ = 0;
  std::map<std::string, Record, std::less<>> records_;
};

/// The value a record's word stands for. Throws DataError if it stands for none.
template <HasWords Enum>
Enum read_word(const Records& file, std::string_view key) {
  const std::string text = file.text(key);
  for (const auto& word : words_of(Enum{}))
    if (word.name == text) return word.value;
  file.refuse(key, "is not " + names_of<Enum>());
}

/// CRC-64/XZ.
std::uint64_t crc64(std::string_view bytes);

}  // namespace askrff::io
