// askrff doctor: what was found on this machine, how fast it is, what is wrong and how to mend it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/dense.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/execution.hpp"
#include "interrupt.hpp"
#include "blas.hpp"
#include "command.hpp"
#include "options.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

/// The best of some repeats, in seconds: what the machine can do, not what else it was doing.
template <class Work>
double best_seconds(const Work& work, int repeats = 5) {
  double best = 1e300;
  for (int repeat = 0; repeat <= repeats; ++repeat) {
    stop_token().check();
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (repeat > 0) best = std::min(best, seconds);  // the first one warms up
  }
  return best;
}

struct Speeds {
  double product_gflops = 0, product_gflops_all = 0;  ///< our product of floats, one thread and all
  double write_gbs = 0, transform_gbs = 0;            ///< past the caches; features of 8 coordinates, one thread
};

Speeds measure(const Machine& machine) {
  constexpr std::size_t n = 1024, rows = 8192;
  Matrix<float> A(n, n), B(n, n), C(n, n);
  for (std::size_t i = 0; i < n * n; ++i) A.data()[i] = static_cast<float>(i % 7) - 3, B.data()[i] = static_cast<float>(i % 5) - 2;
  const double operations = 2e-9 * static_cast<double>(n * n * n);
  Speeds speeds;
  speeds.product_gflops = operations / best_seconds([&] { product_of_rows(A, B, C.view(), {.n_threads = 1, .backend = Backend::simd}); });
  speeds.product_gflops_all =
      operations / best_seconds([&] { product_of_rows(A, B, C.view(), {.n_threads = machine.n_threads, .backend = Backend::simd}); });

  const FeatureMap map(approximate(*gaussian({.sigma = 2.0}), 8, {.n_frequencies = 1024}));
  Matrix<float> X(rows, 8), out(rows, map.n_features());
  for (std::size_t i = 0; i < rows * 8; ++i) X.data()[i] = static_cast<float>(i % 101) / 101;
  const double gigabytes = 1e-9 * static_cast<double>(rows * map.n_features() * sizeof(float));
  speeds.write_gbs = gigabytes / best_seconds([&] { streaming_fill({out.data(), rows * out.cols()}, 1.0f); });
  speeds.transform_gbs = gigabytes / best_seconds([&] { map.right(X, out.view(), {.n_threads = 1}); });
  return speeds;
}

struct Problem {
  std::string what, mend;
};

bool runs(const Machine& machine, const std::string& backend) {
  return std::ranges::find(machine.backends, backend) != machine.backends.end();
}

/// OpenBLAS that does not know a processor falls back to kernels of 2004; a core type with the instructions there are mends it.
void check_blas(const Machine& machine, const BlasReport& blas, const Speeds& speeds, std::vector<Problem>& problems) {
  static constexpr std::array wide{"skylakex", "cooperlake", "sapphirerapids", "zen4", "zen5"};
  static constexpr std::array narrow{"prescott",  "core2",  "penryn", "dunnington", "nehalem", "katmai",    "coppermine",
                                     "northwood", "banias", "atom",   "athlon",     "opteron", "barcelona", "bobcat"};
  std::string core = blas.core_type;
  std::ranges::transform(core, core.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto among = [&](const auto& names) { return std::ranges::find(names, core) != names.end(); };
  const bool has_avx512 = runs(machine, "simd:avx3"), has_avx2 = has_avx512 || runs(machine, "simd:avx2");
  const char* better = has_avx512 && !among(wide) ? "SKYLAKEX" : has_avx2 && among(narrow) ? "HASWELL" : nullptr;
  if (blas.sgemm_gflops == 0) {
    problems.push_back({fmt::format("{} crashed or did not answer; askrff does not use it, other programs do", blas.library),
                        "look at the memory limit (ulimit -v), or install libopenblas0-pthread anew"});
  } else if (blas.sgemm_gflops < 0.6 * speeds.product_gflops) {
    problems.push_back({fmt::format("{}{} does {:.0f} GFLOP/s where {:.0f} are possible; askrff does not use it, other programs do",
                                    blas.library, core.empty() ? "" : fmt::format(" takes this processor for '{}' and", blas.core_type),
                                    blas.sgemm_gflops, speeds.product_gflops),
                        better && !core.empty() ? fmt::format("set OPENBLAS_CORETYPE={} for programs that use it", better)
                                                : std::string("install libopenblas0-pthread")});
  } else if (better && among(narrow)) {
    problems.push_back(
        {fmt::format("{} takes this processor for '{}'; askrff does not use it, other programs do", blas.library, blas.core_type),
         fmt::format("set OPENBLAS_CORETYPE={} for programs that use it", better)});
  }
}

std::vector<Problem> diagnose(const Machine& machine, const std::optional<BlasReport>& blas, const Speeds& speeds) {
  std::vector<Problem> problems;
  const std::string& best = machine.backends.size() > 1 ? machine.backends[1] : machine.backends[0];
  if (machine.backend != best)
    problems.push_back({fmt::format("the backend {} is forced where {} would run", machine.backend, best), "unset ASKRFF_BACKEND"});
  if (machine.n_threads > machine.n_processors)
    problems.push_back({fmt::format("{} threads share {} processors", machine.n_threads, machine.n_processors),
                        fmt::format("set ASKRFF_THREADS to at most {}", machine.n_processors)});
  std::string pages;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), pages);
  if (pages.find("[never]") != std::string::npos)
    problems.push_back({"huge pages are switched off: first use of a large result costs more than computing it",
                        "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"});
  if (blas) check_blas(machine, *blas, speeds, problems);
  return problems;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string blas_text(const std::optional<BlasReport>& blas) {
  if (!blas) return "none found";
  return blas->library + (blas->core_type.empty() ? "" : ", core type " + blas->core_type) +
         (blas->n_threads > 0 ? fmt::format(", {} threads", blas->n_threads) : "");
}

std::string to_text(const Machine& machine, const std::optional<BlasReport>& blas, const Speeds& speeds,
                    const std::vector<Problem>& problems) {
  Table table({{"", Align::left}, {"found", Align::left}});
  table.add({"processor", machine.processor});
  table.add({"backend", machine.backend});
  table.add({"backends here", joined(machine.backends)});
  table.add({"threads", fmt::format("{} of {} processors", machine.n_threads, machine.n_processors)});
  table.add({"BLAS (not used by askrff)", blas_text(blas)});
  table.add({"float product, 1 thread", fmt::format("{:.0f} GFLOP/s", speeds.product_gflops)});
  table.add({fmt::format("float product, {} threads", machine.n_threads), fmt::format("{:.0f} GFLOP/s", speeds.product_gflops_all)});
  if (blas) table.add({"its sgemm, 1 thread", fmt::format("{:.0f} GFLOP/s", blas->sgemm_gflops)});
  table.add({"streaming write, 1 thread", fmt::format("{:.1f} GB/s", speeds.write_gbs)});
  table.add({"features written, 1 thread", fmt::format("{:.1f} GB/s (float, 8 coordinates, 1024 frequencies)", speeds.transform_gbs)});
  std::string text = table.text() + "\n";
  if (problems.empty()) text += "Nothing is wrong.\n";
  for (const Problem& problem : problems) text += fmt::format("Wrong: {}.\n  Mend: {}.\n", problem.what, problem.mend);
  return text;
}

Json to_json(const Machine& machine, const std::optional<BlasReport>& blas, const Speeds& speeds, const std::vector<Problem>& problems) {
  Json json = {{"processor", machine.processor},
               {"backend", machine.backend},
               {"backends", machine.backends},
               {"processors", machine.n_processors},
               {"threads", machine.n_threads}};
  json["blas"] = blas ? Json{{"library", blas->library},
                             {"core_type", blas->core_type},
                             {"threads", blas->n_threads},
                             {"sgemm_gflops", blas->sgemm_gflops}}
                      : Json(nullptr);
  json["product_gflops"] = speeds.product_gflops;
  json["product_gflops_all_threads"] = speeds.product_gflops_all;
  json["streaming_write_gbs"] = speeds.write_gbs;
  json["features_written_gbs"] = speeds.transform_gbs;
  json["problems"] = Json::array();
  for (const Problem& problem : problems) json["problems"].push_back({{"what", problem.what}, {"mend", problem.mend}});
  return json;
}

Report run_doctor() {
  const Machine machine = describe_machine();
  const auto blas = examine_blas();
  const Speeds speeds = measure(machine);
  const auto problems = diagnose(machine, blas, speeds);
  return {to_json(machine, blas, speeds, problems), to_text(machine, blas, speeds, problems)};
}

}  // namespace

Command add_doctor(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "doctor", "What was found on this machine, how fast it is, what is wrong and how to mend it");
  add_footer(*parser,
             "Measures for about a second. The environment variables ASKRFF_BACKEND (reference, simd, simd:TARGET) and ASKRFF_THREADS\n"
             "force a backend and a number of threads; results are the same bits for any number of threads, and for any backend within\n"
             "the stated error.\n"
             "Example:\n"
             "  ASKRFF_BACKEND=simd:avx2 askrff doctor");
  return {parser, run_doctor};
}

}  // namespace askrff::cli
