// askrff approx: how far the approximate kernel matrix is from the exact one, by number of frequencies.
#include "approx.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "command.hpp"
#include "evaluation.hpp"
#include "matrix_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

constexpr std::size_t default_trials = 10;

struct ApproxCommandOptions : ApproxOptions {
  CLI::Option *frequencies_given = nullptr, *points_given = nullptr, *trials_given = nullptr;
};

std::size_t trials_of(const ApproxCommandOptions& options) { return options.n_trials == 0 ? default_trials : options.n_trials; }

MapOptions options_for(const ApproxCommandOptions& options, std::size_t n_frequencies) {
  MapOptions how = options.map.values;
  how.n_frequencies = n_frequencies;
  how.execution = options.execution;
  return how;
}

std::vector<Evaluation> evaluate_all(const ApproxCommandOptions& options, const ChosenKernel& chosen, const RowsView<double>& data,
                                     const RowsView<double>& points) {
  auto asked = options.frequencies;
  if (asked.empty()) asked = {{2, true}, {8, true}, {32, true}};
  std::vector<std::size_t> counts;  // refuse an impossible one before the first is worked on
  double work = 0;
  for (const FrequencyCount& count : asked) {
    counts.push_back(count.per_part(points.cols()));
    work += static_cast<double>(counts.back()) * static_cast<double>(trials_of(options));
  }
  ProgressBar progress("approx", work);
  std::vector<Evaluation> evaluations;
  for (const std::size_t count : counts)
    evaluations.push_back(evaluate(chosen, data, points, options_for(options, count), trials_of(options), progress));
  return evaluations;
}

Json to_json(const ApproxCommandOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
             const std::vector<Evaluation>& evaluations) {
  Json json = approx_header_json(options, chosen, data, n_points, trials_of(options));
  options.map.describe(json);
  json["estimator"] = evaluations.back().estimator;
  if (!evaluations.back().reason.empty()) json["reason"] = evaluations.back().reason;
  json["parts"] = parts_json(evaluations.back().parts);
  json["rows"] = Json::array();
  for (const Evaluation& evaluation : evaluations) json["rows"].push_back(evaluation_json(evaluation));
  return json;
}

std::string method_text(const ApproxCommandOptions& options, const Evaluation& last) {
  const MapOptions& how = options.map.values;
  if (how.estimator == Estimator::nystrom) return fmt::format("nystrom, {} landmarks", name_of(how.landmarks));
  if (how.estimator == Estimator::paper)
    return fmt::format("{} estimator, masses fitted on {} rows, as in the paper", last.estimator, how.n_subset);
  return fmt::format("{} estimator, {} sampling, {} weights", last.estimator, name_of(how.sampler), name_of(how.weights));
}

std::string to_text(const ApproxCommandOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
                    const std::vector<Evaluation>& evaluations) {
  const Evaluation& last = evaluations.back();
  const std::string trials = trials_of(options) == 1 ? "one trial" : fmt::format("mean of {} trials", trials_of(options));
  const std::string size = last.n_landmarks > 0
                               ? fmt::format("{} landmarks", last.n_landmarks)
                               : fmt::format("{} frequencies{}", last.frequencies_per_part, last.estimator == "jordan" ? " per part" : "");
  const std::string parts = parts_text(last.parts);
  return fmt::format(
      "{}\n"
      "data {}: {} of {} rows{}; {}, seed {}\n{}\n"
      "{}{}{}\n"
      "With {} the approximate kernel matrix is {:.3g} % away from the exact one (Frobenius norm, {}).\n",
      chosen.title(data.X.cols()), options.data.source, n_points, data.n_rows, scale_text(options.data.scale), method_text(options, last),
      options.map.values.seed, last.reason.empty() ? "" : fmt::format("{} because {}\n", last.estimator, last.reason), parts,
      parts.empty() ? "" : "\n", evaluations_text(evaluations), size, 100 * last.error_mean, trials);
}

bool learns_from_rows(const MapOptions& how) {
  return how.estimator == Estimator::nystrom || how.estimator == Estimator::paper || how.weights != Weights::exact;
}

Report approx_as_asked(const ApproxCommandOptions& options, const ChosenKernel& chosen, const DrawnRows& data) {
  const std::uint64_t seed = options.map.values.seed;
  if (learns_from_rows(options.map.values)) {
    const RowSplit split = split_points(data.X, options.n_points, seed, options.data.source);
    const auto evaluations = evaluate_all(options, chosen, split.others, split.chosen);
    return {to_json(options, chosen, data, split.chosen.rows(), evaluations),
            to_text(options, chosen, data, split.chosen.rows(), evaluations)};
  }
  if (data.X.rows() < options.n_points)
    print_warning(
        fmt::format("--points: {} has {} rows, all of them are used instead of {}", options.data.source, data.X.rows(), options.n_points));
  const RowsMatrix<double> points = evaluation_points(data.X, options.n_points, seed);
  const auto evaluations = evaluate_all(options, chosen, data.X, points);
  return {to_json(options, chosen, data, points.rows(), evaluations), to_text(options, chosen, data, points.rows(), evaluations)};
}

void check_tolerance(const ApproxCommandOptions& options) {
  if (options.map.values.tolerance)
    refuse_if_given(options.frequencies_given, "--tolerance finds the number of frequencies; --max-frequencies limits it");
}

/// Refuses what has no effect on the way that is taken.
void check(const ApproxCommandOptions& options) {
  if (options.compare) {
    options.map.refuse_all_but_seed_and_time_limit("--compare tries all methods at one number of frequencies");
    if (options.frequencies.size() > 1)
      throw InvalidArgument("--frequencies", "--compare takes all methods at one number of frequencies, expected one number");
    return;
  }
  options.map.check();
  check_tolerance(options);
}

/// The same of a kernel matrix.
void check_matrix(const ApproxCommandOptions& options) {
  check_matrix_options(options.kernel, options.data);
  options.map.of_matrix(options.execution, 1);
  check_tolerance(options);
  if (options.compare) throw InvalidArgument("--compare", "--kernel precomputed has one method, its singular values");
  for (const CLI::Option* option : {options.points_given, options.trials_given})
    refuse_if_given(option, "--kernel precomputed is measured once, on a fifth of its rows and columns");
}

/// Whether maps are to be tried and the best of them taken.
bool is_searched(const ApproxCommandOptions& options) {
  return options.map.values.tolerance || options.map.values.estimator == Estimator::best;
}

Report run_approx(ApproxCommandOptions options) {
  if (options.kernel.is_matrix()) {
    check_matrix(options);
    return approx_matrix(options);
  }
  // Whoever names a sampler or a kind of weights means Fourier features.
  if (!options.map.estimator_is_given() && options.map.names_a_method()) options.map.values.estimator = Estimator::fourier;
  check(options);
  options.execution.progress = stages_on_a_bar();
  const KernelChoice choice = options.kernel.choice();
  const std::uint64_t seed = options.map.values.seed;
  DataStream rows = options.data.open(options.execution);
  const DrawnRows data = draw_rows(rows, options.data.scale, seed, options.n_points, options.execution.stop);
  const ChosenKernel chosen{fitted_kernel(choice, data.X, seed, options.execution.stop)};
  warn_if_any(data.scaling_warning());
  if (options.compare) return approx_compared(options, chosen, data);
  return is_searched(options) ? approx_chosen(options, chosen, data) : approx_as_asked(options, chosen, data);
}

void add_sizes(CLI::App& parser, ApproxCommandOptions& options) {
  const auto read = [&options](const std::string& text) { options.frequencies = parse_frequencies("--frequencies", text); };
  options.frequencies_given = add_text_option(parser, "--frequencies", read,
                                              "A comma list; 4d is 4·dimension. In all; with --estimator jordan per part,\n"
                                              "the paper's M; with nystrom and precomputed half the number of features",
                                              "M[,M...]", "2d,8d,32d; with --compare 8d; precomputed: 16,64,256");
  in_group(options.frequencies_given, "Map");
  options.map.add_tolerance(parser);
}

}  // namespace

Json approx_header_json(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
                        std::size_t n_trials) {
  return {{"kernel", chosen.name},
          {"parameters", chosen.parameters_json(data.X.cols())},
          {"dim", data.X.cols()},
          {"data", options.data.source},
          {"data_rows", data.n_rows},
          {"rows_drawn", data.X.rows()},
          {"points", n_points},
          {"trials", n_trials},
          {"scale", name_of(options.data.scale)},
          {"seed", options.map.values.seed}};
}

std::string drawn_text(const DrawnRows& data) { return data.X.rows() == data.n_rows ? "" : fmt::format(", drawn from {}", data.n_rows); }

Command add_approx(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "approx", "The error of the approximation on data, by number of frequencies or for a tolerance");
  auto options = std::make_shared<ApproxCommandOptions>();
  options->kernel.add_to(*parser, matrix_kernel_help());
  options->data.scale = Scaling::minmax;
  options->data.add_to(*parser);
  options->data.require();
  add_sizes(*parser, *options);
  options->map.values.estimator = Estimator::best;
  options->map.add_seed(*parser);
  options->map.add_method(*parser);
  add_flag(*parser, "--compare", options->compare, "Every method at one number of frequencies, and what it saves against the paper's");
  options->points_given = add_count(*parser, "--points", options->n_points, "Rows, drawn at random, on whose pairs the error is measured");
  options->trials_given = with_default(add_count(*parser, "--trials", options->n_trials, "Independent draws to average over"),
                                       "1 where the map is chosen, 3 with --compare, else 10");
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "The error is ‖K-K̃‖_F/‖K‖_F on the same points for every trial.\n"
      "The file is gone through once, whatever its size: of more than 20 000 rows and --points so many are drawn by --seed.\n"
      "By default Fourier maps with calibrated weights and Nyström maps are tried on the data, and the most exact at the arithmetic of\n"
      "--frequencies, or the cheapest that reaches --tolerance, is taken. The rows the error is measured on take no part in it.\n"
      "Another --estimator shows one method; --estimator paper is the paper's. Calibrated\n"
      "weights and Nyström maps hold for data like those they were fitted on; exact weights hold everywhere.\n"
      "--compare takes Nyström maps of at most 1024 features, which are as exact as others of many times as many. With --time-limit it "
      "ends "
      "after so\n"
      "many seconds, and what there was no time for is said; the paper's method is measured first.\n"
      "Examples:\n"
      "  askrff approx --data builtin:uniform:8 --kernel sinh-gaussian\n"
      "  askrff approx --data builtin:uniform:8 --kernel sinh-gaussian --tolerance 1e-3\n"
      "  askrff approx --data builtin:uniform:8 --kernel sinh-gaussian --compare\n"
      "  askrff approx --data builtin:uniform:8 --kernel shift-gaussian --estimator polar --sampler mub --frequencies 16,64,4d --trials 5\n"
      "  askrff approx --data K.npy --kernel precomputed --frequencies 16,64,256\n"
      "  askrff approx --data letter.libsvm.xz --kernel sinh-gaussian --estimator paper --json");
  return {parser, [options] { return run_approx(*options); }};
}

}  // namespace askrff::cli
