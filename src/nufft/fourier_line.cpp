// Factors of the length, and the turns between them.
#include "nufft/fourier_line.hpp"

#include <cmath>
#include <numbers>

namespace askrff::nufft {

std::size_t smooth_size(std::size_t n) {
  for (std::size_t size = n < 2 ? 2 : n + n % 2;; size += 2) {
    std::size_t rest = size;
    for (const std::size_t factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return size;
  }
}

template <class T>
backend::FourierLine<T> fourier_line(std::size_t n) {
  backend::FourierLine<T> line{n, {}};
  std::size_t stride = 1, rest = n;
  while (rest > 1) {
    const std::size_t radix = rest % 4 == 0 ? 4 : rest % 2 == 0 ? 2 : rest % 3 == 0 ? 3 : 5;
    backend::FourierStep<T> step{radix, rest / radix, stride, {}};
    for (std::size_t p = 0; p < step.count; ++p)
      for (std::size_t q = 1; q < radix; ++q) {
        const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(p * q) / static_cast<long double>(rest);
        step.turns.emplace_back(static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle)));
      }
    line.steps.push_back(std::move(step));
    stride *= radix;
    rest /= radix;
  }
  return line;
}

template backend::FourierLine<float> fourier_line(std::size_t n);
template backend::FourierLine<double> fourier_line(std::size_t n);

}  // namespace askrff::nufft
