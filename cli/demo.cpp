// askrff demo: the method end to end on built-in data, for the paper's three asymmetric kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/map.hpp"
#include "askrff/data.hpp"
#include "askrff/measure.hpp"
#include "askrff/random.hpp"
#include "command.hpp"
#include "demo_saving.hpp"
#include "evaluation.hpp"
#include "interrupt.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

constexpr const char* data_source = "builtin:uniform:8";
constexpr std::array demo_kernels{"shift-gaussian", "sinh-gaussian", "cosh-gaussian"};
constexpr std::array<std::size_t, 4> multiples_of_dim{1, 4, 16, 64};
constexpr const char* pictured_kernel = "sinh-gaussian";
constexpr std::size_t n_trials = 3, n_pairs = 3;
constexpr std::size_t n_choosing = 1500;  // rows to choose and certify maps on; none of them is a point

/// k and k̂ at one pair of points, in both orders.
struct Pair {
  double exact_xy = 0, exact_yx = 0, approximate_xy = 0, approximate_yx = 0;
};

struct KernelDemo {
  ChosenKernel chosen;
  Masses masses;
  std::vector<Evaluation> evaluations;
  std::vector<Pair> pairs;
};

std::vector<Pair> compare_pairs(const Kernel& kernel, const SpectralAtoms& atoms, MatrixView<const double> X) {
  std::vector<Pair> pairs;
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    std::vector<double> forward(X.cols()), backward(X.cols());
    for (std::size_t j = 0; j < X.cols(); ++j) {
      forward[j] = X(2 * pair + 2, j) - X(2 * pair + 3, j);
      backward[j] = -forward[j];
    }
    pairs.push_back({kernel(forward), kernel(backward), atoms(forward), atoms(backward)});
  }
  return pairs;
}

KernelDemo demonstrate(const std::string& name, MatrixView<const double> X, ProgressBar& progress) {
  const std::size_t dim = X.cols();
  KernelDemo demo{choose_kernel(name), {}, {}, {}};
  demo.masses = exact_masses(*demo.chosen.measure(dim));
  MapOptions how{.estimator = Estimator::jordan, .sampler = Sampler::exact, .weights = Weights::exact, .execution = {.stop = stop_token()}};
  for (const std::size_t multiple : multiples_of_dim) {
    how.n_frequencies = multiple * dim;
    demo.evaluations.push_back(evaluate(demo.chosen, X, X, how, n_trials, progress));
  }
  how.seed = derive_seed(how.seed, 0);  // the atoms of the first trial with the most frequencies
  demo.pairs = compare_pairs(*demo.chosen.kernel, *make_map(demo.chosen, X, how).atoms(), X);
  return demo;
}

Json to_json(const KernelDemo& demo, std::size_t dim) {
  Json json = {{"kernel", demo.chosen.name},
               {"parameters", demo.chosen.parameters_json(dim)},
               {"real_positive", demo.masses.real_positive},
               {"real_negative", demo.masses.real_negative},
               {"imaginary_positive", demo.masses.imaginary_positive},
               {"total", demo.masses.total},
               {"total_variation", demo.masses.total_variation},
               {"k0", demo.chosen.kernel->at_zero(dim)},
               {"parts", parts_json(demo.evaluations.back().parts)},
               {"rows", Json::array()},
               {"pairs", Json::array()}};
  for (const Evaluation& evaluation : demo.evaluations) json["rows"].push_back(evaluation_json(evaluation));
  for (const Pair& pair : demo.pairs)
    json["pairs"].push_back(
        {{"k_xy", pair.exact_xy}, {"approx_xy", pair.approximate_xy}, {"k_yx", pair.exact_yx}, {"approx_yx", pair.approximate_yx}});
  return json;
}

std::string masses_text(const std::vector<KernelDemo>& demos, std::size_t dim) {
  Table table({{"kernel", Align::left}, {"‖μ_R⁺‖"}, {"‖μ_R⁻‖"}, {"‖μ_I⁺‖"}, {"total ‖μ‖"}, {"k(0)"}});
  for (const KernelDemo& demo : demos)
    table.add({demo.chosen.name, fmt::format("{:.6f}", demo.masses.real_positive), fmt::format("{:.4g}", demo.masses.real_negative),
               fmt::format("{:.6f}", demo.masses.imaginary_positive), fmt::format("{:.6f}", demo.masses.total),
               fmt::format("{:.6f}", demo.chosen.kernel->at_zero(dim))});
  return table.text();
}

std::string errors_text(const std::vector<KernelDemo>& demos) {
  std::vector<Column> columns{{"frequencies per part"}};
  for (const KernelDemo& demo : demos) columns.push_back({demo.chosen.name});
  columns.push_back({"M^-½ law"});
  Table table(columns);
  for (std::size_t row = 0; row < multiples_of_dim.size(); ++row) {
    std::vector<std::string> cells{fmt::format("{}d = {}", multiples_of_dim[row], demos.front().evaluations[row].frequencies_per_part)};
    for (const KernelDemo& demo : demos)
      cells.push_back(fmt::format("{:6.2f} % ± {:4.2f}", 100 * demo.evaluations[row].error_mean, 100 * demo.evaluations[row].error_std));
    cells.push_back(row == 0 ? "1" : fmt::format("1/{}", 1u << row));
    table.add(std::move(cells));
  }
  return table.text();
}

std::string pairs_text(const std::vector<KernelDemo>& demos) {
  Table table({{"kernel", Align::left}, {"pair"}, {"k(x,y)"}, {"k̂(x,y)"}, {"k(y,x)"}, {"k̂(y,x)"}});
  const auto shown = [](double value) { return fmt::format("{:.4f}", value); };
  for (const KernelDemo& demo : demos) {
    for (std::size_t i = 0; i < demo.pairs.size(); ++i) {
      const Pair& pair = demo.pairs[i];
      table.add({i == 0 ? demo.chosen.name : "", fmt::format("{}", i + 1), shown(pair.exact_xy), shown(pair.approximate_xy),
                 shown(pair.exact_yx), shown(pair.approximate_yx)});
    }
  }
  return table.text();
}

std::string saving_text(const std::vector<KernelSaving>& savings) {
  const auto pictured = std::ranges::find(savings, pictured_kernel, &KernelSaving::kernel);
  return savings_text(savings) + "\n" + saving_picture(*pictured);
}

std::string to_text(const std::vector<KernelDemo>& demos, const std::vector<KernelSaving>& savings, MatrixView<const double> X) {
  std::string titles;
  for (const KernelDemo& demo : demos) titles += "  " + demo.chosen.title(X.cols()) + "\n";
  const Evaluation& last = demos.front().evaluations.back();
  return fmt::format(
      "Random Fourier features for asymmetric kernels, on {} points uniform in [0,1]^{} ({})\n{}\n"
      "1. The Fourier measure of an asymmetric kernel is complex: the exact masses of its parts\n\n{}\n"
      "2. The error ‖K-K̃‖_F/‖K‖_F, mean ± deviation of {} trials: four times the frequencies, half the error\n\n{}\n"
      "3. Exact and approximate kernel (k̂, {} frequencies per part) at three pairs of points: k(x,y) is not k(y,x), and k̂ follows\n\n{}\n"
      "4. What the library is for: the error of {} frequencies per part with many\n   times fewer features, certified: a 95 % interval on "
      "rows of no fit\n\n{}\n"
      "What to try next:\n"
      "  the kernels and their parameters          askrff kernels\n"
      "  the error on your data                    askrff approx --data YOUR.csv --kernel sinh-gaussian\n"
      "  a map certified for a tolerance           askrff choose --data YOUR.csv --kernel sinh-gaussian --tolerance 1e-3 --out map.askrff\n"
      "  a classifier of your labels               askrff train --data YOUR.csv --label COLUMN --kernel sinh-gaussian --out m.askrff\n"
      "  the features themselves                   askrff transform --data YOUR.csv --kernel sinh-gaussian --side left --out left.npy\n"
      "  how many frequencies are always enough    askrff bound --kernel shift-gaussian --dim {} --diameter {:.4g}\n",
      X.rows(), X.cols(), data_source, titles, masses_text(demos, X.cols()), n_trials, errors_text(demos), last.frequencies_per_part,
      pairs_text(demos), last.frequencies_per_part, saving_text(savings), X.cols(), std::sqrt(static_cast<double>(X.cols())));
}

Report run_demo(std::size_t n_points) {
  const Matrix<double> rows = read_data(fmt::format("{}:{}", data_source, n_points + n_choosing)).X;
  const auto X = rows.view().middle_rows(0, n_points), others = rows.view().middle_rows(n_points, n_choosing);
  double work = 0;
  for (const std::size_t multiple : multiples_of_dim) work += static_cast<double>(multiple * X.cols() * n_trials * demo_kernels.size());
  std::vector<KernelDemo> demos;
  std::vector<KernelSaving> savings;
  {
    ProgressBar progress("demo", work);
    for (const char* name : demo_kernels) {
      demos.push_back(demonstrate(name, X, progress));
      savings.push_back(save_features(demos.back().chosen, others, demos.back().evaluations, std::string_view(name) == pictured_kernel));
    }
  }
  Report report;
  report.json = {{"data", data_source}, {"points", X.rows()}, {"dim", X.cols()},
                 {"trials", n_trials},  {"seed", 0},          {"kernels", Json::array()}};
  for (std::size_t i = 0; i < demos.size(); ++i) {
    report.json["kernels"].push_back(to_json(demos[i], X.cols()));
    report.json["kernels"].back()["saving"] = saving_json(savings[i]);
  }
  report.text = to_text(demos, savings, X);
  return report;
}

}  // namespace

Command add_demo(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "demo", "The method on built-in data: masses, errors, asymmetry, and how many features are enough");
  auto n_points = std::make_shared<std::size_t>(500);
  add_count(*parser, "--points", *n_points, "Points on whose pairs the errors are measured", 2 * n_pairs + 2);
  add_footer(*parser, "Example:\n  askrff demo");
  return {parser, [n_points] { return run_demo(*n_points); }};
}

}  // namespace askrff::cli
