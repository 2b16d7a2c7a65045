// askrff approx: how far the approximate kernel matrix is from the exact one, by number of frequencies.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "draw_options.hpp"
#include "evaluation.hpp"
#include "kernel_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "progress.hpp"

namespace askrff::cli {
namespace {

struct Options {
  KernelOptions kernel;
  DataOptions data;
  DrawOptions draw;
  std::vector<FrequencyCount> frequencies{{2, true}, {8, true}, {32, true}};
  std::size_t n_points = 1000, n_trials = 10;
  Execution execution;
};

std::vector<Evaluation> evaluate_all(const Options& options, const Kernel& kernel, MatrixView<const double> X,
                                     MatrixView<const double> points) {
  std::vector<std::size_t> counts;  // refuse an impossible one before the first is worked on
  double work = 0;
  for (const FrequencyCount& count : options.frequencies) {
    counts.push_back(count.per_part(X.cols()));
    work += static_cast<double>(counts.back()) * static_cast<double>(options.n_trials);
  }
  Progress progress("approx", work);
  std::vector<Evaluation> evaluations;
  for (const std::size_t count : counts) {
    ApproximateOptions how = options.draw.values;
    how.n_frequencies = count;
    evaluations.push_back(evaluate(kernel, X, points, how, options.n_trials, options.execution, progress));
  }
  return evaluations;
}

Json to_json(const Options& options, const ChosenKernel& chosen, MatrixView<const double> X, std::size_t n_points,
             const std::vector<Evaluation>& evaluations) {
  Json json = {{"kernel", chosen.name},
               {"parameters", chosen.parameters_json(X.cols())},
               {"dim", X.cols()},
               {"data", options.data.source},
               {"data_rows", X.rows()},
               {"points", n_points},
               {"trials", options.n_trials},
               {"scale", name_of(scales, options.data.scale)}};
  options.draw.describe(json);
  json["parts"] = parts_json(evaluations.back().parts);
  json["rows"] = Json::array();
  for (const Evaluation& evaluation : evaluations) json["rows"].push_back(evaluation_json(evaluation));
  return json;
}

std::string to_text(const Options& options, const ChosenKernel& chosen, MatrixView<const double> X, std::size_t n_points,
                    const std::vector<Evaluation>& evaluations) {
  const Evaluation& last = evaluations.back();
  const std::string trials = options.n_trials == 1 ? "one trial" : fmt::format("mean of {} trials", options.n_trials);
  return fmt::format(
      "{}\n"
      "data {}: {} of {} rows{}; {} sampling, {} weights, seed {}\n\n"
      "{}\n{}\n"
      "With {} frequencies per part the approximate kernel matrix is {:.3g} % away from the exact one (Frobenius norm, {}).\n",
      chosen.title(X.cols()), options.data.source, n_points, X.rows(),
      options.data.scale == Scale::minmax ? ", columns scaled to [0,1]" : "", name_of(samplers, options.draw.values.sampler),
      name_of(weightings, options.draw.values.weights), options.draw.values.seed, parts_text(last.parts), evaluations_text(evaluations),
      last.frequencies_per_part, 100 * last.error_mean, trials);
}

Report run(const Options& options) {
  options.draw.check();
  const ChosenKernel chosen = options.kernel.choose();
  const Matrix<double> X = options.data.load();
  chosen.check_dim(X.cols());
  options.draw.check_rows(X.rows());
  if (X.rows() < options.n_points)
    print_warning(
        fmt::format("--points: {} has {} rows, all of them are used instead of {}", options.data.source, X.rows(), options.n_points));
  const Matrix<double> points = evaluation_points(X, options.n_points, options.draw.values.seed);
  const std::vector<Evaluation> evaluations = evaluate_all(options, *chosen.kernel, X, points);
  return {to_json(options, chosen, X, points.rows(), evaluations), to_text(options, chosen, X, points.rows(), evaluations)};
}

}  // namespace

Command add_approx(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("approx", "The error of the approximation on data, by number of frequencies");
  auto options = std::make_shared<Options>();
  options->kernel.add_to(*parser);
  options->data.scale = Scale::minmax;
  options->data.add_to(*parser);
  options->data.require();
  const auto read = [target = options.get()](const std::string& text) { target->frequencies = parse_frequencies("--frequencies", text); };
  parser->add_option_function<std::string>("--frequencies", read, "Frequencies per part, the paper's M: a comma list; 4d is 4·dimension")
      ->type_name("M[,M...]")
      ->default_str("2d,8d,32d")
      ->group("Frequencies");
  options->draw.add_sampling(*parser);
  options->draw.add_weighting(*parser);
  add_count(*parser, "--points", options->n_points, "Rows, drawn at random, on whose pairs the error is measured");
  add_count(*parser, "--trials", options->n_trials, "Independent draws to average over");
  add_threads(*parser, options->execution);
  parser->footer(
      "The error is ‖K-K̃‖_F/‖K‖_F on the same points for every trial.\n"
      "Examples:\n"
      "  askrff approx --data builtin:uniform:8 --kernel shift-gaussian --frequencies 16,64,4d --trials 5\n"
      "  askrff approx --data letter.libsvm.xz --kernel sinh-gaussian --weights subset --subset 50 --json");
  return {parser, [options] { return run(*options); }};
}

}  // namespace askrff::cli
