// Bytes to records. Nothing in a file is believed: sizes are compared with what is left before they are used.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

#include "io/messages.hpp"
#include "io/record_format.hpp"
#include "io/records.hpp"

namespace askrff::io {
namespace {

// More than any model: 4096 landmarks and as many features are 0.4 GiB.
constexpr std::uint64_t max_bytes = std::uint64_t{16} << 30;

std::string reason(int error) { return std::generic_category().message(error); }

struct Descriptor {
  int number = -1;
  explicit Descriptor(const std::string& path) {
    if (path.empty()) fail("''", "cannot be opened: the name is empty");
    if (path.find('\0') != std::string::npos) fail(in_quotes(path), "cannot be opened: the name contains a zero byte");
    do {
      number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe nobody writes to must not keep us waiting
    } while (number < 0 && errno == EINTR);
    if (number < 0) fail(path, "cannot be opened: " + reason(errno));
  }
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// Up to out.size() bytes, fewer if the file ends before.
std::size_t read_into(const std::string& path, int descriptor, std::span<char> out) {
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t n = ::read(descriptor, out.data() + got, std::min(out.size() - got, std::size_t{1} << 26));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "cannot be read: " + reason(errno));
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return got;
}

std::uint64_t load(std::string_view bytes, std::size_t at, std::size_t n_bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n_bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  return value;
}

/// What can be told from the first bytes and the size: before anything large is read.
void check_start(const std::string& name, std::string_view start, std::uint64_t size) {
  if (size == 0) fail(name, "is empty, expected a model or map written by askrff");
  const std::string_view magic = start.substr(0, record_magic.size());
  if (magic != record_magic.substr(0, magic.size())) {
    const bool same_beginning = magic.substr(0, 4) == record_magic.substr(0, 4);
    fail(name, same_beginning ? "is damaged: the ends of its lines were changed on the way, copy it as a binary file"
                              : "is not a model or map, a plan or its sums, expected a file written by askrff");
  }
  if (start.size() < header_bytes) fail(name, fmt::format("ends early: {} bytes, its header alone has {}", size, header_bytes));
  const std::uint64_t version = load(start, version_at, 4), stated = load(start, size_at, 8);
  if (version > record_version)
    fail(name, fmt::format("has version {}, this program knows versions up to {}; use a newer askrff", version, record_version));
  if (version == 0) fail(name, "has version 0, expected 1 or more");
  if (size < stated) fail(name, fmt::format("ends early: {} of {} bytes", size, stated));
  if (size > stated) fail(name, fmt::format("has {} bytes, expected {}", size, stated));
  if (size < header_bytes + checksum_bytes || size % 8 != 0) fail(name, fmt::format("is damaged: {} bytes are no whole file", size));
}

std::string shape_text(std::size_t rows, std::size_t cols) {
  const auto one = [](std::size_t n) { return n == any_size ? std::string("any") : fmt::format("{}", n); };
  return one(rows) + " x " + one(cols);
}

const char* name_of(RecordType type) {
  switch (type) {
    case RecordType::float64:
      return "numbers";
    case RecordType::uint64:
      return "whole numbers";
    case RecordType::int8:
      return "bytes";
    case RecordType::texts:
      return "texts";
  }
  return "nothing known";
}

}  // namespace

Records Records::read(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(path, "cannot be read: " + reason(errno));
  if (!S_ISREG(status.st_mode))
    fail(path, fmt::format("is {}, expected a file", S_ISDIR(status.st_mode) ? "a directory" : "a device or a pipe"));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) fail(path, fmt::format("has {} bytes, expected at most {}", size, max_bytes));
  std::string bytes(std::min<std::uint64_t>(size, header_bytes), '\0');
  bytes.resize(read_into(path, file.number, bytes));
  check_start(path, bytes, size);
  const std::size_t first = bytes.size();
  bytes.resize(size);
  bytes.resize(first + read_into(path, file.number, std::span(bytes).subspan(first)));
  return Records(path, std::move(bytes));
}

Records::Records(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
  check_start(name_, std::string_view(bytes_).substr(0, header_bytes), bytes_.size());
  version_ = static_cast<std::uint32_t>(word(version_at, 4));
  const std::size_t end = bytes_.size() - checksum_bytes;
  checksum_ = word(end);
  if (checksum_ != crc64(std::string_view(bytes_).substr(0, end))) fail(name_, "is damaged: its checksum is wrong");
  index();
}

std::uint64_t Records::word(std::size_t at, std::size_t n_bytes) const { return load(bytes_, at, n_bytes); }

void Records::index() {
  const std::size_t end = bytes_.size() - checksum_bytes;
  const std::uint64_t n_records = word(count_at, 4);
  std::size_t at = header_bytes;
  for (std::uint64_t record = 0; record < n_records; ++record) {
    if (at == end) fail(name_, fmt::format("has {} records, its header says {}", record, n_records));
    at = index_one(at, end);
  }
  if (at != end) fail(name_, fmt::format("has {} bytes after its {} records, expected none", end - at, n_records));
}

/// Adds the record that starts at `at`; returns where the next one would. Both are multiples of 8, as is `end`.
std::size_t Records::index_one(std::size_t at, std::size_t end) {
  const auto damaged = [&](const std::string& what) { fail(name_, fmt::format("record at byte {} {}", at, what)); };
  if (end - at < record_header_bytes) damaged("has no room for its header");
  const std::uint64_t key_size = word(at, 4), type = word(at + 4, 4), rows = word(at + 8), cols = word(at + 16);
  std::size_t next = at + record_header_bytes;
  if (key_size == 0 || key_size > longest_key) damaged(fmt::format("has a name of {} bytes, expected 1 to {}", key_size, longest_key));
  if (end - next < padded(key_size)) damaged("ends inside its name");
  const std::string key = bytes_.substr(next, key_size);
  require_zeros(next + key_size, next + padded(key_size), at);
  next += padded(key_size);
  if (type < static_cast<std::uint32_t>(RecordType::float64) || type > static_cast<std::uint32_t>(RecordType::texts))
    damaged(fmt::format("has type {}, expected 1 to 4", type));
  const auto known = static_cast<RecordType>(type);
  // Texts count bytes in `cols`, the others elements in `rows` times `cols`.
  const std::uint64_t item = known == RecordType::float64 || known == RecordType::uint64 ? 8 : 1, left = end - next;
  const bool is_texts = known == RecordType::texts;
  const bool fits = is_texts ? cols <= left && rows <= cols / 8 : rows == 0 || cols <= left / item / rows;
  if (rows > 1 && cols == 0) damaged(fmt::format("has {} rows without columns", rows));
  if (!fits) damaged(fmt::format("is {} x {} {}, which is more than the {} bytes left", rows, cols, name_of(known), left));
  const std::size_t n_bytes = is_texts ? cols : rows * cols * item;
  if (left < padded(n_bytes)) damaged("ends inside its content");
  if (!records_.emplace(key, Record{known, rows, cols, next}).second)
    damaged(fmt::format("is called {} like an earlier one", in_quotes(key)));
  require_zeros(next + n_bytes, next + padded(n_bytes), at);
  return next + padded(n_bytes);
}

void Records::require_zeros(std::size_t first, std::size_t end, std::size_t record) const {
  for (std::size_t i = first; i < end; ++i)
    if (bytes_[i] != 0) fail(name_, fmt::format("record at byte {} is not filled up with zeros", record));
}

void Records::refuse(std::string_view key, const std::string& what) const {
  fail(name_, fmt::format("record {} {}", in_quotes(key), what));
}

const Records::Record& Records::find(std::string_view key, RecordType type, std::size_t rows, std::size_t cols) const {
  const auto found = records_.find(key);
  if (found == records_.end()) refuse(key, "is missing");
  const Record& record = found->second;
  if (record.type != type) refuse(key, fmt::format("holds {}, expected {}", name_of(record.type), name_of(type)));
  if ((rows != any_size && record.rows != rows) || (cols != any_size && record.cols != cols))
    refuse(key, fmt::format("is {}, expected {}", shape_text(record.rows, record.cols), shape_text(rows, cols)));
  return record;
}

void Records::copy_numbers(std::string_view key, const Record& record, double* out, Allow allow) const {
  for (std::size_t i = 0; i < record.rows * record.cols; ++i) {
    out[i] = std::bit_cast<double>(word(record.first + 8 * i));
    if (!std::isfinite(out[i]) && (allow == Allow::finite || std::isnan(out[i])))
      refuse(key, fmt::format("holds {} at place {}, expected a finite number", out[i], i));
  }
}

double Records::number(std::string_view key, Allow allow) const {
  double value = 0;
  copy_numbers(key, find(key, RecordType::float64, 1, 1), &value, allow);
  return value;
}

std::vector<double> Records::numbers(std::string_view key, std::size_t size, Allow allow) const {
  const Record& record = find(key, RecordType::float64, 1, size);
  std::vector<double> values(record.cols);
  copy_numbers(key, record, values.data(), allow);
  return values;
}

Matrix<double> Records::matrix(std::string_view key, std::size_t rows, std::size_t cols, Allow allow) const {
  const Record& record = find(key, RecordType::float64, rows, cols);
  Matrix<double> values(record.rows, record.cols);
  copy_numbers(key, record, values.data(), allow);
  return values;
}

std::uint64_t Records::count(std::string_view key, std::uint64_t least, std::uint64_t most) const {
  const std::uint64_t value = word(find(key, RecordType::uint64, 1, 1).first);
  if (value < least || value > most) refuse(key, fmt::format("is {}, expected {} to {}", value, least, most));
  return value;
}

std::vector<std::uint64_t> Records::counts(std::string_view key, std::size_t rows, std::size_t cols) const {
  const Record& record = find(key, RecordType::uint64, rows, cols);
  std::vector<std::uint64_t> values(record.rows * record.cols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = word(record.first + 8 * i);
  return values;
}

std::vector<signed char> Records::bytes(std::string_view key, std::size_t size) const {
  const Record& record = find(key, RecordType::int8, 1, size);
  std::vector<signed char> values(record.cols);
  std::transform(bytes_.begin() + static_cast<std::ptrdiff_t>(record.first),
                 bytes_.begin() + static_cast<std::ptrdiff_t>(record.first + record.cols), values.begin(),
                 [](char byte) { return static_cast<signed char>(byte); });
  return values;
}

std::string Records::text(std::string_view key) const { return std::move(texts(key, 1).front()); }

std::vector<std::string> Records::texts(std::string_view key, std::size_t size) const {
  const Record& record = find(key, RecordType::texts, size, any_size);
  std::vector<std::string> values;
  values.reserve(record.rows);
  std::size_t at = record.first + 8 * record.rows, left = record.cols - 8 * record.rows;
  for (std::size_t i = 0; i < record.rows; ++i) {
    const std::uint64_t length = word(record.first + 8 * i);
    if (length > left) refuse(key, fmt::format("has text {} of {} bytes, {} are left", i, length, left));
    values.push_back(bytes_.substr(at, length));
    at += length;
    left -= length;
  }
  if (left != 0) refuse(key, fmt::format("has {} bytes after its texts, expected none", left));
  return values;
}

}  // namespace askrff::io
