// Options by the words of the command line.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "askrff/approximate.hpp"
#include "askrff/bandwidth.hpp"
#include "askrff/choose.hpp"
#include "askrff/model.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/sampling.hpp"
#include "askrff/scaler.hpp"

namespace askrff::python {

template <class T>
struct Word {
  std::string_view name;
  T value;
};

inline constexpr Word<Estimator> estimators[] = {
    {"auto", Estimator::automatic}, {"jordan", Estimator::jordan}, {"polar", Estimator::polar}};
inline constexpr Word<Sampler> samplers[] = {
    {"exact", Sampler::exact},           {"rejection", Sampler::rejection}, {"orthogonal", Sampler::orthogonal}, {"mub", Sampler::mub},
    {"structured", Sampler::structured}, {"sobol", Sampler::sobol},         {"quadrature", Sampler::quadrature}, {"ridge", Sampler::ridge}};
inline constexpr Word<Weights> weightings[] = {{"exact", Weights::exact}, {"subset", Weights::subset}, {"calibrated", Weights::calibrated}};
inline constexpr Word<Allocation> allocations[] = {
    {"equal", Allocation::equal}, {"mass", Allocation::mass}, {"variance", Allocation::variance}};
inline constexpr Word<Landmarks> landmark_choices[] = {
    {"uniform", Landmarks::uniform}, {"pivoted", Landmarks::pivoted}, {"greedy", Landmarks::greedy}};
inline constexpr Word<Family> families[] = {{"any", Family::any}, {"fourier", Family::fourier}, {"nystrom", Family::nystrom}};
inline constexpr Word<Scaling> scalings[] = {{"none", Scaling::none}, {"minmax", Scaling::minmax}, {"standard", Scaling::standard}};
inline constexpr Word<FeatureSide> sides[] = {
    {"left", FeatureSide::left}, {"right", FeatureSide::right}, {"classifier", FeatureSide::classifier}};
inline constexpr Word<Task> tasks[] = {{"classification", Task::classification}, {"regression", Task::regression}};
inline constexpr Word<Precision> precisions[] = {{"float32", Precision::float32}, {"float64", Precision::float64}};

/// The value a word stands for. Throws std::invalid_argument "what: got …, expected …".
template <class T, std::size_t N>
T parse(const Word<T> (&words)[N], const char* what, const std::string& word) {
  std::string expected;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  throw std::invalid_argument(std::string(what) + ": got '" + word + "', expected one of " + expected);
}

}  // namespace askrff::python
