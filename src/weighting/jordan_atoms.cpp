// Parts planned, drawn and weighted.
#include "weighting/jordan_atoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weighting/estimator_choice.hpp"
#include "askrff/errors.hpp"

namespace askrff::weighting {
namespace {

PartRecord record_of(const ComplexMeasure& measure, Part part) {
  PartRecord record{.part = part, .mass = std::nan(""), .log_mass = std::nan("")};
  if (const auto moments = measure.exact_moments(part)) {
    record.mass = moments->mass;
    record.log_mass = moments->log_mass;
    if (!std::isfinite(record.mass))
      throw InvalidArgument(
          "approximate",
          fmt::format("part {} has mass {}: a kernel without finite total mass (one with a jump, say) has no Fourier features",
                      traits(part).name, record.mass));
  }
  return record;
}

// Whole numbers in proportion to shares, at least one each, that sum to total ≥ the number of parts: rounded down, then the most wanting
// get one more; if the least of one has taken too many, the largest gives.
void allocate(std::vector<PartRecord*>& kept, const std::vector<double>& shares, std::size_t total) {
  double sum = 0;
  for (const double share : shares) sum += share;
  if (!std::isfinite(sum)) throw InvalidArgument("approximate", "the parts' variances overflow; allocate frequencies by mass or equally");
  const auto wanted = [&](std::size_t i) {
    return (sum > 0 ? shares[i] / sum : 1 / static_cast<double>(kept.size())) * static_cast<double>(total);
  };
  std::size_t given = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) given += kept[i]->count = std::max<std::size_t>(1, static_cast<std::size_t>(wanted(i)));
  for (; given < total; ++given) {
    std::size_t most_wanting = 0;
    for (std::size_t i = 1; i < kept.size(); ++i)
      if (wanted(i) - static_cast<double>(kept[i]->count) > wanted(most_wanting) - static_cast<double>(kept[most_wanting]->count))
        most_wanting = i;
    ++kept[most_wanting]->count;
  }
  for (; given > total; --given) --(*std::ranges::max_element(kept, {}, &PartRecord::count))->count;
}

}  // namespace

std::vector<PartRecord> plan_parts(const ComplexMeasure& measure, const ApproximateOptions& options, MatrixView<const double> differences) {
  std::vector<PartRecord> records;
  double total = 0;
  for (const Part part : measure.parts()) {
    records.push_back(record_of(measure, part));
    total += std::abs(traits(part).coefficient) * records.back().mass;
  }
  const bool is_rejection = options.sampler == Sampler::rejection;
  const double tolerance = options.drop_tolerance.value_or(is_rejection ? 0.0 : 1e-12);
  const bool may_drop = options.drop_tolerance || !is_rejection;
  std::vector<PartRecord*> kept;
  for (PartRecord& record : records) {
    record.dropped = may_drop && record.mass <= tolerance * total;  // false where a mass is not known
    if (!record.dropped) kept.push_back(&record);
  }
  if (kept.empty())
    throw InvalidArgument(
        "approximate",
        fmt::format(
            "no part of the measure has more than the share {} of its mass, expected a smaller drop tolerance or a kernel that is not zero",
            tolerance));
  if (options.n_features != 0 && options.n_features / 2 < kept.size())
    throw InvalidArgument("approximate", fmt::format("{} features for {} parts of the measure, expected at least {}", options.n_features,
                                                     kept.size(), 2 * kept.size()));
  constexpr std::size_t max_frequencies = std::size_t{1} << 40;  // their number times that of parts is no number too large
  const std::size_t n_largest = std::max(options.n_frequencies, options.n_features / 2);
  if (n_largest > max_frequencies) throw InvalidArgument("approximate", fmt::format("{} frequencies do not fit into memory", n_largest));
  std::vector<double> shares;
  for (const PartRecord* record : kept) {
    if (options.allocation == Allocation::equal) {
      shares.push_back(1);
      continue;
    }
    if (std::isnan(record->mass))
      throw InvalidArgument("approximate", "the masses of this measure are not known; allocate frequencies equally");
    shares.push_back(options.allocation == Allocation::mass ? std::abs(traits(record->part).coefficient) * record->mass
                                                            : std::sqrt(mean_part_variance(measure, record->part, differences)));
  }
  allocate(kept, shares, options.n_features != 0 ? options.n_features / 2 : options.n_frequencies * kept.size());
  return records;
}

SpectralAtoms draw_parts(const ComplexMeasure& measure, std::vector<PartRecord> records, const SamplingOptions& sampling) {
  std::vector<Matrix<double>> drawn;
  std::size_t n_atoms = 0;
  for (PartRecord& record : records) {
    record.first = n_atoms;
    if (record.count == 0) continue;
    drawn.push_back(draw_frequencies(measure, record.part, 0, record.count, sampling));
    n_atoms += record.count;
  }
  Matrix<double> frequencies(n_atoms, measure.dim());
  auto* next = frequencies.data();
  for (const auto& block : drawn) next = std::copy_n(block.data(), block.rows() * block.cols(), next);
  return {std::move(frequencies), std::vector<std::complex<double>>(n_atoms), std::move(records)};
}

SpectralAtoms weigh(const SpectralAtoms& drawn, const MassFit* fitted) {
  std::vector<std::complex<double>> weights(drawn.size());
  std::vector<PartRecord> records(drawn.parts().begin(), drawn.parts().end());
  for (PartRecord& record : records) {
    if (!record.dropped && fitted) {
      record.mass = record.part == Part::real_positive   ? fitted->real_positive
                    : record.part == Part::real_negative ? fitted->real_negative
                                                         : fitted->imaginary_positive;
      record.log_mass = std::log(record.mass);
    }
    for (std::size_t j = record.first; j < record.first + record.count; ++j)
      weights[j] = traits(record.part).coefficient * (record.mass / static_cast<double>(record.count));
  }
  return drawn.reweighted(std::move(weights), std::move(records));
}

}  // namespace askrff::weighting
