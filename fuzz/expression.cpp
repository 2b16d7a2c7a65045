// Formulas: the parser, the program, its values on rows of two kinds, the table. The first line is the formula; what follows are numbers,
// one per line, the table of f and the value of every other name.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/sparse.hpp"
#include "target.hpp"

namespace {

/// At most 64 of them; what is no number is 0.
std::vector<double> numbers_of(std::string_view text) {
  std::vector<double> numbers;
  while (!text.empty() && numbers.size() < 64) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    numbers.push_back(std::strtod(std::string(text.substr(0, end)).c_str(), nullptr));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askrff;
  const std::string_view text = fuzz::text_of(data, size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string name = "expr:" + std::string(text.substr(0, end));
  const std::vector<double> numbers = numbers_of(text.substr(std::min(end + 1, text.size())));
  try {
    ParameterValues values;
    for (const ParameterInfo& parameter : kernel_parameters(name))
      values.insert_or_assign(parameter.name, parameter.is_table   ? CoordinateParameter::list(numbers)
                                              : numbers.empty()    ? CoordinateParameter(0.75)
                                              : numbers.size() > 8 ? CoordinateParameter(numbers)
                                                                   : CoordinateParameter(numbers[0]));
    const NamedKernel kernel = named_kernel(name, values);
    const std::vector<double> delta = {0.5, -1.25, 3};
    const double value = (*kernel.kernel)(delta);
    Matrix<double> X(3, 3), out(3, 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t c = 0; c < 3; ++c) X(i, c) = std::cos(static_cast<double>(3 * i + c));
    kernel.kernel->evaluate_pairs(X, X, out);
    kernel.kernel->evaluate_any_pairs(SparseMatrix<double>::of(X).view(), X.view(), out);
    if (!std::isfinite(value)) fuzz::broken("a value that is not finite was not refused");
  } catch (const InvalidArgument&) {
  }
  return 0;
}
