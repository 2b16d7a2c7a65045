// NPY files, written block by block.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "askrff/data.hpp"
#include "askrff/output_file.hpp"
#include "askrff/errors.hpp"
#include "data/messages.hpp"

namespace askrff {
namespace {

/// 128 bytes, however many rows and columns there are (69 to 105 before they are padded): it can be written over.
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

void require_size(std::size_t rows, std::size_t cols, NpyWriter::Type type) {
  const std::size_t item_size = type == NpyWriter::Type::float32 ? 4 : 8;
  if (cols != 0 && rows > std::numeric_limits<std::int64_t>::max() / item_size / cols)
    throw InvalidArgument("NpyWriter", fmt::format("{} rows and {} columns are more than a file can hold", rows, cols));
}

}  // namespace

struct NpyWriter::State {
  State(const std::string& path, std::optional<std::size_t> rows_, std::size_t cols_, Type type_)
      : rows(rows_), cols(cols_), type(type_), file((require_size(rows_.value_or(1), cols_, type_), path), "NpyWriter") {
    file.append(npy_header(rows.value_or(0), cols, type));
  }

  template <class T>
  void append(MatrixView<const T> block) {
    file.append({});  // whether there is a file to append to
    const Type block_type = sizeof(T) == 4 ? Type::float32 : Type::float64;
    if (block_type != type)
      throw InvalidArgument("NpyWriter::append",
                            fmt::format("the block is float{}, the file is float{}", 8 * sizeof(T), type == Type::float32 ? 32 : 64));
    if (block.cols() != cols)
      throw InvalidArgument("NpyWriter::append", fmt::format("the block has {} columns, the file {}", block.cols(), cols));
    if (rows && block.rows() > *rows - rows_written)
      throw InvalidArgument("NpyWriter::append",
                            fmt::format("{} rows follow {}, the file has {} in all", block.rows(), rows_written, *rows));
    for (std::size_t i = 0; i < block.rows(); ++i) file.append({reinterpret_cast<const char*>(block.row(i).data()), cols * sizeof(T)});
    rows_written += block.rows();
  }

  void finish() {
    file.append({});
    if (rows && rows_written != *rows) file.fail(fmt::format("{} rows were appended, expected {}", rows_written, *rows));
    if (!rows) {
      require_size(rows_written, cols, type);
      file.overwrite_start(npy_header(rows_written, cols, type));
    }
    file.finish();
  }

  std::optional<std::size_t> rows;
  std::size_t cols;
  Type type;
  OutputFile file;
  std::size_t rows_written = 0;
};

NpyWriter::NpyWriter(const std::string& path, std::size_t rows, std::size_t cols, Type type)
    : state_(std::make_unique<State>(path, rows, cols, type)) {}

NpyWriter::NpyWriter(const std::string& path, std::size_t cols, Type type)
    : state_(std::make_unique<State>(path, std::nullopt, cols, type)) {}

NpyWriter::~NpyWriter() = default;

void NpyWriter::append(MatrixView<const float> block) { state_->append(block); }
void NpyWriter::append(MatrixView<const double> block) { state_->append(block); }
void NpyWriter::finish() { state_->finish(); }

std::string NpyWriter::header(std::size_t rows, std::size_t cols, Type type) {
  require_size(rows, cols, type);
  return npy_header(rows, cols, type);
}

}  // namespace askrff
