// Results as a run would give them, made up: plausible ones, and what a report must survive.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "experiments/results.hpp"

namespace askrff::test {

/// How much there is of everything.
struct SampleSize {
  std::vector<std::string> datasets{"spambase", "ijcnn1", "letter", "cod-RNA"};
  std::vector<std::string> kernels{"shift-gaussian", "sinh-gaussian", "cosh-gaussian"};
  int n_multiples = 10;
  std::size_t n_trials = 10;
};

namespace detail {

using namespace experiments;

/// One trial has no deviation.
inline Spread spread(double mean, double deviation, std::size_t n_trials) {
  return {mean, n_trials > 1 ? deviation : std::nan(""), n_trials};
}

/// A number in [-1, 1] that looks accidental and is the same everywhere.
inline double wobble(std::size_t i) { return static_cast<double>((i * 7919 + 13) % 201) / 100 - 1; }

inline std::size_t dim_of(std::size_t dataset) {
  constexpr std::size_t dims[] = {57, 22, 16, 8};
  return dims[dataset % 4];
}

inline Figure1 sample_figure1(const SampleSize& size) {
  Figure1 figure;
  const std::vector<std::string> parts{"real_positive", "real_negative", "imaginary_positive"};
  const double exact[3][3] = {{0.663, 0.057, 0.2896}, {1, 0, 44.26}, {44.77, 43.77, 44.26}};
  for (std::size_t k = 0; k < size.kernels.size(); ++k) {
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const double mass = exact[k % 3][p];
      for (int m = 1; m <= size.n_multiples; ++m) {
        const double shrunk = k % 3 == 0 || (k % 3 == 1 && p < 2) ? 1 : 1 - std::exp2(-0.45 * m);
        const double deviation = mass == 1 || mass == 0 ? 0 : 0.6 * mass * std::exp2(-0.4 * m);
        figure.points.push_back(
            {size.kernels[k], parts[p], std::size_t{1} << m,
             spread(mass * shrunk + 0.3 * deviation * wobble(k * 97 + p * 31 + static_cast<std::size_t>(m)), deviation, size.n_trials),
             mass});
      }
      const MassPoint& last = figure.points.back();
      figure.checks.push_back({last.kernel, last.part, last.n_frequencies, mass, last.estimate,
                               spread(last.estimate.mean * 1.001, last.estimate.deviation, 1000), p != 2,
                               p == 2 ? "The fit is drawn towards zero at small M: the mean of 1000 trials lies as far below." : ""});
    }
  }
  figure.findings = {"The fitted masses settle around the exact ones, and their deviations fall as M grows."};
  figure.seconds = 3.2;
  return figure;
}

inline Figure2 sample_figure2(const SampleSize& size) {
  Figure2 figure;
  figure.methods = {{"paper", "paper's estimator", "Equally many frequencies of each part, masses fitted on 50 rows."},
                    {"exact-masses", "exact masses", "The same frequencies with the exact masses."},
                    {"polar", "polar", "One set of frequencies from |μ| with phases."},
                    {"calibrated", "calibrated", "Every weight fitted to pairs of training rows."},
                    {"nystrom", "Nyström", "Landmarks of the training rows, equally many features."}};
  const double start[] = {0.06, 0.055, 0.04, 0.004, 0.0008}, fall[] = {-0.5, -0.5, -0.5, -0.65, -1.1};
  for (std::size_t s = 0; s < size.datasets.size(); ++s) {
    for (std::size_t k = 0; k < size.kernels.size(); ++k) {
      for (std::size_t m = 0; m < figure.methods.size(); ++m) {
        const std::string& method = figure.methods[m].name;
        for (int i = 1; i <= size.n_multiples; ++i) {
          const double mean = start[m] * (1 + static_cast<double>(k)) * std::exp2(fall[m] * i) *
                              (1 + 0.1 * wobble(s * 57 + k * 17 + m * 5 + static_cast<std::size_t>(i)));
          const std::size_t multiple = std::size_t{1} << i, n = 3 * dim_of(s) * multiple;
          figure.points.push_back({size.datasets[s], size.kernels[k], method, dim_of(s), multiple, method == "nystrom" ? 0 : n, 2 * n,
                                   spread(mean, 0.3 * mean, size.n_trials)});
        }
        figure.slopes.push_back(
            {size.datasets[s], size.kernels[k], method, fall[m] + 0.06 * wobble(s * 11 + k), std::abs(0.06 * wobble(s * 11 + k)) <= 0.05});
        if (m > 0) figure.comparisons.push_back({size.datasets[s], size.kernels[k], method, start[0] / start[m], start[0] > start[m]});
      }
    }
  }
  figure.findings = {"The error of the paper's estimator falls like M^(-1/2).", "Calibrated weights are below it at every M."};
  figure.seconds = 512;
  return figure;
}

inline Figure3 sample_figure3(const SampleSize& size) {
  Figure3 figure;
  const double linear[] = {90.2, 91.5, 72.4, 90.8}, most[] = {93.2, 97.8, 95.1, 96.4};
  for (std::size_t s = 0; s < size.datasets.size(); ++s) {
    figure.linear.push_back({size.datasets[s], spread(linear[s % 4], 0.1, size.n_trials)});
    for (std::size_t k = 0; k < size.kernels.size(); ++k) {
      for (int i = -2; i < size.n_multiples - 2; ++i) {
        const double accuracy = most[s % 4] - (most[s % 4] - linear[s % 4] + 4) * std::exp2(-0.6 * (i + 2));
        const double seconds = 2e-5 * static_cast<double>(dim_of(s)) * std::exp2(i) * (1 + static_cast<double>(k));
        const double per_part = std::max(1.0, std::round(static_cast<double>(dim_of(s)) * std::exp2(i)));
        const auto n = static_cast<std::size_t>(3 * per_part);
        figure.points.push_back({size.datasets[s], size.kernels[k], dim_of(s), std::log2(per_part / static_cast<double>(dim_of(s))), n,
                                 2 * n, spread(accuracy, 0.4, size.n_trials), spread(seconds, 0.2 * seconds, size.n_trials)});
      }
    }
  }
  figure.findings = {"Accuracy rises with M until it saturates, and is above the linear classifier's from M = d on."};
  figure.seconds = 4210;
  return figure;
}

inline void add_cells(Table1& table, const TableRow& row, double rise, const SampleSize& size) {
  const double base[] = {92.5, 93.4, 79.0, 95.8};
  for (std::size_t s = 0; s < size.datasets.size(); ++s) {
    Cell cell;
    cell.dataset = size.datasets[s];
    cell.row = row.id;
    cell.accuracy = spread(base[s % 4] + rise, 0.3, size.n_trials);
    cell.n_frequencies = row.id == "linear" ? 0 : 6 * dim_of(s);
    cell.n_features = row.id == "linear" ? dim_of(s) : 12 * dim_of(s);
    cell.training_seconds = 0.4 * static_cast<double>(s + 1);
    cell.microseconds_per_row = 1.7;
    if (row.in_paper) {
      cell.paper = Published{base[s % 4] + 0.4 * wobble(s + table.cells.size()), 0.3};
      cell.allowed_deviation = 0.3;
      cell.pass = cell.difference() >= -2;
    }
    table.cells.push_back(cell);
  }
}

inline Table1 sample_table1(const SampleSize& size) {
  Table1 table;
  table.datasets = size.datasets;
  for (const std::string& kernel : size.kernels) {
    table.rows.push_back({kernel + "/asy", kernel + ", Asy", "The features of all parts, M = 2d frequencies of each.", true});
    table.rows.push_back({kernel + "/sym", kernel + ", Sym", "The real parts only.", true});
  }
  table.rows.push_back({"rbf", "RBF", "Gaussian kernel with σ = 2.", true});
  table.rows.push_back({"linear", "Linear", "The columns themselves, without a constant.", true});
  table.rows.push_back({"rbf/equal", "RBF, as many features", "As many features as the asymmetric row has.", false});
  for (const std::string& kernel : size.kernels)
    table.rows.push_back({kernel + "/nystrom", kernel + ", Nyström", "Landmarks, as many features.", false});
  double rise = 0.5;
  for (const TableRow& row : table.rows) add_cells(table, row, rise -= 0.12, size);
  table.findings = {"With as many features the Gaussian kernel does as well as the asymmetric ones."};
  table.seconds = 1804;
  return table;
}

inline RunRecord sample_run(const SampleSize& size) {
  RunRecord run{"0.1.0",
                "askrff-paper reproduce all --report report",
                "2026-01-02T03:04:05Z",
                "A processor, 2 cores",
                "simd:avx3",
                2,
                7,
                size.n_trials,
                false,
                size.kernels,
                {},
                {},
                6531};
  for (std::size_t s = 0; s < size.datasets.size(); ++s)
    run.datasets.push_back({size.datasets[s],
                            "From its archive; split as its source does.",
                            dim_of(s),
                            2760 * (s + 1),
                            1841 * (s + 1),
                            std::string(64, 'a'),
                            {{size.datasets[s] + ".txt", std::string(64, 'b')}},
                            false});
  return run;
}

}  // namespace detail

inline experiments::Results sample_results(const SampleSize& size = {}) {
  return {detail::sample_run(size), detail::sample_figure1(size), detail::sample_figure2(size), detail::sample_figure3(size),
          detail::sample_table1(size)};
}

}  // namespace askrff::test
