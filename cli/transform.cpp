// askrff transform: rows of data → rows of features in an NPY file, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/data.hpp"
#include "askrff/features.hpp"
#include "askrff/model.hpp"
#include "choice_report.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "draw_options.hpp"
#include "kernel_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"
#include "rounding.hpp"
#include "stored_columns.hpp"

namespace askrff::cli {
namespace {

constexpr Choice<FeatureSide> sides[] = {
    {"left", FeatureSide::left}, {"right", FeatureSide::right}, {"classifier", FeatureSide::classifier}};
constexpr Choice<NpyWriter::Type> types[] = {{"float32", NpyWriter::Type::float32}, {"float64", NpyWriter::Type::float64}};

struct Options {
  KernelOptions kernel;
  DataOptions data;
  DrawOptions draw;
  FrequencyCount frequencies{512, false};
  FeatureSide side = FeatureSide::left;
  NpyWriter::Type type = NpyWriter::Type::float64;
  std::string features, out;
  CLI::Option *features_given = nullptr, *frequencies_given = nullptr;
  Execution execution;
};

struct Written {
  std::size_t n_features = 0;
  double seconds = 0;
};

Features features_of(const SpectralAtoms& atoms, FeatureSide side) {
  Preparation map;
  map.dim = atoms.dim();
  map.atoms = atoms;
  map.side = side;
  return map.features();
}

/// Memory: one block of rows, whatever the size of X.
template <class T>
void write_features(const Features& features, MatrixView<const double> X, const Execution& execution, NpyWriter& writer) {
  constexpr std::size_t most_rows = 4096, most_elements = std::size_t{1} << 24;
  const std::size_t block_rows = std::clamp<std::size_t>(most_elements / features.n_features(), 1, std::min(most_rows, X.rows()));
  Matrix<T> rows(block_rows, X.cols()), out(block_rows, features.n_features());
  ProgressBar progress("transform", static_cast<double>(X.rows()));
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    const MatrixView<T> block = out.view().middle_rows(0, count);
    features.transform(round_rows<T>(X.middle_rows(first, count), rows), block, execution);
    writer.append(MatrixView<const T>(block));
    progress.advance(static_cast<double>(count));
  }
}

/// What is written, whatever the features are of.
Json written_json(const Options& options, MatrixView<const double> X, const Written& written) {
  return {{"rows", X.rows()},
          {"n_features", written.n_features},
          {"side", name_of(sides, options.side)},
          {"dtype", name_of(types, options.type)},
          {"out", options.out},
          {"seconds", written.seconds},
          {"kernel", nullptr},
          {"parameters", nullptr},
          {"dim", X.cols()},
          {"data", options.data.source}};
}

std::string written_text(const Options& options, MatrixView<const double> X, const Written& written, const std::string& size) {
  return fmt::format("{}: {} rows × {} {} features ({}), {}, in {:.3g} s\n", options.out, X.rows(), written.n_features,
                     name_of(sides, options.side), size, name_of(types, options.type), written.seconds);
}

Written write_all(const Options& options, const Features& features, MatrixView<const double> X,
                  std::chrono::steady_clock::time_point start) {
  NpyWriter writer(options.out, X.rows(), features.n_features(), options.type);
  if (options.type == NpyWriter::Type::float32)
    write_features<float>(features, X, options.execution, writer);
  else
    write_features<double>(features, X, options.execution, writer);
  writer.finish();
  return {features.n_features(), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

/// Features of atoms drawn here and now.
Report transform_drawn(const Options& options) {
  options.draw.check();
  if (options.draw.approach == Approach::nystrom)
    throw std::invalid_argument(
        "--estimator: landmarks depend on the data, and left and right features need the same ones; write a map with "
        "askrff choose --family nystrom --out FILE, then askrff transform --features FILE");
  if (!options.kernel.is_given())
    throw std::invalid_argument("--kernel: missing, expected a kernel, or --features with a file of askrff choose");
  const ChosenKernel chosen = options.kernel.choose();
  // Made and removed again: an output that cannot be created is known before the work, not after it.
  require_other_file({"--out", options.out}, {"--data", options.data.source});
  { const NpyWriter probe(options.out, 1, 1, options.type); }
  const Matrix<double> X = options.data.load(options.execution);
  chosen.check_dim(X.cols());
  options.draw.check_rows(X.rows());

  const auto start = std::chrono::steady_clock::now();
  const std::size_t n_frequencies = options.frequencies.per_part(X.cols());
  const SpectralAtoms atoms = approximate(*chosen.kernel, X, options.draw.recipe(n_frequencies, options.execution).atoms);
  const Written written = write_all(options, features_of(atoms, options.side), X, start);

  Json json = written_json(options, X, written);
  json["kernel"] = chosen.name;
  json["parameters"] = chosen.parameters_json(X.cols());
  json["scale"] = name_of(scales, options.data.scale);
  json["frequencies_per_part"] = n_frequencies;
  json["n_frequencies"] = atoms.size();
  options.draw.describe(json);
  json["estimator"] = atoms.provenance().estimator;
  json["parts"] = parts_json(atoms.parts());
  const std::string parts = parts_text(atoms.parts());
  return {json, fmt::format("{}\n\n{}{}{}", chosen.title(X.cols()), parts, parts.empty() ? "" : "\n",
                            written_text(options, X, written, fmt::format("{} frequencies", atoms.size())))};
}

void check_stored(const Options& options) {
  const std::string reason = "--features brings its own";
  options.kernel.refuse_all(reason + " kernel");
  options.draw.refuse_all(reason + " map, nothing is drawn");
  options.data.refuse_scale(reason + " scaling of the columns");
  refuse_if_given(options.frequencies_given, reason + " frequencies");
}

/// Throws std::invalid_argument if the map has no such side.
void choose_side(const Options& options, Preparation& stored) {
  if (options.side == FeatureSide::classifier && (!stored.atoms || stored.atoms->parts().empty()))
    throw std::invalid_argument(
        fmt::format("--side: the map of {} has left and right features only; classifier needs the Jordan parts of atoms drawn part by part",
                    options.features));
  stored.side = options.side;
}

std::string size_text(const Preparation& stored) {
  if (stored.atoms) return fmt::format("{} frequencies", stored.atoms->size());
  return stored.nystrom ? fmt::format("{} landmarks", stored.nystrom->n_landmarks()) : "the columns themselves";
}

void warn_if_outside(const Preparation& stored, std::size_t n_outside, std::size_t n_rows) {
  if (n_outside == 0) return;
  print_warning(fmt::format("{} of {} rows lie outside the range the {}: there the error may be larger than {}", n_outside, n_rows,
                            stored.atoms ? "weights were fitted on" : "landmarks come from",
                            stored.atoms ? "without calibration" : "the certificate says"));
}

/// Features of a map that askrff choose or askrff train has written.
Report transform_stored(const Options& options) {
  check_stored(options);
  require_other_file({"--out", options.out}, {"--features", options.features});
  Preparation stored = load_map(options.features);
  choose_side(options, stored);
  require_other_file({"--out", options.out}, {"--data", options.data.source});
  { const NpyWriter probe(options.out, 1, 1, options.type); }
  Dataset data = options.data.load_labelled(options.execution);
  Matrix<double>& X = data.X;
  check_stored_columns(options.data, X.cols(), data.column_names, stored, options.features);
  stored.scaler.apply(X.view());

  const auto start = std::chrono::steady_clock::now();
  const Written written = write_all(options, stored.features(), X, start);
  const std::size_t n_outside = stored.rows_outside(X);
  warn_if_outside(stored, n_outside, X.rows());
  const ChosenKernel kernel{stored.kernel};
  Json json = written_json(options, X, written);
  if (!kernel.name.empty()) {
    json["kernel"] = kernel.name;
    json["parameters"] = kernel.parameters_json(X.cols());
  }
  const bool scaled = stored.scaler.kind != Scaling::none;
  json["features"] = options.features;
  json["kind"] = stored.atoms ? "fourier" : stored.nystrom ? "nystrom" : "columns";
  json["scale"] = scaled ? "stored" : "none";
  json["n_frequencies"] = stored.atoms ? stored.atoms->size() : 0;
  json["rows_outside"] = n_outside;
  json["certificate"] = stored.certificate ? certificate_json(*stored.certificate) : Json(nullptr);
  return {json, fmt::format("{}map {}{}\n\n{}", kernel.name.empty() ? "" : kernel.title(X.cols()) + "\n", options.features,
                            scaled ? ", columns scaled as for its data" : "", written_text(options, X, written, size_text(stored)))};
}

}  // namespace

Command add_transform(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("transform", "Rows of data → features in an NPY file; K(X,Y) ≈ left(X)·right(Y)ᵀ");
  auto options = std::make_shared<Options>();
  options->features_given = parser
                                ->add_option("--features", options->features,
                                             "A map written by askrff choose, or a model, instead of --kernel and the options of\n"
                                             "Frequencies; it brings its scaling of the columns, too")
                                ->type_name("FILE");
  options->kernel.add_to(*parser);
  options->kernel.make_optional();
  options->data.add_to(*parser, ", fitted on this file alone:\ntwo files are comparable only if scaled together beforehand");
  options->data.require();
  const auto read = [target = options.get()](const std::string& text) { target->frequencies = parse_frequency("--frequencies", text); };
  options->frequencies_given =
      parser->add_option_function<std::string>("--frequencies", read, "512, or 4d for 4·dimension; per part with jordan, in all with polar")
          ->type_name("M")
          ->default_str(options->frequencies.text())
          ->group("Frequencies");
  options->draw.add_sampling(*parser);
  options->draw.add_weighting(*parser);
  add_choice(*parser, "--side", options->side, sides,
             "left or right factor of the kernel matrix, or the classifier's features, which\na model of Jordan parts was trained on")
      ->required();
  parser->add_option("--out", options->out, "The NPY file to write; it appears when it is complete")->required()->type_name("FILE");
  add_choice(*parser, "--dtype", options->type, types, "Type of the numbers written; float32 also rounds the data first");
  add_threads(*parser, options->execution);
  parser->footer(
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
