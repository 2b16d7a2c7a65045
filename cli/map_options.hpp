// How a map is made: the options behind MapOptions, and the parts that come of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "askrff/kernel_matrix.hpp"
#include "askrff/map.hpp"
#include "command.hpp"
#include "numbers.hpp"
#include "options.hpp"

namespace askrff::cli {

struct MapFlags {
  MapOptions values;  ///< set defaults before adding options; n_frequencies is that of `frequencies`
  FrequencyCount frequencies{MapOptions{}.n_frequencies, false}, max_frequencies{MapOptions{}.max_frequencies, false};

  /// --n-features, --frequencies.
  void add_size(CLI::App& app);
  /// --frequencies alone.
  void add_frequencies(CLI::App& app, const std::string& help);
  /// --tolerance, --max-frequencies, --time-limit. finds_method: sampler and weights are found too, not only the number of features.
  void add_tolerance(CLI::App& app,
                     const std::string& help =
                         "Instead of --n-features: the relative error wanted on rows like the\ndata's; the smallest map whose "
                         "95 % interval lies below it is taken",
                     bool finds_method = true);
  /// --seed.
  void add_seed(CLI::App& app);
  /// --estimator alone, one of a few.
  void add_estimator(CLI::App& app, std::vector<Estimator> few = {});
  /// --estimator, --sampler, --weights and what belongs to them.
  void add_method(CLI::App& app);
  /// --sampler, --min-acceptance.
  void add_sampler(CLI::App& app);
  /// --landmarks, --landmark-choice. of: what they belong to.
  void add_landmarks(CLI::App& app, const std::string& of, const std::string& by_itself);
  /// --subset alone, for a subcommand whose weights are always fitted.
  void add_subset(CLI::App& app);

  bool estimator_is_given() const { return given(estimator_); }
  /// An estimator, a sampler or a kind of weights was asked for.
  bool names_a_method() const;
  /// Refuses options that have no effect in this call.
  void check() const;
  /// Refuses every option but --seed.
  void refuse_all_but_seed(const std::string& reason) const;
  /// Refuses every option but --seed and --time-limit, which is checked.
  void refuse_all_but_seed_and_time_limit(const std::string& reason) const;
  void refuse_landmarks(const std::string& reason) const;
  void refuse_seed(const std::string& reason) const { refuse_if_given(seed_, reason); }
  /// What was asked for of a kernel matrix; n_features: with a tolerance the most to try. Refuses what has no meaning for one.
  /// n_features: where they are not said by these options.
  MatrixOptions of_matrix(const Execution& execution, std::size_t n_features = 0) const;
  /// What was asked for, in `dim` dimensions.
  MapOptions resolved(std::size_t dim, const Execution& execution) const;
  /// Adds "seed", "estimator", "sampler", "weights" and what belongs to them.
  void describe(Json& json) const;

 private:
  std::size_t features_unsaid(std::size_t n_landmarks) const;
  void check_landmarks() const;
  void check_tolerance() const;
  void check_time_limit() const;
  void check_grid() const;

  bool finds_method_ = true;
  CLI::Option *n_features_ = nullptr, *frequencies_ = nullptr, *tolerance_ = nullptr, *max_frequencies_ = nullptr, *time_limit_ = nullptr,
              *seed_ = nullptr, *sampler_ = nullptr, *min_acceptance_ = nullptr, *estimator_ = nullptr, *weights_ = nullptr,
              *allocation_ = nullptr, *subset_ = nullptr, *pairs_ = nullptr, *pin_origin_ = nullptr, *drop_tolerance_ = nullptr,
              *landmarks_ = nullptr, *landmark_choice_ = nullptr;
};

/// Two features for each. Throws InvalidArgument for multiples of a dimension, which a matrix has not, or more features than its maps have.
std::size_t matrix_features(const FrequencyCount& count, const char* option);

/// [{"part","mass","log_mass","dropped"},…]
Json parts_json(std::span<const PartRecord> parts);
/// A table of the parts and their masses, dropped ones said so; empty without parts.
std::string parts_text(std::span<const PartRecord> parts);

}  // namespace askrff::cli
