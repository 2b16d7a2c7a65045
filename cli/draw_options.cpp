// Sampling and weighting options and the description of the parts that were drawn.
#include "draw_options.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "table.hpp"

namespace askrff::cli {

void DrawOptions::add_sampling(CLI::App& app) {
  seed_ =
      in_group(add_count(app, "--seed", values.seed, "Seed of all random choices; the same seed gives the same numbers", 0), "Frequencies");
  sampler_ = in_group(add_choice(app, "--sampler", values.sampler, samplers,
                                 "Where the frequencies are.\n"
                                 "exact: independent, in bounded time, any dimension;\n"
                                 "rejection: the paper's, refuses parts it would never finish;\n"
                                 "orthogonal: blocks of orthogonal directions, a smaller error;\n"
                                 "mub: unbiased bases and stratified lengths, smaller still;\n"
                                 "structured: fast transforms, for hundreds of dimensions;\n"
                                 "sobol: evenly spread, for few dimensions;\n"
                                 "quadrature: a grid, up to 5 dimensions, not random;\n"
                                 "ridge: a rule along the direction in which the kernel is skew"),
                      "Frequencies");
  min_acceptance_ = in_group(
      with_default(add_number(app, "--min-acceptance", values.min_acceptance, "The acceptance rate below which rejection refuses a part"),
                   fmt::format("{}", values.min_acceptance)),
      "Frequencies");
}

void DrawOptions::add_weighting(CLI::App& app) {
  estimator_ = in_group(
      add_choice(app, "--estimator", approach, approaches,
                 "jordan: frequencies of every Jordan part, as in the paper;\n"
                 "polar: one set of frequencies, the phase is in the weight;\n"
                 "nystrom: no frequencies, kernel values at landmarks of the data;\n"
                 "auto: the library chooses; with a sampler or weights named,\njordan or polar, whichever varies less on the data"),
      "Frequencies");
  weights_ = in_group(add_choice(app, "--weights", values.weights, weightings,
                                 "exact: known masses;\n"
                                 "subset: masses fitted on a few rows (the paper's Algorithm 2);\n"
                                 "calibrated: every weight fitted on pairs of rows, for data like these"),
                      "Frequencies");
  allocation_ = in_group(add_choice(app, "--allocation", values.allocation, allocations,
                                    "How jordan shares frequencies among parts: equal, as in the paper;\n"
                                    "by mass; or by variance on the data, the smallest error"),
                         "Frequencies");
  add_subset(app);
  pairs_ = in_group(
      with_default(add_count(app, "--pairs", values.n_pairs, "Pairs of rows for calibrated weights"), "10 per frequency, at least 2000"),
      "Frequencies");
  pin_origin_ = in_group(add_flag(app, "--pin-origin", values.pin_origin, "Calibrated weights with k̂(0) = k(0)"), "Frequencies");
  drop_tolerance_ = in_group(add_number(app, "--drop-tolerance", values.drop_tolerance,
                                        "Leave out parts with at most this share of the total mass;\ndefault 1e-12, and 0 for rejection"),
                             "Frequencies");
}

void DrawOptions::add_landmarks(CLI::App& app) {
  landmarks_ = in_group(with_default(add_count(app, "--landmarks", landmarks.n_landmarks,
                                               "nystrom: rows of the data at which the kernel is evaluated", 1, 4096),
                                     "three per feature"),
                        "Frequencies");
  landmark_choice_ =
      in_group(add_choice(app, "--landmark-choice", landmarks.landmarks, landmark_choices,
                          "nystrom: at random; with probability by what is left to explain;\nor always where the most is left"),
               "Frequencies");
}

void DrawOptions::add_subset(CLI::App& app) {
  subset_ = in_group(add_count(app, "--subset", values.n_subset, "Rows on which the masses are fitted"), "Frequencies");
}

bool DrawOptions::names_a_method() const {
  if (approach != Approach::automatic) return true;
  for (const CLI::Option* option : {sampler_, weights_, allocation_, subset_, drop_tolerance_})
    if (given(option)) return true;
  return false;
}

void DrawOptions::check_landmarks() const {
  if (approach == Approach::nystrom) {
    for (const CLI::Option* option : {sampler_, weights_, allocation_, subset_, pairs_, pin_origin_, drop_tolerance_, min_acceptance_})
      refuse_if_given(option, "only for Fourier features, --estimator nystrom has landmarks instead of frequencies");
  } else {
    for (const CLI::Option* option : {landmarks_, landmark_choice_}) refuse_if_given(option, "only with --estimator nystrom");
  }
}

void DrawOptions::check() const {
  check_landmarks();
  if (values.weights != Weights::subset) refuse_if_given(subset_, "only with --weights subset");
  if (values.weights != Weights::calibrated)
    for (const CLI::Option* option : {pairs_, pin_origin_}) refuse_if_given(option, "only with --weights calibrated");
  if (values.sampler != Sampler::rejection) refuse_if_given(min_acceptance_, "only with --sampler rejection");
  if (approach == Approach::polar) {
    for (const CLI::Option* option : {allocation_, drop_tolerance_})
      refuse_if_given(option, "only for Jordan parts, --estimator polar has one set of frequencies for the whole measure");
    if (values.weights == Weights::subset)
      throw std::invalid_argument(
          "--weights: subset fits the masses of Jordan parts, which --estimator polar does not have; use exact or calibrated");
  }
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
  refuse_if_given(seed_, reason);
  refuse_methods(reason);
}

void DrawOptions::refuse_methods(const std::string& reason) const {
  for (const CLI::Option* option : {sampler_, min_acceptance_, estimator_, weights_, allocation_, subset_, pairs_, pin_origin_,
                                    drop_tolerance_, landmarks_, landmark_choice_})
    refuse_if_given(option, reason);
}

Recipe DrawOptions::recipe(std::size_t n_frequencies, const Execution& execution) const {
  Recipe recipe{values, std::nullopt};
  recipe.atoms.n_frequencies = n_frequencies;
  recipe.atoms.execution = execution;
  recipe.atoms.estimator = approach == Approach::jordan  ? Estimator::jordan
                           : approach == Approach::polar ? Estimator::polar
                                                         : Estimator::automatic;
  if (approach != Approach::nystrom) return recipe;
  recipe.landmarks = landmarks;
  recipe.landmarks->n_features = 2 * n_frequencies;
  recipe.landmarks->execution = execution;
  return recipe;
}

void DrawOptions::describe(Json& json) const {
  json["seed"] = values.seed;
  json["estimator"] = name_of(approaches, approach);
  if (approach == Approach::nystrom) {
    json["landmark_choice"] = name_of(landmark_choices, landmarks.landmarks);
    return;
  }
  json["sampler"] = name_of(samplers, values.sampler);
  json["weights"] = name_of(weightings, values.weights);
  json["allocation"] = name_of(allocations, values.allocation);
  if (values.weights == Weights::subset) json["subset"] = values.n_subset;
  if (values.weights == Weights::calibrated) json["pin_origin"] = values.pin_origin;
}

Json parts_json(std::span<const PartRecord> parts) {
  Json json = Json::array();
  for (const PartRecord& record : parts)
    json.push_back({{"part", traits(record.part).name}, {"mass", record.mass}, {"log_mass", record.log_mass}, {"dropped", record.dropped}});
  return json;
}

std::string parts_text(std::span<const PartRecord> parts) {
  if (parts.empty()) return "";
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
