// Candidates by the processor's flags, a child for each, and the choice.
#include "blas_choice.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "askrff/views.hpp"
#include "blas.hpp"
#include "data.hpp"
#include "process.hpp"
#include "system.hpp"
#include "timing.hpp"

namespace askrff::bench {
namespace {

/// "" is OpenBLAS's own choice. The others run on this processor, known to the library or not.
std::vector<std::string> core_types() {
  const auto flags = processor_flags();
  const auto has = [&](const char* flag) { return flags.contains(flag); };
  const bool avx512 = has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
  std::vector<std::string> types{""};
  if (avx512 && has("amx_bf16") && has("amx_tile")) types.emplace_back("SAPPHIRERAPIDS");
  if (avx512 && has("avx512_bf16")) types.emplace_back("COOPERLAKE");
  if (avx512) types.emplace_back("SKYLAKEX");
  if (has("avx2") && has("fma")) types.insert(types.end(), {"HASWELL", "ZEN"});
  if (has("avx")) types.emplace_back("SANDYBRIDGE");
  return types;
}

Probe probed(const std::string& library, const std::string& core_type, bool quick) {
  constexpr double timeout_seconds = 60;
  Probe probe{library, core_type, {}, 0, {}};
  std::vector<std::string> arguments{own_path(), "--probe-blas", library};
  if (quick) arguments.emplace_back("--quick");
  EnvironmentChanges changes{{"OPENBLAS_CORETYPE", std::nullopt}, {"OPENBLAS_NUM_THREADS", "1"}};
  if (!core_type.empty()) changes["OPENBLAS_CORETYPE"] = core_type;
  try {
    const auto answer = nlohmann::json::parse(Child(arguments, changes).receive(timeout_seconds));
    probe.error = answer.value("error", "");
    probe.core = answer.value("core", "");
    probe.gflops = answer.value("gflops", 0.0);
  } catch (const std::exception& error) {
    probe.error = error.what();
  }
  return probe;
}

}  // namespace

std::vector<Probe> probe_blas(const std::vector<std::string>& libraries, bool quick) {
  std::vector<Probe> probes;
  for (const std::string& library : libraries) {
    for (const std::string& core_type : core_types()) {
      probes.push_back(probed(library, core_type, quick));
      // A library that is not there will not be there with another core type.
      if (core_type.empty() && !probes.back().error.empty()) break;
    }
  }
  return probes;
}

std::optional<Probe> fastest(const std::vector<Probe>& probes, const std::string& library) {
  std::optional<Probe> best;
  for (const Probe& probe : probes) {
    if (!probe.error.empty() || (!library.empty() && probe.library != library)) continue;
    if (!best || probe.gflops > best->gflops) best = probe;
  }
  return best;
}

std::string probe_in_this_process(const std::string& library, bool quick) {
  nlohmann::json answer;
  try {
    const Blas blas(library);
    const std::size_t rows = quick ? 128 : 4096, columns = quick ? 64 : 1024, calls = quick ? 1 : 10;
    double log_rate = 0;
    const std::vector<std::size_t> dims{57, 128, 512};
    for (const std::size_t dim : dims) {
      const auto A = normal_rows<float>(rows, dim, 1), B = normal_rows<float>(columns, dim, 2);
      Matrix<float> C(rows, columns);
      const auto sample = timed([&] { blas.product_of_rows(rows, columns, dim, A.data(), B.data(), C.data()); });
      log_rate += std::log(2e-9 * static_cast<double>(rows * columns * dim) / best_seconds(sample, calls));
    }
    answer = {{"core", blas.core()}, {"gflops", std::exp(log_rate / static_cast<double>(dims.size()))}};
  } catch (const std::runtime_error& error) {
    answer = {{"error", error.what()}};
  }
  return answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace askrff::bench
