// Sums and quantiles of columns to records and back: how parts of a fit travel. Nothing that is read is believed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/column_quantiles.hpp"
#include "io/column_sums.hpp"
#include "io/sum_records.hpp"

namespace askrff::io {
namespace {

using Counts = std::vector<std::uint64_t>;

constexpr std::uint64_t max_rows = std::uint64_t{1} << 63;

/// Whether numbers can have this range. Without rows it is that of no numbers.
bool is_range(double low, double high, std::uint64_t n_rows) {
  if (n_rows == 0) return low > high && std::isinf(low) && std::isinf(high);
  return std::isfinite(low) && std::isfinite(high) && low <= high;
}

/// Whether n numbers between low and high, both among them, can have this mean and deviation: of all such numbers the deviation is largest
/// if half are at either end, and smallest if all but two are in the middle. Rounding apart.
bool are_moments(double mean, double deviation, double low, double high, std::uint64_t n) {
  if (mean < low || mean > high) return false;
  const double half = high / 2 - low / 2, rounding = 1e-9 * half + 2 * std::numeric_limits<double>::denorm_min();
  return deviation <= half + rounding && deviation >= half / std::sqrt(static_cast<double>(n) / 2) - rounding;
}

}  // namespace

void ColumnSums::write(RecordWriter& file, const std::string& prefix) const {
  file.text(prefix + "/scaling", name_of(kind_));
  file.count(prefix + "/rows", n_rows_);
  file.numbers(prefix + "/lowest", lowest_);
  file.numbers(prefix + "/highest", highest_);
  if (kind_ != Scaling::standard) return;
  std::vector<ExactSum> both;
  for (std::size_t j = 0; j < n_columns(); ++j) both.insert(both.end(), {sums_[j], squares_[j]});
  write_sums(file, prefix, both);
}

ColumnSums ColumnSums::read(const Records& file, const std::string& prefix) {
  const auto lowest = file.numbers(prefix + "/lowest", any_size, Allow::infinite);
  const auto highest = file.numbers(prefix + "/highest", lowest.size(), Allow::infinite);
  ColumnSums sums(lowest.size(), read_word<Scaling>(file, prefix + "/scaling"));
  sums.n_rows_ = file.count(prefix + "/rows", 0, max_rows);
  for (std::size_t j = 0; j < lowest.size(); ++j) {
    if (!is_range(lowest[j], highest[j], sums.n_rows_))
      file.refuse(prefix + "/lowest", fmt::format("of column {} is {}, the highest number {}", j + 1, lowest[j], highest[j]));
    sums.lowest_[j] = lowest[j] + 0.0;  // -0 becomes 0, as in add()
    sums.highest_[j] = highest[j] + 0.0;
  }
  if (sums.kind_ == Scaling::standard) sums.read_moments(file, prefix);
  return sums;
}

void ColumnSums::read_moments(const Records& file, const std::string& prefix) {
  const std::vector<ExactSum> both = read_sums(file, prefix, 2 * n_columns());
  for (std::size_t j = 0; j < n_columns(); ++j) {
    sums_[j] = both[2 * j];
    squares_[j] = both[2 * j + 1];
    const bool is_possible = n_rows_ == 0 ? sums_[j] == ExactSum() && squares_[j] == ExactSum()
                                          : are_moments(mean(j), deviation(j), lowest_[j], highest_[j], n_rows_);
    if (!is_possible)
      file.refuse(prefix + "/sums",
                  fmt::format("of column {} are not those of {} numbers from {} to {}", j + 1, n_rows_, lowest_[j], highest_[j]));
  }
}

void ColumnQuantiles::write(RecordWriter& file, const std::string& prefix) const {
  Counts places;
  Matrix<double> rows(n_kept_, n_columns_);
  for (std::size_t place = 0; place < slots_.size(); ++place) {
    if (slots_[place] == no_slot) continue;
    std::ranges::copy(row_in(slots_[place]), rows.view().row(places.size()).begin());
    places.push_back(place);
  }
  file.counts(prefix + "/rows", Counts{first_row_, n_rows()}, 2);
  file.counts(prefix + "/places", places, 1);
  file.matrix(prefix + "/sample", rows);
}

ColumnQuantiles ColumnQuantiles::read(const Records& file, const std::string& prefix) {
  const Counts numbers = file.counts(prefix + "/rows", 1, 2), places = file.counts(prefix + "/places", any_size, 1);
  const std::uint64_t first_row = numbers[0], n_rows = numbers[1];
  if (first_row > max_rows || n_rows > max_rows - first_row)
    file.refuse(prefix + "/rows", fmt::format("are {} after {}, expected 2^63 at most", n_rows, first_row));
  const Matrix<double> rows = file.matrix(prefix + "/sample", places.size(), any_size);
  ColumnQuantiles quantiles(rows.cols(), first_row);
  const std::size_t size = quantiles.sampler_.size();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= size || (i > 0 && places[i] <= places[i - 1]))
      file.refuse(prefix + "/places", fmt::format("holds {} at place {}, expected growing numbers below {}", places[i], i, size));
    quantiles.put(places[i], rows.view().row(i));
  }
  quantiles.sampler_.go_to(first_row + n_rows);
  quantiles.check_kept(file, prefix);
  return quantiles;
}

/// Every one of the first rows has its own place, and nobody leaves it empty again.
void ColumnQuantiles::check_kept(const Records& file, const std::string& prefix) const {
  if (n_kept_ > n_rows()) file.refuse(prefix + "/places", fmt::format("has {} rows, there were {}", n_kept_, n_rows()));
  const std::uint64_t end = std::min<std::uint64_t>(first_row_ + n_rows(), sampler_.size());
  for (std::uint64_t place = first_row_; place < end; ++place)
    if (place >= slots_.size() || slots_[place] == no_slot) file.refuse(prefix + "/places", fmt::format("has no row at place {}", place));
}

}  // namespace askrff::io
