// Files in memory, and two ways to read one.
#include "target.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "askrff/data.hpp"

namespace askrff::fuzz {
namespace {

// Little enough that memory out of proportion to an input shows.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 21;

struct Rows {
  std::size_t n_columns = 0;
  std::vector<double> values;
  std::vector<std::string> labels, names;
  std::vector<double> label_numbers;  // of DataStream, in place of labels
};

/// What came of reading: rows, or a refusal. Rows that fit into memory only in blocks are no disagreement.
struct Outcome {
  std::optional<Rows> rows;
  bool too_large = false;
};

Outcome whole(const std::string& file, const ReadOptions& options) try {
  Dataset data = read_data(file, options);
  const double* const first = data.X.data();
  return {Rows{data.X.cols(), {first, first + data.X.rows() * data.X.cols()}, std::move(data.labels), data.column_names, {}}};
} catch (const DataError& error) {
  return {std::nullopt, std::string_view(error.what()).find("the limit") != std::string_view::npos};
}

Outcome by_blocks(const std::string& file, const ReadOptions& options) try {
  DataStream stream(file, options);
  Rows rows{stream.n_columns(), {}, {}, stream.column_names(), {}};
  RowBlock block;
  while (stream.next(block, 3)) {
    for (std::size_t i = 0; i < block.X.rows(); ++i)
      rows.values.insert(rows.values.end(), block.X.dense().row(i).begin(), block.X.dense().row(i).end());
    rows.labels.insert(rows.labels.end(), block.labels.begin(), block.labels.end());
    rows.label_numbers.insert(rows.label_numbers.end(), block.label_numbers.begin(), block.label_numbers.end());
  }
  return {std::move(rows)};
} catch (const DataError& error) {
  return {std::nullopt, std::string_view(error.what()).find("the limit") != std::string_view::npos};
}

bool same_labels(const Rows& whole, const Rows& blocks) {
  if (blocks.label_numbers.empty()) return whole.labels == blocks.labels;
  if (whole.labels.size() != blocks.label_numbers.size()) return false;
  for (std::size_t i = 0; i < whole.labels.size(); ++i)
    if (std::strtod(whole.labels[i].c_str(), nullptr) != blocks.label_numbers[i]) return false;
  return true;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

}  // namespace

void broken(const std::string& why) {
  std::fprintf(stderr, "fuzz target: %s\n", why.c_str());
  std::abort();
}

std::string memory_file(std::string_view bytes) {
  static const int file = ::memfd_create("askrff-fuzz", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, 0) != 0) broken("no file in memory");
  if (::pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) broken("no room for a file in memory");
  return "/proc/self/fd/" + std::to_string(file);
}

void read_both_ways(std::string_view bytes, ReadOptions options) {
  options.max_bytes = max_bytes;
  options.execution.n_threads = 1;
  const std::string file = memory_file(bytes);
  const Outcome in_one = whole(file, options), in_blocks = by_blocks(file, options);
  if (in_one.too_large || in_blocks.too_large) return;
  const std::optional<Rows>&a = in_one.rows, &b = in_blocks.rows;
  if (a.has_value() != b.has_value()) broken(a ? "read_data accepts what DataStream refuses" : "DataStream accepts what read_data refuses");
  if (!a) return;
  if (a->n_columns != b->n_columns || a->names != b->names) broken("read_data and DataStream see different columns");
  if (!same_bits(a->values, b->values)) broken("read_data and DataStream give different rows");
  if (!same_labels(*a, *b)) broken("read_data and DataStream give different labels");
}

}  // namespace askrff::fuzz
