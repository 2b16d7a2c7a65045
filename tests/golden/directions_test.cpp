// mub_p3.json: the mutually unbiased bases of C³, made real. The file was computed in double and keeps an error of 1.2e-15.
#include "golden/golden.hpp"

#include "askrff/sampling.hpp"

namespace askrff::test {
namespace {

TEST(GoldenDirections, MutuallyUnbiasedBasesForThree) {
  ASKRFF_NEED_SHARED("golden/mub_p3.json");
  const json file = golden("mub_p3.json");
  const Matrix<double> expected = matrix_of(file.at("vectors"));
  const Matrix<double> directions = mutually_unbiased_directions(file.at("p").get<std::size_t>());
  ASSERT_EQ(directions.rows(), expected.rows());
  ASSERT_EQ(directions.cols(), expected.cols());
  EXPECT_EQ(directions.rows(), 36u);
  for (std::size_t i = 0; i < directions.rows(); ++i)
    for (std::size_t j = 0; j < directions.cols(); ++j) EXPECT_NEAR(directions(i, j), expected(i, j), 3e-15) << i << " " << j;
}

}  // namespace
}  // namespace askrff::test
