// Compares the columns of data with those a stored map or model was made for.
#include "stored_columns.hpp"

#include <fmt/format.h>

#include "plural.hpp"
#include "askrff/errors.hpp"

namespace askrff::cli {

void check_stored_columns(const DataOptions& data, std::size_t n_columns, const std::vector<std::string>& names, const Map& map,
                          const std::string& file, FeatureSide side) {
  const std::size_t dim = map.dim(side);
  if (n_columns != dim)
    throw DataError(data.source,
                    fmt::format("{}, but {} was made for {}{}", counted(n_columns, "column"), file, dim,
                                n_columns > dim && data.read.label.empty() ? "; a column of labels has to be named by --label" : ""));
  const bool are_columns_of_matrix = map.matrix() && side == FeatureSide::right;  // whose names nobody has told
  if (names.empty() || map.content().column_names.empty() || are_columns_of_matrix) return;
  for (std::size_t j = 0; j < names.size(); ++j)
    if (names[j] != map.content().column_names[j])
      throw DataError(
          data.source,
          fmt::format("column {} is called {}, in the training data of {} it was {}; expected the same columns in the same order", j + 1,
                      printable(names[j]), file, printable(map.content().column_names[j])));
}

}  // namespace askrff::cli
