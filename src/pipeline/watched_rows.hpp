// Rows on their way, and what tells those of a part from others: so that a file that has changed is found when it is read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "askrff/rows.hpp"

namespace askrff::pipeline {

/// Of all values, labels and weights; in which blocks they come, and whether sparse or dense, does not matter.
struct SeenRows {
  std::uint64_t n_rows = 0, hash = 0x243f6a8885a308d3;

  void add(const RowBlock& block, std::size_t n_targets);
};

/// The rows of another stream, which must outlive this one.
class WatchedRows final : public RowStream {
 public:
  explicit WatchedRows(RowStream& rows) : rows_(rows), names_(rows.part_names()), seen_(names_.size()) {}

  /// Of a part in the last pass, or so far.
  const SeenRows& seen(std::size_t part) const { return seen_[part]; }

  const std::string& name() const override { return rows_.name(); }
  std::size_t n_columns() const override { return rows_.n_columns(); }
  const std::vector<std::string>& column_names() const override { return rows_.column_names(); }
  bool has_labels() const override { return rows_.has_labels(); }
  const std::vector<std::string>& class_names() const override { return rows_.class_names(); }
  std::size_t n_targets() const override { return rows_.n_targets(); }
  bool can_rewind() const override { return rows_.can_rewind(); }
  bool is_sparse() const override { return rows_.is_sparse(); }
  std::optional<std::uint64_t> known_rows() const override { return rows_.known_rows(); }
  std::vector<std::string> part_names() const override { return names_; }
  std::size_t part() const override { return rows_.part(); }
  void rewind() override;

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override;

  RowStream& rows_;
  std::vector<std::string> names_;
  std::vector<SeenRows> seen_;
};

}  // namespace askrff::pipeline
