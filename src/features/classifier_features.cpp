// The classifier's Φ: one or two blocks of waves per Jordan part.
#include <cmath>

#include "askrff/features.hpp"
#include "askrff/errors.hpp"
#include "features/wave_plan.hpp"

namespace askrff {
namespace {

using Plan = detail::WavePlan;

// amplitude/√M · φ, or · ψ = φ a quarter turn ahead.
void add_waves(Plan& plan, const std::shared_ptr<const backend::Projection>& projection, const PartRecord& part, double amplitude,
               bool quarter_turn) {
  const double scaled = amplitude / std::sqrt(static_cast<double>(part.count));
  plan.add(projection, std::vector<double>(part.count, quarter_turn ? 0.0 : scaled),
           std::vector<double>(part.count, quarter_turn ? scaled : 0.0));
}

std::shared_ptr<const Plan> classifier_plan(const SpectralAtoms& atoms, ClassifierForm form, Backend backend) {
  if (atoms.parts().empty()) throw InvalidArgument("ClassifierFeatures", "the atoms were not drawn part by part, expected Jordan parts");
  auto plan = std::make_shared<Plan>("ClassifierFeatures::transform", atoms.dim(), backend::select(backend));
  for (const PartRecord& part : atoms.parts()) {
    if (part.count == 0) continue;
    const auto projection = plan->project(atoms.frequencies().middle_rows(part.first, part.count));
    if (part.part != Part::imaginary_positive) {
      add_waves(*plan, projection, part, std::sqrt(part.mass), false);
    } else if (form == ClassifierForm::collapsed) {
      add_waves(*plan, projection, part, 2 * std::sqrt(part.mass), false);
    } else {
      add_waves(*plan, projection, part, std::sqrt(2 * part.mass), false);
      add_waves(*plan, projection, part, std::sqrt(2 * part.mass), true);
    }
  }
  return plan;
}

}  // namespace

ClassifierFeatures::ClassifierFeatures(const SpectralAtoms& atoms, ClassifierForm form, Backend backend)
    : Features(classifier_plan(atoms, form, backend)) {}

}  // namespace askrff
