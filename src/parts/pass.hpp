// A kind of pass over rows in parts: what a part does with its rows, what travels, and how results are joined.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askrff/parts.hpp"
#include "io/records.hpp"
#include "pipeline/labels.hpp"

namespace askrff::parts {

/// Where a part begins, and what an earlier pass has counted in it. In the first pass nothing is known but its number.
struct PartStart {
  std::uint64_t part = 0;
  std::vector<std::uint64_t> n_before, n_here;  ///< rows of every class (of all, without classes) before it, and in it; empty: not known

  std::uint64_t first_row() const;
  std::string to_bytes() const;
  static PartStart from_bytes(std::string bytes);
};

/// What all passes know of rows: the shape of a task.
struct RowFacts {
  std::size_t n_columns = 0, n_targets = 1;
  std::vector<std::string> classes = {};
  std::vector<double> class_weights = {};  ///< empty: all 1

  std::size_t n_counted() const { return classes.empty() ? 1 : classes.size(); }  ///< kinds of rows that are counted apart
};

/// What surrounds the work on a part.
struct PartContext {
  RowFacts facts;
  PartStart start;
  Execution execution;
  std::shared_ptr<const Kernel> kernel;
};

/// Rows of a part, checked and without those of weight 0.
struct PartRows {
  const RowBlock& block;
  std::span<const std::uint32_t> classes;  ///< empty without classes
  const pipeline::LabelCoder& labels;      ///< of the same block; weights of rows times those of classes
};

class Pass {
 public:
  virtual ~Pass() = default;
  virtual void add(const PartRows& rows) = 0;
  virtual void finish(io::RecordWriter& result) = 0;
};

struct PassKind {
  const char* name;
  std::unique_ptr<Pass> (*begin)(const io::Records& task, PartContext& context);
  /// Of results of neighbouring parts, in their order.
  void (*join)(const std::vector<io::Records>& results, const PartContext& context, io::RecordWriter& joined);
};

/// Whether a kernel travels beside the bytes of a map, and is wanted back with them: one of landmarks that has no name.
inline bool leaves_out_kernel(const Map& map) { return map.nystrom() && map.content().kernel.name.empty(); }
/// That kernel, for a file whose "own-kernel" says so.
inline std::shared_ptr<const Kernel> kernel_for(const io::Records& file, const std::shared_ptr<const Kernel>& kernel) {
  return file.count("own-kernel", 0, 1) == 1 ? kernel : nullptr;
}

/// One file each.
extern const PassKind survey_pass, sample_pass, ridge_pass, outputs_pass, svm_pass;

/// The pass that a file of this kind, "part-task" or "part-result", is of. Throws DataError if it is none, or of another version.
const PassKind& pass_of(const io::Records& file, const char* kind);

/// The beginning of a task; what the pass itself wants to know is added to it.
io::RecordWriter begin_task(const PassKind& kind, const RowFacts& facts);
/// The records of a joined result. Throws DataError unless all parts of n_parts are in it.
io::Records result_of_all(const PartedRows& rows, const PassKind& kind, std::string result);

}  // namespace askrff::parts
