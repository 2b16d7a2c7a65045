// The choice of rows in parts is the choice in one pass.
#include "core/row_sampler.hpp"

#include <gtest/gtest.h>

#include <map>

namespace askrff::test {
namespace {

std::map<std::size_t, std::uint64_t> chosen(std::uint64_t first_row, std::uint64_t end, std::map<std::size_t, std::uint64_t> sample = {}) {
  RowSampler sampler(50, 3, Purpose::sampled_rows, first_row);
  for (std::uint64_t row = first_row; row < end; ++row) {
    EXPECT_EQ(sampler.next_row(), row);
    if (const auto place = sampler.next()) sample[*place] = row;
  }
  return sample;
}

TEST(RowSampler, LaterPartsReplaceEarlierOnes) {
  const auto whole = chosen(0, 1000);
  EXPECT_EQ(whole.size(), 50u);
  for (const std::uint64_t cut : {0, 1, 49, 50, 51, 777, 1000}) EXPECT_EQ(chosen(cut, 1000, chosen(0, cut)), whole) << cut;
  RowSampler sampler(50, 3);
  sampler.go_to(49);
  EXPECT_EQ(sampler.next(), 49u);
  EXPECT_EQ(sampler.size(), 50u);
}

}  // namespace
}  // namespace askrff::test
