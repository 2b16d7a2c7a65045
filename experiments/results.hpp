// What the experiments find, as plain data: filled by fig1 … table1, shown by report/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "spread.hpp"

namespace askrff::experiments {

using cli::Spread;
using cli::spread_of;

// --- figure 1: masses estimated by Algorithm 2 of the paper in one dimension -------------------------------------------------

struct MassPoint {
  std::string kernel, part;       ///< "shift-gaussian", "real_positive"
  std::size_t n_frequencies = 0;  ///< of each part (the paper's M), 2^1 … 2^10
  Spread estimate;
  double exact = 0;
};

/// Is the exact mass within two standard errors of the mean estimate at the largest M; and if not, is that a bias or luck?
struct MassCheck {
  std::string kernel, part;
  std::size_t n_frequencies = 0;
  double exact = 0;
  Spread estimate;          ///< of the trials in the figure
  Spread many;              ///< of many more trials, to tell bias from luck
  bool within = false;      ///< |exact - estimate.mean| ≤ 2 standard errors
  std::string explanation;  ///< a sentence where it is not within; else empty
};

struct Figure1 {
  std::vector<MassPoint> points;
  std::vector<MassCheck> checks;
  std::vector<std::string> findings;  ///< sentences on what the numbers show
  double seconds = 0;                 ///< all trials took, also those of earlier runs
};

// --- figure 2: relative error of the kernel matrix ----------------------------------------------------------------------------

struct ErrorPoint {
  std::string dataset, kernel;
  std::string method;  ///< one of Figure2::methods
  std::size_t dim = 0;
  std::size_t multiple = 0;       ///< M/d of the paper's estimator with as many frequencies, 2^1 … 2^10
  std::size_t n_frequencies = 0;  ///< in all, over all parts; 0 for Nyström
  std::size_t n_features = 0;     ///< columns of one side
  Spread error;
};

/// error ≈ constant · M^slope, fitted to logarithms of mean errors.
struct Slope {
  std::string dataset, kernel, method;
  double slope = 0;
  bool pass = false;  ///< between -0.55 and -0.45; judged for the paper's estimator only
};

/// Is a method of ours below the paper's at every number of frequencies it was run with?
struct Comparison {
  std::string dataset, kernel, method;
  double least_gain = 0;  ///< smallest ratio paper's mean error / ours over those M
  bool pass = false;      ///< it is above 1
};

struct Method {
  std::string name;         ///< "paper", "exact-masses", "polar", "calibrated", "nystrom"
  std::string title;        ///< for legends
  std::string description;  ///< a sentence
};

struct Figure2 {
  std::vector<Method> methods;  ///< the paper's first
  std::vector<ErrorPoint> points;
  std::vector<Slope> slopes;
  std::vector<Comparison> comparisons;
  std::vector<std::string> findings;
  double seconds = 0;
};

// --- figure 3: accuracy and sampling time against M ---------------------------------------------------------------------------

struct AccuracyPoint {
  std::string dataset, kernel;
  std::size_t dim = 0;
  double log2_multiple = 0;       ///< log2(M/d), may be negative
  std::size_t n_frequencies = 0;  ///< in all, over all parts
  std::size_t n_features = 0;
  Spread accuracy;          ///< percent of test rows
  Spread sampling_seconds;  ///< drawing frequencies and fitting masses
};

/// The dashed line: a linear classifier on the columns themselves.
struct LinearAccuracy {
  std::string dataset;
  Spread accuracy;
};

struct Figure3 {
  std::vector<AccuracyPoint> points;
  std::vector<LinearAccuracy> linear;
  std::vector<std::string> findings;
  double seconds = 0;
};

// --- table 1: test accuracy -----------------------------------------------------------------------------------------------------

/// What the paper printed.
struct Published {
  double mean = 0, deviation = 0;
};

struct TableRow {
  std::string id;     ///< "shift-gaussian/asy", "rbf", "linear", "shift-gaussian/nystrom", …
  std::string title;  ///< "shift-gaussian, Asy"
  std::string description;
  bool in_paper = false;  ///< the others stand beside, for the honest reader
};

struct Cell {
  std::string dataset, row;       ///< names
  Spread accuracy;                ///< percent
  std::size_t n_frequencies = 0;  ///< 0 for linear and Nyström
  std::size_t n_features = 0;
  double training_seconds = 0;      ///< mean: cross-validation and fit
  double microseconds_per_row = 0;  ///< mean: features and prediction of a test row
  std::optional<Published> paper;
  double allowed_deviation = 0;  ///< the published one, or 0.3 where that is implausibly small; 0 without a published number
  std::optional<bool> pass;      ///< at or above paper's mean - 2 allowed deviations; linear: within 1.2 points

  /// (ours - paper's mean) / allowed deviation; NaN without a published number.
  double difference() const { return paper ? (accuracy.mean - paper->mean) / allowed_deviation : std::numeric_limits<double>::quiet_NaN(); }
};

struct Table1 {
  std::vector<std::string> datasets;  ///< columns
  std::vector<TableRow> rows;
  std::vector<Cell> cells;
  std::vector<std::string> findings;
  double seconds = 0;
};

// --- the run ------------------------------------------------------------------------------------------------------------------

struct FileRecord {
  std::string name, sha256;  ///< the file's name without folders; of its bytes
};

struct DatasetRecord {
  std::string name;    ///< "letter"
  std::string origin;  ///< a sentence: where the rows come from and how they are split
  std::size_t dim = 0, n_training = 0, n_test = 0;
  std::string content_sha256;  ///< of the parsed numbers and classes, whatever the format of the files
  std::vector<FileRecord> files;
  bool is_built_in = false;
};

struct RunRecord {
  std::string version, command, date;  ///< date: UTC, ISO 8601
  std::string processor, backend;
  std::size_t n_threads = 0;
  std::uint64_t seed = 0;
  std::size_t n_trials = 0;
  bool quick = false;
  std::vector<std::string> kernels;
  std::vector<DatasetRecord> datasets;
  std::vector<std::string> notices;  ///< said at the top: data sets that are missing, built-in data instead, a quick run
  double seconds = 0;                ///< of this call
  std::size_t n_at_once = 1;         ///< trials that were run side by side, sharing the threads
};

/// What there is of a report so far; an artefact that has not been run is absent.
struct Results {
  RunRecord run;
  std::optional<Figure1> fig1;
  std::optional<Figure2> fig2;
  std::optional<Figure3> fig3;
  std::optional<Table1> table1;
};

}  // namespace askrff::experiments
