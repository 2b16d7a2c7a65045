// askrff transform: rows of data → rows of features in an NPY file, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "askrff/model.hpp"
#include "choice_report.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output_checks.hpp"
#include "progress_bar.hpp"
#include "stored_columns.hpp"

namespace askrff::cli {
namespace {

struct TransformOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  FeatureSide side = FeatureSide::left;
  Precision type = Precision::float64;
  std::string features, out;
  CLI::Option *features_given = nullptr, *side_given = nullptr;
  Execution execution;
};

struct Written {
  std::size_t n_features = 0;
  double seconds = 0;
};

NpyWriter::Type written_type(const TransformOptions& options) {
  return options.type == Precision::float32 ? NpyWriter::Type::float32 : NpyWriter::Type::float64;
}

/// Memory: one block of rows, whatever the size of X.
template <class T>
void write_features(const TransformOptions& options, const Map& map, MatrixView<const double> X, NpyWriter& writer) {
  constexpr std::size_t max_rows = 4096, max_elements = std::size_t{1} << 24;
  const std::size_t n_features = map.n_features(options.side);
  const std::size_t block_rows = std::clamp<std::size_t>(max_elements / n_features, 1, std::min(max_rows, X.rows()));
  Matrix<T> out(block_rows, n_features);
  ProgressBar progress("transform", static_cast<double>(X.rows()));
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    const MatrixView<T> block = out.view().middle_rows(0, count);
    map.transform<T, double>(options.side, X.middle_rows(first, count), block, options.execution);
    writer.append(MatrixView<const T>(block));
    progress.advance(static_cast<double>(count));
  }
}

/// What is written, whatever the features are of.
Json written_json(const TransformOptions& options, MatrixView<const double> X, const Written& written) {
  return {{"rows", X.rows()},
          {"n_features", written.n_features},
          {"side", name_of(options.side)},
          {"dtype", name_of(options.type)},
          {"out", options.out},
          {"seconds", written.seconds},
          {"kernel", nullptr},
          {"parameters", nullptr},
          {"dim", X.cols()},
          {"data", options.data.source}};
}

std::string written_text(const TransformOptions& options, MatrixView<const double> X, const Written& written, const std::string& size) {
  return fmt::format("{}: {} rows × {} {} features ({}), {}, in {:.3g} s\n", options.out, X.rows(), written.n_features,
                     name_of(options.side), size, name_of(options.type), written.seconds);
}

Written write_all(const TransformOptions& options, const Map& map, MatrixView<const double> X,
                  std::chrono::steady_clock::time_point start) {
  NpyWriter writer(options.out, X.rows(), map.n_features(options.side), written_type(options));
  if (options.type == Precision::float32)
    write_features<float>(options, map, X, writer);
  else
    write_features<double>(options, map, X, writer);
  writer.finish();
  return {map.n_features(options.side), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

void check_out(const TransformOptions& options) {
  check_files({{"--out", options.out}}, options.data.inputs({{"--features", options.features}}));
}

void check_side(const TransformOptions& options, const Map& map) {
  if (!given(options.side_given) && !map.feature_map().is_one_sided())
    throw InvalidArgument("--side", "missing, expected left or right: the two differ here");
  if (!map.has_side(options.side))
    throw InvalidArgument("--side",
                          "the map has left and right features only; classifier needs the Jordan parts of atoms drawn part by part");
}

void warn_if_rounded(const TransformOptions& options, const Map& map, MatrixView<const double> X) {
  constexpr double worth_a_word = 1e-3;  // a thousand times what float32 features are off anyway
  const double error = options.type == Precision::float32 ? map.float32_error(X, false) : 0;
  if (error > worth_a_word)
    print_warning(
        fmt::format("float32 keeps too few digits of these rows: features may be off by {:.2g} of their size; --dtype float64, or "
                    "columns moved to about 0",
                    std::min(error, 1.0)));
}

/// Features of a map made here and now.
Report transform_drawn(const TransformOptions& options) {
  options.map.check();
  const Estimator estimator = options.map.values.estimator;
  if (estimator == Estimator::nystrom || estimator == Estimator::best)
    throw InvalidArgument("--estimator",
                          "the map depends on the data, and left and right features need the same one; write it with askrff choose --out "
                          "FILE, then askrff transform --features FILE");
  if (!options.kernel.is_given())
    throw InvalidArgument("--kernel", "missing, expected a kernel, or --features with a file of askrff choose");
  const KernelChoice kernel = options.kernel.choice();
  check_out(options);
  const Matrix<double> X = options.data.load_unscaled(options.execution);

  const auto start = std::chrono::steady_clock::now();
  MapOptions how = options.map.resolved(X.cols(), options.execution);
  how.scale = options.data.scale;
  how.certify = false;
  const Map map = make_map(kernel, X, how);
  check_side(options, map);
  const Written written = write_all(options, map, X, start);
  warn_if_rounded(options, map, X);

  const ChosenKernel chosen{map.content().kernel};
  const SpectralAtoms& atoms = *map.atoms();
  Json json = written_json(options, X, written);
  json["kernel"] = chosen.name;
  json["parameters"] = chosen.parameters_json(X.cols());
  json["scale"] = name_of(options.data.scale);
  json["frequencies_per_part"] = how.n_frequencies;
  json["n_frequencies"] = atoms.size();
  options.map.describe(json);
  json["estimator"] = atoms.provenance().estimator;
  json["parts"] = parts_json(atoms.parts());
  json["warning"] = warning_json(map);
  warn_if_any(map.accuracy_warning());
  const std::string parts = parts_text(atoms.parts());
  const std::string text = fmt::format("{}\n\n{}{}{}", chosen.title(X.cols()), parts, parts.empty() ? "" : "\n",
                                       written_text(options, X, written, fmt::format("{} frequencies", atoms.size())));
  return {.json = json, .text = text, .files = {options.out}};
}

void check_stored(const TransformOptions& options) {
  const std::string reason = "--features brings its own";
  options.kernel.refuse_all(reason + " kernel");
  options.map.refuse_all_but_seed(reason + " map, nothing is drawn");
  options.map.refuse_seed(reason + " map, nothing is drawn");
  options.data.refuse_scale(reason + " scaling of the columns");
}

std::string size_text(const Map& map) {
  if (map.atoms()) return fmt::format("{} frequencies", map.n_frequencies());
  return map.nystrom() ? fmt::format("{} landmarks", map.n_landmarks()) : "the columns themselves";
}

/// Features of a map that askrff choose or askrff train has written.
Report transform_stored(const TransformOptions& options) {
  check_stored(options);
  const Map map = load_map(options.features);
  check_side(options, map);
  check_out(options);
  const Dataset data = options.data.load_labelled(options.execution);
  const Matrix<double>& X = data.X;
  check_stored_columns(options.data, X.cols(), data.column_names, map, options.features);

  const auto start = std::chrono::steady_clock::now();
  const Written written = write_all(options, map, X, start);
  warn_if_rounded(options, map, X);
  const std::size_t n_outside = map.rows_outside(X);
  warn_if_any(Map::outside_warning(n_outside, X.rows()));
  const ChosenKernel kernel{map.content().kernel};
  Json json = written_json(options, X, written);
  if (!kernel.name.empty()) {
    json["kernel"] = kernel.name;
    json["parameters"] = kernel.parameters_json(X.cols());
  }
  const bool is_scaled = map.content().scaler.kind != Scaling::none;
  json["features"] = options.features;
  json["kind"] = map.kind();
  json["scale"] = is_scaled ? "stored" : "none";
  json["n_frequencies"] = map.n_frequencies();
  json["rows_outside"] = n_outside;
  json["certificate"] = map.content().certificate ? certificate_json(*map.content().certificate) : Json(nullptr);
  json["warning"] = warning_json(map);
  warn_if_any(map.accuracy_warning());
  const std::string text =
      fmt::format("{}map {}{}\n\n{}", kernel.name.empty() ? "" : kernel.title(X.cols()) + "\n", options.features,
                  is_scaled ? ", columns scaled as for its data" : "", written_text(options, X, written, size_text(map)));
  return {.json = json, .text = text, .files = {options.out}};
}

}  // namespace

Command add_transform(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "transform", "Rows of data → features in an NPY file; K(X,Y) ≈ left(X)·right(Y)ᵀ");
  auto options = std::make_shared<TransformOptions>();
  options->features_given = add_text(*parser, "--features", options->features,
                                     "A map written by askrff choose, or a model, instead of --kernel and the options of\n"
                                     "Map; it brings its scaling of the columns, too",
                                     "FILE");
  options->kernel.add_to(*parser);
  options->kernel.make_optional();
  options->data.add_to(*parser, "Fitted on this file alone: two files are\ncomparable only if scaled together beforehand.");
  options->data.require();
  options->map.add_size(*parser);
  options->map.add_seed(*parser);
  options->map.add_method(*parser);
  options->side_given = add_word(*parser, "--side", options->side,
                                 "Which features; needed unless the kernel is symmetric and positive definite, where left\n"
                                 "and right are the same.");
  required(add_text(*parser, "--out", options->out, "The NPY file to write; it appears when it is complete", "FILE"));
  add_word(*parser, "--dtype", options->type, "Type of the numbers written; float32 also rounds the data first.");
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "Left and right belong together only if kernel, frequencies, seed, estimator, sampler and weights are the same. Subset and "
      "calibrated\n"
      "weights, the auto estimator, allocation by variance and the samplers quadrature and ridge look at --data, so there the data must be "
      "the\n"
      "same too; for data that comes in several files write a map with askrff choose and give it as --features.\n"
      "Two columns per frequency: the cosines of all frequencies, then their sines.\n"
      "Examples:\n"
      "  askrff choose --data train.csv --kernel shift-gaussian --tolerance 1e-2 --out map.askrff\n"
      "  askrff transform --features map.askrff --data train.csv --side left --out left.npy\n"
      "  askrff transform --features map.askrff --data test.csv --side right --out right.npy\n"
      "  askrff transform --data train.csv --kernel shift-gaussian --frequencies 512 --side left --out left.npy");
  return {parser, [options] { return given(options->features_given) ? transform_stored(*options) : transform_drawn(*options); }};
}

}  // namespace askrff::cli
