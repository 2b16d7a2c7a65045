// Rows with labels: a stream of blocks, whatever it reads from, and rows that are in memory already; columns brought to comparable size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/sparse.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// All rows of a source at once.
struct Dataset {
  Matrix<double> X;                       ///< rows × columns, all finite
  std::vector<std::string> labels;        ///< one per row as written in the source, or empty
  std::vector<std::string> column_names;  ///< one per column of X, or empty
  std::vector<double> weights = {};       ///< what every row counts in training, one per row, or empty: all 1
};

/// Consecutive rows of a stream. X is the stream's memory, valid until its next call.
struct RowBlock {
  RowsView<double> X;                 ///< dense, unless RowStream::next_as_is gave sparse ones
  std::vector<std::string> labels;    ///< one per row as written in the source; empty without labels, or where they are numbers:
  std::vector<double> label_numbers;  ///< n_targets() per row where the labels were never text (NPY files, arrays); else empty
  std::vector<double> weights = {};   ///< what every row counts in training (train.hpp: min_weight), one per row; empty: all 1
};

/// The labels of a block, whichever way the source holds them.
class BlockLabels {
 public:
  explicit BlockLabels(const RowBlock& block) : block_(block) {}
  bool empty() const { return block_.labels.empty() && block_.label_numbers.empty(); }
  bool are_numbers() const { return block_.labels.empty(); }
  /// As written; numbers in their shortest form.
  std::string text(std::size_t row) const;
  /// Nothing if it is not a finite number.
  std::optional<double> number(std::size_t row) const;

 private:
  const RowBlock& block_;
};

/// Rows block by block. Values and labels that are numbers are finite. Not to be used by several threads at once.
class RowStream {
 public:
  virtual ~RowStream() = default;

  /// What errors call the source: a path, "standard input", "rows in memory".
  virtual const std::string& name() const = 0;
  virtual std::size_t n_columns() const = 0;
  virtual const std::vector<std::string>& column_names() const = 0;  ///< one per column, or empty
  virtual bool has_labels() const = 0;
  /// Where the labels are numbers of classes, 0, 1, …: what the classes are called. Else empty.
  virtual const std::vector<std::string>& class_names() const;
  /// Numbers per row, where the labels are numbers to be predicted.
  virtual std::size_t n_targets() const { return 1; }
  /// Whether rewind works: not for pipes.
  virtual bool can_rewind() const = 0;
  /// Whether next_as_is gives sparse rows: always the same for all blocks.
  virtual bool is_sparse() const { return false; }
  /// How many rows a pass gives, where that is known without going through them.
  virtual std::optional<std::uint64_t> known_rows() const { return std::nullopt; }
  /// The parts the rows come in, files for example, where no block has rows of two of them; else the stream is the one part.
  virtual std::vector<std::string> part_names() const { return {name()}; }
  /// That of the last block, counted from 0; it never decreases in a pass.
  virtual std::size_t part() const { return 0; }

  /// The next rows, at most max_rows of them (fewer where rows are wide); false and an empty block after the last. Throws DataError for
  /// rows that are wrong, std::invalid_argument for max_rows 0.
  bool next(RowBlock& block, std::size_t max_rows = 8192);
  /// The same; rows of a sparse stream are not written out.
  bool next_as_is(RowBlock& block, std::size_t max_rows = 8192);
  /// Back to the first row. Throws DataError if the source cannot be read again.
  virtual void rewind() = 0;
  /// All rows and their labels, if the stream owns them: they are handed over, and the stream is empty afterwards. Else nothing.
  virtual std::optional<Dataset> take() { return std::nullopt; }

 protected:
  RowStream() = default;
  RowStream(const RowStream&) = default;
  RowStream& operator=(const RowStream&) = default;

 private:
  /// Sets block.X to the next rows, 1 … max_rows, sparse if the stream is, or leaves it empty after the last, also when called again; the
  /// block comes empty.
  virtual void read_block(RowBlock& block, std::size_t max_rows) = 0;

  Matrix<double> written_out_;  // of sparse rows
};

/// A stream of rows that are in memory. Values and numbers for labels that are not finite are found when their block is reached.
class MemoryRows : public RowStream {
 public:
  /// X and labels are not copied: they must outlive the stream. Labels are one per row. Throws DataError for no columns or another number
  /// of labels than rows.
  explicit MemoryRows(const RowsView<double>& X, std::string name = "rows in memory");
  MemoryRows(const RowsView<double>& X, std::span<const std::string> labels, std::string name = "rows in memory");
  MemoryRows(const RowsView<double>& X, std::span<const double> label_numbers, std::string name = "rows in memory");
  /// Owns its rows. Throws as above, and for names of columns that are not one per column.
  explicit MemoryRows(Dataset data, std::string name = "rows in memory");
  /// What every row counts in training; not copied. Throws DataError unless there is one for each.
  void set_weights(std::span<const double> weights);
  MemoryRows(MemoryRows&&) noexcept = default;
  MemoryRows& operator=(MemoryRows&&) noexcept = default;
  MemoryRows(const MemoryRows&) = delete;
  MemoryRows& operator=(const MemoryRows&) = delete;

  const std::string& name() const override { return name_; }
  std::size_t n_rows() const { return X_.rows(); }
  std::size_t n_columns() const override { return X_.cols(); }
  const std::vector<std::string>& column_names() const override { return owned_.column_names; }
  bool has_labels() const override { return !labels_.empty() || !label_numbers_.empty(); }
  bool can_rewind() const override { return true; }
  bool is_sparse() const override { return X_.is_sparse(); }
  std::optional<std::uint64_t> known_rows() const override { return X_.rows(); }
  void rewind() override { next_row_ = 0; }
  std::optional<Dataset> take() override;

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override;
  void check_sizes() const;
  void check_finite(const RowsView<double>& X) const;

  std::string name_;
  Dataset owned_;  ///< empty if the rows belong to somebody else
  RowsView<double> X_;
  std::span<const std::string> labels_;
  std::span<const double> label_numbers_, weights_;
  std::size_t next_row_ = 0;
};

/// The rows of another stream, one column of which is what every row counts in training and no part of the data. It must outlive this one.
class WeightedRows final : public RowStream {
 public:
  /// column: the name of one, or its number from 1; a weight below 0 is found when its block is reached. Throws DataError if there is no
  /// such column or no other.
  WeightedRows(RowStream& rows, const std::string& column);
  /// The same, and keeps them.
  WeightedRows(std::unique_ptr<RowStream> rows, const std::string& column);

  const std::string& name() const override { return rows_.name(); }
  std::size_t n_columns() const override { return rows_.n_columns() - 1; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  bool has_labels() const override { return rows_.has_labels(); }
  const std::vector<std::string>& class_names() const override { return rows_.class_names(); }
  std::size_t n_targets() const override { return rows_.n_targets(); }
  bool can_rewind() const override { return rows_.can_rewind(); }
  std::optional<std::uint64_t> known_rows() const override { return rows_.known_rows(); }
  std::vector<std::string> part_names() const override { return rows_.part_names(); }
  std::size_t part() const override { return rows_.part(); }
  void rewind() override {
    rows_.rewind();
    n_read_ = 0;
  }

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override;

  std::unique_ptr<RowStream> owned_;  // or none
  RowStream& rows_;
  std::uint64_t n_read_ = 0;
  std::vector<std::string> column_names_;
  std::size_t column_ = 0;
  Matrix<double> block_;
};

enum class Scaling { none, minmax, standard, robust, maxabs };

inline constexpr Word<Scaling> scaling_words[] = {
    {Scaling::none, "none", "columns as they are"},
    {Scaling::minmax, "minmax", "every column to [0,1]"},
    {Scaling::standard, "standard", "every column to mean 0 and standard deviation 1"},
    {Scaling::robust, "robust", "every column to median 0 and 5 % to 95 % quantiles 1 apart; outliers do not change it"},
    {Scaling::maxabs, "maxabs", "every column divided by its largest absolute value; 0 stays 0"}};
constexpr std::span<const Word<Scaling>> words_of(Scaling) { return scaling_words; }

/// x → (x - offset)/width, column by column. A column that was constant has width 0 and is moved only, to 0: a new value of it then shows.
/// maxabs: offset 0, always, so that zeros stay; a column of nothing but zeros has width 0, another constant becomes 1 or -1.
/// robust: the width of a column whose quantiles are the same, one that is rarely anything but 0 for instance, is that of minmax. Quantiles
/// are those of all rows up to `exact_rows(n_columns)`, else of so many rows drawn by their numbers, whatever the blocks: their ranks are
/// then off by √(p(1-p)/rows) in standard deviation, for 65 536 rows 0.2 % at the median and 0.09 % at the ends.
struct Scaler {
  Scaling kind = Scaling::none;
  std::vector<double> offset, width;  ///< one per column; empty for none

  /// Rows of which robust keeps every number: 65 536, fewer where they would exceed 2^24 numbers, but 500.
  static std::size_t exact_rows(std::size_t n_columns);
  bool operator==(const Scaler&) const = default;

  /// Fitted on all rows of X. Throws std::invalid_argument for no rows, numbers that are not finite, or a column too wide for a double.
  static Scaler fitted_to(const RowsView<double>& X, Scaling kind, const StopToken& stop = {});
  /// In place; every row by itself. Throws std::invalid_argument if X has another number of columns, or a number too large to be scaled.
  void apply(MatrixView<double> X, const StopToken& stop = {}) const;
  /// Whether 0 stays 0 in all columns, so that sparse rows stay sparse.
  bool keeps_zeros() const;
  /// Rows of either kind, scaled: sparse ones stay so where zeros stay 0, else they are written out. Throws as apply, and InvalidArgument
  /// if there is no room for them written out.
  RowsMatrix<double> applied(RowsMatrix<double> rows, const StopToken& stop = {}) const;
  /// One number of column j, as apply does it.
  double scaled(double x, std::size_t j) const { return (x - offset[j]) / (width[j] == 0 ? 1.0 : width[j]); }
};

/// A Scaler fitted on rows that come block by block, in bounded memory. The result does not depend on how they were cut, into blocks or
/// into parts, each of which has a fit of its own: fits merged in the order of rows give the bits of one pass.
class ScalerFit {
 public:
  /// first_row: how many rows are before this part. Only robust asks for it.
  ScalerFit(std::size_t n_columns, Scaling kind, std::uint64_t first_row = 0);
  ~ScalerFit();
  ScalerFit(ScalerFit&&) noexcept;
  ScalerFit& operator=(ScalerFit&&) noexcept;

  /// Throws std::invalid_argument for another number of columns or numbers that are not finite.
  void add(const RowsView<double>& X, const StopToken& stop = {});
  /// Adds the rows of a fit on the rows that come after those of this one. Throws InvalidArgument for another kind or number of columns,
  /// and for robust if next does not start where this fit ends; this fit is then as it was.
  void merge(ScalerFit&& next);

  std::uint64_t n_rows() const;
  /// Smallest and largest number of every column so far; +∞ and -∞ without rows.
  const std::vector<double>& lowest() const;
  const std::vector<double>& highest() const;

  /// Throws std::invalid_argument if there were no rows, a column is too wide for a double, or, for robust, rows before these are missing.
  Scaler finish() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace askrff
