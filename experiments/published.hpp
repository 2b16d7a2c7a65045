// The numbers the paper printed, and the rule by which ours are compared with them. The one place for both.
#pragma once

#include <optional>
#include <string_view>

#include "experiments/results.hpp"

namespace askrff::experiments {

/// Test accuracy in percent of table 1; absent for rows the paper does not have. Rows: "KERNEL/asy", "KERNEL/sym", "rbf", "linear".
std::optional<Published> published_accuracy(std::string_view dataset, std::string_view row);

/// Fills paper, allowed_deviation and pass of a cell whose accuracy is known. A row passes at or above the published mean minus two of its
/// standard deviations; a published deviation below 0.05 points is not believed (ten draws of so few frequencies differ by more) and counts
/// as 0.3. The linear row has no draws to differ by: it passes within 1.2 points of the published mean, on either side.
void compare_with_paper(Cell& cell);

}  // namespace askrff::experiments
