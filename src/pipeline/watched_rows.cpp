// Looks at rows that go by.
#include "pipeline/watched_rows.hpp"

#include <fmt/format.h>

#include <bit>

#include "askrff/errors.hpp"
#include "core/row_pairs.hpp"

namespace askrff::pipeline {
namespace {

/// One step of a 64-bit hash: a multiplication by an odd number, and its upper bits brought down.
std::uint64_t hashed(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

std::uint64_t hashed(std::uint64_t hash, const std::string& text) {
  hash = hashed(hash, text.size());
  for (const char c : text) hash = hashed(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

void SeenRows::add(const RowBlock& block, std::size_t n_targets) {
  n_rows += block.X.rows();
  for (std::size_t i = 0; i < block.X.rows(); ++i) {
    // Zeros leave no trace: rows are the same whether they come sparse or dense.
    for_each_value(block.X, i, [&](std::size_t column, double x) {
      if (x != 0) hash = hashed(hash + column, std::bit_cast<std::uint64_t>(x));
    });
    hash = hashed(hash, block.X.cols());
    if (!block.labels.empty()) hash = hashed(hash, block.labels[i]);
    for (std::size_t t = 0; t < n_targets && !block.label_numbers.empty(); ++t)
      hash = hashed(hash, std::bit_cast<std::uint64_t>(block.label_numbers[i * n_targets + t]));
    if (!block.weights.empty()) hash = hashed(hash, std::bit_cast<std::uint64_t>(block.weights[i]));
  }
}

void WatchedRows::rewind() {
  rows_.rewind();
  seen_.assign(names_.size(), {});
}

void WatchedRows::read_block(RowBlock& block, std::size_t max_rows) {
  if (!rows_.next_as_is(block, max_rows)) return;
  if (rows_.part() >= seen_.size())
    throw DataError(name(), fmt::format("a block is of part {}, expected 0 to {}", rows_.part(), seen_.size() - 1));
  seen_[rows_.part()].add(block, rows_.n_targets());
}

}  // namespace askrff::pipeline
