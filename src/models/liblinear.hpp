// LIBLINEAR as a second solver: slower, independent, and the judge of the first.
#pragma once

#include "models/svm_batch.hpp"

namespace askrff::models {

/// Its L2R_L2LOSS_SVC (-s 2) on a copy of the design in its own format. Not to be called by several threads at once: it keeps global state.
template <class T>
class LiblinearRows {
 public:
  explicit LiblinearRows(const Design<T>& design);
  ~LiblinearRows();

  struct Fit {
    std::vector<double> weights;  ///< n_columns, the bias last
    double objective = 0;
  };
  Fit fit(const TrainingRows& rows, const BinaryProblem& problem, double c, double tolerance) const;
  /// w·φ of a row.
  double output(std::size_t row, std::span<const double> weights) const;

 private:
  struct Nodes;
  std::unique_ptr<Nodes> nodes_;
};

}  // namespace askrff::models
