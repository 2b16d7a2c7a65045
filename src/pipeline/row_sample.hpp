// Rows drawn from all by the seed and their numbers, and the first rows of every class: of all rows, or of parts that are put together.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "askrff/rows.hpp"
#include "core/row_sampler.hpp"
#include "io/records.hpp"

namespace askrff::pipeline {

/// Some rows and their labels.
struct SampledRows {
  RowsMatrix<double> X;                ///< scaled
  RowBlock labels;                     ///< of them; its X is theirs
  std::vector<std::uint64_t> numbers;  ///< from 0: which rows of the data
};

/// Rows copied out of blocks, each with its number and a place of its own.
class CopiedRows {
 public:
  CopiedRows(std::size_t dim, bool sparse, std::size_t n_targets) : dim_(dim), n_targets_(n_targets), is_sparse_(sparse) {}

  std::size_t size() const { return numbers_.size(); }
  std::uint64_t number(std::size_t i) const { return numbers_[i]; }
  std::uint64_t place(std::size_t i) const { return places_[i]; }
  const RowBlock& labels() const { return labels_; }
  /// Where a later row comes to a place that is taken it stands there afterwards.
  void set(std::uint64_t place, std::uint64_t number, const RowBlock& block, std::size_t row);
  void merge(const CopiedRows& other);
  /// Keeps rows i for which keep(i) says so, in the order of their places.
  template <class Keep>
  void sort_and_keep(const Keep& keep);
  /// In the order of their places; these rows are given up.
  SampledRows scaled_by(const Scaler& scaler);

  /// Labels must be numbers, rows dense.
  void write(io::RecordWriter& file, const std::string& prefix) const;
  static CopiedRows read(const io::Records& file, const std::string& prefix, std::size_t dim, std::size_t n_targets);

 private:
  /// The rows as they lie; dense ones in their own memory, sparse ones in `storage`.
  RowBlock block_of(SparseMatrix<double>& storage) const;
  /// Keeps so many, always the same ones for a number of rows: sparse rows that are written out are as large as others.
  void cut_to(std::size_t count);
  void reorder(const std::vector<std::size_t>& order);

  struct SparseRow {
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
  };

  std::size_t dim_, n_targets_;
  bool is_sparse_;
  std::vector<double> values_;     // of dense rows
  std::vector<SparseRow> sparse_;  // or these
  RowBlock labels_;
  std::vector<std::uint64_t> numbers_, places_;
  std::unordered_map<std::uint64_t, std::size_t> index_of_;  // by place
};

/// The sample that a map is made of, and the first rows of every class, for those that are rare in it.
class RowSample {
 public:
  /// n_reserved: rows of every class that are kept, if the classes are not too many. first_row: how many rows are before these.
  RowSample(std::size_t dim, bool sparse, std::size_t n_targets, std::uint64_t seed, std::size_t n_reserved, std::uint64_t first_row = 0);

  void add(const RowBlock& block);
  /// Adds other rows of the same data, in any order.
  void merge(const RowSample& other);
  SampledRows sample(const Scaler& scaler) { return chosen_.scaled_by(scaler); }
  SampledRows reserve(const Scaler& scaler);

  void write(io::RecordWriter& file) const;
  static RowSample read(const io::Records& file);

 private:
  void keep_first_of_classes();

  std::size_t n_reserved_, max_rows_, dim_, n_targets_;
  RowSampler sampler_;
  CopiedRows chosen_, first_;
  std::unordered_map<std::string, std::size_t> n_of_class_;  // by its key
};

}  // namespace askrff::pipeline
