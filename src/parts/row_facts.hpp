// What is known of rows in parts, in the words of the pipeline.
#pragma once

#include "askrff/errors.hpp"
#include "parts/pass.hpp"

namespace askrff::parts {

inline pipeline::Targets targets_of(const RowFacts& facts) {
  return {.task = facts.classes.empty() ? Task::regression : Task::classification,
          .classes = facts.classes,
          .n_numbers = facts.n_targets,
          .class_sizes = {},
          .class_totals = {},
          .class_weights = facts.class_weights};
}

/// A stream's name, columns and classes, without rows.
class FactStream final : public RowStream {
 public:
  FactStream(std::string name, const RowFacts& facts, std::vector<std::string> column_names = {})
      : name_(std::move(name)), facts_(facts), column_names_(std::move(column_names)) {}
  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return facts_.n_columns; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& class_names() const override { return facts_.classes; }
  std::size_t n_targets() const override { return facts_.n_targets; }
  bool can_rewind() const override { return false; }
  void rewind() override { throw DataError(name_, "its rows are elsewhere"); }

 private:
  void read_block(RowBlock&, std::size_t) override { throw DataError(name_, "its rows are elsewhere"); }
  std::string name_;
  RowFacts facts_;
  std::vector<std::string> column_names_;
};

}  // namespace askrff::parts
