// Point sets on the sphere that integrate better than random ones: the raw material of quasi-random samplers.
#pragma once

#include <cstddef>

#include "askrff/views.hpp"

namespace askrff {

/// The p + 1 mutually unbiased bases of C^p, p an odd prime, made real with the phases 0, π/3, 2π/3: 3p(p+1) unit vectors of R^{2p}, one
/// per row, whose union integrates even polynomials up to degree 5 over the sphere exactly. Order: basis (the standard one first), phase,
/// vector. Throws std::invalid_argument if p is not an odd prime or above 1000.
Matrix<double> mutually_unbiased_directions(std::size_t p);

}  // namespace askrff
