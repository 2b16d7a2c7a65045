// Plans for fast Fourier transforms of lines.
#pragma once

#include <cstddef>

#include "backend/grid.hpp"

namespace askrff::nufft {

/// The smallest even 2^a·3^b·5^c that is at least n.
std::size_t smooth_size(std::size_t n);

/// For n = 2^a·3^b·5^c.
template <class T>
backend::FourierLine<T> fourier_line(std::size_t n);

}  // namespace askrff::nufft
