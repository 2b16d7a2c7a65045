// Classes of labels, folds of rows, and the summary of a cross-validation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "askrff/linear.hpp"
#include "askrff/random.hpp"
#include "askrff/errors.hpp"

namespace askrff {

ClassLabels ClassLabels::of(std::span<const std::string> labels) {
  ClassLabels found;
  std::unordered_map<std::string_view, std::uint32_t> known;  // by text as it was written
  std::unordered_map<std::string, std::uint32_t> by_key;
  found.of_rows.reserve(labels.size());
  for (const std::string& label : labels) {
    const auto [entry, is_new] = known.try_emplace(label, 0);
    if (is_new) {
      const auto [same, is_first] = by_key.try_emplace(label_key(label), static_cast<std::uint32_t>(found.names.size()));
      if (is_first) found.names.push_back(label);
      entry->second = same->second;
    }
    found.of_rows.push_back(entry->second);
  }
  std::vector<std::uint32_t> order(found.names.size()), place(found.names.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return label_comes_before(found.names[a], found.names[b]); });
  std::vector<std::string> names;
  for (std::uint32_t k = 0; k < order.size(); ++k) {
    place[order[k]] = k;
    names.push_back(found.names[order[k]]);
  }
  found.names = std::move(names);
  for (std::uint32_t& label : found.of_rows) label = place[label];
  return found;
}

FoldDealer::FoldDealer(std::size_t n_folds, std::uint64_t seed) : n_folds_(n_folds), seed_(seed) {
  if (n_folds < 2 || n_folds > std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument(fmt::format("cross-validation: {} folds, expected at least 2", n_folds));
}

std::uint32_t FoldDealer::next(std::uint32_t of_class) {
  Dealt& dealt = dealt_[of_class];
  const std::size_t place = dealt.n_rows % n_folds_;
  if (place == 0 || dealt.order.empty()) {
    dealt.order.resize(n_folds_);
    for (std::uint32_t fold = 0; fold < n_folds_; ++fold) dealt.order[fold] = fold;
    RandomStream random(derive_seed(seed_, of_class), Purpose::folds, dealt.n_rows / n_folds_);
    for (std::size_t i = n_folds_; i > 1; --i) std::swap(dealt.order[i - 1], dealt.order[random.below(i)]);
  }
  ++dealt.n_rows;
  return dealt.order[place];
}

void FoldDealer::skip(std::uint64_t n_rows, std::uint32_t of_class) {
  Dealt& dealt = dealt_[of_class];
  dealt.n_rows += n_rows;
  dealt.order.clear();
}

void check_folds(std::size_t n_folds, std::span<const std::uint64_t> class_sizes, std::span<const std::string> names) {
  std::uint64_t n_rows = 0;
  for (const std::uint64_t size : class_sizes) n_rows += size;
  if (n_folds < 2) throw InvalidArgument(fmt::format("cross-validation: {} folds, expected at least 2", n_folds));
  if (n_folds > n_rows)
    throw InvalidArgument(fmt::format("cross-validation: {} folds for {} rows, expected at most one per row", n_folds, n_rows));
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (class_sizes[k] >= n_folds) continue;
    const bool alone = class_sizes[k] < 2;
    throw InvalidArgument(fmt::format("cross-validation: class {} has {} row{}, expected at least {}, one for every fold; {} or give C",
                                      names[k], class_sizes[k], class_sizes[k] == 1 ? "" : "s", n_folds,
                                      alone ? "remove it, merge it with another class" : "use fewer folds"));
  }
}

std::vector<std::uint32_t> stratified_folds(const ClassLabels& labels, std::size_t n_folds, std::uint64_t seed) {
  std::vector<std::uint64_t> sizes(labels.n_classes());
  for (const std::uint32_t label : labels.of_rows) ++sizes.at(label);
  check_folds(n_folds, sizes, labels.names);
  FoldDealer dealer(n_folds, seed);
  std::vector<std::uint32_t> folds;
  for (const std::uint32_t label : labels.of_rows) folds.push_back(dealer.next(label));
  return folds;
}

std::vector<double> default_c_grid() {
  std::vector<double> grid;
  for (int exponent = -5; exponent <= 5; ++exponent) grid.push_back(std::ldexp(1.0, exponent));
  return grid;
}

std::vector<double> checked_c_grid(std::vector<double> c) {
  if (c.empty()) throw InvalidArgument("cross-validation: no values of C, expected at least one");
  for (const double value : c)
    if (!(value >= min_c && value <= max_c))
      throw InvalidArgument(fmt::format("C is {}, expected a number from {} to {}", value, min_c, max_c));
  std::ranges::sort(c);
  c.erase(std::unique(c.begin(), c.end()), c.end());
  return c;
}

bool is_better(Score score, double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isfinite(a) && !std::isfinite(b);
  return score == Score::accuracy ? a > b : a < b;
}

double CrossValidation::mean(std::size_t i) const {
  double sum = 0;
  for (const double score : scores.row(i)) sum += score;
  return sum / static_cast<double>(scores.cols());
}

double CrossValidation::deviation(std::size_t i) const {
  const double center = mean(i);
  double sum = 0;
  for (const double score : scores.row(i)) sum += (score - center) * (score - center);
  return scores.cols() > 1 ? std::sqrt(sum / static_cast<double>(scores.cols() - 1)) : 0;
}

std::size_t CrossValidation::best() const {
  std::size_t chosen = 0;
  for (std::size_t i = 1; i < c.size(); ++i)
    if (is_better(measure, mean(i), mean(chosen))) chosen = i;
  return chosen;
}

std::size_t class_of_outputs(std::span<const double> outputs) {
  if (outputs.size() == 1) return outputs[0] > 0 ? 1 : 0;
  return static_cast<std::size_t>(std::ranges::max_element(outputs) - outputs.begin());
}

}  // namespace askrff
