// What make_map() and train() share: the sample of rows a map is made on, and the map of rows that are scaled already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "askrff/map.hpp"
#include "core/row_sampler.hpp"

namespace askrff::pipeline {

/// Rows a map needs to see at most: 20 000, or fewer where rows are wide (half a gigabyte), but 500. Sparse rows count as having 4096
/// numbers at most: how many they have is known only when all of them have been seen.
std::size_t sample_size(std::size_t n_columns, bool sparse);

/// make_map() for scaled rows, all of which may be looked at.
Map make_map_of_scaled(const KernelChoice& kernel, const RowsView<double>& rows, Scaler scaler, const MapOptions& options,
                       std::vector<Candidate>& tried);

/// The ends of the columns of raw rows, scaled.
ColumnRange scaled_box(ColumnRange box, const Scaler& scaler);

/// Columns of scaled rows, from 0, that outliers squeeze: MapContent::squeezed. A column that is the same in nine of ten rows is none.
std::vector<std::size_t> squeezed_columns(const RowsView<double>& rows, Scaling scaling);

}  // namespace askrff::pipeline
