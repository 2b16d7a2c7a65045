// Requests and answers of the Python worker.
#include "python_peer.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace askrff::bench {
namespace {

EnvironmentChanges environment_with(const std::string& core_type) {
  EnvironmentChanges changes{{"OMP_NUM_THREADS", "1"}, {"OPENBLAS_NUM_THREADS", "1"}, {"OPENBLAS_CORETYPE", std::nullopt}};
  if (!core_type.empty()) changes["OPENBLAS_CORETYPE"] = core_type;
  return changes;
}

nlohmann::json answer_of(Child& child, double timeout_seconds) {
  nlohmann::json answer;
  try {
    answer = nlohmann::json::parse(child.receive(timeout_seconds));
  } catch (const nlohmann::json::exception&) {
    throw ChildError("it printed something that is not JSON");
  }
  if (!answer.is_object()) throw ChildError("it printed JSON that is no object");
  if (answer.contains("error") && answer["error"].is_string()) throw RefusedRequest(answer["error"].get<std::string>());
  return answer;
}

const char* word_for(FeaturesWay way) {
  switch (way) {
    case FeaturesWay::transform:
      return "transform";
    case FeaturesWay::transform_given:
      return "transform-given";
    case FeaturesWay::core:
      return "core";
    case FeaturesWay::core_given:
      return "core-given";
    case FeaturesWay::products:
      return "products";
    case FeaturesWay::stored_products:
      break;
  }
  return "stored-products";
}

}  // namespace

PythonPeer::PythonPeer(const std::string& python, const std::string& core_type)
    : child_({python, ASKRFF_BENCH_PEER}, environment_with(core_type)) {
  constexpr double first_import_seconds = 180;  // nothing is compiled or cached yet
  const auto answer = answer_of(child_, first_import_seconds);
  try {
    description_ = {answer.at("sklearn"), answer.at("numpy"), answer.at("openblas"), answer.at("askrff"), answer.at("askrff_trouble")};
  } catch (const nlohmann::json::exception&) {
    throw ChildError("it does not say what it is");
  }
}

double PythonPeer::rbf_sampler_seconds(std::size_t dim, std::size_t rows, std::size_t n_features) {
  return number_for(fmt::format("rbf {} {} {}", dim, rows, n_features));
}

double PythonPeer::features_seconds(std::size_t dim, std::size_t rows, std::size_t n_features, FeaturesWay way) {
  return number_for(fmt::format("features {} {} {} {}", dim, rows, n_features, word_for(way)));
}

double PythonPeer::normal_seconds(std::size_t count) { return number_for(fmt::format("normal {}", count)); }

double PythonPeer::svmlight_seconds(const std::string& path) { return number_for("svmlight " + path); }

double PythonPeer::transport_seconds(const Transport& transport) { return number_for(transport, "product"); }

double PythonPeer::exact_transport_seconds(const Transport& transport) { return number_for(transport, "sums"); }

double PythonPeer::transport_error(const Transport& transport) { return number_for(transport, "error"); }

double PythonPeer::transport_features(const Transport& transport) { return number_for(transport, "features"); }

double PythonPeer::peak_memory(const Transport& transport) { return number_for(transport, "peak"); }

double PythonPeer::number_for(const Transport& transport, const char* what) {
  return number_for(fmt::format("transport {} {} {} {}", what, transport.size, transport.sample, transport.seed));
}

double PythonPeer::number_for(const std::string& request) {
  constexpr double timeout_seconds = 300;
  child_.send(request);
  const auto answer = answer_of(child_, timeout_seconds);
  if (!answer.contains("value") || !answer["value"].is_number()) throw ChildError("it answered without a number");
  const double value = answer["value"];
  if (!(value > 0)) throw ChildError("it answered with a number that is not positive");
  return value;
}

}  // namespace askrff::bench
