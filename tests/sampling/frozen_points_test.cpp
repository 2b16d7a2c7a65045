// The bit contract of polar atoms and point sets: coordinate 2 of frequency number 5 and the real part of its weight, 20 frequencies, seed
// 42, 6 dimensions (3 for quadrature, 16 for structured), default parameters. A change here is a change of everybody's results. Weights of
// shift- and sinh-gaussian take a portable sine; masses and total variations come through the C library and are compared to 4 ulp.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"

namespace askrff::test {
namespace {

struct FrozenPoint {
  const char* kernel;
  Sampler sampler;
  double coordinate, weight;
};
constexpr FrozenPoint frozen_points[] = {
    {"shift-gaussian", Sampler::exact, -0x1.338b6f5955691p-1, 0x1.88526aa90b83cp-5},
    {"shift-gaussian", Sampler::orthogonal, -0x1.01193169a1f8dp-2, 0x1.98ed1badd09c9p-5},
    {"shift-gaussian", Sampler::mub, 0x1.c3d4309d743ffp-2, 0x1.461ea0364c8ecp-5},
    {"shift-gaussian", Sampler::structured, -0x1.555256b545596p-1, 0x1.73be627c0249bp-5},
    {"shift-gaussian", Sampler::sobol, 0x1.8e4270dee091ap-4, 0x1.4a42e9bb7ad9cp-5},
    {"shift-gaussian", Sampler::quadrature, 0x1.bb67ae8584caap-1, 0x1.ea8a3a0721151p-7},
    {"shift-gaussian", Sampler::ridge, -0x1.d57d5eb688458p-4, 0x1.a48355ac63f2ep-3},
    {"sinh-gaussian", Sampler::exact, -0x1.efd81ccab6ae4p-6, 0x1.fce7adf69c19fp-5},
    {"sinh-gaussian", Sampler::orthogonal, -0x1.01193169a1f8dp-2, 0x1.999999999999ap-5},
    {"sinh-gaussian", Sampler::mub, 0x1.c3d4309d743ffp-2, 0x1.999999999999ap-5},
    {"sinh-gaussian", Sampler::structured, -0x1.555256b545596p-1, 0x1.999999999999ap-5},
    {"sinh-gaussian", Sampler::sobol, 0x1.8e4270dee091ap-4, 0x1.999999999999ap-5},
    {"sinh-gaussian", Sampler::quadrature, 0x1.7be2ad58cb0fep-2, 0x1.3b13b13b13b19p-6},
    {"sinh-gaussian", Sampler::ridge, 0x1.182b5e95c221p-2, 0x1.a5a4fcdeff19bp-4},
    {"matern-3/2", Sampler::exact, 0x1.6e2c77004b748p-2, 0x1.999999999999ap-5},
    {"matern-3/2", Sampler::orthogonal, -0x1.be2226715a021p-3, 0x1.999999999999ap-5},
    {"matern-3/2", Sampler::mub, 0x1.88055fcc39593p-2, 0x1.999999999999ap-5},
    {"matern-3/2", Sampler::structured, -0x1.282434b956cecp-1, 0x1.999999999999ap-5},
    {"matern-3/2", Sampler::sobol, -0x1.767ad4de98535p-6, 0x1.999999999999ap-5},
    {"laplacian", Sampler::exact, 0x1.d7807fcf684cbp-2, 0x1.999999999999ap-5},
    {"laplacian", Sampler::orthogonal, 0x1.ac0462a07b2dbp-3, 0x1.999999999999ap-5},
    {"laplacian", Sampler::mub, -0x1.781a220daa86bp-2, 0x1.999999999999ap-5},
    {"laplacian", Sampler::sobol, 0x1.6745f0698903p-6, 0x1.999999999999ap-5},
    {"cauchy", Sampler::exact, -0x1.41746d6633d1dp-2, 0x1.999999999999ap-5},
    {"cauchy", Sampler::orthogonal, -0x1.74841deee1c35p-2, 0x1.999999999999ap-5},
    {"cauchy", Sampler::mub, 0x1.475536b9d02fdp-1, 0x1.999999999999ap-5},
    {"cauchy", Sampler::sobol, -0x1.38afa9fe8c25bp-5, 0x1.999999999999ap-5},
    {"difference-of-gaussians", Sampler::exact, -0x1.fe8880e205495p-2, 0x1.c9cc14da4c526p-5},
    {"difference-of-gaussians", Sampler::orthogonal, -0x1.01193169a1f8dp-2, -0x1.ce77be2fde18fp-6},
    {"difference-of-gaussians", Sampler::mub, 0x1.c3d4309d743ffp-2, 0x1.32e8aa4de4db3p-4},
    {"difference-of-gaussians", Sampler::structured, -0x1.555256b545596p-1, 0x1.3333315f247bcp-4},
    {"difference-of-gaussians", Sampler::sobol, -0x1.af9c8e8ccb08p-6, 0x1.d1144c4f901b2p-5},
    {"shifted:cauchy", Sampler::exact, -0x1.41746d6633d1dp-2, 0x1.73e6bd3df5cc7p-5},
    {"shifted:cauchy", Sampler::orthogonal, -0x1.74841deee1c35p-2, 0x1.999999951f0b9p-5},
    {"shifted:cauchy", Sampler::mub, 0x1.475536b9d02fdp-1, 0x1.d3a79bb22ba35p-6},
    {"shifted:cauchy", Sampler::sobol, -0x1.38afa9fe8c25bp-5, 0x1.14fe93ecee32bp-5},
    {"rational-quadratic", Sampler::exact, -0x1.6efe7fb4a4fadp-5, 0x1.999999999999ap-5},
    {"rational-quadratic", Sampler::orthogonal, -0x1.ad4ec6ca5150ap-4, 0x1.999999999999ap-5},
    {"rational-quadratic", Sampler::sobol, -0x1.685b4422d44dcp-7, 0x1.999999999999ap-5},
    {"generalised-cauchy", Sampler::exact, -0x1.a4cf486708f34p-1, 0x1.999999999999ap-5},
    {"generalised-cauchy", Sampler::orthogonal, -0x1.a651391e0b041p-2, 0x1.999999999999ap-5},
    {"generalised-cauchy", Sampler::sobol, -0x1.627d2222294dfp-5, 0x1.999999999999ap-5},
    {"exponential-power", Sampler::exact, 0x1.a1461ce5bfe22p-2, 0x1.999999999999ap-5},
    {"exponential-power", Sampler::orthogonal, -0x1.140783ca7337ap-2, 0x1.999999999999ap-5},
    {"exponential-power", Sampler::sobol, -0x1.cf647672ad883p-6, 0x1.999999999999ap-5},
    {"periodic-gaussian", Sampler::exact, -0x1.338b6f5955691p-1, 0x1.999999999999ap-5},
    {"periodic-gaussian", Sampler::orthogonal, -0x1.01193169a1f8dp-2, 0x1.999999999999ap-5},
    {"periodic-gaussian", Sampler::sobol, -0x1.af9c8e8ccb08p-6, 0x1.999999999999ap-5},
    {"gabor", Sampler::exact, -0x1.3bb25eb3f196p-4, 0x1.66cbd5e0972d1p-5},
    {"gabor", Sampler::orthogonal, -0x1.8ca1bc37a832cp-1, 0x1.677533849310dp-5},
    {"gabor", Sampler::sobol, -0x1.199207f73d8e9p-1, 0x1.677533849310dp-5},
    {"skew-normal", Sampler::exact, 0x1.cb5001560e9b2p+0, 0x1.36bebc6ab83b9p-1},
    {"skew-normal", Sampler::orthogonal, -0x1.1f71dbdcd40bcp-1, 0x1.1d025865ea967p-1},
    {"skew-normal", Sampler::sobol, -0x1.e28e6f1da9326p-5, -0x1.2fc432f8f53f7p-1},
    {"causal-gamma", Sampler::exact, -0x1.260d334d78963p-1, 0x1.988ab2033ae2cp-3},
    {"causal-gamma", Sampler::orthogonal, -0x1.35794a823ccf8p-2, 0x1.5140a01d39fc2p-7},
    {"causal-gamma", Sampler::sobol, -0x1.03c4e612a8c9ap-5, 0x1.ad98e96717d9p-3},
    {"gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2,0.3,0.1,0.2,0.3])", Sampler::exact, -0x1.fe8880e205495p+0,
     0x1.0a3d70a3d70a4p-4},
    {"gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2,0.3,0.1,0.2,0.3])", Sampler::orthogonal, -0x1.01193169a1f8dp+0,
     0x1.0a3d70a3d70a4p-4},
    {"gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2,0.3,0.1,0.2,0.3])", Sampler::sobol, -0x1.af9c8e8ccb08p-4,
     0x1.0a3d70a3d70a4p-4},
    {"gaussian*causal-gamma", Sampler::exact, -0x1.dfb9a8482ac6p-2, -0x1.3a6ec5c88792bp-2},
    {"gaussian*causal-gamma", Sampler::orthogonal, -0x1.a699cc024992ap-1, 0x1.988ab2033ae2ep-3},
    {"gaussian*causal-gamma", Sampler::sobol, -0x1.338a17c1deee7p-1, 0x1.988ab2033ae2ep-3},
    {"laplacian*cauchy", Sampler::exact, 0x1.9a5e9ce3956a4p+0, 0x1.999999999999ap-5},
    {"laplacian*cauchy", Sampler::orthogonal, 0x1.709ab927f27cp-2, 0x1.999999999999ap-5},
    {"laplacian*cauchy", Sampler::sobol, 0x1.6219cdbc9aeabp-3, 0x1.999999999999ap-5},
};

TEST(FrozenPoints, AreTheSameBitsEverywhere) {
  for (const FrozenPoint& each : frozen_points) {
    SCOPED_TRACE(std::string(each.kernel) + ' ' + std::string(name_of(each.sampler)));
    const std::size_t dim = each.sampler == Sampler::quadrature ? 3 : each.sampler == Sampler::structured ? 16 : 6;
    const auto atoms = approximate(*make_kernel(each.kernel), dim,
                                   {.n_frequencies = 20, .estimator = Estimator::polar, .sampler = each.sampler, .seed = 42});
    EXPECT_EQ(atoms.frequencies()(5, 2), each.coordinate);
    EXPECT_NEAR(atoms.weights()[5].real(), each.weight, 1e-15 * std::fabs(each.weight));
  }
}

}  // namespace
}  // namespace askrff::test
