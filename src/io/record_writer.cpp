// Records to bytes.
#include <bit>
#include <stdexcept>

#include "io/record_format.hpp"
#include "io/records.hpp"

namespace askrff::io {
namespace {

void store(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t n_bytes) {
  for (std::size_t i = 0; i < n_bytes; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

}  // namespace

RecordWriter::RecordWriter() : file_(record_magic) {
  file_.resize(header_bytes);
  store(file_, version_at, version_, 4);
}

void RecordWriter::require_version(std::uint32_t version) {
  if (version > record_version) throw std::logic_error("RecordWriter: a version nobody knows");
  if (version <= version_) return;
  version_ = version;
  store(file_, version_at, version_, 4);
}

void RecordWriter::put(std::uint64_t value, std::size_t n_bytes) {
  file_.resize(file_.size() + n_bytes);
  store(file_, file_.size() - n_bytes, value, n_bytes);
}

void RecordWriter::pad() { file_.resize(padded(file_.size())); }

void RecordWriter::begin(std::string_view key, RecordType type, std::uint64_t rows, std::uint64_t cols) {
  if (key.empty() || key.size() > longest_key) throw std::logic_error("RecordWriter: a key of no or too many bytes");
  put(key.size(), 4);
  put(static_cast<std::uint32_t>(type), 4);
  put(rows);
  put(cols);
  file_ += key;
  pad();
  store(file_, count_at, ++n_records_, 4);
}

void RecordWriter::matrix(std::string_view key, MatrixView<const double> values) {
  begin(key, RecordType::float64, values.rows(), values.cols());
  std::size_t at = file_.size();
  file_.resize(at + 8 * values.rows() * values.cols());
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (const double value : values.row(i)) {
      store(file_, at, std::bit_cast<std::uint64_t>(value), 8);
      at += 8;
    }
}

void RecordWriter::counts(std::string_view key, std::span<const std::uint64_t> values, std::size_t cols) {
  begin(key, RecordType::uint64, cols == 0 ? 0 : values.size() / cols, cols);
  for (const std::uint64_t value : values) put(value);
}

void RecordWriter::bytes(std::string_view key, std::span<const signed char> values) {
  begin(key, RecordType::int8, 1, values.size());
  file_.append(reinterpret_cast<const char*>(values.data()), values.size());
  pad();
}

void RecordWriter::text(std::string_view key, std::string_view value) {
  const std::string one(value);
  texts(key, {&one, 1});
}

void RecordWriter::texts(std::string_view key, std::span<const std::string> values) {
  std::uint64_t n_bytes = 8 * values.size();
  for (const std::string& value : values) n_bytes += value.size();
  begin(key, RecordType::texts, values.size(), n_bytes);
  for (const std::string& value : values) put(value.size());
  for (const std::string& value : values) file_ += value;
  pad();
}

std::string RecordWriter::finish() {
  store(file_, size_at, file_.size() + checksum_bytes, 8);
  put(crc64(file_));
  std::string finished = std::move(file_);
  *this = RecordWriter();
  return finished;
}

}  // namespace askrff::io
