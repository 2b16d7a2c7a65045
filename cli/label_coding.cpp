// Texts, numbers and classes.
#include "label_coding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "askrff/cross_validation.hpp"
#include "askrff/errors.hpp"
#include "printable.hpp"

namespace askrff::cli {

std::string BlockLabels::text(std::size_t row) const {
  return block_.labels.empty() ? label_key(block_.label_numbers[row]) : block_.labels[row];
}

std::optional<double> BlockLabels::number(std::size_t row) const {
  return block_.labels.empty() ? std::optional(block_.label_numbers[row]) : label_number(block_.labels[row]);
}

ClassLookup::ClassLookup(const std::vector<std::string>& classes) {
  for (std::uint32_t k = 0; k < classes.size(); ++k) by_key_.emplace(label_key(classes[k]), k);
}

std::optional<std::uint32_t> ClassLookup::find(const BlockLabels& labels, std::size_t row) {
  return labels.are_numbers() ? find(by_number_, *labels.number(row)) : find(by_text_, labels.text(row));
}

template <class Label>
std::optional<std::uint32_t> ClassLookup::find(std::unordered_map<Label, std::optional<std::uint32_t>>& known, const Label& label) {
  if (const auto before = known.find(label); before != known.end()) return before->second;
  const auto same = by_key_.find(label_key(label));
  const auto found = same == by_key_.end() ? std::nullopt : std::optional(same->second);
  constexpr std::size_t most_remembered = 100'000;  // labels may be different on every row
  if (known.size() < most_remembered) known.emplace(label, found);
  return found;
}

void LabelSurvey::add(const std::string& source, const RowBlock& block) {
  const BlockLabels labels(block);
  if (labels.empty() && block.X.rows() > 0)
    throw DataError(source + ": no labels, expected them in the file (LIBSVM), in a column (--label) or in a file of their own (--labels)");
  for (std::size_t i = 0; i < block.X.rows(); ++i) {
    ++n_rows_;
    if (!labels.number(i)) {
      if (n_texts_++ == 0) {
        first_text_ = labels.text(i);
        first_text_row_ = n_rows_;
      }
    }
    if (seen_.size() <= most_classes) count(source, labels, i);
  }
}

void LabelSurvey::count(const std::string& source, const BlockLabels& labels, std::size_t row) {
  const auto counted = [this](auto& places, const auto& key) {
    const auto [entry, is_new] = places.try_emplace(key, seen_.size());
    if (!is_new) ++counts_[entry->second];
    return !is_new;
  };
  if (labels.are_numbers() ? counted(place_of_number_, *labels.number(row)) : counted(place_of_text_, labels.text(row))) return;
  seen_.push_back(labels.text(row));
  if (seen_.back().find_first_of("\n\r") != std::string::npos)
    throw DataError(fmt::format("{}: row {} has the label {}, expected labels without line breaks: predictions are written one per line",
                                source, n_rows_, printable(seen_.back())));
  counts_.push_back(1);
}

Task LabelSurvey::task(const std::string& source, std::optional<Task> wanted) const {
  if (wanted) return *wanted;
  constexpr std::size_t few_classes = 10;
  const std::size_t n_classes = ClassLabels::of(seen_).n_classes();
  if (first_text_ && n_texts_ < n_rows_ / 10 && n_classes > few_classes)
    throw DataError(
        fmt::format("{}: row {} has the label {}, but {} of {} labels are numbers; correct it, or say --task classification if they are "
                    "names of classes",
                    source, first_text_row_, printable(*first_text_), n_rows_ - n_texts_, n_rows_));
  return first_text_ || n_classes <= 2 ? Task::classification : Task::regression;
}

std::vector<std::string> LabelSurvey::classes(const std::string& source) const {
  if (seen_.size() > most_classes)
    throw DataError(fmt::format("{}: more than {} different labels, expected classes; numbers want --model ridge --task regression", source,
                                most_classes));
  std::vector<std::string> names = ClassLabels::of(seen_).names;
  if (names.size() < 2)
    throw DataError(fmt::format("{}: all {} rows have the label {}, expected at least two classes", source, n_rows_, printable(names[0])));
  return names;
}

std::vector<std::uint64_t> LabelSurvey::class_sizes() const {
  const ClassLabels labels = ClassLabels::of(seen_);
  std::vector<std::uint64_t> sizes(labels.n_classes());
  for (std::size_t k = 0; k < seen_.size(); ++k) sizes[labels.of_rows[k]] += counts_[k];
  return sizes;
}

void LabelSurvey::require_numbers(const std::string& source) const {
  if (first_text_)
    throw DataError(
        fmt::format("{}: row {} has the label {}, expected numbers for regression", source, first_text_row_, printable(*first_text_)));
}

}  // namespace askrff::cli
