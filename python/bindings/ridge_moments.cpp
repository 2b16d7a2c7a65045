// Arrays of moments, and moments of arrays.
#include "ridge_moments.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"

namespace askrff::python {
namespace {

nb::dict to_python(FoldMoments fold) {
  nb::dict result;
  result["gram"] = to_array(std::move(fold.gram));
  result["moments"] = to_array(std::move(fold.moments));
  result["feature_sums"] = to_array(std::move(fold.feature_sums));
  result["target_sums"] = to_array(std::move(fold.target_sums));
  result["target_norms"] = to_array(std::move(fold.target_norms));
  result["n_rows"] = fold.n_rows;
  return result;
}

/// What the dictionary has under this key. Throws KeyError if nothing, TypeError if something else.
template <class Value>
Value take(const nb::dict& dictionary, const char* key) {
  Value value;
  if (!nb::try_cast(nb::object(dictionary[key]), value))
    throw nb::type_error((std::string("RidgeSums.from_moments: ") + key + " is of a wrong type, expected what moments() gives").c_str());
  return value;
}

Matrix<double> take_matrix(const nb::dict& dictionary, const char* key) {
  const auto array = take<Array>(dictionary, key);
  const auto values = view_of<double>(array, "RidgeSums.from_moments", key);
  Matrix<double> matrix(values.rows(), values.cols());
  for (std::size_t i = 0; i < values.rows(); ++i) std::ranges::copy(values.row(i), matrix.row(i).begin());
  return matrix;
}

FoldMoments fold_from(const nb::dict& dictionary) {
  FoldMoments fold;
  fold.gram = take_matrix(dictionary, "gram");
  fold.moments = take_matrix(dictionary, "moments");
  fold.feature_sums = take<std::vector<double>>(dictionary, "feature_sums");
  fold.target_sums = take<std::vector<double>>(dictionary, "target_sums");
  fold.target_norms = take<std::vector<double>>(dictionary, "target_norms");
  fold.n_rows = take<std::uint64_t>(dictionary, "n_rows");
  return fold;
}

}  // namespace

nb::dict to_python(RidgeMoments moments) {
  nb::list folds;
  for (FoldMoments& fold : moments.folds) folds.append(to_python(std::move(fold)));
  nb::dict result;
  result["folds"] = folds;
  result["origin"] = to_array(std::move(moments.origin));
  result["feature_origin"] = to_array(std::move(moments.feature_origin));
  result["epsilon"] = moments.epsilon;
  return result;
}

RidgeMoments moments_from(const nb::dict& dictionary) {
  RidgeMoments moments;
  for (const nb::dict& fold : take<std::vector<nb::dict>>(dictionary, "folds")) moments.folds.push_back(fold_from(fold));
  moments.origin = take<std::vector<double>>(dictionary, "origin");
  moments.feature_origin = take<std::vector<double>>(dictionary, "feature_origin");
  moments.epsilon = take<double>(dictionary, "epsilon");
  return moments;
}

}  // namespace askrff::python
