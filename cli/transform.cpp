// askrff transform: rows of data → rows of features in an NPY file, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/data.hpp"
#include "askrff/features.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "draw_options.hpp"
#include "kernel_options.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace askrff::cli {
namespace {

enum class Side { left, right, classifier };
constexpr Choice<Side> sides[] = {{"left", Side::left}, {"right", Side::right}, {"classifier", Side::classifier}};
constexpr Choice<NpyWriter::Type> types[] = {{"float32", NpyWriter::Type::float32}, {"float64", NpyWriter::Type::float64}};

struct Options {
  KernelOptions kernel;
  DataOptions data;
  DrawOptions draw;
  FrequencyCount frequencies{512, false};
  Side side = Side::left;
  NpyWriter::Type type = NpyWriter::Type::float64;
  std::string out;
  Execution execution;
};

Features features_of(const SpectralAtoms& atoms, Side side) {
  if (side == Side::classifier) return ClassifierFeatures(atoms);
  const FeatureMap map(atoms);
  return side == Side::left ? map.left() : map.right();
}

/// Memory: one block of rows, whatever the size of X.
template <class T>
void write_features(const Features& features, MatrixView<const double> X, const Execution& execution, NpyWriter& writer) {
  constexpr std::size_t most_rows = 4096, most_elements = std::size_t{1} << 24;
  const std::size_t block_rows = std::clamp<std::size_t>(most_elements / features.n_features(), 1, std::min(most_rows, X.rows()));
  Matrix<T> rows(block_rows, X.cols()), out(block_rows, features.n_features());
  Progress progress("transform", static_cast<double>(X.rows()));
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    for (std::size_t i = 0; i < count; ++i)
      std::transform(X.row(first + i).begin(), X.row(first + i).end(), rows.row(i).begin(), [](double x) { return static_cast<T>(x); });
    const MatrixView<T> block = out.view().middle_rows(0, count);
    features.transform(MatrixView<const T>(rows.view().middle_rows(0, count)), block, execution);
    writer.append(MatrixView<const T>(block));
    progress.advance(static_cast<double>(count));
  }
}

Json to_json(const Options& options, const ChosenKernel& chosen, MatrixView<const double> X, const SpectralAtoms& atoms,
             std::size_t n_features, double seconds) {
  Json json = {{"rows", X.rows()},
               {"n_features", n_features},
               {"side", name_of(sides, options.side)},
               {"dtype", name_of(types, options.type)},
               {"out", options.out},
               {"seconds", seconds},
               {"kernel", chosen.name},
               {"parameters", chosen.parameters_json(X.cols())},
               {"dim", X.cols()},
               {"data", options.data.source},
               {"scale", name_of(scales, options.data.scale)},
               {"frequencies_per_part", options.frequencies.per_part(X.cols())},
               {"n_frequencies", atoms.size()}};
  options.draw.describe(json);
  json["parts"] = parts_json(atoms.parts());
  return json;
}

Report run(const Options& options) {
  options.draw.check();
  const ChosenKernel chosen = options.kernel.choose();
  // Made and removed again: an output that cannot be created is known before the work, not after it.
  { const NpyWriter probe(options.out, 1, 1, options.type); }
  const Matrix<double> X = options.data.load();
  chosen.check_dim(X.cols());
  options.draw.check_rows(X.rows());

  const auto start = std::chrono::steady_clock::now();
  ApproximateOptions how = options.draw.values;
  how.n_frequencies = options.frequencies.per_part(X.cols());
  const SpectralAtoms atoms = approximate(*chosen.kernel, X, how);
  const Features features = features_of(atoms, options.side);
  NpyWriter writer(options.out, X.rows(), features.n_features(), options.type);
  if (options.type == NpyWriter::Type::float32)
    write_features<float>(features, X, options.execution, writer);
  else
    write_features<double>(features, X, options.execution, writer);
  writer.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  return {to_json(options, chosen, X, atoms, features.n_features(), seconds),
          fmt::format("{}\n\n{}\n{}: {} rows × {} {} features ({} frequencies), {}, in {:.3g} s\n", chosen.title(X.cols()),
                      parts_text(atoms.parts()), options.out, X.rows(), features.n_features(), name_of(sides, options.side), atoms.size(),
                      name_of(types, options.type), seconds)};
}

}  // namespace

Command add_transform(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("transform", "Rows of data → features in an NPY file; K(X,Y) ≈ left(X)·right(Y)ᵀ");
  auto options = std::make_shared<Options>();
  options->kernel.add_to(*parser);
  options->data.add_to(*parser, ", fitted on this file alone:\ntwo files are comparable only if scaled together beforehand");
  options->data.require();
  const auto read = [target = options.get()](const std::string& text) { target->frequencies = parse_frequency("--frequencies", text); };
  parser->add_option_function<std::string>("--frequencies", read, "Frequencies per part: 512, or 4d for 4·dimension")
      ->type_name("M")
      ->default_str(options->frequencies.text())
      ->group("Frequencies");
  options->draw.add_sampling(*parser);
  options->draw.add_weighting(*parser);
  add_choice(*parser, "--side", options->side, sides, "left or right factor of the kernel matrix, or the classifier's features")
      ->required();
  parser->add_option("--out", options->out, "The NPY file to write; it appears when it is complete")->required()->type_name("FILE");
  add_choice(*parser, "--dtype", options->type, types, "Type of the numbers written; float32 also rounds the data first");
  add_threads(*parser, options->execution);
  parser->footer(
      "Left and right belong together only if kernel, frequencies, seed, sampler and weights are the same; --weights subset fits on "
      "--data,\n"
      "so there the data must be the same too. Two columns per frequency: the cosines of all frequencies, then their sines.\n"
      "Example:\n"
      "  askrff transform --data train.csv --kernel shift-gaussian --frequencies 512 --side left --out left.npy\n"
      "  askrff transform --data train.csv --kernel shift-gaussian --frequencies 512 --side right --out right.npy");
  return {parser, [options] { return run(*options); }};
}

}  // namespace askrff::cli
