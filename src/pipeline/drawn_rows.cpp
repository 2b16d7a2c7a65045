// Rows drawn from a stream in one pass, with the scaling of all, and the map of them.
#include <algorithm>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "core/row_sampler.hpp"
#include "pipeline/make_map.hpp"

namespace askrff {

DrawnRows draw_rows(RowStream& rows, Scaling scale, std::uint64_t seed, std::size_t n_more, const StopToken& stop) {
  const std::size_t dim = rows.n_columns();
  DrawnRows drawn{.column_names = rows.column_names()};
  ScalerFit fit(dim, scale);
  RowSampler sampler(pipeline::sample_size(dim) + n_more, seed);
  std::vector<double> values;
  if (rows.can_rewind()) rows.rewind();
  for (RowBlock block; rows.next(block);) {
    stop.check();
    fit.add(block.X, stop);
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const auto place = sampler.next();
      if (!place) continue;
      if (*place * dim == values.size()) values.resize(values.size() + dim);
      std::ranges::copy(block.X.row(i), values.begin() + static_cast<std::ptrdiff_t>(*place * dim));
    }
  }
  if (values.empty()) throw DataError(rows.name(), "no rows, expected at least one");
  drawn.n_rows = fit.n_rows();
  drawn.scaler = fit.finish();
  drawn.X = Matrix<double>(values.size() / dim, dim, values);
  drawn.scaler.apply(drawn.X.view(), stop);
  return drawn;
}

Map make_map(const KernelChoice& kernel, const DrawnRows& rows, const MapOptions& options, std::vector<Candidate>& tried) {
  const Map map = pipeline::make_map_of_scaled(kernel, rows.X, rows.scaler, options, tried);
  if (rows.column_names.empty()) return map;
  return map.with([&](MapContent& content) { content.column_names = rows.column_names; });
}

Map make_map(const KernelChoice& kernel, RowStream& rows, const MapOptions& options) {
  std::vector<Candidate> tried;
  return make_map(kernel, draw_rows(rows, options.scale, options.seed, 0, options.execution.stop), options, tried);
}

}  // namespace askrff
