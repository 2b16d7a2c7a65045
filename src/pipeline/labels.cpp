// Labels of rows, as texts or numbers, become numbers of classes or targets.
#include "pipeline/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/linear.hpp"
#include "askrff/errors.hpp"
#include "io/messages.hpp"

namespace askrff::pipeline {
namespace {

/// Of more different numbers than this nobody thinks as classes unless he says so.
constexpr std::size_t few_classes = 10;

bool is_whole_number(const std::string& label) {
  const double number = label_number(label).value_or(0);
  return number == std::floor(number);
}

}  // namespace

LabelSurvey::LabelSurvey(const RowStream& rows) : source_(rows.name()), known_classes_(rows.class_names()), n_targets_(rows.n_targets()) {
  counts_.assign(known_classes_.size(), 0);
  totals_.resize(known_classes_.size());
}

LabelSurvey::LabelSurvey(const RowStream& rows, std::vector<std::uint64_t> counts, std::vector<ExactSum> totals) : LabelSurvey(rows) {
  for (std::size_t k = 0; k < counts.size(); ++k) {
    n_rows_ += counts[k];
    total_.add(totals[k]);
  }
  if (known_classes_.empty()) return;
  counts_ = std::move(counts);
  totals_ = std::move(totals);
}

void LabelSurvey::add(const RowBlock& block) {
  const BlockLabels labels(block);
  if (labels.empty() && block.X.rows() > 0)
    throw DataError(source_, "no labels, expected them in the file (LIBSVM), in a column (--label) or in a file of their own (--labels)");
  if (!known_classes_.empty() && (!labels.are_numbers() || n_targets_ != 1))
    throw DataError(source_, "it has names of classes, expected labels that are the numbers of classes, one per row");
  for (std::size_t i = 0; i < block.X.rows(); ++i) {
    ++n_rows_;
    if (!parts_.empty()) ++parts_.back().n_rows;
    const double weight = block.weights.empty() ? 1 : block.weights[i];
    total_.add(weight);
    if (!known_classes_.empty()) {
      const double code = block.label_numbers[i];
      if (!(code >= 0 && code < static_cast<double>(known_classes_.size()) && code == std::floor(code)))
        throw DataError(source_, fmt::format("row {} is of class {}, expected 0 to {}", n_rows_, code, known_classes_.size() - 1));
      const std::size_t place = static_cast<std::size_t>(code);
      if (!parts_.empty()) ++parts_.back().n_of_label[place];
      ++counts_[place];
      totals_[place].add(weight);
      continue;
    }
    if (n_targets_ > 1) continue;
    if (!labels.number(i) && n_texts_++ == 0) {
      first_text_ = labels.text(i);
      first_text_row_ = n_rows_;
    }
    if (seen_.size() <= max_classes) count(labels, i, weight);
  }
}

void LabelSurvey::count(const BlockLabels& labels, std::size_t row, double weight) {
  const auto place_in = [this](auto& places, const auto& key) { return places.try_emplace(key, seen_.size()).first->second; };
  const std::size_t place =
      labels.are_numbers() ? place_in(place_of_number_, *labels.number(row)) : place_in(place_of_text_, labels.text(row));
  if (!parts_.empty()) ++parts_.back().n_of_label[place];
  if (place < seen_.size()) {
    ++counts_[place];
    totals_[place].add(weight);
    return;
  }
  seen_.push_back(labels.text(row));
  if (seen_.back().find_first_of("\n\r") != std::string::npos)
    throw DataError(
        source_, fmt::format("row {} has the label {}, expected labels without line breaks: predictions are written one per line", n_rows_,
                             io::in_quotes(seen_.back())));
  counts_.push_back(1);
  totals_.emplace_back().add(weight);
}

void LabelSurvey::begin_part(std::size_t part) {
  if (parts_.size() <= part) parts_.resize(part + 1);
}

std::vector<std::vector<std::uint64_t>> LabelSurvey::part_sizes(std::span<const std::uint32_t> class_of, std::size_t n_classes) const {
  std::vector<std::vector<std::uint64_t>> sizes;
  for (const Part& part : parts_) {
    std::vector<std::uint64_t>& of_part = sizes.emplace_back(n_classes);
    for (const auto& [place, n] : part.n_of_label) of_part[class_of[place]] += n;
  }
  return sizes;
}

Task LabelSurvey::task(std::optional<Task> wanted) const {
  if (wanted) return *wanted;
  if (!known_classes_.empty()) return Task::classification;
  if (n_targets_ > 1) return Task::regression;
  const std::size_t n_classes = ClassLabels::of(seen_).n_classes();
  if (first_text_ && n_texts_ < n_rows_ / 10 && n_classes > few_classes)
    throw DataError(source_, fmt::format("row {} has the label {}, but {} of {} labels are numbers; correct it, or say that the task is "
                                         "classification if they are names of classes",
                                         first_text_row_, io::in_quotes(*first_text_), n_rows_ - n_texts_, n_rows_));
  return first_text_ || n_classes <= 2 ? Task::classification : Task::regression;
}

/// Numbers that are not whole, and hardly one twice, are no names of classes: folds and classes of one row would be refused in other words.
void LabelSurvey::refuse_measurements(const ClassLabels& labels) const {
  if (first_text_ || labels.n_classes() <= few_classes || labels.n_classes() <= n_rows_ / 2) return;
  const auto broken = std::ranges::find_if_not(labels.names, is_whole_number);
  if (broken != labels.names.end())
    throw DataError(source_, fmt::format("{} different labels on {} rows, {} among them, expected classes; ridge predicts numbers",
                                         labels.n_classes(), n_rows_, io::in_quotes(*broken)));
}

Targets LabelSurvey::classes() const {
  Targets targets{.task = Task::classification, .classes = known_classes_, .class_sizes = counts_, .class_totals = {}};
  for (const ExactSum& total : totals_) targets.class_totals.push_back(total.value());
  if (!known_classes_.empty()) {
    std::vector<std::uint32_t> itself(known_classes_.size());
    for (std::size_t k = 0; k < itself.size(); ++k) itself[k] = static_cast<std::uint32_t>(k);
    targets.part_sizes = part_sizes(itself, itself.size());
    return targets;
  }
  if (n_targets_ > 1) throw DataError(source_, fmt::format("{} numbers per row, expected one label for classification", n_targets_));
  if (seen_.size() > max_classes)
    throw DataError(source_, fmt::format("more than {} different labels, expected classes; numbers want ridge regression", max_classes));
  ClassLabels labels = ClassLabels::of(seen_);
  if (labels.n_classes() < 2)
    throw DataError(source_, fmt::format("all {} rows have the label {}, expected at least two classes{}", n_rows_,
                                         io::in_quotes(labels.names[0]), first_text_ ? "" : ", or ridge and the task regression"));
  refuse_measurements(labels);
  targets.class_sizes.assign(labels.n_classes(), 0);
  std::vector<ExactSum> totals(labels.n_classes());
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    targets.class_sizes[labels.of_rows[k]] += counts_[k];
    totals[labels.of_rows[k]].add(totals_[k]);
  }
  targets.class_totals.clear();
  for (const ExactSum& total : totals) targets.class_totals.push_back(total.value());
  targets.part_sizes = part_sizes(labels.of_rows, labels.n_classes());
  targets.classes = std::move(labels.names);
  return targets;
}

Targets LabelSurvey::targets(std::optional<Task> wanted) const {
  if (task(wanted) == Task::classification) return classes();
  if (first_text_)
    throw DataError(source_,
                    fmt::format("row {} has the label {}, expected numbers for regression", first_text_row_, io::in_quotes(*first_text_)));
  Targets targets{
      .task = Task::regression, .classes = {}, .n_numbers = n_targets_, .class_sizes = {n_rows_}, .class_totals = {total_.value()}};
  for (const Part& part : parts_) targets.part_sizes.push_back({part.n_rows});
  return targets;
}

void set_class_weights(const ClassWeights& wanted, Targets& targets) {
  if (wanted.empty()) return;
  if (targets.task == Task::regression) throw InvalidArgument("train", "weights of classes are given, but the task is regression");
  const std::size_t n_classes = targets.classes.size();
  targets.class_weights.assign(n_classes, 1);
  double total = 0;
  for (const double of_class : targets.class_totals) total += of_class;
  for (std::size_t k = 0; k < n_classes && wanted.balanced; ++k)
    targets.class_weights[k] = targets.class_totals[k] > 0 ? total / static_cast<double>(n_classes) / targets.class_totals[k] : 1;
  ClassLookup lookup(targets.classes);
  for (const auto& [label, weight] : wanted.by_label) {
    const auto found = lookup.find(label);
    if (!found) throw InvalidArgument("train", fmt::format("a weight for the class {}, which no row is of", io::in_quotes(label)));
    if (!(weight >= min_weight && weight <= max_weight))
      throw InvalidArgument("train", fmt::format("class {} has the weight {}, expected a number from {:g} to {:g}", io::in_quotes(label),
                                                 weight, min_weight, max_weight));
    targets.class_weights[*found] = weight;
  }
}

LabelCoder::LabelCoder(const RowStream& rows, const Targets& targets)
    : source_(rows.name()), targets_(targets), are_codes_(!rows.class_names().empty()), lookup_(targets.classes) {}

void LabelCoder::refuse() const { throw DataError(source_, "the labels have changed since they were first looked at"); }

void LabelCoder::refuse(const std::string& label) const {
  throw DataError(source_, fmt::format("the labels have changed since they were first looked at: there was no {}", io::in_quotes(label)));
}

std::uint32_t LabelCoder::class_of(const BlockLabels& labels, std::size_t row) {
  if (are_codes_) return static_cast<std::uint32_t>(*labels.number(row));  // checked by the survey
  const auto found = labels.are_numbers() ? lookup_.find(*labels.number(row)) : lookup_.find(labels.text(row));
  if (!found) refuse(labels.text(row));
  return *found;
}

void LabelCoder::read(const RowBlock& block) {
  const BlockLabels labels(block);
  n_rows_ = block.X.rows();
  if (targets_.task == Task::classification) {
    classes_.resize(n_rows_);
    for (std::size_t i = 0; i < n_rows_; ++i) classes_[i] = class_of(labels, i);
    weights_.assign(block.weights.begin(), block.weights.end());
    if (!targets_.class_weights.empty()) {
      weights_.resize(n_rows_, 1);  // those that are there stay
      for (std::size_t i = 0; i < n_rows_; ++i) weights_[i] *= targets_.class_weights[classes_[i]];
    }
    n_rows_ = 0;
    return;
  }
  weights_.assign(block.weights.begin(), block.weights.end());
  if (numbers_.rows() < n_rows_) numbers_ = Matrix<double>(n_rows_, targets_.n_numbers);
  if (labels.are_numbers()) {
    if (block.label_numbers.size() != n_rows_ * targets_.n_numbers) refuse();
    std::ranges::copy(block.label_numbers, numbers_.data());
    return;
  }
  for (std::size_t i = 0; i < n_rows_; ++i) {
    const auto number = labels.number(i);
    if (!number) refuse(labels.text(i));
    numbers_(i, 0) = *number;
  }
}

}  // namespace askrff::pipeline
