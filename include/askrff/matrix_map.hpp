// make_matrix_map(): a Map of a kernel matrix, with the error it has on rows and columns that had no part in it. The map's rows are rows of
// K, its right rows are columns of K; models on it (train.hpp, TrainOptions::map) take rows of K.
#pragma once

#include "askrff/map.hpp"
#include "askrff/kernel_matrix.hpp"

namespace askrff {

/// matrix_factors() of K. The certificate: a fifth of the rows and columns, at most 400 (of more than 20 000 a fiftieth, at most 1000), is
/// left out of the factors, brought to features as rows that come later are, and compared with K between them: for a square K, whose i-th
/// row and column are taken to belong to the same thing, those of the same things, as held_out_error does; else all of them are different,
/// and the interval is the jackknife's over rows and columns. Fewer than 15 of either: no certificate. With fewer than 8000 the factors are
/// then those of all of K, and the certificate is that of factors like them; with more, those rows stay left out. `certify` false: nothing
/// is left out. Same bits for any number of threads. Throws as matrix_factors.
Map make_matrix_map(const LinearMap& K, const MatrixOptions& options = {}, bool certify = true);

}  // namespace askrff
