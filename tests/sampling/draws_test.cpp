// A draw is (measure, part, sampler, seed, number): any range, order and thread gives the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/catalogue.hpp"

namespace askrff::test {
namespace {

class EverySampler : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EverySampler, testing::ValuesIn(every_kernel()), [](const auto& each) { return test_name(each.param); });

bool same_rows(MatrixView<const double> a, MatrixView<const double> b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (std::size_t i = 0; i < a.rows(); ++i)
    if (!std::ranges::equal(a.row(i), b.row(i))) return false;
  return true;
}

TEST_P(EverySampler, RangesPrefixesAndThreadsGiveTheSameBits) {
  const auto measure = make_kernel(GetParam())->measure(3);
  for (const Part part : measure->parts())
    for (const Sampler sampler : {Sampler::exact, Sampler::rejection}) {
      const SamplingOptions options{.sampler = sampler, .seed = 71};
      const auto draw = [&](std::size_t first, std::size_t count) { return draw_frequencies(*measure, part, first, count, options); };
      const auto whole = draw(0, 48);
      EXPECT_TRUE(same_rows(draw(0, 24), whole.view().middle_rows(0, 24)));
      EXPECT_TRUE(same_rows(draw(13, 20), whole.view().middle_rows(13, 20)));
      EXPECT_TRUE(same_rows(draw(47, 1), whole.view().middle_rows(47, 1)));
      std::vector<Matrix<double>> blocks(4);
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { blocks[i] = draw(12 * i, 12); });
      for (auto& thread : threads) thread.join();
      for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(same_rows(blocks[i], whole.view().middle_rows(12 * i, 12)));
      EXPECT_FALSE(same_rows(draw_frequencies(*measure, part, 0, 1, {.sampler = sampler, .seed = 72}), whole.view().middle_rows(0, 1)));
    }
}

// Numbers beyond 2^32 are streams of their own.
TEST(DrawFrequencies, LargeNumbers) {
  const auto measure = gaussian()->measure(2);
  const auto near = draw_frequencies(*measure, Part::real_positive, 3, 1),
             far = draw_frequencies(*measure, Part::real_positive, (std::size_t{1} << 32) + 3, 1);
  EXPECT_NE(near(0, 0), far(0, 0));
}

TEST(Atoms, TwiceAsManyStartWithTheSameFrequencies) {
  for (const char* name : {"gaussian", "difference-of-gaussians", "cosh-gaussian"}) {
    const auto kernel = make_kernel(name);
    const auto few = approximate(*kernel, 3, {.n_frequencies = 50, .seed = 5}),
               many = approximate(*kernel, 3, {.n_frequencies = 100, .seed = 5});
    ASSERT_EQ(few.parts().size(), many.parts().size());
    for (std::size_t i = 0; i < few.parts().size(); ++i) {
      const PartRecord &a = few.parts()[i], &b = many.parts()[i];
      EXPECT_EQ(a.mass, b.mass);
      EXPECT_TRUE(same_rows(few.frequencies().middle_rows(a.first, a.count), many.frequencies().middle_rows(b.first, a.count))) << name;
      EXPECT_NEAR(std::abs(few.weights()[a.first]), 2 * std::abs(many.weights()[b.first]), 1e-16);
    }
  }
}

TEST(Atoms, RefusesWhatIsNoMeasure) {
  using Weights = std::vector<std::complex<double>>;
  EXPECT_THROW(SpectralAtoms(Matrix<double>(2, 1), Weights(3)), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(0, 1), Weights{}), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(1, 0), Weights(1)), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(1, 1, {HUGE_VAL}), Weights(1)), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(1, 1), Weights{{0, std::nan("")}}), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(1, 1), Weights(1), {{.first = 1, .count = 1}}), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(Matrix<double>(1, 1), Weights(1), {{.first = 1, .count = SIZE_MAX}}), std::invalid_argument);
  const SpectralAtoms atoms(Matrix<double>(2, 2, {1, 0, 0, 2}), {{3, 4}, {-1, 0}});
  EXPECT_DOUBLE_EQ(atoms.weight_sum(), 6.0);
  EXPECT_THROW(atoms(std::vector<double>(3)), std::invalid_argument);
  // Re[(3+4i)e^{i} - e^{2i}] at δ = (1, 1).
  EXPECT_NEAR(atoms(std::vector<double>{1, 1}), 3 * std::cos(1) - 4 * std::sin(1) - std::cos(2), 1e-15);
}

}  // namespace
}  // namespace askrff::test
