// How atoms are drawn and weighted: the options behind ApproximateOptions, and the parts that come of them.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <span>
#include <string>

#include "askrff/approximate.hpp"
#include "askrff/atoms.hpp"
#include "command.hpp"
#include "options.hpp"

namespace askrff::cli {

inline constexpr Choice<Estimator> estimators[] = {{"jordan", Estimator::jordan}};
inline constexpr Choice<Sampler> samplers[] = {{"exact", Sampler::exact}, {"rejection", Sampler::rejection}};
inline constexpr Choice<Weights> weightings[] = {{"exact", Weights::exact}, {"subset", Weights::subset}};

struct DrawOptions {
  ApproximateOptions values;  ///< n_frequencies is the subcommand's own

  /// --seed, --sampler, --min-acceptance.
  void add_sampling(CLI::App& app);
  /// --estimator, --weights, --subset, --drop-tolerance.
  void add_weighting(CLI::App& app);
  /// --subset alone, for a subcommand whose weights are always fitted.
  void add_subset(CLI::App& app);

  /// Refuses options that have no effect in this call and values out of range.
  void check() const;
  /// Refuses to fit on more rows than the data has.
  void check_rows(std::size_t n_rows) const;
  /// Refuses every option.
  void refuse_all(const std::string& reason) const;
  /// Adds "seed", "estimator", "sampler", "weights" (and "subset" if weights are fitted).
  void describe(Json& json) const;

 private:
  CLI::Option *seed_ = nullptr, *sampler_ = nullptr, *min_acceptance_ = nullptr, *estimator_ = nullptr, *weights_ = nullptr,
              *subset_ = nullptr, *drop_tolerance_ = nullptr;
};

/// [{"part","mass","log_mass","dropped"},…]
Json parts_json(std::span<const PartRecord> parts);
/// A table of the parts and their masses, dropped ones said so.
std::string parts_text(std::span<const PartRecord> parts);

}  // namespace askrff::cli
