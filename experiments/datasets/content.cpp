// Reading and checking files of data sets, and the checksum of their content.
#include "experiments/datasets/content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <system_error>

#include "askrff/data.hpp"
#include "askrff/labels.hpp"

namespace askrff::experiments {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& found, const std::string& expected) {
  throw DataError(path.string(), fmt::format("{}, expected {}", found, expected));
}

std::uint64_t little_endian(std::uint64_t bits) {
  if constexpr (std::endian::native == std::endian::little) return bits;
  std::uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i) swapped |= (bits >> (8 * i) & 0xFF) << (56 - 8 * i);
  return swapped;
}

std::uint64_t canonical_bits(double value) { return little_endian(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }

/// Rows of `stream` into memory made for the expected number of them: a file that goes on and on is refused at the first row too many.
NumberedRows read_rows(DataStream& stream, const std::filesystem::path& path, const CatalogueFile& expected) {
  const Content& content = expected.content;
  NumberedRows rows{Matrix<double>(content.n_rows, content.n_columns), {}};
  rows.labels.reserve(content.n_rows);
  for (RowBlock block; stream.next(block);) {
    const std::size_t first = rows.labels.size();
    if (block.labels.size() != block.X.rows()) fail(path, "rows without a class", "a class for every row");
    if (block.X.rows() > content.n_rows - first)
      fail(path, fmt::format("more than {} rows", content.n_rows), fmt::format("{} rows", content.n_rows));
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const auto label = canonical_label(expected.labels, block.labels[i]);
      if (!label)
        fail(path, fmt::format("row {} has the label \"{}\"", first + i + 1, block.labels[i].substr(0, 40)), "one of two classes");
      rows.labels.push_back(*label);
      std::copy_n(block.X.dense().row(i).begin(), content.n_columns, rows.X.row(first + i).begin());
    }
  }
  return rows;
}

void check(const NumberedRows& rows, const std::filesystem::path& path, const CatalogueFile& expected) {
  const Content& content = expected.content;
  if (rows.labels.size() != content.n_rows) fail(path, fmt::format("{} rows", rows.labels.size()), fmt::format("{} rows", content.n_rows));
  const auto n_positive = static_cast<std::size_t>(
      std::count_if(rows.labels.begin(), rows.labels.end(), [&](double label) { return is_positive(expected.labels, label); }));
  if (n_positive != content.n_positive)
    fail(path, fmt::format("{} rows of class +1", n_positive), fmt::format("{} of {} rows", content.n_positive, content.n_rows));
  ContentDigest digest;
  digest.add(rows.X, rows.labels);
  if (const std::string sha256 = digest.finish(); sha256 != content.sha256)
    fail(path, fmt::format("rows, columns and classes are as many as they should be but the content has SHA-256 {}", sha256),
         content.sha256);
}

}  // namespace

void ContentDigest::add(MatrixView<const double> X, const std::vector<double>& labels) {
  const std::array<std::uint64_t, 2> shape = {little_endian(X.rows()), little_endian(X.cols())};
  digest_.add(shape.data(), sizeof shape);
  constexpr std::size_t piece = 8192;  // values; a call per row of a few columns would cost as much as the checksum
  std::vector<std::uint64_t> bits;
  bits.reserve(piece + X.cols() + 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    bits.push_back(canonical_bits(labels.at(i)));
    for (const double value : X.row(i)) bits.push_back(canonical_bits(value));
    if (bits.size() < piece && i + 1 < X.rows()) continue;
    digest_.add(bits.data(), bits.size() * sizeof(std::uint64_t));
    bits.clear();
  }
}

std::optional<double> canonical_label(LabelCode code, std::string_view label) {
  if (code == LabelCode::letters && label.size() == 1 && label[0] >= 'A' && label[0] <= 'Z') return label[0] - 'A' + 1;
  const std::optional<double> number = label_number(label);
  if (!number) return std::nullopt;
  if (code == LabelCode::letters) {
    const bool is_letter = *number >= 1 && *number <= 26 && *number == static_cast<int>(*number);
    return is_letter ? number : std::nullopt;
  }
  if (*number == 1 || *number == -1) return number;
  return code == LabelCode::spam && *number == 0 ? std::optional(-1.0) : std::nullopt;
}

bool is_positive(LabelCode code, double label) { return code == LabelCode::letters ? label <= 13 : label > 0; }

NumberedRows read_verified(const std::filesystem::path& path, const CatalogueFile& expected, const Execution& execution) {
  const Content& content = expected.content;
  const bool is_libsvm = expected.format == DataFormat::libsvm;
  std::error_code ignored;  // a file that is not there is told by who opens it
  if (const auto n_bytes = std::filesystem::file_size(path, ignored); !ignored && n_bytes > max_file_bytes)
    fail(path, fmt::format("{} bytes", n_bytes), fmt::format("at most {}", max_file_bytes));
  DataStream stream(
      path.string(),
      {.format = expected.format, .n_columns = is_libsvm ? content.n_columns : 0, .label = expected.label_column, .execution = execution});
  if (stream.n_columns() != content.n_columns)
    fail(path, fmt::format("{} columns", stream.n_columns()), fmt::format("{} columns beside the classes", content.n_columns));
  NumberedRows rows = read_rows(stream, path, expected);
  check(rows, path, expected);
  return rows;
}

}  // namespace askrff::experiments
