// NPY files, written block by block beside their name and renamed when complete.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "askrff/data.hpp"
#include "io/messages.hpp"

namespace askrff {
namespace io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void fail_create(const std::string& path, const std::string& why) {
  throw std::invalid_argument("NpyWriter: cannot create " + in_quotes(path) + ": " + why);
}

/// The file a chain of symbolic links leads to, so that the link stays and its target is replaced; it need not exist.
fs::path follow_links(const std::string& path) {
  constexpr int most_links = 40;
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == most_links) fail_create(path, reason(ELOOP));
    const fs::path next = fs::read_symlink(target, error);
    if (error) fail_create(path, error.message());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

/// Where the file will be. Renaming over a device or a pipe would destroy it, so only regular files are replaced.
fs::path find_destination(const std::string& path) {
  if (path.empty()) fail_create(path, "the name is empty");
  if (path == "-") fail_create(path, "standard output cannot be replaced in one step, expected a file name");
  if (path.find('\0') != std::string::npos) fail_create(path, "the name contains a zero byte");
  const fs::path target = follow_links(path);
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status) || !target.has_filename()) fail_create(path, reason(EISDIR));
  if (fs::exists(status) && !fs::is_regular_file(status)) fail_create(path, "it exists and is not a regular file");
  return target;
}

std::string npy_header(std::size_t rows, std::size_t cols, NpyWriter::Type type) {
  const char order = std::endian::native == std::endian::little ? '<' : '>';
  const int item_size = type == NpyWriter::Type::float32 ? 4 : 8;
  std::string dictionary = fmt::format("{{'descr': '{}f{}', 'fortran_order': False, 'shape': ({}, {}), }}", order, item_size, rows, cols);
  constexpr std::size_t before = 10, alignment = 64;  // magic, version and length; numpy maps data that start at a multiple of 64
  const std::size_t unpadded = before + dictionary.size() + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 0xFF);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

}  // namespace
}  // namespace io

/// The unfinished file; removed with its State unless it has been renamed.
struct NpyWriter::State {
  State(const std::string& path_, std::size_t rows_, std::size_t cols_, Type type_) : path(path_), rows(rows_), cols(cols_), type(type_) {
    const std::size_t item_size = type == Type::float32 ? 4 : 8;
    if (cols != 0 && rows > std::numeric_limits<std::int64_t>::max() / item_size / cols)
      throw std::invalid_argument(fmt::format("NpyWriter: {} rows and {} columns are more than a file can hold", rows, cols));
    destination = io::find_destination(path);
    buffer.reserve(io::buffer_bytes);  // before there is a file that a failure would leave behind
    const std::string header = io::npy_header(rows, cols, type);
    buffer.insert(buffer.end(), header.begin(), header.end());
    create();
  }

  ~State() { discard(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void create() {
    constexpr int most_attempts = 1000;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      temporary = destination;
      temporary += fmt::format(".tmp-{}-{}", ::getpid(), attempt);
      descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0) return;
      if (errno != EEXIST && errno != EINTR) io::fail_create(path, io::reason(errno));
    }
    io::fail_create(path, "no free name for the unfinished file beside it");
  }

  /// Closes and removes the unfinished file; nothing happens once there is none.
  void discard() noexcept {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
    if (!temporary.empty()) ::unlink(temporary.c_str());
    temporary.clear();
  }

  [[noreturn]] void fail_write(const std::string& why) {
    discard();
    throw WriteError("NpyWriter: cannot write " + io::in_quotes(path) + ": " + why);
  }

  void write_out(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_write(io::reason(errno));
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void flush() {
    write_out(buffer.data(), buffer.size());
    buffer.clear();
  }

  void put(const char* bytes, std::size_t size) {
    if (buffer.size() + size > io::buffer_bytes) flush();
    if (size >= io::buffer_bytes) return write_out(bytes, size);
    buffer.insert(buffer.end(), bytes, bytes + size);
  }

  template <class T>
  void append(MatrixView<const T> block) {
    if (finished) throw std::invalid_argument("NpyWriter::append: " + io::in_quotes(path) + " is finished already");
    if (descriptor < 0) fail_write("an earlier write failed");
    const Type block_type = sizeof(T) == 4 ? Type::float32 : Type::float64;
    if (block_type != type)
      throw std::invalid_argument(
          fmt::format("NpyWriter::append: the block is float{}, the file is float{}", 8 * sizeof(T), type == Type::float32 ? 32 : 64));
    if (block.cols() != cols)
      throw std::invalid_argument(fmt::format("NpyWriter::append: the block has {} columns, the file {}", block.cols(), cols));
    if (block.rows() > rows - rows_written)
      throw std::invalid_argument(
          fmt::format("NpyWriter::append: {} rows follow {}, the file has {} in all", block.rows(), rows_written, rows));
    for (std::size_t i = 0; i < block.rows(); ++i) put(reinterpret_cast<const char*>(block.row(i).data()), cols * sizeof(T));
    rows_written += block.rows();
  }

  void finish() {
    if (finished) throw std::invalid_argument("NpyWriter::finish: " + io::in_quotes(path) + " is finished already");
    if (descriptor < 0) fail_write("an earlier write failed");
    if (rows_written != rows) fail_write(fmt::format("{} rows were appended, expected {}", rows_written, rows));
    flush();
    // Some file systems cannot synchronise at all (EINVAL, ENOTSUP); that is not a failed write.
    if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP) fail_write(io::reason(errno));
    const int closed = ::close(descriptor);
    descriptor = -1;
    if (closed != 0 && errno != EINTR) fail_write(io::reason(errno));
    if (::rename(temporary.c_str(), destination.c_str()) != 0) fail_write(io::reason(errno));
    temporary.clear();
    finished = true;
    synchronise_directory();
  }

  /// Makes the new name survive a crash where the file system can; the file itself is complete either way.
  void synchronise_directory() const noexcept {
    const std::string directory = destination.has_parent_path() ? destination.parent_path().string() : ".";
    const int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    ::fsync(handle);
    ::close(handle);
  }

  std::string path;
  std::size_t rows, cols;
  Type type;
  std::filesystem::path destination, temporary;
  int descriptor = -1;
  std::size_t rows_written = 0;
  bool finished = false;
  std::vector<char> buffer;
};

NpyWriter::NpyWriter(const std::string& path, std::size_t rows, std::size_t cols, Type type)
    : state_(std::make_unique<State>(path, rows, cols, type)) {}

NpyWriter::~NpyWriter() = default;

void NpyWriter::append(MatrixView<const float> block) { state_->append(block); }
void NpyWriter::append(MatrixView<const double> block) { state_->append(block); }
void NpyWriter::finish() { state_->finish(); }

}  // namespace askrff
