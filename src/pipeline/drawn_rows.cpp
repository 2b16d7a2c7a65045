// Rows drawn from a stream in one pass, with the scaling of all, and the map of them.
#include <algorithm>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "core/row_sampler.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/row_sample.hpp"

namespace askrff {

DrawnRows draw_rows(RowStream& rows, Scaling scale, std::uint64_t seed, std::size_t n_more, const StopToken& stop) {
  const std::size_t dim = rows.n_columns();
  DrawnRows drawn{.column_names = rows.column_names()};
  ScalerFit fit(dim, scale);
  RowSampler sampler(pipeline::sample_size(dim, rows.is_sparse()) + n_more, seed);
  pipeline::CopiedRows copied(dim, rows.is_sparse(), 1);
  if (rows.can_rewind()) rows.rewind();
  for (RowBlock block; rows.next_as_is(block);) {
    stop.check();
    fit.add(block.X, stop);
    const RowBlock without_labels{block.X, {}, {}, {}};
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const std::uint64_t number = sampler.next_row();
      if (const auto place = sampler.next()) copied.set(*place, number, without_labels, i);
    }
  }
  if (copied.size() == 0) throw DataError(rows.name(), "no rows, expected at least one");
  drawn.n_rows = fit.n_rows();
  drawn.scaler = fit.finish();
  drawn.X = copied.scaled_by(drawn.scaler).X;
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
