// The classifier's Φ: one or two blocks of waves per Jordan part.
#include <cmath>
#include <stdexcept>

#include "askrff/features.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

using Block = detail::FeaturePlan::Block;

// amplitude/√M · φ, or · ψ = φ a quarter turn ahead.
Block wave_block(const PartRecord& part, double amplitude, bool quarter_turn) {
  const double scaled = amplitude / std::sqrt(static_cast<double>(part.count));
  return {part.first, part.count, std::vector<double>(part.count, quarter_turn ? 0.0 : scaled),
          std::vector<double>(part.count, quarter_turn ? scaled : 0.0)};
}

}  // namespace

ClassifierFeatures::ClassifierFeatures(const SpectralAtoms& atoms, ClassifierForm form, Backend backend) {
  if (atoms.parts().empty())
    throw std::invalid_argument("ClassifierFeatures: the atoms were not drawn part by part, expected Jordan parts");
  auto plan = std::make_shared<detail::FeaturePlan>(atoms, backend);
  for (const PartRecord& part : atoms.parts()) {
    if (part.count == 0) continue;
    if (part.part != Part::imaginary_positive) {
      plan->blocks.push_back(wave_block(part, std::sqrt(part.mass), false));
    } else if (form == ClassifierForm::collapsed) {
      plan->blocks.push_back(wave_block(part, 2 * std::sqrt(part.mass), false));
    } else {
      plan->blocks.push_back(wave_block(part, std::sqrt(2 * part.mass), false));
      plan->blocks.push_back(wave_block(part, std::sqrt(2 * part.mass), true));
    }
  }
  plan_ = std::move(plan);
}

std::size_t ClassifierFeatures::dim() const { return plan_->frequencies.cols(); }
std::size_t ClassifierFeatures::n_features() const { return plan_->n_features(); }

void ClassifierFeatures::transform(MatrixView<const double> X, MatrixView<double> out) const {
  plan_->run(X, out, "ClassifierFeatures::transform");
}
void ClassifierFeatures::transform(MatrixView<const float> X, MatrixView<float> out) const {
  plan_->run(X, out, "ClassifierFeatures::transform");
}

Matrix<double> ClassifierFeatures::transform(MatrixView<const double> X) const {
  Matrix<double> out(X.rows(), n_features());
  transform(X, out.view());
  return out;
}
Matrix<float> ClassifierFeatures::transform(MatrixView<const float> X) const {
  Matrix<float> out(X.rows(), n_features());
  transform(X, out.view());
  return out;
}

}  // namespace askrff
