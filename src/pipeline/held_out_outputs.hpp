// What models fitted without a fold say of its rows, for probabilities: of all rows, or of a part of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "askrff/model.hpp"

namespace askrff::pipeline {

/// Outputs of rows that took no part in the fits they come from.
struct HeldOutOutputs {
  std::size_t n_outputs = 0;
  std::vector<double> outputs;  ///< row after row
  std::vector<std::uint32_t> classes;
  std::vector<double> weights;  ///< one per row, or none: all 1

  OutputScale scale() const { return fit_output_scale({outputs.data(), classes.size(), n_outputs}, classes, weights); }
};

/// Rows of very many are taken only now and then, since one or two numbers are found from them: at most about 2^22 outputs.
std::uint64_t held_out_step(std::uint64_t n_rows, std::size_t n_outputs);

class HeldOutPass {
 public:
  /// models: one per fold. n_before: rows of every class before the first that is added, to go on dealing folds and taking rows from there.
  HeldOutPass(const Map& map, std::vector<LinearModel> models, Precision precision, std::uint64_t seed, std::uint64_t step,
              std::span<const std::uint64_t> n_before);
  /// Raw rows; weights: one per row, or none.
  void add(const RowsView<double>& X, std::span<const std::uint32_t> classes, std::span<const double> weights, const Execution& execution);
  HeldOutOutputs& result() { return result_; }

 private:
  std::vector<Model> of_fold_;
  FoldDealer dealer_;
  std::uint64_t step_, next_row_ = 0;
  HeldOutOutputs result_;
};

}  // namespace askrff::pipeline
