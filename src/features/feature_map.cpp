// left and right features: one block of waves with all atoms.
#include <cmath>

#include "askrff/features.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

std::shared_ptr<const detail::FeaturePlan> plan_side(const SpectralAtoms& atoms, Backend backend, bool with_phase) {
  auto plan = std::make_shared<detail::FeaturePlan>(atoms, backend);
  detail::FeaturePlan::Block block{0, atoms.size(), std::vector<double>(atoms.size()), std::vector<double>(atoms.size())};
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    const std::complex<double> c = atoms.weights()[j];
    const double modulus = std::abs(c), root = std::sqrt(modulus);
    // √|c|·e^{iθ} = c/√|c|; a real or purely imaginary c keeps an exact zero, so cos(u + π/2) is -sin(u) to the bit.
    const bool turned = with_phase && modulus > 0;
    block.along[j] = turned ? c.real() / root : root;
    block.across[j] = turned ? c.imag() / root : 0.0;
  }
  plan->blocks.push_back(std::move(block));
  return plan;
}

template <class T>
Matrix<T> allocate_and_run(const detail::FeaturePlan& plan, MatrixView<const T> X, std::string_view who) {
  Matrix<T> out(X.rows(), plan.n_features());
  plan.run(X, out.view(), who);
  return out;
}

}  // namespace

FeatureMap::FeatureMap(const SpectralAtoms& atoms, Backend backend)
    : left_(plan_side(atoms, backend, true)), right_(plan_side(atoms, backend, false)) {}

std::size_t FeatureMap::dim() const { return left_->frequencies.cols(); }
std::size_t FeatureMap::n_frequencies() const { return left_->frequencies.rows(); }
std::size_t FeatureMap::n_features() const { return left_->n_features(); }
const backend::Primitives& FeatureMap::primitives() const { return *left_->primitives; }
std::string FeatureMap::backend_name() const { return std::string(left_->primitives->name); }

void FeatureMap::left(MatrixView<const double> X, MatrixView<double> out) const { left_->run(X, out, "FeatureMap::left"); }
void FeatureMap::left(MatrixView<const float> X, MatrixView<float> out) const { left_->run(X, out, "FeatureMap::left"); }
void FeatureMap::right(MatrixView<const double> Y, MatrixView<double> out) const { right_->run(Y, out, "FeatureMap::right"); }
void FeatureMap::right(MatrixView<const float> Y, MatrixView<float> out) const { right_->run(Y, out, "FeatureMap::right"); }

Matrix<double> FeatureMap::left(MatrixView<const double> X) const { return allocate_and_run(*left_, X, "FeatureMap::left"); }
Matrix<float> FeatureMap::left(MatrixView<const float> X) const { return allocate_and_run(*left_, X, "FeatureMap::left"); }
Matrix<double> FeatureMap::right(MatrixView<const double> Y) const { return allocate_and_run(*right_, Y, "FeatureMap::right"); }
Matrix<float> FeatureMap::right(MatrixView<const float> Y) const { return allocate_and_run(*right_, Y, "FeatureMap::right"); }

}  // namespace askrff
