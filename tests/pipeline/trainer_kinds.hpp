// Ridge trainers of every kind, and rows to add to them.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "askrff/train.hpp"
#include "pipeline/training_data.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {

inline const std::vector<double> grid{0.1, 10};

/// 500 rows far from the origin, with classes and with two targets.
struct TrainerRows {
  Matrix<double> X;
  std::vector<std::uint32_t> classes;
  Matrix<double> Y;

  explicit TrainerRows(std::size_t n = 500, std::uint64_t seed = 1) : X(n, 2), Y(n, 2) {
    const LabelledRows rows = rings(n, 3, seed);
    for (std::size_t i = 0; i < n; ++i) {
      classes.push_back(static_cast<std::uint32_t>(rows.numbers[i]));
      X(i, 0) = 100 + rows.X(i, 0);
      X(i, 1) = rows.X(i, 1) - 30;
      Y(i, 0) = 1e4 + std::sin(3 * rows.X(i, 0));
      Y(i, 1) = rows.X(i, 0) * rows.X(i, 1);
    }
  }
};

inline Map fourier_map() {
  return make_map("shift-gaussian", TrainerRows().X, {.n_frequencies = 12, .weights = Weights::exact, .scale = Scaling::minmax});
}

/// A trainer of one kind, and rows added to it.
struct TrainerKind {
  Map map;
  RidgeTrainerOptions options;
  TrainerRows rows = TrainerRows();

  RidgeTrainer start() const { return RidgeTrainer(map, options); }
  void add(RidgeTrainer& trainer, std::size_t first, std::size_t count) const {
    if (options.classes.empty())
      trainer.add<double>(rows.X.view().middle_rows(first, count), rows.Y.view().middle_rows(first, count));
    else
      trainer.add<double>(rows.X.view().middle_rows(first, count), std::span(rows.classes).subspan(first, count));
  }
  TrainedModel solved(RidgeTrainer& trainer) const { return trainer.solve(options.n_folds > 1 ? grid : std::vector<double>{10}); }
  TrainedModel in_one_go(std::size_t count = 500) const {
    RidgeTrainer trainer = start();
    add(trainer, 0, count);
    return solved(trainer);
  }
};

inline std::vector<TrainerKind> trainer_kinds() {
  const std::vector<std::string> names{"a", "b", "c"};
  return {{fourier_map(), {.classes = names, .n_folds = 4, .seed = 5}},
          {fourier_map(), {.n_targets = 2, .n_folds = 3, .bias = false}},
          {fourier_map(), {.n_targets = 2}},
          {column_map(2), {.n_targets = 2, .n_folds = 3}},
          {column_map(2), {.classes = names}}};
}

}  // namespace askrff::test
