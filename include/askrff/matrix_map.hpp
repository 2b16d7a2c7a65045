// make_matrix_map(): a Map of a kernel matrix, with the error it has on rows and columns that had no part in it. The map's rows are rows of
// K, its right rows are columns of K; models on it (train.hpp, TrainOptions::map) take rows of K. choose_matrix_map() finds how many
// features a tolerance takes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "askrff/choose.hpp"
#include "askrff/map.hpp"
#include "askrff/kernel_matrix.hpp"
#include "askrff/rows.hpp"
#include "askrff/sparse.hpp"

namespace askrff {

/// matrix_factors() of K. The certificate: a fifth of the rows and columns, at most 400 (of more than 20 000 a fiftieth, at most 1000), is
/// left out of the factors, brought to features as rows that come later are, and compared with K between them: for a square K, whose i-th
/// row and column are taken to belong to the same thing, those of the same things, as held_out_error does; else all of them are different,
/// and the interval is the jackknife's over rows and columns. Fewer than 15 of either: no certificate. With fewer than 8000 the factors are
/// then those of all of K, and the certificate is that of factors like them; with more, those rows stay left out. With landmarks, too, it
/// takes the columns of all that judge; with fewer than 2000 rows or columns every fifth of them does in turn, so that is all of K.
/// Unless both sides are the same, features of directions that K hardly has are kept small by a ridge, the best for the places left out: a
/// row unlike all others would else have features of any size there. `certify` false: nothing is left out, nothing kept small, and nothing
/// but the landmarks looked at. Same bits for any number of threads. Throws as
/// matrix_factors.
Map make_matrix_map(const LinearMap& K, const MatrixOptions& options = {}, bool certify = true);

/// Rows and columns that choose_matrix_map needs, the fewest.
inline constexpr std::size_t least_rows_to_choose_matrix_map = 24;

/// The map of the fewest features found with a relative error ‖K - K̃‖/‖K‖ below the tolerance on rows and columns to come; of
/// options.n_features, the most to try, if none is. Numbers from 16, each twice the one before, and then those between the last two are
/// compared on a fifth (or so) of the rows and columns that do not certify: of the one taken the interval lies
/// below 0.65 of the tolerance there. Its certificate is then make_matrix_map's, on rows and columns that had no part in the choice, and
/// says whether the tolerance is reached. Throws as make_matrix_map, and InvalidArgument for a tolerance outside (0,1), fewer than 24 rows
/// or columns, a K that is zero between those held out.
Map choose_matrix_map(const LinearMap& K, double tolerance, const MatrixOptions& options = {},
                      const std::function<void(const Candidate&)>& on_candidate = {});

/// All of a matrix that comes as a stream of its rows, and what comes with them, which may be empty.
struct MatrixRows {
  RowsMatrix<double> K;  ///< sparse if the stream is
  std::vector<std::string> labels;
  std::vector<double> label_numbers, weights;
};
/// In one pass, from where the stream stands. Memory: little more than K. Throws as the stream, and DataError for no rows or columns.
MatrixRows read_matrix(RowStream& rows, const StopToken& stop = {});

/// Kᵀ, of the same kind: columns of K, as the right side of a map takes them. Throws InvalidArgument for 2^32 rows of a sparse K.
RowsMatrix<double> columns_as_rows(const RowsView<double>& K, const StopToken& stop = {});

}  // namespace askrff
