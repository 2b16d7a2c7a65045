// The paper's data sets as its experiments use them: found, verified, with binary classes, split and scaled. The one place where any of
// that is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "askrff/linear.hpp"
#include "askrff/execution.hpp"
#include "askrff/views.hpp"
#include "experiments/results.hpp"

namespace askrff::experiments {

/// Rows and their classes: "-1" and "+1", in this order.
struct LabelledRows {
  Matrix<double> X;
  ClassLabels labels;
};

/// A data set in memory, its columns not scaled, its rows in the order of the source.
struct PaperData {
  DatasetRecord record;
  LabelledRows training;
  LabelledRows
      test;  ///< no rows where the source has no split of its own: then `training` holds all rows, and every trial splits them anew
};

/// Where files are looked for.
struct DataPlaces {
  std::filesystem::path data_dir;  ///< --data-dir; may be empty
  // ASKRFF_DATA and the cache of `askrff-paper datasets get` come after it.
};

/// The paper's names in its order: spambase, ijcnn1, letter, cod-RNA. Names are compared without case and hyphens may be left out.
const std::vector<std::string>& paper_dataset_names();

/// Reads and verifies it; absent if its files are in none of the places. Throws DataError if files are there and are not what they should
/// be (the sentence names file, what was found and what was expected).
std::optional<PaperData> find_paper_data(const std::string& name, const DataPlaces& places, const Execution& execution = {});

/// The stand-in where there are no files at all: builtin:moons, split as spambase is.
PaperData built_in_data(std::size_t n_rows = 2000);

/// What one trial trains and tests on. Columns scaled to [0,1] by the range of the training rows (Scaler, minmax).
struct TrialRows {
  LabelledRows training, test;
};
/// Without a split of the source: rows are shuffled by the seed first (spambase is sorted by class), then cut at the paper's sizes. With
/// max_rows > 0 at most so many rows of each are kept, drawn by the seed: for quick runs.
TrialRows rows_of_trial(const PaperData& data, std::uint64_t seed, std::size_t max_rows = 0);

}  // namespace askrff::experiments
