// Philox streams, the distributions the samplers need, and choices of rows.
#include "askrff/random.hpp"
#include "askrff/errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "core/box_muller.hpp"
#include "core/philox.hpp"
#include "core/portable_math.hpp"

namespace askrff {
namespace {

using Block = std::array<std::uint64_t, 2>;

// Writes the `lanes` pairs of normal numbers that follow `last`, the block before `counter`, and returns the n_used-th new block. A pair
// takes both words of a block or, if the second of the block before is left over, that and the first of the next. Not inlined: the code of
// all batches together would be more than the processor keeps decoded.
template <std::size_t lanes>
[[gnu::noinline]] Block normal_batch(const PhiloxCounter& counter, const PhiloxKey& key, const Block& last, bool left_over,
                                     std::size_t n_used, double* out) {
  // The blocks' second words begin at an even place: what is written as a vector is read as one.
  alignas(16) std::uint64_t first[lanes], padded_second[2 + lanes];
  std::uint64_t* const second = padded_second + 2;
  second[-1] = last[1];
  philox_blocks<lanes>(counter, key, first, second);
  box_muller<lanes>(left_over ? second - 1 : first, left_over ? first : second, out);
  return {first[n_used - 1], second[n_used - 1]};
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32)} {}

std::uint64_t RandomStream::bits() {
  if (unused_in_block_ == 0) {
    philox_blocks<1>(counter_, key_, &block_[0], &block_[1]);
    skip_blocks(counter_, 1);
    unused_in_block_ = 2;
  }
  return block_[2 - unused_in_block_--];
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  if (bound == 0) throw InvalidArgument("RandomStream::below", "the bound is 0, expected at least 1");
  const std::uint64_t remainder = (0 - bound) % bound;  // 2^64 mod bound: values below it would be drawn once too often
  std::uint64_t value = bits();
  while (value < remainder) value = bits();
  return value % bound;
}

double RandomStream::uniform() { return uniform_of(bits()); }

// Both numbers of a pair are used.
double RandomStream::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  const std::uint64_t radius_word = bits(), angle_word = bits();
  double pair[2];
  box_muller<1>(&radius_word, &angle_word, pair);
  spare_normal_ = pair[1];
  has_spare_normal_ = true;
  return pair[0];
}

void RandomStream::normals(std::span<double> out) {
  if (has_spare_normal_ && !out.empty()) {
    out.front() = normal();
    out = out.subspan(1);
  }
  constexpr std::integral_constant<std::size_t, 8> many;  // pairs: enough to hide latencies
  constexpr std::integral_constant<std::size_t, 4> few;   // for the rest, because a batch is always computed whole
  constexpr std::size_t too_few = 4;                      // numbers: quicker one by one
  const auto draw = [&](auto lanes, std::size_t n_pairs, double* pairs) {
    block_ = normal_batch<lanes>(counter_, key_, block_, unused_in_block_ == 1, n_pairs, pairs);
    skip_blocks(counter_, static_cast<std::uint32_t>(n_pairs));
  };
  // Blocks of a batch share the higher bits of their number.
  const bool number_carries = out.size() / 2 + many > std::numeric_limits<std::uint32_t>::max() - counter_[0];
  while (out.size() >= 2 * many && !number_carries) {
    draw(many, many, out.data());
    out = out.subspan(2 * many);
  }
  if (out.size() <= too_few || number_carries) {
    for (double& number : out) number = normal();
    return;
  }
  const std::size_t n_pairs = (out.size() + 1) / 2;
  double batch[2 * many];
  n_pairs <= few ? draw(few, n_pairs, batch) : draw(many, n_pairs, batch);
  std::copy_n(batch, out.size(), out.begin());
  spare_normal_ = batch[2 * n_pairs - 1];
  has_spare_normal_ = out.size() % 2 == 1;
}

double RandomStream::exponential() { return -portable::log(uniform()); }

// Marsaglia and Tsang (2000): acceptance above 0.95 for shape ≥ 1; smaller shapes by Gamma(a) = Gamma(a+1)·U^{1/a}.
double RandomStream::gamma(double shape) {
  if (!(shape > 0) || !std::isfinite(shape)) throw InvalidArgument("RandomStream::gamma", "the shape must be positive and finite");
  if (shape < 1.0) return gamma(shape + 1.0) * portable::exp(portable::log(uniform()) / shape);
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal(), root = 1.0 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (portable::log(uniform()) < 0.5 * x * x + d - d * v + d * portable::log(v)) return d * v;
  }
}

double RandomStream::chi_squared(double degrees_of_freedom) { return 2.0 * gamma(0.5 * degrees_of_freedom); }

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index) { return RandomStream(seed, Purpose::derived_seed, index).bits(); }

std::vector<std::size_t> choose_rows(std::size_t n_rows, std::size_t count, std::uint64_t seed, Purpose purpose) {
  if (count > n_rows)
    throw InvalidArgument("choose_rows", "" + std::to_string(count) + " rows asked for, there are " + std::to_string(n_rows));
  // Fisher and Yates, keeping only the entries that were swapped: O(count) memory.
  RandomStream random(seed, purpose, 0);
  std::unordered_map<std::size_t, std::size_t> swapped;
  const auto value_at = [&](std::size_t i) {
    const auto found = swapped.find(i);
    return found == swapped.end() ? i : found->second;
  };
  std::vector<std::size_t> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = i + random.below(n_rows - i);
    rows[i] = value_at(j);
    swapped[j] = value_at(i);
  }
  return rows;
}

RowSplit split_rows(const RowsView<double>& X, std::size_t n_chosen, std::uint64_t seed, Purpose purpose) {
  const std::vector<std::size_t> chosen = choose_rows(X.rows(), n_chosen, seed, purpose);
  std::vector<bool> is_chosen(X.rows());
  for (const std::size_t row : chosen) is_chosen[row] = true;
  std::vector<std::size_t> others;
  for (std::size_t row = 0; row < X.rows(); ++row)
    if (!is_chosen[row]) others.push_back(row);
  return {RowsMatrix<double>::taken_from(X, chosen), RowsMatrix<double>::taken_from(X, others)};
}

}  // namespace askrff
