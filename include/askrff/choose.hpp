// The best feature map for a kernel and data, for people who would rather not choose: Fourier or Nyström, with as many features as a
// tolerance takes, and a certificate of the error reached. Last stage of the flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/operators.hpp"
#include "askrff/kernels.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// One map that was tried. Errors are those of rows held out of its fit; the choice is made on them, so the best one's is a little too
/// good.
struct Candidate {
  std::string estimator, sampler, weights;  ///< "nystrom", its choice of landmarks and "" for a Nyström map
  std::size_t n_frequencies = 0;            ///< 0 for Nyström
  std::size_t n_landmarks = 0;              ///< 0 for Fourier
  std::size_t n_features = 0;
  double operations = 0;  ///< arithmetic for the features of a row, about
  HeldOutError error;
  double seconds = 0;   ///< to make it
  std::string refused;  ///< why it could not be made; empty if it was
  /// When it had been tried: the seconds the search was expected to go on, to a factor of 2 or 3, no more than the time limit leaves.
  std::optional<double> seconds_left = {};
};

struct ChooseOptions {
  /// The relative error ‖K-K̃‖_F/‖K‖_F wanted on rows like the data's: its 95 % interval has to lie below.
  std::optional<double> tolerance = {};
  /// Without a tolerance: two features for each, of Fourier and (up to 1024) of Nyström maps.
  std::size_t n_frequencies = 512;
  std::size_t max_frequencies = 4096;  ///< with a tolerance: the most to be tried; at most one for each row, or 128
  /// Seconds after which no more is tried and what is being made is given up: the best so far is taken. Results then depend on the machine.
  /// The first map is always made. Without time for it the one that is taken is not fitted to all rows, and its certificate is by the rows
  /// that compared.
  std::optional<double> time_limit = {};
  Estimator estimator = Estimator::best;  ///< best, or only maps of one kind: fourier or nystrom
  /// Leave out atoms of negligible weight as long as the tolerance holds.
  bool prune = true;
  std::uint64_t seed = 0;
  Execution execution = {};
  std::function<void(const Candidate&)> on_candidate = {};  ///< called after each candidate, on the calling thread
};

/// What was reached, on rows that took no part in any fit or choice; where these would be too few, on all rows, each compared by a map it
/// had no part in.
struct Certificate {
  HeldOutError error;
  std::size_t n_frequencies = 0, n_features = 0;  ///< of the map at hand
  bool reached = true;                            ///< the interval lies below the tolerance, if there is one
  bool refitted = false;  ///< the error is that of a map made of the other rows; the one at hand was then made the same way of all rows
  double rounding = 0;    ///< what float32 features add to the error, where it is theirs (MapOptions::precision); not kept in files
};

struct Choice {
  FeatureSource source;
  FeatureMap map;  ///< made of it
  Certificate certificate;
  std::vector<Candidate> tried;
  std::string reason;
};

/// Tries Fourier maps (every estimator and sampler that suits the kernel, weights calibrated) and Nyström maps on rows of `data`, compares
/// them on other rows, confirms the winner on others and certifies it on others still, which are looked at once; of fewer than 2400 rows
/// all confirm and certify, by cross-fitting (cross_fitted_error). With a tolerance: the smallest found that reaches it, a Nyström map only
/// if it has at most half as many features as a Fourier map; without: the most exact of 2·n_frequencies features. The one taken is then
/// fitted to all rows. Same bits for any number of threads. Throws std::invalid_argument for fewer than 24 rows, numbers or kernel values
/// that are not finite, options out of range.
Choice choose_features(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const ChooseOptions& options = {});

}  // namespace askrff
