// askrff: random Fourier features for asymmetric, indefinite and ordinary kernels. The stages in order.
#pragma once

#include "askrff/version.hpp"          // ASKRFF_VERSION
#include "askrff/errors.hpp"           // what is thrown
#include "askrff/views.hpp"            // matrices
#include "askrff/sparse.hpp"           // matrices of which most entries are zero
#include "askrff/execution.hpp"        // threads, backend, stop requests, progress; the machine
#include "askrff/words.hpp"            // the words of options
#include "askrff/numbers.hpp"          // numbers in text
#include "askrff/random.hpp"           // draws are (seed, purpose, index)
#include "askrff/labels.hpp"           // which labels are the same class
#include "askrff/rows.hpp"             // rows with labels, as a stream; scaling
#include "askrff/columns.hpp"          // tables by columns
#include "askrff/arrow.hpp"            // tables of other programs, by Arrow's C interface
#include "askrff/data.hpp"             // files and generators: the library askrff::data
#include "askrff/output_file.hpp"      // files that are complete or absent
#include "askrff/kernels.hpp"          // k(δ), the registry, and how to write your own
#include "askrff/pair_kernel.hpp"      // k(x, y) that is no function of x - y
#include "askrff/function_form.hpp"    // by which route a function's measure is found
#include "askrff/function_kernel.hpp"  // a kernel of your own function
#include "askrff/measure.hpp"          // μ, its Jordan parts, their masses and variances
#include "askrff/sampling.hpp"         // where the ω_j are
#include "askrff/structure.hpp"        // frequencies with a fast transform
#include "askrff/atoms.hpp"            // (ω_j, c_j)
#include "askrff/grid.hpp"             // atoms on a grid, for a tolerance
#include "askrff/approximate.hpp"      // kernel → atoms
#include "askrff/nystrom.hpp"          // kernel and training rows → landmarks and factors
#include "askrff/kernel_matrix.hpp"    // a kernel matrix → factors
#include "askrff/dense.hpp"            // products and Cholesky at the machine's speed
#include "askrff/features.hpp"         // atoms or landmarks → left(X), right(Y), Φ(X)
#include "askrff/operators.hpp"        // Gram blocks, errors, bounds
#include "askrff/grid_operator.hpp"    // sums of kernels in 1 to 3 dimensions
#include "askrff/inversion.hpp"        // which sources explain readings
#include "askrff/causal.hpp"           // kernels of time that look back only, by sums of exponentials
#include "askrff/hawkes.hpp"           // events that cause events
#include "askrff/choose.hpp"           // the best map for kernel and data
#include "askrff/diagnose.hpp"         // what a kernel is on given rows
#include "askrff/linear.hpp"           // design, classes and folds, support vector machine
#include "askrff/ridge.hpp"            // least squares in one pass
#include "askrff/grid_ridge.hpp"       // the same on a grid of frequencies
#include "askrff/map.hpp"              // from raw rows to features: make_map()
#include "askrff/matrix_map.hpp"       // from a kernel matrix to features
#include "askrff/model.hpp"            // from raw rows to labels, and files of it
#include "askrff/train.hpp"            // from labelled rows to a model: train()
#include "askrff/parts.hpp"            // the same of rows that lie in parts, on a cluster
#include "askrff/plan.hpp"             // ridge models of many files, one job for each
