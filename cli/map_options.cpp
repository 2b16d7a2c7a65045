// Options of maps and the description of the parts that were drawn.
#include "map_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "askrff/errors.hpp"
#include "table.hpp"

namespace askrff::cli {

void MapFlags::add_size(CLI::App& app) {
  n_features_ = in_group(with_default(add_count(app, "--n-features", values.n_features,
                                                "Columns of the features, of every kind of map; even for Fourier maps"),
                                      fmt::format("{}", 2 * MapOptions{}.n_frequencies)),
                         "Map");
  add_frequencies(app, "Instead of --n-features: 256, or 4d for 4·dimension; of each part with\njordan, in all else; two features each");
}

void MapFlags::add_frequencies(CLI::App& app, const std::string& help) {
  const auto read = [this](const std::string& text) { frequencies = parse_frequency("--frequencies", text); };
  frequencies_ = in_group(add_text_option(app, "--frequencies", read, help, "M", frequencies.text()), "Map");
}

void MapFlags::add_tolerance(CLI::App& app, const std::string& help, bool finds_method) {
  finds_method_ = finds_method;
  tolerance_ = in_group(add_number(app, "--tolerance", values.tolerance, help), "Map");
  const auto read = [this](const std::string& text) { max_frequencies = parse_frequency("--max-frequencies", text); };
  max_frequencies_ =
      in_group(add_text_option(app, "--max-frequencies", read, "With --tolerance: the most to try", "M", max_frequencies.text()), "Map");
  time_limit_ = in_group(add_number(app, "--time-limit", values.time_limit,
                                    "Seconds, where maps are tried: then the best so far is taken, and the\nresult depends on the machine"),
                         "Map");
}

void MapFlags::add_seed(CLI::App& app) {
  seed_ = in_group(add_count(app, "--seed", values.seed, "Seed of all random choices; the same seed gives the same numbers", 0), "Map");
}

void MapFlags::add_estimator(CLI::App& app, std::vector<Estimator> few) {
  estimator_ = in_group(add_word(app, "--estimator", values.estimator, "What the map is made of.", std::move(few)), "Map");
}

void MapFlags::add_method(CLI::App& app) {
  add_estimator(app);
  add_sampler(app);
  weights_ = in_group(add_word(app, "--weights", values.weights, "How much each frequency counts."), "Map");
  allocation_ = in_group(add_word(app, "--allocation", values.allocation, "How jordan shares frequencies among parts."), "Map");
  add_subset(app);
  pairs_ = in_group(
      with_default(add_count(app, "--pairs", values.n_pairs, "Pairs of rows for calibrated weights"), "10 per frequency, at least 2000"),
      "Map");
  pin_origin_ = in_group(add_flag(app, "--pin-origin", values.pin_origin, "Calibrated weights with k̂(0) = k(0)"), "Map");
  drop_tolerance_ = in_group(add_number(app, "--drop-tolerance", values.drop_tolerance,
                                        "Leave out parts with at most this share of the total mass;\ndefault 1e-12, and 0 for rejection"),
                             "Map");
  add_landmarks(app, "nystrom: rows of the data at which the kernel is evaluated", "2.5 per feature, fewer beyond 256");
}

void MapFlags::add_landmarks(CLI::App& app, const std::string& of, const std::string& by_itself) {
  landmarks_ = in_group(with_default(add_count(app, "--landmarks", values.n_landmarks, of, 1, max_landmarks), by_itself), "Map");
  landmark_choice_ = in_group(add_word(app, "--landmark-choice", values.landmarks, "Which of them."), "Map");
}

void MapFlags::add_sampler(CLI::App& app) {
  sampler_ = in_group(add_word(app, "--sampler", values.sampler, "Where the frequencies are."), "Map");
  min_acceptance_ = in_group(
      with_default(add_number(app, "--min-acceptance", values.min_acceptance, "The acceptance rate below which rejection refuses a part"),
                   fmt::format("{}", values.min_acceptance)),
      "Map");
}

void MapFlags::add_subset(CLI::App& app) {
  subset_ = in_group(add_count(app, "--subset", values.n_subset, "Rows on which subset weights are fitted"), "Map");
}

bool MapFlags::names_a_method() const {
  for (const CLI::Option* option : {estimator_, sampler_, weights_, allocation_, subset_, drop_tolerance_})
    if (given(option)) return true;
  return false;
}

void MapFlags::check_landmarks() const {
  const Estimator estimator = values.estimator;
  if (estimator != Estimator::nystrom) refuse_landmarks("only with --estimator nystrom");
  const bool brings_its_own = estimator == Estimator::nystrom || estimator == Estimator::best || estimator == Estimator::paper;
  const bool is_found = values.tolerance && finds_method_;
  if (!brings_its_own && !is_found) return;
  const std::string reason = is_found ? "--tolerance finds it" : fmt::format("--estimator {} brings its own", name_of(estimator));
  for (const CLI::Option* option : {sampler_, weights_, allocation_, pairs_, pin_origin_, drop_tolerance_, min_acceptance_})
    refuse_if_given(option, reason);
  if (estimator != Estimator::paper) refuse_if_given(subset_, reason);
}

void MapFlags::check() const {
  check_landmarks();
  if (values.has_grid_tolerance()) check_grid();
  check_tolerance();
  check_time_limit();
  if (!values.tolerance && !values.search && values.estimator != Estimator::best)
    refuse_if_given(time_limit_, "only where maps are tried: with --tolerance or --estimator best");
  if (values.weights != Weights::subset && values.estimator != Estimator::paper) refuse_if_given(subset_, "only with --weights subset");
  if (!is_calibrated(values.weights))
    for (const CLI::Option* option : {pairs_, pin_origin_}) refuse_if_given(option, "only with --weights calibrated");
  if (values.sampler != Sampler::rejection) refuse_if_given(min_acceptance_, "only with --sampler rejection");
  if (values.estimator == Estimator::polar)
    for (const CLI::Option* option : {allocation_, drop_tolerance_})
      refuse_if_given(option, "only for Jordan parts, --estimator polar has one set of frequencies for the whole measure");
}

/// With one the number of features is found, else it is said in one way.
void MapFlags::check_tolerance() const {
  if (values.tolerance) {
    for (const CLI::Option* option : {frequencies_, n_features_})
      refuse_if_given(option, "--tolerance finds the number of features; --max-frequencies limits it");
    if (!(*values.tolerance > 0 && *values.tolerance < 1))
      throw InvalidArgument("--tolerance", fmt::format("got {}, expected a number in (0,1)", *values.tolerance));
  } else {
    refuse_if_given(max_frequencies_, "only with --tolerance; --frequencies says how many");
  }
  if (given(n_features_)) refuse_if_given(frequencies_, "--n-features says how many");
}

std::size_t MapFlags::features_unsaid(std::size_t n_landmarks) const {
  const std::size_t usual = matrix_features(frequencies, "--frequencies");
  return n_landmarks > 0 && !given(frequencies_) ? std::min(usual, n_landmarks) : usual;
}

MatrixOptions MapFlags::of_matrix(const Execution& execution, std::size_t n_features) const {
  for (const CLI::Option* option :
       {estimator_, sampler_, weights_, allocation_, pairs_, pin_origin_, drop_tolerance_, min_acceptance_, subset_})
    refuse_if_given(option, "--kernel precomputed has no frequencies to choose, its features are those of K's singular values");
  refuse_if_given(time_limit_, "--kernel precomputed takes no more than a few trials");
  check_tolerance();
  if (!given(landmarks_)) refuse_if_given(landmark_choice_, "only with --landmarks");
  MatrixOptions options{.n_features = n_features != 0 ? n_features : values.n_features,
                        .n_landmarks = given(landmarks_) ? values.n_landmarks : 0,
                        .landmarks = values.landmarks,
                        .seed = values.seed,
                        .execution = execution};
  if (values.tolerance)
    options.n_features = given(max_frequencies_) ? matrix_features(max_frequencies, "--max-frequencies") : max_landmarks;
  else if (options.n_features == 0)
    options.n_features = features_unsaid(options.n_landmarks);
  if (options.n_features > max_landmarks)
    throw InvalidArgument("--n-features", fmt::format("got {}, expected at most {} of a kernel matrix", options.n_features, max_landmarks));
  if (!values.tolerance && options.n_landmarks > 0 && options.n_landmarks < options.n_features)
    throw InvalidArgument("--landmarks",
                          fmt::format("got {}, expected at least as many as features, {}; --n-features says how many, two to "
                                      "three landmarks for each do well",
                                      options.n_landmarks, options.n_features));
  return options;
}

std::size_t matrix_features(const FrequencyCount& count, const char* option) {
  if (count.times_dim)
    throw InvalidArgument(option, fmt::format("got \"{}\", but a kernel matrix has no dimension, expected a number", count.text()));
  if (count.factor > max_landmarks / 2)
    throw InvalidArgument(
        option, fmt::format("got {}, expected at most {} of a kernel matrix, two features each", count.factor, max_landmarks / 2));
  return 2 * static_cast<std::size_t>(count.factor);
}

void MapFlags::check_grid() const {
  for (const CLI::Option* option : {max_frequencies_, time_limit_})
    refuse_if_given(option, "--sampler grid takes as many frequencies as the tolerance needs, nothing is tried");
  for (const CLI::Option* option : {weights_, allocation_, drop_tolerance_})
    refuse_if_given(option, "--sampler grid with a --tolerance has the weights of the measure");
}

void MapFlags::check_time_limit() const {
  if (values.time_limit && !(*values.time_limit > 0))
    throw InvalidArgument("--time-limit", fmt::format("got {}, expected a number of seconds above 0", *values.time_limit));
}

void MapFlags::refuse_landmarks(const std::string& reason) const {
  for (const CLI::Option* option : {landmarks_, landmark_choice_}) refuse_if_given(option, reason);
}

void MapFlags::refuse_all_but_seed(const std::string& reason) const {
  refuse_if_given(time_limit_, reason);
  refuse_all_but_seed_and_time_limit(reason);
}

void MapFlags::refuse_all_but_seed_and_time_limit(const std::string& reason) const {
  check_time_limit();
  for (const CLI::Option* option : {n_features_, frequencies_, tolerance_, max_frequencies_, sampler_, min_acceptance_, estimator_,
                                    weights_, allocation_, subset_, pairs_, pin_origin_, drop_tolerance_, landmarks_, landmark_choice_})
    refuse_if_given(option, reason);
}

MapOptions MapFlags::resolved(std::size_t dim, const Execution& execution) const {
  MapOptions options = values;
  // What is not used is not looked at: wide data have no room for the defaults.
  if (values.tolerance)
    options.max_frequencies = max_frequencies.per_part(dim, "--max-frequencies");
  else if (values.n_features != 0)
    FrequencyCount{values.n_features / 2, false}.per_part(dim, "--n-features");  // refuses what does not fit into memory
  else
    options.n_frequencies = frequencies.per_part(dim);
  options.execution = execution;
  return options;
}

void MapFlags::describe(Json& json) const {
  json["seed"] = values.seed;
  json["estimator"] = name_of(values.estimator);
  if (values.estimator == Estimator::nystrom) {
    json["landmark_choice"] = name_of(values.landmarks);
    return;
  }
  if (values.estimator == Estimator::best || values.estimator == Estimator::paper) return;
  json["sampler"] = name_of(values.sampler);
  json["weights"] = name_of(values.weights);
  json["allocation"] = name_of(values.allocation);
  if (values.weights == Weights::subset) json["subset"] = values.n_subset;
  if (is_calibrated(values.weights)) json["pin_origin"] = values.pin_origin;
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
