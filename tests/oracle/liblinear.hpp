// LIBLINEAR as the judge of the SVM: slower and independent. Tests and benchmarks use it, the library does not.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "askrff/linear.hpp"

namespace askrff::oracle {

/// Whether this build has it; without it nothing else of this file may be called.
bool has_liblinear();

/// Its L2R_L2LOSS_SVC (-s 2) on a copy of the design in its own format. Not to be called by several threads at once: it keeps global state.
class LiblinearRows {
 public:
  /// Throws std::invalid_argument if there are too many numbers for its format.
  explicit LiblinearRows(const Design<double>& design);
  ~LiblinearRows();

  struct Fit {
    std::vector<double> weights;  ///< n_columns, the bias last
    double objective = 0;
  };
  /// Targets are +1 or -1, one for every row of the design; rows with 0 are left out. `tolerance` is its -e.
  Fit fit(std::span<const int> targets, double c, double tolerance = 0.01) const;
  /// w·φ of a row.
  double output(std::size_t row, std::span<const double> weights) const;

 private:
  struct Nodes;
  std::unique_ptr<Nodes> nodes_;
};

}  // namespace askrff::oracle
