// How atoms or landmarks are found and weighted: the options behind ApproximateOptions and NystromOptions, and the parts that come of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "askrff/approximate.hpp"
#include "askrff/atoms.hpp"
#include "askrff/nystrom.hpp"
#include "command.hpp"
#include "options.hpp"
#include "recipe.hpp"

namespace askrff::cli {

/// What --estimator may say: the library's estimators, and Nyström, which has no frequencies.
enum class Approach { automatic, jordan, polar, nystrom };

inline constexpr Choice<Approach> approaches[] = {
    {"auto", Approach::automatic}, {"jordan", Approach::jordan}, {"polar", Approach::polar}, {"nystrom", Approach::nystrom}};
inline constexpr Choice<Sampler> samplers[] = {
    {"exact", Sampler::exact},           {"rejection", Sampler::rejection}, {"orthogonal", Sampler::orthogonal}, {"mub", Sampler::mub},
    {"structured", Sampler::structured}, {"sobol", Sampler::sobol},         {"quadrature", Sampler::quadrature}, {"ridge", Sampler::ridge}};
inline constexpr Choice<Weights> weightings[] = {
    {"exact", Weights::exact}, {"subset", Weights::subset}, {"calibrated", Weights::calibrated}};
inline constexpr Choice<Allocation> allocations[] = {
    {"equal", Allocation::equal}, {"mass", Allocation::mass}, {"variance", Allocation::variance}};
inline constexpr Choice<Landmarks> landmark_choices[] = {
    {"uniform", Landmarks::uniform}, {"pivoted", Landmarks::pivoted}, {"greedy", Landmarks::greedy}};

struct DrawOptions {
  ApproximateOptions values;             ///< n_frequencies is the subcommand's own, estimator is that of `approach`
  NystromOptions landmarks;              ///< n_features follows from the frequencies
  Approach approach = Approach::jordan;  ///< set the default before add_weighting

  /// --seed, --sampler, --min-acceptance.
  void add_sampling(CLI::App& app);
  /// --estimator, --weights, --allocation, --subset, --pairs, --pin-origin, --drop-tolerance.
  void add_weighting(CLI::App& app);
  /// --landmarks, --landmark-choice.
  void add_landmarks(CLI::App& app);
  /// --subset alone, for a subcommand whose weights are always fitted.
  void add_subset(CLI::App& app);

  /// An estimator other than auto, a sampler or a kind of weights was asked for.
  bool names_a_method() const;
  /// Refuses options that have no effect in this call and values out of range.
  void check() const;
  /// Refuses to fit on more rows than the data has.
  void check_rows(std::size_t n_rows) const;
  /// Refuses every option.
  void refuse_all(const std::string& reason) const;
  /// Refuses every option but --seed.
  void refuse_methods(const std::string& reason) const;
  /// What was asked for with so many frequencies; a Nyström map gets two features for each.
  Recipe recipe(std::size_t n_frequencies, const Execution& execution) const;
  /// Adds "seed", "estimator", "sampler", "weights" and what belongs to them.
  void describe(Json& json) const;

 private:
  void check_landmarks() const;

  CLI::Option *seed_ = nullptr, *sampler_ = nullptr, *min_acceptance_ = nullptr, *estimator_ = nullptr, *weights_ = nullptr,
              *allocation_ = nullptr, *subset_ = nullptr, *pairs_ = nullptr, *pin_origin_ = nullptr, *drop_tolerance_ = nullptr,
              *landmarks_ = nullptr, *landmark_choice_ = nullptr;
};

/// [{"part","mass","log_mass","dropped"},…]
Json parts_json(std::span<const PartRecord> parts);
/// A table of the parts and their masses, dropped ones said so; empty without parts.
std::string parts_text(std::span<const PartRecord> parts);

}  // namespace askrff::cli
