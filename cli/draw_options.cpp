// Sampling and weighting options and the description of the parts that were drawn.
#include "draw_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "table.hpp"

namespace askrff::cli {

void DrawOptions::add_sampling(CLI::App& app) {
  seed_ =
      add_count(app, "--seed", values.seed, "Seed of all random choices; the same seed gives the same numbers", 0)->group("Frequencies");
  sampler_ = add_choice(app, "--sampler", values.sampler, samplers,
                        "exact: in bounded time, any dimension; rejection: the paper's,\nrefuses parts it would never finish")
                 ->group("Frequencies");
  min_acceptance_ = add_number(app, "--min-acceptance", values.min_acceptance, "The acceptance rate below which rejection refuses a part")
                        ->default_str(fmt::format("{}", values.min_acceptance))
                        ->group("Frequencies");
}

void DrawOptions::add_weighting(CLI::App& app) {
  estimator_ = add_choice(app, "--estimator", values.estimator, estimators, "jordan: frequencies of every Jordan part, as in the paper")
                   ->group("Frequencies");
  weights_ = add_choice(app, "--weights", values.weights, weightings,
                        "Masses of the parts: exact, or fitted on a subset of the data\n(the paper's Algorithm 2)")
                 ->group("Frequencies");
  add_subset(app);
  drop_tolerance_ =
      add_number(app, "--drop-tolerance", values.drop_tolerance,
                 "Leave out parts with at most this share of the total mass;\ndefault 1e-12 for exact sampling, 0 for rejection")
          ->group("Frequencies");
}

void DrawOptions::add_subset(CLI::App& app) {
  subset_ = add_count(app, "--subset", values.n_subset, "Rows on which the masses are fitted")->group("Frequencies");
}

void DrawOptions::check() const {
  if (values.weights != Weights::subset) refuse_if_given(subset_, "only with --weights subset, the weights are exact");
  if (values.sampler != Sampler::rejection) refuse_if_given(min_acceptance_, "only with --sampler rejection, the sampler is exact");
  if (!(values.min_acceptance > 0 && values.min_acceptance <= 1))
    throw std::invalid_argument(fmt::format("--min-acceptance: got {}, expected a number in (0,1]", values.min_acceptance));
  if (values.drop_tolerance && !(*values.drop_tolerance >= 0 && *values.drop_tolerance < 1))
    throw std::invalid_argument(fmt::format("--drop-tolerance: got {}, expected a number in [0,1)", *values.drop_tolerance));
}

void DrawOptions::check_rows(std::size_t n_rows) const {
  if (values.weights == Weights::subset && values.n_subset > n_rows)
    throw std::invalid_argument(fmt::format("--subset: got {}, expected at most {}, the rows of the data", values.n_subset, n_rows));
}

void DrawOptions::refuse_all(const std::string& reason) const {
  for (const CLI::Option* option : {seed_, sampler_, min_acceptance_, estimator_, weights_, subset_, drop_tolerance_})
    refuse_if_given(option, reason);
}

void DrawOptions::describe(Json& json) const {
  json["seed"] = values.seed;
  json["estimator"] = name_of(estimators, values.estimator);
  json["sampler"] = name_of(samplers, values.sampler);
  json["weights"] = name_of(weightings, values.weights);
  if (values.weights == Weights::subset) json["subset"] = values.n_subset;
}

Json parts_json(std::span<const PartRecord> parts) {
  Json json = Json::array();
  for (const PartRecord& record : parts)
    json.push_back({{"part", traits(record.part).name}, {"mass", record.mass}, {"log_mass", record.log_mass}, {"dropped", record.dropped}});
  return json;
}

std::string parts_text(std::span<const PartRecord> parts) {
  Table table({{"part", Align::left}, {"mass"}, {"", Align::left}});
  for (const PartRecord& record : parts) {
    const std::string name(traits(record.part).name);
    const std::string mass = fmt::format("{:.6g}", record.mass);
    table.add(
        {name, mass, record.dropped ? fmt::format("{} dropped: mass {:.2g}, the error in k is at most that", name, record.mass) : ""});
  }
  return table.text();
}

}  // namespace askrff::cli
