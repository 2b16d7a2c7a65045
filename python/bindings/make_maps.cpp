// Where maps come from: atoms, landmarks, the columns, and the library's own choice.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "askrff/approximate.hpp"
#include "askrff/choose.hpp"
#include "askrff/nystrom.hpp"
#include "bindings.hpp"
#include "interrupts.hpp"
#include "kernels.hpp"
#include "maps.hpp"
#include "words.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

Preparation preparation_of(const PythonKernel& kernel, std::size_t dim, std::uint64_t seed) {
  Preparation map;
  map.dim = dim;
  map.seed = seed;
  map.kernel = kernel.named;
  return map;
}

/// Landmarks with the kernel itself, not the one that looks at signals.
NystromFactors unwatched(NystromFactors factors, const PythonKernel& kernel) {
  factors.kernel = kernel.kernel();
  return factors;
}

PythonMap drawn(const PythonKernel& kernel, const Array& X, std::size_t n_frequencies, const std::string& estimator,
                const std::string& sampler, const std::string& weights, std::uint64_t seed, std::size_t n_threads,
                const std::string& allocation, std::size_t n_subset, std::size_t n_pairs, bool pin_origin) {
  const auto rows = view_of<double>(X, "approximate", "X");
  ApproximateOptions options;
  options.n_frequencies = n_frequencies;
  options.estimator = parse(estimators, "estimator", estimator);
  options.sampler = parse(samplers, "sampler", sampler);
  options.weights = parse(weightings, "weights", weights);
  options.allocation = parse(allocations, "allocation", allocation);
  options.n_subset = n_subset;
  options.n_pairs = n_pairs;
  options.pin_origin = pin_origin;
  options.seed = seed;
  options.execution = {n_threads};
  return interruptible([kernel, rows, options, owner = X](const std::shared_ptr<Caller>& caller) {
    Preparation map = preparation_of(kernel, rows.cols(), options.seed);
    map.atoms = approximate(*watched(kernel, caller), rows, options);
    return PythonMap(std::move(map));
  });
}

nb::dict describe(const HeldOutError& error) {
  nb::dict result;
  result["error"] = error.error;
  result["lower"] = error.lower;
  result["upper"] = error.upper;
  result["n_rows"] = error.n_rows;
  return result;
}

nb::dict describe(const Candidate& candidate) {
  nb::dict result = describe(candidate.error);
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

PythonMap chosen(const PythonKernel& kernel, const Array& X, std::optional<double> tolerance, std::size_t n_frequencies,
                 std::size_t max_frequencies, const std::string& family, std::uint64_t seed, std::size_t n_threads,
                 const nb::object& progress) {
  const auto rows = view_of<double>(X, "choose", "X");
  ChooseOptions options;
  options.tolerance = tolerance;
  options.n_frequencies = n_frequencies;
  options.max_frequencies = max_frequencies;
  options.family = parse(families, "family", family);
  options.seed = seed;
  options.execution = {n_threads};
  return interruptible([kernel, rows, options, progress, owner = X](const std::shared_ptr<Caller>& caller) mutable {
    Preparation map = preparation_of(kernel, rows.cols(), options.seed);
    if (!progress.is_none())
      options.on_candidate = [&](const Candidate& candidate) { caller->call([&] { progress(describe(candidate)); }); };
    Choice choice = choose_features(watched(kernel, caller), rows, options);
    map.atoms = std::move(choice.atoms);
    if (choice.nystrom) {
      map.nystrom = unwatched(std::move(*choice.nystrom), kernel);
      map.range = ColumnRange::of(rows);
    }
    map.reason = std::move(choice.reason);
    map.certificate = choice.certificate;
    return PythonMap(std::move(map));
  });
}

PythonMap of_landmarks(const PythonKernel& kernel, const Array& X, std::size_t n_features, const std::string& landmarks, std::uint64_t seed,
                       std::size_t n_threads, std::size_t n_landmarks) {
  const auto rows = view_of<double>(X, "nystrom", "X");
  NystromOptions options;
  options.n_features = n_features;
  options.n_landmarks = n_landmarks;
  options.landmarks = parse(landmark_choices, "landmarks", landmarks);
  options.seed = seed;
  options.execution = {n_threads};
  return interruptible([kernel, rows, options, owner = X](const std::shared_ptr<Caller>& caller) {
    Preparation map = preparation_of(kernel, rows.cols(), options.seed);
    map.nystrom = unwatched(nystrom(watched(kernel, caller), rows, options), kernel);
    map.range = ColumnRange::of(rows);
    return PythonMap(std::move(map));
  });
}

PythonMap of_columns(std::size_t dim) {
  Preparation map;
  map.dim = dim;
  map.features();  // throws for no columns
  return PythonMap(std::move(map));
}

}  // namespace

void bind_map_makers(nb::module_& module) {
  const ApproximateOptions draw;
  const ChooseOptions choice;
  const NystromOptions landmarks;
  module.def("approximate", &drawn, "kernel"_a, "X"_a, "n_frequencies"_a = draw.n_frequencies, "estimator"_a = "auto",
             "sampler"_a = std::string(name_of(draw.sampler)), "weights"_a = std::string(name_of(draw.weights)), "seed"_a = draw.seed,
             "n_threads"_a = 0, "allocation"_a = "equal", "n_subset"_a = draw.n_subset, "n_pairs"_a = draw.n_pairs,
             "pin_origin"_a = draw.pin_origin, "A Fourier map for rows like those of X; words as on the command line.");
  module.def("choose", &chosen, "kernel"_a, "X"_a, "tolerance"_a.none() = nb::none(), "n_frequencies"_a = choice.n_frequencies,
             "max_frequencies"_a = choice.max_frequencies, "family"_a = "any", "seed"_a = choice.seed, "n_threads"_a = 0,
             "progress"_a.none() = nb::none(),
             "The best map for rows like those of X, certified; progress(dict) hears of every candidate.");
  module.def("nystrom", &of_landmarks, "kernel"_a, "X"_a, "n_features"_a = landmarks.n_features, "landmarks"_a = "pivoted",
             "seed"_a = landmarks.seed, "n_threads"_a = 0, "n_landmarks"_a = landmarks.n_landmarks,
             "A map of kernel values at landmarks among the rows of X; 0 landmarks: three per feature.");
  module.def("column_map", &of_columns, "dim"_a, "The columns themselves as features.");
}

}  // namespace askrff::python
