// Values on both sides of 0.
#include "kernels/expression_symmetry.hpp"

#include <algorithm>
#include <cmath>

#include "core/aligned.hpp"
#include "expressions/telling_numbers.hpp"

namespace askrff::kernels {

bool are_alike(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= 1e-12 * std::max(std::fabs(a), std::fabs(b));
}

std::vector<double> compared_lengths(std::span<const double> numbers) {
  std::vector<double> lengths = expressions::sizes_all_over();
  for (const double number : numbers)
    for (const double near : {0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0}) lengths.push_back(near * std::fabs(number));
  std::erase_if(lengths, [](double length) { return !(length > 1e-140 && length < 1e140); });
  return lengths;
}

bool looks_even(const expressions::Program& program, std::span<const double> lengths) {
  using expressions::block_size;
  AlignedBuffer<double> registers(program.n_registers() * block_size);
  std::vector<double> x(block_size), there(block_size), back(block_size);
  constexpr double origin = 0;
  const backend::Operand inputs[] = {{&origin, true}, {x.data(), false}};
  for (std::size_t first = 0; first < lengths.size(); first += block_size) {
    const std::size_t n = std::min(block_size, lengths.size() - first);
    std::ranges::copy(lengths.subspan(first, n), x.begin());
    program.run(backend::select(Backend::automatic), inputs, n, registers.data(), there.data());
    for (std::size_t i = 0; i < n; ++i) x[i] = -x[i];
    program.run(backend::select(Backend::automatic), inputs, n, registers.data(), back.data());
    for (std::size_t i = 0; i < n; ++i)
      if (!are_alike(there[i], back[i])) return false;
  }
  return true;
}

}  // namespace askrff::kernels
