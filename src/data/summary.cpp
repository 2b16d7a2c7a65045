// summarise: ranges, zeros, classes and repeated rows.
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <unordered_map>

#include "askrff/data.hpp"
#include "askrff/labels.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"

namespace askrff {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of the values of a row; -0 is 0. Each value goes through the finaliser of SplitMix64.
std::uint64_t hash_of(std::span<const double> row) {
  std::uint64_t hash = row.size();
  for (const double value : row) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) + 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EBu;
    hash ^= hash >> 31;
  }
  return hash;
}

bool comes_before(const ClassCount& a, const ClassCount& b) { return label_comes_before(a.label, b.label); }

class Summary {
 public:
  Summary(const RowStream& stream, const SummaryOptions& options) : options_(options), sums_(stream.n_columns()) {
    result_.columns.assign(sums_.size(), {infinity, 0, -infinity, 0});
    result_.column_names = stream.column_names();
    result_.has_labels = stream.has_labels();
  }

  void add(const RowBlock& block) {
    add_values(block.X.dense());
    add_hashes(block.X.dense());
    for (const std::string& label : block.labels) add_label(label);
    for (const double number : block.label_numbers) add_label(label_key(number));
    result_.n_rows += block.X.rows();
  }

  DataSummary finish() {
    for (std::size_t j = 0; j < sums_.size(); ++j)
      result_.columns[j].mean = static_cast<double>(sums_[j] / static_cast<long double>(result_.n_rows));
    std::sort(hashes_.begin(), hashes_.end(), [this, n = std::uint32_t{0}](std::uint64_t a, std::uint64_t b) mutable {
      if (++n % (1u << 16) == 0) options_.execution.stop.check();  // seconds for a hundred million rows
      return a < b;
    });
    const auto n_different = static_cast<std::uint64_t>(std::unique(hashes_.begin(), hashes_.end()) - hashes_.begin());
    result_.n_repeated = result_.n_rows - n_different;
    if (classes_.size() <= options_.max_classes)
      for (const auto& [key, one] : classes_) result_.classes.push_back(one);
    std::sort(result_.classes.begin(), result_.classes.end(), comes_before);
    if (numbers_only_ && result_.has_labels) result_.label_range = {smallest_, largest_};
    return std::move(result_);
  }

 private:
  void add_values(MatrixView<const double> X) {
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const double* const x = X.row(i).data();
      for (std::size_t j = 0; j < X.cols(); ++j) {
        ColumnSummary& column = result_.columns[j];
        column.lowest = std::min(column.lowest, x[j]);
        column.highest = std::max(column.highest, x[j]);
        column.n_zeros += x[j] == 0 ? 1 : 0;
        sums_[j] += x[j];
      }
    }
  }

  void add_hashes(MatrixView<const double> X) {
    const std::size_t before = hashes_.size();
    hashes_.resize(before + X.rows());
    constexpr std::size_t slice = 512;
    const double work = 4 * static_cast<double>(X.rows()) * static_cast<double>(X.cols());
    parallel_for(ceil_div(X.rows(), slice), team_for(work, options_.execution), [&](std::size_t task) {
      for (std::size_t i = task * slice; i < std::min(X.rows(), (task + 1) * slice); ++i) hashes_[before + i] = hash_of(X.row(i));
    });
  }

  void add_label(const std::string& label) {
    if (const auto known = known_.find(label); known != known_.end()) {
      ++known->second->n_rows;
      return;
    }
    // One too many is kept: it says that there are too many.
    std::string key = label_key(label);
    auto found = classes_.find(key);
    if (found == classes_.end() && classes_.size() <= options_.max_classes)
      found = classes_.emplace(std::move(key), ClassCount{label, 0}).first;
    if (found != classes_.end()) {
      ++found->second.n_rows;
      if (known_.size() < max_known) known_.emplace(label, &found->second);
    }
    if (!numbers_only_) return;
    const auto number = label_number(label);
    numbers_only_ = number.has_value();
    smallest_ = std::min(smallest_, number.value_or(infinity));
    largest_ = std::max(largest_, number.value_or(-infinity));
  }

  SummaryOptions options_;
  DataSummary result_;
  std::vector<long double> sums_;  // of the columns
  std::vector<std::uint64_t> hashes_;
  static constexpr std::size_t max_known = 1000;
  std::map<std::string, ClassCount> classes_;           // by label_key, under the name that comes first
  std::unordered_map<std::string, ClassCount*> known_;  // by the text as it was written, so that few need a key
  bool numbers_only_ = true;
  double smallest_ = infinity, largest_ = -infinity;
};

}  // namespace

std::uint64_t DataSummary::n_zeros() const {
  std::uint64_t n = 0;
  for (const ColumnSummary& column : columns) n += column.n_zeros;
  return n;
}

double DataSummary::zero_share() const {
  const double n_values = static_cast<double>(n_rows) * static_cast<double>(columns.size());
  return n_values > 0 ? static_cast<double>(n_zeros()) / n_values : 0;
}

DataSummary summarise(RowStream& stream, const SummaryOptions& options) {
  Summary summary(stream, options);
  RowBlock block;
  while (stream.next(block)) summary.add(block);
  return summary.finish();
}

}  // namespace askrff
