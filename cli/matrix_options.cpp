// Reads a kernel matrix and makes its map.
#include "matrix_options.hpp"

#include <fmt/format.h>

#include "choice_report.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {

std::string matrix_kernel_help() {
  return "precomputed: no kernel, --data holds the rows of a kernel matrix K itself, dense or\n(LIBSVM) sparse, square or not, symmetric "
         "or "
         "not (docs/precomputed.md)";
}

void check_matrix_options(const KernelOptions& kernel, const DataOptions& data) {
  kernel.refuse_parameters("--kernel precomputed has no parameters");
  data.refuse_scale("--kernel precomputed takes the numbers of K as they are");
}

NamedMatrix read_named_matrix(RowStream& rows, const StopToken& stop) { return {read_matrix(rows, stop), rows.column_names()}; }

NamedMatrix read_named_matrix(const DataOptions& data, const Execution& execution) {
  DataStream rows = data.open(execution);
  return read_named_matrix(rows, execution.stop);
}

Json matrix_header_json(const DataOptions& data, const RowsView<double>& K) {
  return {{"kernel", matrix_kernel}, {"parameters", Json::object()}, {"data", data.source}, {"data_rows", K.rows()},
          {"dim", K.cols()},         {"sparse", K.is_sparse()}};
}

std::string matrix_title(const DataOptions& data, const RowsView<double>& K) {
  return fmt::format("kernel matrix {}, {} x {}{}", data.source, K.rows(), K.cols(),
                     K.is_sparse() ? fmt::format(", sparse: {} numbers", K.n_values()) : "");
}

Map made_matrix_map(const NamedMatrix& matrix, const MatrixOptions& options, std::optional<double> tolerance, const std::string& bar,
                    std::vector<Candidate>& tried) {
  ProgressBar progress(bar, 1);
  const auto show = shown_on(progress);
  const auto K = matrix_view(matrix.K());
  const Map map = tolerance ? choose_matrix_map(*K, *tolerance, options,
                                                [&](const Candidate& candidate) {
                                                  tried.push_back(candidate);
                                                  show(candidate);
                                                })
                            : make_matrix_map(*K, options);
  return map.with([&](MapContent& content) { content.column_names = matrix.column_names; });
}

std::string no_certificate_text() { return "No certificate: with fewer than 15 rows or columns nothing is known of the error.\n"; }

}  // namespace askrff::cli
