// Every row by the model that its fold took no part in.
#include "pipeline/held_out_outputs.hpp"

#include <algorithm>

namespace askrff::pipeline {

std::uint64_t held_out_step(std::uint64_t n_rows, std::size_t n_outputs) {
  constexpr std::uint64_t max_outputs = std::uint64_t{1} << 22;
  return std::max<std::uint64_t>(1, n_rows * n_outputs / max_outputs);
}

HeldOutPass::HeldOutPass(const Map& map, std::vector<LinearModel> models, Precision precision, std::uint64_t seed, std::uint64_t step,
                         std::span<const std::uint64_t> n_before)
    : dealer_(models.size(), seed), step_(step) {
  for (std::size_t k = 0; k < n_before.size(); ++k) {
    dealer_.skip(n_before[k], static_cast<std::uint32_t>(k));
    next_row_ += n_before[k];
  }
  result_.n_outputs = models[0].n_outputs();
  std::vector<std::string> names;  // of which outputs say nothing
  for (std::size_t k = 0; k < std::max<std::size_t>(2, result_.n_outputs); ++k) names.push_back(std::to_string(k));
  for (LinearModel& linear : models)
    of_fold_.push_back({.map = map, .linear = std::move(linear), .classes = names, .precision = precision});
}

void HeldOutPass::add(const RowsView<double>& X, std::span<const std::uint32_t> classes, std::span<const double> weights,
                      const Execution& execution) {
  std::vector<std::vector<std::size_t>> rows_of(of_fold_.size());
  std::vector<std::size_t> place(X.rows());  // of a row among all that are taken
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const std::uint32_t fold = dealer_.next(classes[i]);
    if (next_row_++ % step_ != 0) continue;
    rows_of[fold].push_back(i);
    place[i] = result_.classes.size();
    if (!weights.empty()) result_.weights.resize(result_.classes.size(), 1.0);  // blocks without weights count 1
    result_.classes.push_back(classes[i]);
    if (!weights.empty() || !result_.weights.empty()) result_.weights.push_back(weights.empty() ? 1 : weights[i]);
  }
  const std::size_t n_outputs = result_.n_outputs;
  result_.outputs.resize(result_.classes.size() * n_outputs);
  for (std::size_t fold = 0; fold < of_fold_.size(); ++fold) {
    const RowsMatrix<double> rows = RowsMatrix<double>::taken_from(X, rows_of[fold]);
    const Matrix<double> found = rows.view().visit([&](const auto& of_kind) { return of_fold_[fold].outputs(of_kind, execution); });
    for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(found.row(i), &result_.outputs[place[rows_of[fold][i]] * n_outputs]);
  }
}

}  // namespace askrff::pipeline
