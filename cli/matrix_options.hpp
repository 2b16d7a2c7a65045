// --kernel precomputed: --data is a kernel matrix. What subcommands that take one share.
#pragma once

#include <string>
#include <vector>

#include "askrff/matrix_map.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"

namespace askrff::cli {

/// For the help of --kernel, where `is_matrix` of it is looked at.
std::string matrix_kernel_help();

/// Refuses parameters of kernels and a scaling of columns, which a matrix has not.
void check_matrix_options(const KernelOptions& kernel, const DataOptions& data);

/// K, all of it, and the names of its columns. Throws DataError.
struct NamedMatrix {
  MatrixRows rows;
  std::vector<std::string> column_names;

  RowsView<double> K() const { return rows.K; }
};
NamedMatrix read_named_matrix(const DataOptions& data, const Execution& execution);
NamedMatrix read_named_matrix(RowStream& rows, const StopToken& stop);

/// "kernel", "parameters", "data", "data_rows", "dim", which is the number of columns, "sparse".
Json matrix_header_json(const DataOptions& data, const RowsView<double>& K);
/// "kernel matrix K.npy, 800 x 800", and ", 12345 numbers are held" where it is sparse.
std::string matrix_title(const DataOptions& data, const RowsView<double>& K);

/// By the options: with so many features, or as many as the tolerance takes; the maps that were tried then.
Map made_matrix_map(const NamedMatrix& matrix, const MatrixOptions& options, std::optional<double> tolerance, const std::string& bar,
                    std::vector<Candidate>& tried);

/// Where there is no certificate: why.
std::string no_certificate_text();

}  // namespace askrff::cli
