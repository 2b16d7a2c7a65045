// A ridge for landmarks whose functions hardly show on the sample: how large, by rows that are held out.
#pragma once

#include "landmarks/sides.hpp"

namespace askrff::landmarks {

/// Whether the function of some landmark is much smaller on the sample than the kernel can be: what little is seen of it says nothing
/// about rows beyond, where it may be as large as any. So it is with one-sided kernels, k(z,z) = 0; not where |k| is largest at x = y.
/// right: null if the sides are the same.
bool some_hardly_show(const Side& left, const Side* right);

/// Rows beside the landmarks without which nothing is held out.
inline constexpr std::size_t fewest_judging_rows = 16;

/// The ridge (see Side::factor_with_ridge), at most `largest`, with which rows that are held out, every fourth landmark up to 512
/// and at most 1024 of the others, are approximated best by the other landmarks and at most 2048 more of the others; 0 for none. A smaller
/// one must be better by 5 %, none at all ten times as good: where all serve, the largest is the safest, because a row that no other
/// resembles may not be among those held out. 0 too if there are fewer than fewest_judging_rows others. Cost for n rows S and L landmarks:
/// at most 2n² kernel values, 4n²L + 30L³ operations. Memory: 2(n+1024)L doubles.
double best_ridge(const Kernel& kernel, const Sample& sample, double scale, double cutoff, double largest, const Execution& execution);

}  // namespace askrff::landmarks
