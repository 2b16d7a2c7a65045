// What a row of the benchmark is, what it may use, and the list of all rows.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "blas.hpp"
#include "blas_choice.hpp"
#include "python_peer.hpp"
#include "runner.hpp"
#include "timing.hpp"

namespace askrff::bench {

struct Sizes {
  std::size_t rows = 20'000, n_frequencies = 1024;
  std::size_t operator_rows = 1'000'000, equation_rows = 16'384;
  std::size_t drawn_frequencies = 57 * 1024;
  std::size_t dense = 2048, gram_rows = 4096;
  std::size_t text_rows = 400'000, streamed_rows = 20'000'000;
  std::size_t python_rows = 100'000, transport_points = 1'000'000, transport_sample = 1000;
  static Sizes quick() { return {512, 64, 4096, 2048, 57, 128, 256, 2000, 20'000, 512, 2000, 20}; }
};

struct Settings {
  Sizes sizes;
  Effort effort;
  bool quick = false;
  std::string python;    ///< with scikit-learn, and perhaps our package; may be empty
  std::string data_dir;  ///< of real data sets
  std::string command;   ///< the askrff command; may be empty
};

/// What measuring a row gives: one value per repeat. Times are medians, for information; NaN where there are none.
struct Figures {
  std::vector<double> values;
  double ours_ms = 0, theirs_ms = 0;
  std::string note;
};

/// Settings and peers. Peers are looked for when the first row asks for them.
class Context {
 public:
  explicit Context(Settings settings) : settings_(std::move(settings)) {}

  const Sizes& sizes() const { return settings_.sizes; }
  const Effort& effort() const { return settings_.effort; }
  bool quick() const { return settings_.quick; }
  const std::string& data_dir() const { return settings_.data_dir; }
  const std::string& command() const { return settings_.command; }
  /// The fastest BLAS found. Throws Skipped.
  const Blas& blas();
  /// What `measure` gives. Throws Skipped if there is no worker, if it refuses, or if it fails; then it is not started again.
  Figures with_python(const std::function<Figures(PythonPeer&)>& measure);
  /// The same for our Python package. Throws Skipped also where that is not installed.
  Figures with_python_package(const std::function<Figures(PythonPeer&)>& measure);
  /// In a worker of its own, which has nothing else in memory and ends with the call.
  Figures with_fresh_python_package(const std::function<Figures(PythonPeer&)>& measure);

  const std::vector<Probe>& probes() const { return probes_; }
  const std::optional<Probe>& chosen() const { return chosen_; }
  const std::optional<PythonDescription>& python_description() const { return python_description_; }

 private:
  void choose_blas();
  void describe_python();
  void need_python();
  void need_python_package();
  PythonPeer& python();
  PythonPeer new_python();

  Settings settings_;
  bool has_chosen_ = false, has_described_ = false;
  std::vector<Probe> probes_;
  std::optional<Probe> chosen_;
  std::unique_ptr<Blas> blas_;
  std::unique_ptr<PythonPeer> python_;
  std::optional<PythonDescription> python_description_;
  std::string python_trouble_;
};

enum class Sense { at_least, at_most, none };
struct Target {
  Sense sense = Sense::none;
  double value = 0;
};

/// theirs/ours, times `work` where our side does that much more useful work than theirs.
Figures speed_ratios(const Pairs& pairs, double work = 1);
/// ours/theirs.
Figures time_ratios(const Pairs& pairs);

/// The units of the ratios.
inline constexpr const char* times_its_speed = "× its speed";
inline constexpr const char* times_its_time = "× its time";

struct Benchmark {
  std::string name, what, against;
  Target target;
  std::string unit;
  std::function<Figures(Context&)> measure;  ///< throws Skipped
};

// One function per topic, each in the file rows_TOPIC.cpp; their order is the order of the table.
std::vector<Benchmark> transform_rows(const Sizes& sizes);
std::vector<Benchmark> structured_rows(const Sizes& sizes);
std::vector<Benchmark> sklearn_rows(const Sizes& sizes);
std::vector<Benchmark> operator_rows(const Sizes& sizes);
std::vector<Benchmark> sampling_rows(const Sizes& sizes);
std::vector<Benchmark> expression_rows(const Sizes& sizes);
std::vector<Benchmark> dense_rows(const Sizes& sizes);
std::vector<Benchmark> model_rows(const Sizes& sizes);
std::vector<Benchmark> parse_rows(const Sizes& sizes);
std::vector<Benchmark> python_rows(const Sizes& sizes);
std::vector<Benchmark> all_rows(const Sizes& sizes);

/// The child's part of the memory row: bytes K̃v needed beside its inputs, as one line of JSON.
std::string operator_memory_in_this_process(std::size_t rows, std::size_t dim, std::size_t n_frequencies);

}  // namespace askrff::bench
