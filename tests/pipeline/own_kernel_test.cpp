// Kernels without a name: what bytes leave out and get back, and what files refuse; rows as a stream; sums that training leaves behind.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "support/random_inputs.hpp"

namespace askrff {
namespace {

class Own final : public Kernel {
 public:
  std::string name() const override { return "own"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < differences.rows(); ++i) {
      double sum = 0;
      for (const double x : differences.row(i)) sum += std::abs(x);
      out[i] = std::exp(-sum) * (1 + 0.5 * std::tanh(differences(i, 0)));
    }
  }
};

const Matrix<double>& rows() {
  static const Matrix<double> X = test::random_matrix(200, 3, 1);
  return X;
}

Map own_map(Estimator estimator) {
  const std::shared_ptr<const Kernel> kernel = std::make_shared<Own>();
  return make_map(kernel, rows(), {.estimator = estimator, .n_frequencies = 6});
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

void expect_same(const Matrix<double>& a, const Matrix<double>& b) {
  ASSERT_EQ(a.rows() * a.cols(), b.rows() * b.cols());
  EXPECT_TRUE(std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data()));
}

TEST(OwnKernel, NystromMapsGetItBack) {
  const Map map = own_map(Estimator::nystrom);
  const auto own = std::make_shared<const Own>();
  const Map again = Map::from_bytes(map.to_bytes(), "bytes", own);
  expect_same(again.left(rows()), map.left(rows()));
  EXPECT_EQ(again.to_bytes(), map.to_bytes());
  EXPECT_EQ(again.content().kernel.kernel, own);
  EXPECT_EQ(refusal([&] { Map::from_bytes(map.to_bytes(), "bytes"); }),
            "bytes: lacks the kernel of its landmarks, expected it beside these bytes");
  EXPECT_THROW(map.save(testing::TempDir() + "own.askrff"), InvalidArgument);
}

TEST(OwnKernel, FourierMapsNeedNone) {
  const Map map = own_map(Estimator::fourier);
  expect_same(Map::from_bytes(map.to_bytes()).left(rows()), map.left(rows()));
  EXPECT_EQ(refusal([&] { Map::from_bytes(map.to_bytes(), "bytes", std::make_shared<const Own>()); }),
            "bytes: got the kernel own, expected none: these bytes need no other");
}

TEST(OwnKernel, ModelsAndSumsGetItBack) {
  const auto own = std::make_shared<const Own>();
  RidgeTrainer trainer(own_map(Estimator::nystrom), {});
  trainer.add<double>(rows().view(), MatrixView<const double>(rows().data(), rows().rows(), 1, rows().cols()));
  const TrainedModel model = trainer.solve({1.0});
  expect_same(RidgeTrainer::from_bytes(trainer.to_bytes(), {}, "bytes", own).solve({1.0}).outputs(rows()), model.outputs(rows()));
  expect_same(Model::from_bytes(model.to_bytes(), "bytes", own).outputs(rows()), model.outputs(rows()));
  EXPECT_NE(refusal([&] { RidgeTrainer::from_bytes(trainer.to_bytes()); }), "");
  EXPECT_NE(refusal([&] { Model::from_bytes(model.to_bytes()); }), "");
}

TEST(MakeMap, StreamsAndMatricesGiveTheSame) {
  for (const Scaling scale : {Scaling::none, Scaling::minmax, Scaling::standard}) {
    MemoryRows stream(rows());
    const MapOptions options{.n_frequencies = 8, .scale = scale, .seed = 4};
    EXPECT_EQ(make_map("shift-gaussian", stream, options).to_bytes(), make_map("shift-gaussian", rows(), options).to_bytes());
  }
  EXPECT_THROW(make_map("gaussian", rows().view().middle_rows(0, 0)), InvalidArgument);
}

TEST(MakeMap, RowsThatAreAllTheSameKeepTheDefaultBandwidth) {
  const Map map = make_map("gaussian", Matrix<double>(3, 2), {.n_frequencies = 4, .weights = Weights::exact});
  EXPECT_EQ(map.content().kernel.parameters[0].second.scalar(), SigmaParameters{}.sigma);
}

TEST(Train, LeavesSumsToGoOnFrom) {
  std::vector<double> y(rows().rows());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = rows()(i, 0) + rows()(i, 1) * rows()(i, 2);
  MemoryRows stream(rows(), y);
  std::optional<RidgeTrainer> sums;
  const TrainOptions options{.trainer = Trainer::ridge, .task = Task::regression, .c = {0.5, 2}};
  const TrainedModel model = train(stream, options, sums);
  ASSERT_TRUE(sums);
  expect_same(sums->solve(options.c).linear.weights, model.linear.weights);
  StopSource source;
  source.request_stop();
  sums->set_execution({.stop = source.token()});
  EXPECT_THROW(sums->solve(options.c), Stopped);
  sums->set_execution({});
  EXPECT_TRUE(sums->is_whole());  // nothing was lost
  expect_same(sums->solve(options.c).linear.weights, model.linear.weights);
}

}  // namespace
}  // namespace askrff
