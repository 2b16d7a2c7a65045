// Draws from the parts of a shifted multivariate Student law (the measure of a shifted Matérn kernel), ridge first.
#pragma once

#include <span>

#include "askrff/measure.hpp"

namespace askrff::measures {

/// Fills omega with a draw from one part of e^{i shift·ω} · Student(n degrees of freedom, scale 1/sigma), shift ≠ 0: the component along
/// the shift from its own law, the others from their conditional Student law with n + 1 degrees of freedom. The cost of a proposal does not
/// depend on the dimension. Throws NumericalError after max_proposals.
void draw_shifted_student(Part part, int n, double sigma, std::span<const double> shift, RandomStream& random, std::span<double> omega);

}  // namespace askrff::measures
