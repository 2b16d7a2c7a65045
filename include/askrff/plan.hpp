// Ridge regression on rows in many files, one job for each: plan_ridge() looks at all rows once, sums_of_part() sums a part, in any program
// on any machine, load_sums() merges sums in any order, and solve() gives the model that train() gives of all rows, to the byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/map.hpp"
#include "askrff/model.hpp"
#include "askrff/rows.hpp"
#include "askrff/train.hpp"

namespace askrff {

/// A part of the rows, a file for example.
struct PlannedPart {
  std::string name;                        ///< as the stream calls it
  std::vector<std::uint64_t> class_sizes;  ///< rows of every class, without those of weight 0; for regression one number
  std::uint64_t n_read = 0, hash = 0;      ///< all its rows, and what tells them from others

  std::uint64_t n_rows() const;  ///< without those of weight 0
};

/// How the parts were read, for whoever reads them again. The library keeps it and does not look at it.
struct PlannedReading {
  std::string format = {}, label = {}, weight = {};  ///< the words of ReadOptions, WeightedRows; empty: none
  std::vector<std::string> label_files = {};         ///< one for each part, or none
};

/// What all parts of a training have in common: map, classes, folds, and which rows each part has. Copies share it.
class RidgePlan {
 public:
  const Map& map() const;
  Task task() const;
  const std::vector<std::string>& classes() const;   ///< empty for regression
  const std::vector<double>& class_weights() const;  ///< one per class; empty: all 1
  std::vector<std::uint64_t> class_sizes() const;    ///< of all parts
  std::uint64_t n_rows() const;                      ///< that count, of all parts
  const std::vector<PlannedPart>& parts() const;
  const PlannedReading& reading() const;
  const std::vector<double>& c() const;  ///< to be tried unless others are named later; empty: as default_c_grid() says
  std::size_t n_folds() const;           ///< of the sums; 1: none, for one C
  Precision precision() const;
  std::uint64_t seed() const;
  std::string command() const;  ///< that of the model, unless other C are named later
  /// Of the same plan there is only one.
  bool operator==(const RidgePlan& other) const { return to_bytes() == other.to_bytes(); }

  /// docs/model-files.md. Bytes are read by the version of the library that wrote them only: others might sum otherwise. Throws DataError,
  /// which names both versions.
  const std::string& to_bytes() const;
  static RidgePlan from_bytes(std::string bytes, const std::string& name = "from_bytes");
  /// Complete or absent. Throws as OutputFile.
  void save(const std::string& path) const;

  struct State;
  explicit RidgePlan(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// A plan, and what tuning and a tolerance found on the way.
struct NewRidgePlan : RidgePlan {
  TrainingReport report;
};

/// One pass over all rows, whose parts are those of the stream (RowStream::part_names). options: as for train(); the trainer is ridge, and
/// leave-one-out is asked for later. One value of C sums without folds. Throws as train(), and DataError for a stream that cannot be read
/// again, InvalidArgument for landmarks of a kernel without a name, which no file can hold.
NewRidgePlan plan_ridge(RowStream& rows, const TrainOptions& options = {}, PlannedReading reading = {});

/// What is asked for when sums are solved.
struct SolveOptions {
  std::optional<std::vector<double>> c = {};  ///< instead of the plan's; with a plan without folds one value
  /// Each is one more pass over all rows. Without: classes have outputs but no probabilities.
  bool probabilities = false, leave_one_out = false;
  std::function<std::unique_ptr<RowStream>(std::size_t part)> open_part = {};  ///< for those passes
  Execution execution = {};
};

/// The sums of some parts of a plan.
class PlannedSums {
 public:
  PlannedSums(RidgePlan plan, RidgeTrainer sums) : plan_(std::move(plan)), sums_(std::move(sums)) {}

  const RidgePlan& plan() const { return plan_; }
  std::uint64_t n_rows() const { return sums_.n_rows(); }
  /// Whether all rows of a part are in; those of a part without rows are.
  bool has(std::size_t part) const;
  /// Parts that are not in, from 0.
  std::vector<std::size_t> missing() const;
  /// "parts 3,7-9 of 12": numbers from 1, as job arrays want them. Empty if none is missing.
  std::string missing_text() const;

  /// Adds other parts. Those that are in count once. Throws InvalidArgument for sums of another plan, and if each has parts that the other
  /// lacks and they share some: sums cannot be taken apart.
  void merge(PlannedSums other);

  /// The model of all rows: with the C of the plan, that of train() with the options of the plan, to the byte (with probabilities, unless
  /// train() is to find none). Throws InvalidArgument, naming parts that are missing, as RidgeTrainer::solve, and DataError for parts that
  /// have changed.
  TrainedModel solve(const SolveOptions& options = {});

  /// As those of RidgePlan.
  std::string to_bytes() const;
  static PlannedSums from_bytes(std::string bytes, const Execution& execution = {}, const std::string& name = "from_bytes");
  void save(const std::string& path) const;

 private:
  RidgePlan plan_;
  RidgeTrainer sums_;
};

/// rows: those of one part, from 0. Throws DataError if they have other columns than the plan's, or are not the rows that the plan has
/// seen: it names both numbers of rows. A part without rows is a stream without.
PlannedSums sums_of_part(const RidgePlan& plan, std::size_t part, RowStream& rows, const Execution& execution = {});

RidgePlan load_plan(const std::string& path);
/// Merged, in any order. Throws DataError, naming two files whose sums do not go together.
PlannedSums load_sums(const std::vector<std::string>& files, const Execution& execution = {});

/// What a file of the library's holds: "map", "model", "ridge-plan" or "planned-sums". Throws DataError if it is none or damaged.
std::string kind_of_file(const std::string& path);

}  // namespace askrff
