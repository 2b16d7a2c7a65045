// Rows in parts that only others can reach, such as the partitions of a cluster: train() and make_map() ask for passes over all parts; a
// worker carries out a part's share of a pass (PartWork); shares are joined (join_results). Everything that travels is bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/map.hpp"
#include "askrff/rows.hpp"
#include "askrff/train.hpp"

namespace askrff {

/// Whoever has the rows and can have a pass run over them: a scheduler.
class PartedRows {
 public:
  virtual ~PartedRows() = default;
  virtual const std::string& name() const = 0;  ///< for messages
  virtual std::size_t n_parts() const = 0;
  virtual std::size_t n_columns() const = 0;
  virtual const std::vector<std::string>& column_names() const = 0;  ///< one per column, or empty
  /// Where the labels are numbers of classes, 0, 1, …: what the classes are called. Empty: labels are numbers to be predicted, if there are
  /// any.
  virtual const std::vector<std::string>& class_names() const = 0;
  virtual std::size_t n_targets() const { return 1; }  ///< numbers per row to be predicted

  /// Carries out PartWork(task, starts[i]) on the rows of part i for every i, anywhere, as often as needed, and returns their results
  /// joined. Joins neighbours only, in a tree that depends on n_parts() alone: then the bits of a model depend on nothing else but the
  /// parts.
  virtual std::string run(const std::string& task, const std::vector<std::string>& starts) = 0;
};

/// One part's share of a pass, for rows that come block by block, in memory for a block and the result.
class PartWork {
 public:
  /// kernel: that of the map where it is one that bytes cannot hold, else null. Throws DataError for bytes that are no task and start, and
  /// for a task of another version of the library, naming both.
  PartWork(std::string task, std::string start, const Execution& execution = {}, std::shared_ptr<const Kernel> kernel = nullptr);
  ~PartWork();
  PartWork(PartWork&&) noexcept;
  PartWork& operator=(PartWork&&) noexcept;

  /// The next rows, raw, their labels as numbers; the block is changed. Throws DataError that names the part and the row, counted from 0,
  /// for numbers that are not finite, labels and weights out of range.
  void add(RowBlock& block);
  /// The result. Throws DataError if the rows are not those that an earlier pass counted.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The result of all parts whose results these are, of one pass and in the order of their parts. A part that comes twice counts once.
/// Throws DataError for bytes that are no results, InvalidArgument for those of different passes.
std::string join_results(std::vector<std::string> results, const Execution& execution = {},
                         const std::shared_ptr<const Kernel>& kernel = nullptr);

/// As train() of a stream of the same rows, in the order of the parts; three passes for ridge regression, some ten for the first value of
/// C of the SVM and about six for each further one, one more for probabilities. Rows that differ from pass to pass are refused. Ridge: the
/// same model to the bit, but for one chance in millions that sums differ in their last digit (WideSums). SVM: the same to its tolerance.
/// Leave-one-out is refused.
TrainedModel train(PartedRows& rows, const TrainOptions& options = {});

/// As make_map() of a stream of the same rows, the same map to the bit. Two passes.
Map make_map(const KernelChoice& kernel, PartedRows& rows, const MapOptions& options = {});

}  // namespace askrff
