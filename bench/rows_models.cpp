// Training: the whole cross-validation of an SVM against LIBLINEAR's, threads against one thread, and ridge regression over a file that is
// never held in memory against reading it and summing alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "askrff/approximate.hpp"
#include "askrff/data.hpp"
#include "askrff/linear.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "askrff/rows.hpp"
#include "benchmark.hpp"
#include "data.hpp"
#include "oracle/liblinear.hpp"
#include "process.hpp"

namespace askrff::bench {
namespace {

namespace fs = std::filesystem;

double seconds_of(const std::function<void()>& call) { return timed(call)(); }

/// 5 folds × 11 values of C on the features of ijcnn1, or of a small set of its kind where every row is only to run.
struct SvmPath {
  Dataset data;
  ClassLabels labels;
  std::vector<std::uint32_t> folds;
  std::optional<Design<double>> design;
  static constexpr std::size_t n_folds = 5;

  explicit SvmPath(const Context& context) {
    if (context.quick()) {
      data.X = normal_rows<double>(context.sizes().rows, 22, 1);
      for (std::size_t i = 0; i < data.X.rows(); ++i)
        data.labels.emplace_back(data.X(i, 0) * data.X(i, 1) + 0.3 * data.X(i, 2) > 0 ? "1" : "-1");
    } else {
      const fs::path file = fs::path(context.data_dir()) / "ijcnn1.train.libsvm.xz";
      if (!fs::exists(file)) throw Skipped(fmt::format("there is no {}; --data-dir names the folder", file.string()));
      data = read_data(file.string());
    }
    Scaler::fitted_to(data.X, Scaling::minmax).apply(data.X);
    labels = ClassLabels::of(data.labels);
    folds = stratified_folds(labels, n_folds, 0);
    const auto kernel = cosh_gaussian();
    const SpectralAtoms atoms = approximate(*kernel, data.X.cols(), {.n_frequencies = 2 * data.X.cols()});
    design.emplace(ClassifierFeatures(atoms), data.X, DesignOptions{.bias = false});
  }

  CrossValidation run(std::size_t n_threads) const {
    return cross_validate_svm(*design, labels, folds, default_c_grid(), {.execution = {n_threads}});
  }

  /// The same by LIBLINEAR, for two classes.
  CrossValidation run_liblinear() const {
    const oracle::LiblinearRows rows(*design);
    CrossValidation result;
    result.c = default_c_grid();
    result.scores = Matrix<double>(result.c.size(), n_folds);
    result.objectives = Matrix<double>(result.c.size(), n_folds);
    for (std::size_t fold = 0; fold < n_folds; ++fold) {
      std::vector<int> targets(design->rows());
      for (std::size_t row = 0; row < targets.size(); ++row) targets[row] = folds[row] == fold ? 0 : labels.of_rows[row] == 1 ? 1 : -1;
      for (std::size_t i = 0; i < result.c.size(); ++i) {
        const auto fit = rows.fit(targets, result.c[i]);
        std::size_t n_right = 0;
        for (std::size_t row = 0; row < targets.size(); ++row)
          if (targets[row] == 0) n_right += (rows.output(row, fit.weights) > 0 ? 1u : 0u) == labels.of_rows[row] ? 1 : 0;
        result.objectives(i, fold) = fit.objective;
        result.scores(i, fold) = static_cast<double>(n_right) / static_cast<double>(std::ranges::count(targets, 0));
      }
    }
    return result;
  }
};

double best_accuracy(const CrossValidation& validation) { return validation.mean(validation.best()); }

Figures path_against_liblinear(Context& context) {
  if (!oracle::has_liblinear()) throw Skipped("built without LIBLINEAR");
  const SvmPath path(context);
  CrossValidation ours, theirs;
  Figures figures;
  std::vector<double> our_seconds;
  const auto measure_ours = [&] { our_seconds.push_back(seconds_of([&] { ours = path.run(1); })); };
  // Its minutes are measured once, ours before and after them.
  for (int repeat = 0; repeat < 3; ++repeat) measure_ours();
  const double their_seconds = seconds_of([&] { theirs = path.run_liblinear(); });
  for (int repeat = 0; repeat < 3; ++repeat) measure_ours();
  double worst = -std::numeric_limits<double>::infinity(), largest_gain = 0;
  for (std::size_t i = 0; i < ours.c.size(); ++i)
    for (std::size_t fold = 0; fold < ours.objectives.cols(); ++fold) {
      const double excess = ours.objectives(i, fold) / theirs.objectives(i, fold) - 1;
      worst = std::max(worst, excess);
      largest_gain = std::max(largest_gain, -excess);
    }
  for (const double seconds : our_seconds) figures.values.push_back(their_seconds / seconds);
  figures.ours_ms = 1e3 * spread_of(our_seconds).median;
  figures.theirs_ms = 1e3 * their_seconds;
  figures.note = fmt::format(
      "objectives of all 55 fits {} its ({:.1e} to {:.1f} % lower); best accuracy {:.3f} %, its {:.3f} %; its run measured once",
      worst <= 0 ? "below" : "not all below", -worst, 100 * largest_gain, 100 * best_accuracy(ours), 100 * best_accuracy(theirs));
  return figures;
}

Figures path_on_two_threads(Context& context) {
  const SvmPath path(context);
  const auto run_on = [&](std::size_t n_threads) { return timed([&path, n_threads] { path.run(n_threads); }); };
  return speed_ratios(alternate(run_on(2), run_on(1), context.effort()));
}

/// Rows and their targets in two files that are gone when the object is.
class GeneratedRows {
 public:
  GeneratedRows(std::size_t n_rows, std::size_t dim) : folder_(fs::temp_directory_path() / fmt::format("askrff-bench-{}", own_pid())) {
    const double bytes = static_cast<double>(n_rows) * static_cast<double>(dim + 1) * sizeof(float);
    if (static_cast<double>(fs::space(fs::temp_directory_path()).available) < 1.5 * bytes)
      throw Skipped(fmt::format("{} has no room for {:.1f} GiB", fs::temp_directory_path().string(), bytes / (1 << 30)));
    fs::create_directory(folder_);
    try {
      write(n_rows, dim);
    } catch (...) {
      fs::remove_all(folder_);
      throw;
    }
  }
  ~GeneratedRows() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  GeneratedRows(const GeneratedRows&) = delete;
  GeneratedRows& operator=(const GeneratedRows&) = delete;

  std::string rows() const { return (folder_ / "rows.npy").string(); }
  std::string targets() const { return (folder_ / "targets.npy").string(); }
  std::string model() const { return (folder_ / "model.askrff").string(); }

 private:
  void write(std::size_t n_rows, std::size_t dim) const {
    NpyWriter X(rows(), n_rows, dim, NpyWriter::Type::float32), Y(targets(), n_rows, 1, NpyWriter::Type::float32);
    constexpr std::size_t block_rows = 65536;
    for (std::size_t first = 0; first < n_rows; first += block_rows) {
      const auto block = normal_rows<float>(std::min(block_rows, n_rows - first), dim, first);
      Matrix<float> targets_of(block.rows(), 1);
      for (std::size_t i = 0; i < block.rows(); ++i) targets_of(i, 0) = std::sin(block(i, 0)) + block(i, 1) * block(i, 2);
      X.append(std::as_const(block).view());
      Y.append(std::as_const(targets_of).view());
    }
    X.finish();
    Y.finish();
  }
  fs::path folder_;
};

constexpr std::size_t ridge_dim = 22, ridge_frequencies = 256;

/// Reads the file and sums ΦᵀΦ, nothing else.
void sum_alone(const GeneratedRows& files, const FeatureMap& map) {
  DataStream stream(files.rows());
  NormalEquations<float> equations(map.left());
  RowBlock block;
  Matrix<float> rounded;
  while (stream.next(block)) {
    if (rounded.rows() != block.X.rows()) rounded = Matrix<float>(block.X.rows(), block.X.cols());
    for (std::size_t i = 0; i < block.X.rows(); ++i)
      std::ranges::transform(block.X.dense().row(i), rounded.row(i).begin(), [](double x) { return static_cast<float>(x); });
    equations.add(rounded);
  }
  equations.finish();
}

/// askrff train over the file, as a user would call it.
ProcessUsage train(const Context& context, const GeneratedRows& files) {
  const std::string command = context.command();
  if (command.empty() || !fs::exists(command)) throw Skipped("there is no askrff command beside the benchmark");
  return run_to_its_end({command, "train", "--data", files.rows(), "--labels", files.targets(), "--kernel", "gaussian", "--frequencies",
                         std::to_string(ridge_frequencies), "--model", "ridge", "--precision", "float32", "--out", files.model()});
}

Figures streamed_ridge(Context& context) {
  const GeneratedRows files(context.sizes().streamed_rows, ridge_dim);
  const FeatureMap map = gaussian_map(ridge_dim, ridge_frequencies);
  const auto pairs =
      alternate_slowly([&] { return train(context, files).seconds; }, timed([&] { sum_alone(files, map); }), context.quick() ? 1 : 2);
  return time_ratios(pairs);
}

Figures streamed_memory(Context& context) {
  const GeneratedRows files(context.sizes().streamed_rows, ridge_dim);
  const ProcessUsage usage = train(context, files);
  return {{static_cast<double>(usage.peak_bytes) / (1 << 20)},
          std::nan(""),
          std::nan(""),
          fmt::format("the file has {:.0f} MiB", static_cast<double>(fs::file_size(files.rows())) / (1 << 20))};
}

}  // namespace

std::vector<Benchmark> model_rows(const Sizes& sizes) {
  const std::string path = "5 folds × 11 values of C, ijcnn1, 264 features";
  const std::string streamed =
      fmt::format("askrff train --model ridge, 5 folds × 11 values of C, over a file of {} × {} floats, {} frequencies",
                  sizes.streamed_rows, ridge_dim, ridge_frequencies);
  return {{"svm-path",
           "SVM by Newton's method: " + path + ", 1 thread",
           "LIBLINEAR -s 2, the same fits",
           {Sense::at_least, 30},
           times_its_speed,
           path_against_liblinear},
          {"svm-path-threads", "the same on 2 threads", "1 thread", {Sense::at_least, 1.7}, times_its_speed, path_on_two_threads},
          {"ridge-stream", streamed, "reading the file and ΦᵀΦ alone", {Sense::at_most, 1.3}, times_its_time, streamed_ridge},
          {"ridge-stream-memory", "peak memory of the same", "nothing", {Sense::at_most, 300}, "MiB", streamed_memory}};
}

}  // namespace askrff::bench
