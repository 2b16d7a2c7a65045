// Scale mixtures of Gaussians by positive stable and gamma variables: the laws behind rational-quadratic, generalised-cauchy and
// exponential-power kernels, with one sampler and one density for all of them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "askrff/random.hpp"

namespace askrff::measures {

class MellinDensity;

/// ω = √(2V)·z, z standard normal, V = S·G^{2/a}: S positive a/2-stable (E e^{-uS} = e^{-u^{a/2}}, 1 where a = 2), G Gamma(shape), or 1
/// without one. Then E e^{iω·δ} = E e^{-V‖δ‖²} = E e^{-G‖δ‖^a} = (1 + ‖δ‖^a)^{-shape}, or e^{-‖δ‖^a} without G.
class StableMixture {
 public:
  /// a from 0.2 to 2, shape > 0, or 0 for none.
  StableMixture(double a, double shape);

  /// √(2V), by portable arithmetic; finite, 0 where it underflows.
  double draw_scale(RandomStream& random) const;
  /// log of the density of ω in `dim` dimensions at ‖ω‖ = radius, by a Mellin-Barnes integral; the density has an error of 1e-13 of the
  /// least of a few bounds of the form C·radius^{-dim-c}, which is relative to itself but where it falls like an exponential; -∞ (a
  /// density of 0) where it is less than a tenth of that error.
  double log_density(std::size_t dim, double radius) const;
  /// P(|ω_i| > cut) for any coordinate; absolute error below 1e-13.
  double tail(double cut) const;

 private:
  const MellinDensity& density_in(std::size_t dim) const;

  double a_, shape_;
  // Tables of a dimension, made when they are first asked for: most uses draw only.
  struct Tables {
    std::mutex mutex;
    std::map<std::size_t, std::unique_ptr<const MellinDensity>> by_dim;
    ~Tables();
  };
  std::shared_ptr<Tables> tables_;
};

}  // namespace askrff::measures
