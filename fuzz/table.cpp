// Tables of formulas as `--table f=FILE` reads them: text of two columns becomes a function of one variable, or is refused with an Error.
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "expressions/table.hpp"
#include "target.hpp"

namespace {

/// Between its points a table stays within the values of its two neighbours, beyond them it is 0.
void check_values(const askrff::expressions::Table& table, std::span<const double> pairs) {
  for (std::size_t i = 0; i + 3 < pairs.size(); i += 2) {
    const double middle = pairs[i] + 0.5 * (pairs[i + 2] - pairs[i]), value = table.value(middle);
    const double low = std::fmin(pairs[i + 1], pairs[i + 3]), high = std::fmax(pairs[i + 1], pairs[i + 3]);
    const double slack = 0x1p-40 * std::fmax(std::fabs(low), std::fabs(high));
    if (std::isfinite(middle) && !(value >= low - slack && value <= high + slack)) askrff::fuzz::broken("a cubic leaves its interval");
  }
  if (table.value(std::nextafter(table.last(), HUGE_VAL)) != 0) askrff::fuzz::broken("a table is not 0 beyond its end");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askrff;
  ReadOptions options;
  options.max_bytes = std::uint64_t{1} << 20;
  options.execution.n_threads = 1;
  try {
    const Dataset rows = read_data(fuzz::memory_file(fuzz::text_of(data, size)), options);
    if (rows.X.cols() != 2) return 0;
    const std::span<const double> pairs(rows.X.data(), 2 * rows.X.rows());
    check_values(expressions::Table(pairs, "table"), pairs);
    ParameterValues values;
    values.insert_or_assign("f", CoordinateParameter::list({pairs.begin(), pairs.end()}));
    Matrix<double> X(3, 2), out(3, 3);
    for (std::size_t i = 0; i < 3; ++i) X(i, 0) = pairs[0], X(i, 1) = 0.5 * static_cast<double>(i);
    make_kernel("expr: f(r) + f(x2)", values)->evaluate_pairs(X, X, out);
  } catch (const Error&) {
  }
  return 0;
}
