// The bit contract of the samplers: coordinates 0 and 2 of frequency number 5, seed 42, three dimensions, default parameters. A change here
// is a change of everybody's results. Matérn, Laplace and Cauchy kernels: both samplers draw the same bits, because the proposal is the law
// itself.
#include <gtest/gtest.h>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/catalogue.hpp"

namespace askrff::test {
namespace {

struct Frozen {
  const char* kernel;
  Part part;
  Sampler sampler;
  double first, third;
};
constexpr Frozen frozen[] = {
    {"gaussian", Part::real_positive, Sampler::exact, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"gaussian", Part::real_positive, Sampler::rejection, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"laplacian", Part::real_positive, Sampler::exact, -0x1.f00bbbf6cf44dp-2, 0x1.6f0e72f5a8fa8p-3},
    {"laplacian", Part::real_positive, Sampler::rejection, -0x1.f00bbbf6cf44dp-2, 0x1.6f0e72f5a8fa8p-3},
    {"matern-1/2", Part::real_positive, Sampler::exact, -0x1.083bd0378ae4ap-1, 0x1.af52b23fd5765p-4},
    {"matern-1/2", Part::real_positive, Sampler::rejection, -0x1.083bd0378ae4ap-1, 0x1.af52b23fd5765p-4},
    {"matern-3/2", Part::real_positive, Sampler::exact, 0x1.cea0dd50569efp-4, -0x1.1415be1299d2bp-3},
    {"matern-3/2", Part::real_positive, Sampler::rejection, 0x1.cea0dd50569efp-4, -0x1.1415be1299d2bp-3},
    {"matern-5/2", Part::real_positive, Sampler::exact, -0x1.60e429ccadep-3, 0x1.d69775d4bca9dp-1},
    {"matern-5/2", Part::real_positive, Sampler::rejection, -0x1.60e429ccadep-3, 0x1.d69775d4bca9dp-1},
    {"cauchy", Part::real_positive, Sampler::exact, 0x1.c9af0f67834fap-2, 0x1.f9a46da60bbf3p-7},
    {"cauchy", Part::real_positive, Sampler::rejection, 0x1.c9af0f67834fap-2, 0x1.f9a46da60bbf3p-7},
    {"difference-of-gaussians", Part::real_positive, Sampler::exact, -0x1.146a260b0e3f7p+0, -0x1.0d44cf3bf3dc4p-2},
    {"difference-of-gaussians", Part::real_positive, Sampler::rejection, -0x1.e756562cf00ddp-4, 0x1.aa87518afa628p-2},
    {"difference-of-gaussians", Part::real_negative, Sampler::exact, -0x1.8756cbe4f897dp-5, 0x1.de6d8ec282c5dp-3},
    {"difference-of-gaussians", Part::real_negative, Sampler::rejection, 0x1.f3cb7623c5e0ap-3, -0x1.d7a3e33f411c5p-4},
    {"shift-gaussian", Part::real_positive, Sampler::exact, -0x1.bc7a938f75d92p-3, 0x1.2736b640efa58p-3},
    {"shift-gaussian", Part::real_positive, Sampler::rejection, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"shift-gaussian", Part::real_negative, Sampler::exact, -0x1.2d549c690f2a2p+0, -0x1.b22442726b4ddp-1},
    {"shift-gaussian", Part::real_negative, Sampler::rejection, 0x1.1e03be4bfea76p-1, 0x1.5fb9af0af8f0ep+0},
    {"shift-gaussian", Part::imaginary_positive, Sampler::exact, 0x1.af278d31fe303p-1, 0x1.34d4c7059f6b2p-4},
    {"shift-gaussian", Part::imaginary_positive, Sampler::rejection, 0x1.09be3e73a566bp-3, 0x1.0ce242140ed2fp-3},
    {"sinh-gaussian", Part::real_positive, Sampler::exact, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"sinh-gaussian", Part::real_positive, Sampler::rejection, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"sinh-gaussian", Part::imaginary_positive, Sampler::exact, -0x1.c7da78f065cbbp-2, -0x1.d279c98a92cffp-3},
    {"sinh-gaussian", Part::imaginary_positive, Sampler::rejection, -0x1.5ea24f2dce5ddp-1, -0x1.f2f45465106e1p-5},
    {"cosh-gaussian", Part::real_positive, Sampler::exact, -0x1.ba8a64001388p-2, 0x1.9eebf328e184cp-4},
    {"cosh-gaussian", Part::real_positive, Sampler::rejection, 0x1.914c6dd732e5ap-4, 0x1.b476f8f1c1fb1p-2},
    {"cosh-gaussian", Part::real_negative, Sampler::exact, 0x1.3fa564f7df9a7p-1, -0x1.5eaec520ad0b4p-3},
    {"cosh-gaussian", Part::real_negative, Sampler::rejection, 0x1.cbf201523142bp-2, -0x1.7837b855e7609p-3},
    {"cosh-gaussian", Part::imaginary_positive, Sampler::exact, -0x1.c7da78f065cbbp-2, -0x1.d279c98a92cffp-3},
    {"cosh-gaussian", Part::imaginary_positive, Sampler::rejection, -0x1.5ea24f2dce5ddp-1, -0x1.f2f45465106e1p-5},
    {"shifted:gaussian", Part::real_positive, Sampler::exact, -0x1.bc7a938f75d92p-3, 0x1.2736b640efa58p-3},
    {"shifted:gaussian", Part::real_positive, Sampler::rejection, 0x1.dc5c0d5f3ae1dp-2, -0x1.5ed14d74f053p-2},
    {"shifted:gaussian", Part::real_negative, Sampler::exact, -0x1.2d549c690f2a2p+0, -0x1.b22442726b4ddp-1},
    {"shifted:gaussian", Part::real_negative, Sampler::rejection, 0x1.1e03be4bfea76p-1, 0x1.5fb9af0af8f0ep+0},
    {"shifted:gaussian", Part::imaginary_positive, Sampler::exact, 0x1.af278d31fe303p-1, 0x1.34d4c7059f6b2p-4},
    {"shifted:gaussian", Part::imaginary_positive, Sampler::rejection, 0x1.09be3e73a566bp-3, 0x1.0ce242140ed2fp-3},
    {"shifted:laplacian", Part::real_positive, Sampler::exact, 0x1.60791e5600cc1p-1, 0x1.3ec894bca8c26p-2},
    {"shifted:laplacian", Part::real_positive, Sampler::rejection, 0x1.60791e5600cc1p-1, 0x1.3ec894bca8c26p-2},
    {"shifted:laplacian", Part::real_negative, Sampler::exact, 0x1.4f52d36d91e2p+0, 0x1.934cd104263f8p-4},
    {"shifted:laplacian", Part::real_negative, Sampler::rejection, 0x1.4f52d36d91e2p+0, 0x1.934cd104263f8p-4},
    {"shifted:laplacian", Part::imaginary_positive, Sampler::exact, 0x1.2149628756caep+0, 0x1.508897af80affp+0},
    {"shifted:laplacian", Part::imaginary_positive, Sampler::rejection, 0x1.2149628756caep+0, 0x1.508897af80affp+0},
    {"shifted:matern-1/2", Part::real_positive, Sampler::exact, -0x1.5616d32025e1ap-4, 0x1.160a9c0c3975cp-1},
    {"shifted:matern-1/2", Part::real_positive, Sampler::rejection, 0x1.6f08651b07d17p+4, 0x1.66ad6164c66eep+4},
    {"shifted:matern-1/2", Part::real_negative, Sampler::exact, -0x1.6649115f698ep-3, -0x1.a77ff08c28fb3p+0},
    {"shifted:matern-1/2", Part::real_negative, Sampler::rejection, 0x1.44ffab5a49876p+1, 0x1.8ba59809654ebp+0},
    {"shifted:matern-1/2", Part::imaginary_positive, Sampler::exact, -0x1.629eacaa05c98p+1, 0x1.18607b6f700fbp+3},
    {"shifted:matern-1/2", Part::imaginary_positive, Sampler::rejection, 0x1.78c80a489868dp-1, 0x1.c7855b2da6252p-2},
    {"shifted:matern-3/2", Part::real_positive, Sampler::exact, 0x1.8339958b9c16p-4, 0x1.239815fab0a49p-2},
    {"shifted:matern-3/2", Part::real_positive, Sampler::rejection, 0x1.cea0dd50569efp-4, -0x1.1415be1299d2bp-3},
    {"shifted:matern-3/2", Part::real_negative, Sampler::exact, 0x1.68e070e13268ep-1, 0x1.3dab474045044p+1},
    {"shifted:matern-3/2", Part::real_negative, Sampler::rejection, -0x1.5172dc53515bap-4, 0x1.a73d86f5e855cp+1},
    {"shifted:matern-3/2", Part::imaginary_positive, Sampler::exact, 0x1.6439071e3ff7dp+0, -0x1.5417a05e8babcp+1},
    {"shifted:matern-3/2", Part::imaginary_positive, Sampler::rejection, 0x1.08ae3be60b9bap-3, 0x1.2b3b5483e664cp-1},
    {"shifted:matern-5/2", Part::real_positive, Sampler::exact, 0x1.75d34f3fb5184p-3, 0x1.fe99c202ef01ep-3},
    {"shifted:matern-5/2", Part::real_positive, Sampler::rejection, -0x1.60e429ccadep-3, 0x1.d69775d4bca9dp-1},
    {"shifted:matern-5/2", Part::real_negative, Sampler::exact, 0x1.d9e1bf8bdc6cap+0, 0x1.a9124d6c8ba6p-3},
    {"shifted:matern-5/2", Part::real_negative, Sampler::rejection, 0x1.dcc0915e2d69p-1, 0x1.47e739d8f00dfp+0},
    {"shifted:matern-5/2", Part::imaginary_positive, Sampler::exact, 0x1.a3fec37626d0fp-1, -0x1.b13097b49fc8ap-3},
    {"shifted:matern-5/2", Part::imaginary_positive, Sampler::rejection, 0x1.79c131975fb9dp-2, -0x1.43209f71bcef6p-2},
    {"shifted:cauchy", Part::real_positive, Sampler::exact, 0x1.c9af0f67834fap-2, 0x1.f9a46da60bbf3p-7},
    {"shifted:cauchy", Part::real_positive, Sampler::rejection, 0x1.c9af0f67834fap-2, 0x1.f9a46da60bbf3p-7},
    {"shifted:cauchy", Part::real_negative, Sampler::exact, -0x1.16e9ff188ba79p+0, -0x1.150cfea00efa4p+0},
    {"shifted:cauchy", Part::real_negative, Sampler::rejection, 0x1.a39a448e01d07p-4, 0x1.8e8d875bc84f7p+0},
    {"shifted:cauchy", Part::imaginary_positive, Sampler::exact, 0x1.0291df183ebb9p-4, 0x1.b151137e30ae9p-8},
    {"shifted:cauchy", Part::imaginary_positive, Sampler::rejection, 0x1.0291df183ebb9p-4, 0x1.b151137e30ae9p-8},
    {"shifted:difference-of-gaussians", Part::real_positive, Sampler::exact, 0x1.8bf81c44a9c7p-2, 0x1.60719cd4c0e68p-2},
    {"shifted:difference-of-gaussians", Part::real_positive, Sampler::rejection, 0x1.8bf81c44a9c7p-2, 0x1.60719cd4c0e68p-2},
    {"shifted:difference-of-gaussians", Part::real_negative, Sampler::exact, 0x1.f9029b2c2abc5p-4, 0x1.b13fde28c83eap-4},
    {"shifted:difference-of-gaussians", Part::real_negative, Sampler::rejection, 0x1.f9029b2c2abc5p-4, 0x1.b13fde28c83eap-4},
    {"shifted:difference-of-gaussians", Part::imaginary_positive, Sampler::exact, -0x1.0fb9e4c84b974p-1, 0x1.9e9b67e1b4cb8p-1},
    {"shifted:difference-of-gaussians", Part::imaginary_positive, Sampler::rejection, -0x1.0fb9e4c84b974p-1, 0x1.9e9b67e1b4cb8p-1},
    {"rational-quadratic", Part::real_positive, Sampler::exact, -0x1.35f730bb45764p-1, -0x1.333a3b1aaf299p-3},
    {"rational-quadratic", Part::real_positive, Sampler::rejection, -0x1.35f730bb45764p-1, -0x1.333a3b1aaf299p-3},
    {"generalised-cauchy", Part::real_positive, Sampler::exact, 0x1.2c7b9b19271p-1, 0x1.46d07f2c6be52p+1},
    {"generalised-cauchy", Part::real_positive, Sampler::rejection, 0x1.2c7b9b19271p-1, 0x1.46d07f2c6be52p+1},
    {"exponential-power", Part::real_positive, Sampler::exact, -0x1.09cf24119a3cdp-1, -0x1.042bdd9971979p-4},
    {"exponential-power", Part::real_positive, Sampler::rejection, -0x1.09cf24119a3cdp-1, -0x1.042bdd9971979p-4},
    {"periodic-gaussian", Part::real_positive, Sampler::exact, 0x1.a10295af3ca89p+3, -0x1.5ed14d74f053p-2},
    {"periodic-gaussian", Part::real_positive, Sampler::rejection, 0x1.a10295af3ca89p+3, -0x1.5ed14d74f053p-2},
    {"gabor", Part::real_positive, Sampler::exact, -0x1.5c3a478af8a8cp+0, -0x1.38b34c9b9c22ep+0},
    {"gabor", Part::real_positive, Sampler::rejection, 0x1.832c26daa5eecp+0, 0x1.68c1a04b36432p-1},
    {"gabor", Part::imaginary_positive, Sampler::exact, 0x1.343d0a8d7b86cp-1, 0x1.a38bd4a309b89p-1},
    {"gabor", Part::imaginary_positive, Sampler::rejection, 0x1.1b88a7888439ap-1, 0x1.da061e6b14612p+0},
    {"skew-normal", Part::real_positive, Sampler::exact, -0x1.09291a5638283p+0, 0x1.5ea4876fa54e2p-2},
    {"skew-normal", Part::real_positive, Sampler::rejection, -0x1.09291a5638283p+0, 0x1.5ea4876fa54e2p-2},
    {"skew-normal", Part::real_negative, Sampler::exact, 0x1.77bf849f590bcp+1, 0x1.005ce1d00f772p-3},
    {"skew-normal", Part::real_negative, Sampler::rejection, 0x1.77bf849f590bcp+1, 0x1.005ce1d00f772p-3},
    {"skew-normal", Part::imaginary_positive, Sampler::exact, 0x1.5d970a68db466p+0, -0x1.8b04e9ff4f44cp-1},
    {"skew-normal", Part::imaginary_positive, Sampler::rejection, 0x1.5d970a68db466p+0, -0x1.8b04e9ff4f44cp-1},
    {"causal-gamma", Part::real_positive, Sampler::exact, -0x1.190ea0cc139bfp-2, 0x1.3c877f56ea3e8p-3},
    {"causal-gamma", Part::real_positive, Sampler::rejection, -0x1.190ea0cc139bfp-2, 0x1.3c877f56ea3e8p-3},
    {"causal-gamma", Part::real_negative, Sampler::exact, -0x1.34d04e37af4aep+2, 0x1.646931bb925b4p-2},
    {"causal-gamma", Part::real_negative, Sampler::rejection, -0x1.34d04e37af4aep+2, 0x1.646931bb925b4p-2},
    {"causal-gamma", Part::imaginary_positive, Sampler::exact, 0x1.9186adfdf55b1p-4, -0x1.de9c6f3625b6bp-3},
    {"causal-gamma", Part::imaginary_positive, Sampler::rejection, 0x1.9186adfdf55b1p-4, -0x1.de9c6f3625b6bp-3},
    {"shifted:rational-quadratic", Part::real_positive, Sampler::exact, -0x1.35f730bb45764p-1, -0x1.333a3b1aaf299p-3},
    {"shifted:rational-quadratic", Part::real_positive, Sampler::rejection, -0x1.35f730bb45764p-1, -0x1.333a3b1aaf299p-3},
    {"shifted:rational-quadratic", Part::real_negative, Sampler::exact, -0x1.c3a4ac3f9e062p-2, 0x1.3fc0af9bd8f53p+0},
    {"shifted:rational-quadratic", Part::real_negative, Sampler::rejection, -0x1.c3a4ac3f9e062p-2, 0x1.3fc0af9bd8f53p+0},
    {"shifted:rational-quadratic", Part::imaginary_positive, Sampler::exact, 0x1.133d99cb3d5b4p+0, -0x1.1e72943c3b439p-2},
    {"shifted:rational-quadratic", Part::imaginary_positive, Sampler::rejection, 0x1.133d99cb3d5b4p+0, -0x1.1e72943c3b439p-2},
    {"shifted:generalised-cauchy", Part::real_positive, Sampler::exact, -0x1.53c297d1d5311p+1, 0x1.5499e9bf0579bp+3},
    {"shifted:generalised-cauchy", Part::real_positive, Sampler::rejection, -0x1.53c297d1d5311p+1, 0x1.5499e9bf0579bp+3},
    {"shifted:generalised-cauchy", Part::real_negative, Sampler::exact, 0x1.b2c42b54b953bp-1, -0x1.5db71b3dbb6dp+3},
    {"shifted:generalised-cauchy", Part::real_negative, Sampler::rejection, 0x1.b2c42b54b953bp-1, -0x1.5db71b3dbb6dp+3},
    {"shifted:generalised-cauchy", Part::imaginary_positive, Sampler::exact, 0x1.e4da0c8d5c7bbp-1, 0x1.661df6abafb4ap-1},
    {"shifted:generalised-cauchy", Part::imaginary_positive, Sampler::rejection, 0x1.e4da0c8d5c7bbp-1, 0x1.661df6abafb4ap-1},
    {"shifted:exponential-power", Part::real_positive, Sampler::exact, -0x1.09cf24119a3cdp-1, -0x1.042bdd9971979p-4},
    {"shifted:exponential-power", Part::real_positive, Sampler::rejection, -0x1.09cf24119a3cdp-1, -0x1.042bdd9971979p-4},
    {"shifted:exponential-power", Part::real_negative, Sampler::exact, -0x1.c83fd58761b8ep+2, 0x1.179ab6013522bp+2},
    {"shifted:exponential-power", Part::real_negative, Sampler::rejection, -0x1.c83fd58761b8ep+2, 0x1.179ab6013522bp+2},
    {"shifted:exponential-power", Part::imaginary_positive, Sampler::exact, 0x1.140baba4126edp+0, 0x1.9e9b1021d219cp-5},
    {"shifted:exponential-power", Part::imaginary_positive, Sampler::rejection, 0x1.140baba4126edp+0, 0x1.9e9b1021d219cp-5},
    {"shifted:periodic-gaussian", Part::real_positive, Sampler::exact, -0x1.935e502cb1b8p+3, -0x1.922cc74da208dp+2},
    {"shifted:periodic-gaussian", Part::real_positive, Sampler::rejection, -0x1.935e502cb1b8p+3, -0x1.922cc74da208dp+2},
    {"shifted:periodic-gaussian", Part::real_negative, Sampler::exact, 0x1.77ea1f7e6e61fp+2, 0x1.c2ac44e1f46a7p+2},
    {"shifted:periodic-gaussian", Part::real_negative, Sampler::rejection, 0x1.77ea1f7e6e61fp+2, 0x1.c2ac44e1f46a7p+2},
    {"shifted:periodic-gaussian", Part::imaginary_positive, Sampler::exact, -0x1.357cd4ef1b6ecp+4, -0x1.5ea3768a3386dp+2},
    {"shifted:periodic-gaussian", Part::imaginary_positive, Sampler::rejection, -0x1.357cd4ef1b6ecp+4, -0x1.5ea3768a3386dp+2},
};

TEST(FrozenFrequencies, EverySamplerAndPart) {
  for (const Frozen& f : frozen) {
    const auto omega = draw_frequencies(*make_kernel(f.kernel)->measure(3), f.part, 5, 1, {.sampler = f.sampler, .seed = 42});
    EXPECT_EQ(omega(0, 0), f.first) << f.kernel << ' ' << traits(f.part).name;
    EXPECT_EQ(omega(0, 2), f.third) << f.kernel << ' ' << traits(f.part).name;
  }
}

TEST(FrozenFrequencies, NoneIsMissing) {
  std::size_t expected = 0;
  for (const std::string& name : every_kernel()) expected += 2 * make_kernel(name)->measure(3)->parts().size();
  EXPECT_EQ(std::size(frozen), expected);
}

}  // namespace
}  // namespace askrff::test
