// Atoms of small weight left out.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"

namespace askrff {

SpectralAtoms prune(const SpectralAtoms& atoms, double max_lost) {
  if (!(max_lost >= 0)) throw InvalidArgument("prune", "max_lost is negative or not a number, expected at least 0");
  std::vector<std::size_t> order(atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return std::abs(atoms.weights()[a]) > std::abs(atoms.weights()[b]); });
  double lost = 0;
  while (order.size() > 1 && lost + std::abs(atoms.weights()[order.back()]) <= max_lost) {
    lost += std::abs(atoms.weights()[order.back()]);
    order.pop_back();
  }
  if (order.size() == atoms.size()) return atoms;
  std::ranges::sort(order);  // those left stay in their order
  return atoms.selected(order);
}

}  // namespace askrff
