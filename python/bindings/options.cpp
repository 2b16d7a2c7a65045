// Options from and to dictionaries.
#include "options.hpp"

#include "askrff/train.hpp"

namespace askrff::python {

void OptionReader::finish() const {
  for (const auto& [name, value] : rest_)
    throw nb::type_error((who_ + ": got an unexpected option '" + nb::cast<std::string>(nb::str(name)) + "'").c_str());
}

void OptionReader::refuse(const char* name, const nb::object& value) const {
  throw nb::type_error((who_ + ": " + name + " is " + nb::cast<std::string>(nb::repr(value)) + ", which is of a wrong type").c_str());
}

void take_map_options(OptionReader& reader, MapOptions& options) {
  reader.take("estimator", options.estimator);
  reader.take("tolerance", options.tolerance);
  reader.take("n_features", options.n_features);
  reader.take("n_frequencies", options.n_frequencies);
  reader.take("max_frequencies", options.max_frequencies);
  reader.take("time_limit", options.time_limit);
  reader.take("sampler", options.sampler);
  reader.take("weights", options.weights);
  reader.take("landmarks", options.landmarks);
  reader.take("n_landmarks", options.n_landmarks);
  reader.take("scale", options.scale);
  reader.take("precision", options.precision);
}

nb::dict describe(const MapOptions& options) {
  nb::dict result;
  result["estimator"] = name_of(options.estimator);
  result["tolerance"] = options.tolerance;
  result["n_features"] = options.n_features;
  result["n_frequencies"] = options.n_frequencies;
  result["max_frequencies"] = options.max_frequencies;
  result["time_limit"] = options.time_limit;
  result["sampler"] = name_of(options.sampler);
  result["weights"] = name_of(options.weights);
  result["landmarks"] = name_of(options.landmarks);
  result["n_landmarks"] = options.n_landmarks;
  result["scale"] = name_of(options.scale);
  return result;
}

namespace {

nb::dict describe(const Candidate& candidate) {
  nb::dict result;
  result["error"] = candidate.error.error;
  result["lower"] = candidate.error.lower;
  result["upper"] = candidate.error.upper;
  result["n_rows"] = candidate.error.n_rows;
  result["estimator"] = candidate.estimator;
  result["sampler"] = candidate.sampler;
  result["weights"] = candidate.weights;
  result["n_frequencies"] = candidate.n_frequencies;
  result["n_landmarks"] = candidate.n_landmarks;
  result["n_features"] = candidate.n_features;
  result["operations"] = candidate.operations;
  result["seconds"] = candidate.seconds;
  result["refused"] = candidate.refused;
  return result;
}

template <HasWords Enum>
nb::tuple words() {
  nb::list names;
  for (const auto& word : words_of(Enum{})) names.append(word.name);
  return nb::tuple(names);
}

}  // namespace

std::function<void(const Candidate&)> candidate_listener(const nb::object& listener) {
  if (listener.is_none()) return {};
  return [&listener](const Candidate& candidate) {
    const nb::gil_scoped_acquire lock;
    listener(describe(candidate));
  };
}

void listen(Execution& execution, const nb::object& listener) {
  if (listener.is_none()) return;
  execution.progress = [&listener](const Progress& progress) {
    if (progress.done < 0) return;
    const nb::gil_scoped_acquire lock;
    listener(progress.done);
  };
}

nb::dict all_words() {
  nb::dict result;
  result["estimator"] = words<Estimator>();
  result["sampler"] = words<Sampler>();
  result["weights"] = words<Weights>();
  result["landmarks"] = words<Landmarks>();
  result["scale"] = words<Scaling>();
  result["model"] = words<Trainer>();
  return result;
}

}  // namespace askrff::python
