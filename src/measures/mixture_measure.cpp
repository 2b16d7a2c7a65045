// One term at a time; where terms meet, their mixture.
#include "measures/mixture_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"
#include "core/vectors.hpp"
#include "measures/rejection.hpp"

namespace askrff::measures {
namespace {

constexpr std::size_t number_of(Part part) { return static_cast<std::size_t>(part); }

/// What stands for ∫|μ| where that is not known.
double size_of(const ComplexMeasure& measure) {
  if (const auto total = measure.exact_total_variation()) return *total;
  return measure.modulus_bound().value_or(1.0);
}

}  // namespace

MixtureMeasure::MixtureMeasure(std::vector<Term> terms) : terms_(std::move(terms)), bound_(0.0) {
  std::array<int, 3> n_terms{};
  for (const Term& term : terms_) {
    std::array<bool, 3> has{};
    for (const Part part : all_parts) {
      const auto own = term.measure->parts();
      has[number_of(part)] = std::ranges::find(own, source_of(part, term.weight)) != own.end();
      n_terms[number_of(part)] += has[number_of(part)];
    }
    has_part_.push_back(has);
    sizes_.push_back(std::fabs(term.weight) * size_of(*term.measure));
    total_size_ += sizes_.back();
    draws_moduli_ = draws_moduli_ && measures::draws_moduli(*term.measure);
    const auto bound = term.measure->modulus_bound();
    if (!bound || !bound_)
      bound_.reset();
    else
      *bound_ += std::fabs(term.weight) * *bound;
  }
  if (!std::isfinite(total_size_) || !(total_size_ > 0))
    throw InvalidArgument("sum_of", fmt::format("the terms' measures have a total mass of {}, beyond double precision", total_size_));
  for (const Part part : all_parts) is_present_[number_of(part)] = n_terms[number_of(part)] > 0;
  // Real parts of one sign add up; where both are there, they must all be of one term.
  int n_real = 0;
  for (const auto& has : has_part_) n_real += has[0] || has[1];
  const bool plain_real = !(is_present_[0] && is_present_[1]) || n_real == 1;
  is_plain_ = {plain_real, plain_real, n_terms[2] <= 1};
}

Part MixtureMeasure::source_of(Part part, double weight) {
  if (weight > 0 || part == Part::imaginary_positive) return part;
  return part == Part::real_positive ? Part::real_negative : Part::real_positive;
}

bool MixtureMeasure::knows_density() const {
  return std::ranges::all_of(terms_, [](const Term& term) { return measures::knows_density(*term.measure); });
}

// Real terms of one sign, or one term: |Σ| = Σ|…|.
bool MixtureMeasure::one_sign() const { return terms_.size() == 1 || (!is_present_[2] && !(is_present_[0] && is_present_[1])); }

std::vector<Part> MixtureMeasure::parts() const {
  std::vector<Part> parts;
  for (const Part part : all_parts)
    if (is_present_[number_of(part)]) parts.push_back(part);
  return parts;
}

std::complex<double> MixtureMeasure::density(std::span<const double> omega) const {
  std::complex<double> sum = 0;
  for (const Term& term : terms_) sum += term.weight * term.measure->density(omega);
  return sum;
}

// The proposal is Σ|w_i||μ_i| over its total: nothing has a larger ratio than that total.
std::optional<double> MixtureMeasure::proposal_bound(Part part) const {
  return draws_moduli_ && is_present_[number_of(part)] ? std::optional(total_size_) : std::nullopt;
}

std::size_t MixtureMeasure::choose(std::span<const double> shares, double total, RandomStream& random) const {
  if (shares.size() == 1) return 0;
  double place = random.uniform() * total;
  std::size_t last = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    last = i;
    if (place < shares[i]) return i;
    place -= shares[i];
  }
  return last;
}

void MixtureMeasure::propose(RandomStream& random, std::span<double> omega) const {
  draw_modulus(*terms_[choose(sizes_, total_size_, random)].measure, random, omega);
}

// Where signs agree no density is needed, and so no arithmetic but the portable one.
std::complex<double> MixtureMeasure::proposal_ratio(std::span<const double> omega) const {
  if (terms_.size() == 1 || one_sign()) {
    if (!is_present_[2]) {
      if (!is_present_[1]) return total_size_;
      if (!is_present_[0]) return -total_size_;
    }
    const std::complex<double> ratio = terms_[0].measure->proposal_ratio(omega);
    const double both[] = {ratio.real(), ratio.imag()}, modulus = scaled_norm<double>(both);
    return modulus > 0 ? (terms_[0].weight > 0 ? 1.0 : -1.0) * total_size_ / modulus * ratio : 0.0;
  }
  std::complex<double> sum = 0;
  double moduli = 0;
  for (const Term& term : terms_) {
    const std::complex<double> density = term.measure->density(omega);
    sum += term.weight * density;
    moduli += std::fabs(term.weight) * std::abs(density);
  }
  if (!(moduli > 0) || !std::isfinite(moduli))
    throw NumericalError(
        fmt::format("sum_of: the densities of its terms leave the doubles in {} dimensions, so that its parts cannot be "
                    "drawn; use the polar estimator",
                    dim()));
  return total_size_ * (sum / moduli);
}

std::optional<PartMoments> MixtureMeasure::exact_moments(Part part) const {
  if (!is_present_[number_of(part)]) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
  if (!is_plain(part)) return std::nullopt;
  double mass = 0, log_mass = -std::numeric_limits<double>::infinity();
  std::optional<double> moment = 0.0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!has_part(i, part)) continue;
    const double size = std::fabs(terms_[i].weight);
    const auto own = terms_[i].measure->exact_moments(source_of(part, terms_[i].weight));
    if (!own) return std::nullopt;
    mass += size * own->mass;
    // log(e^a + e^b), finite where the masses themselves underflow.
    const double next = std::log(size) + own->log_mass, larger = std::fmax(log_mass, next), smaller = std::fmin(log_mass, next);
    log_mass = std::isinf(larger) ? larger : larger + std::log1p(std::exp(smaller - larger));
    if (!own->second_moment || !moment)
      moment.reset();
    else if (own->mass > 0)
      *moment += size * own->mass * *own->second_moment;
  }
  if (moment && mass > 0) *moment /= mass;
  return PartMoments{mass, log_mass, moment};
}

std::optional<double> MixtureMeasure::exact_total_variation() const {
  if (!one_sign()) return std::nullopt;
  double sum = 0;
  for (const Term& term : terms_) {
    const auto own = term.measure->exact_total_variation();
    if (!own) return std::nullopt;
    sum += std::fabs(term.weight) * *own;
  }
  return sum;
}

// A negative weight mirrors μ_I^+, which conjugates its transform.
std::optional<std::complex<double>> MixtureMeasure::exact_transform(Part part, std::span<const double> delta) const {
  if (!is_plain(part)) return std::nullopt;
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!has_part(i, part)) continue;
    const auto own = terms_[i].measure->exact_transform(source_of(part, terms_[i].weight), delta);
    if (!own) return std::nullopt;
    sum += std::fabs(terms_[i].weight) * (part == Part::imaginary_positive && terms_[i].weight < 0 ? std::conj(*own) : *own);
  }
  return sum;
}

// μ²/|μ| of one sign, or of one term, has no sign of the weight in it.
std::optional<std::complex<double>> MixtureMeasure::exact_polar_transform(std::span<const double> delta) const {
  if (!one_sign()) return std::nullopt;
  std::complex<double> sum = 0;
  for (const Term& term : terms_) {
    const auto own = term.measure->exact_polar_transform(delta);
    if (!own) return std::nullopt;
    sum += std::fabs(term.weight) * *own;
  }
  return sum;
}

bool MixtureMeasure::draws_exactly() const {
  for (const Part part : all_parts) {
    if (!is_present_[number_of(part)]) continue;
    if (!is_plain(part) && !draws_moduli_) return false;
    if (is_plain(part) && !exact_moments(part)) return false;
  }
  return std::ranges::all_of(terms_, [](const Term& term) { return term.measure->draws_exactly(); });
}

std::size_t MixtureMeasure::choose_term_of(Part part, RandomStream& random) const {
  std::vector<double> shares(terms_.size());
  double total = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!has_part(i, part)) continue;
    shares[i] = std::fabs(terms_[i].weight) * terms_[i].measure->exact_moments(source_of(part, terms_[i].weight))->mass;
    total += shares[i];
  }
  return choose(shares, total, random);
}

void MixtureMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (is_plain(part)) {
    const Term& term = terms_[choose_term_of(part, random)];
    term.measure->draw(source_of(part, term.weight), random, omega);
    if (part == Part::imaginary_positive && term.weight < 0)
      for (double& coordinate : omega) coordinate = -coordinate;
    return;
  }
  constexpr std::uint64_t most_proposals = 3'000'000;  // parts may be listed that are empty: nobody knows where signs cancel
  if (!draw_by_rejection(*this, part, random, omega, most_proposals))
    throw NumericalError(
        fmt::format("sum_of: part {} is too small a share of the sum, or empty: none of {} proposals was accepted; use the "
                    "polar estimator",
                    traits(part).name, most_proposals));
}

void MixtureMeasure::draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  const Term& term = terms_[choose_term_of(part, random)];
  term.measure->draw_from(source_of(part, term.weight), normals, random, omega);
  if (part == Part::imaginary_positive && term.weight < 0)
    for (double& coordinate : omega) coordinate = -coordinate;
}

// One sign has a ratio that is known everywhere, and ∫|μ|.
bool MixtureMeasure::draws_weighted() const { return !(one_sign() && draws_moduli_); }

std::complex<double> MixtureMeasure::draw_weighted(RandomStream& random, std::span<double> omega) const {
  const std::size_t i = choose(sizes_, total_size_, random);
  const Term& term = terms_[i];
  if (measures::draws_moduli(*term.measure))
    return (term.weight > 0 ? total_size_ : -total_size_) * draw_modulus(*term.measure, random, omega);
  return term.weight * (total_size_ / sizes_[i]) * term.measure->draw_weighted(random, omega);
}

std::complex<double> MixtureMeasure::draw_weighted_from(std::span<const double> normals, RandomStream& random,
                                                        std::span<double> omega) const {
  const std::size_t i = choose(sizes_, total_size_, random);
  return terms_[i].weight * (total_size_ / sizes_[i]) * terms_[i].measure->draw_weighted_from(normals, random, omega);
}

NormalVectorUse MixtureMeasure::normal_vector_use() const {
  NormalVectorUse use{.proposals = true, .parts = draws_exactly(), .scaled_proposals = false, .scaled_parts = false};
  for (const Part part : all_parts) use.parts = use.parts && (!is_present_[number_of(part)] || is_plain(part));
  for (const Term& term : terms_) {
    const NormalVectorUse own = term.measure->normal_vector_use();
    use.proposals = use.proposals && own.proposals && has_weighted_draws(*term.measure);
    use.parts = use.parts && own.parts;
  }
  return use;
}

std::optional<double> MixtureMeasure::mass_beyond(std::size_t coordinate, double cut) const {
  double sum = 0;
  for (const Term& term : terms_) {
    const auto own = term.measure->mass_beyond(coordinate, cut);
    if (!own || !measures::knows_density(*term.measure)) return std::nullopt;
    sum += std::fabs(term.weight) * *own;
  }
  return sum;
}

std::optional<double> MixtureMeasure::largest_beyond(std::span<const double> distances) const {
  double sum = 0;
  for (const Term& term : terms_) {
    const auto own = term.measure->largest_beyond(distances);
    if (!own) return std::nullopt;
    sum += std::fabs(term.weight) * *own;
  }
  return sum;
}

}  // namespace askrff::measures
