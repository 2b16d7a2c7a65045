// One classification of the paper: features, C by cross-validation, a linear SVM without bias, accuracy on the test rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "askrff/execution.hpp"
#include "experiments/datasets/paper_data.hpp"
#include "experiments/journal.hpp"

namespace askrff::experiments {

/// What the classifier sees of a row.
enum class View {
  asy,         ///< Φ of erratum 5, masses fitted on 50 rows: the paper's method
  asy_exact,   ///< the same with exact masses
  sym,         ///< its real parts alone
  polar,       ///< left features of one set of frequencies, as many as asy has
  calibrated,  ///< the same, weights fitted
  nystrom,     ///< left features of landmarks, as many features as asy
  rbf,         ///< the Gaussian kernel's features
  linear,      ///< the columns themselves
};

struct ClassifierSetup {
  View view = View::linear;
  std::string kernel = {};       ///< empty for rbf and linear
  std::size_t per_part = 0;      ///< frequencies of each part (asy, sym), of as many parts (polar, calibrated, nystrom), or in all (rbf)
  std::size_t subset_rows = 50;  ///< masses of asy and sym are fitted on
};

struct Classification {
  double accuracy = 0;  ///< percent
  double c = 0;
  std::size_t n_frequencies = 0, n_features = 0;
  double sampling_seconds = 0;      ///< frequencies and weights, or landmarks
  double training_seconds = 0;      ///< features, cross-validation and fit
  double microseconds_per_row = 0;  ///< features and prediction of a test row

  Journal::Json json() const;
  /// Throws nlohmann::json::exception for what json() did not write.
  static Classification from(const Journal::Json& json);
};

/// C: found by 5-fold cross-validation over 2^-5 … 2^5 unless it is given.
Classification classify(const TrialRows& rows, const ClassifierSetup& setup, std::optional<double> c, std::uint64_t seed,
                        const Execution& execution);

}  // namespace askrff::experiments
