// From raw rows to features: which map, how many features, which rows it was not made for.
#include <fmt/format.h>

#include <algorithm>

#include "askrff/model.hpp"
#include "askrff/errors.hpp"

namespace askrff {

ColumnRange ColumnRange::of(MatrixView<const double> X) {
  if (X.rows() == 0) throw InvalidArgument("ColumnRange::of", "no rows, expected at least one");
  ColumnRange range{{X.row(0).begin(), X.row(0).end()}, {X.row(0).begin(), X.row(0).end()}};
  for (std::size_t i = 1; i < X.rows(); ++i) {
    for (std::size_t j = 0; j < X.cols(); ++j) {
      range.lowest[j] = std::min(range.lowest[j], X(i, j));
      range.highest[j] = std::max(range.highest[j], X(i, j));
    }
  }
  return range;
}

std::string_view name_of(FeatureSide side) {
  switch (side) {
    case FeatureSide::left:
      return "left";
    case FeatureSide::right:
      return "right";
    case FeatureSide::classifier:
      return "classifier";
  }
  throw InvalidArgument("name_of", "no side of a map");
}

std::string_view name_of(Task task) { return task == Task::classification ? "classification" : "regression"; }
std::string_view name_of(Precision precision) { return precision == Precision::float32 ? "float32" : "float64"; }

std::size_t Preparation::n_features() const {
  if (side == FeatureSide::classifier) {
    if (!atoms || atoms->parts().empty())
      throw InvalidArgument("Preparation", "classifier features need atoms drawn part by part, and the map has none");
    std::size_t n = 0;
    for (const PartRecord& part : atoms->parts()) n += 2 * part.count;
    return n;
  }
  return atoms ? 2 * atoms->size() : nystrom ? nystrom->n_features() : dim;
}

Features Preparation::features() const {
  n_features();  // whether there is such a side
  if (is_linear()) return ColumnFeatures(dim);
  if (side == FeatureSide::classifier) return ClassifierFeatures(*atoms);
  const FeatureMap map = atoms ? FeatureMap(*atoms) : FeatureMap(*nystrom);
  return side == FeatureSide::left ? map.left() : map.right();
}

std::size_t Preparation::rows_outside(MatrixView<const double> X) const {
  if (atoms && atoms->provenance().calibration) return atoms->provenance().calibration->rows_outside(X);
  if (!range) return 0;
  Calibration same_question;
  same_question.lowest = range->lowest;
  same_question.highest = range->highest;
  return same_question.rows_outside(X);
}

}  // namespace askrff
