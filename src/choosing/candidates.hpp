// The maps that can be tried for a kernel and data, each made from training rows and measured on others.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "askrff/choose.hpp"

namespace askrff::choosing {

/// Rows with different tasks, none in common.
struct RowRoles {
  RowsMatrix<double> training;       ///< for fits and landmarks
  RowsMatrix<double> comparison;     ///< to choose by
  RowsMatrix<double> confirmation;   ///< to see whether a choice holds, as often as it takes; none if rows are few
  RowsMatrix<double> certification;  ///< for the last word, looked at once; none if rows are few
};
/// A sixth of the rows each, at most 1000, certify, compare and confirm; the others are for training. Of fewer than 2400 rows a third
/// compares, and no others are held out: all of them confirm and certify, by maps made of the others. At least 24 rows.
RowRoles assign_rows(const RowsView<double>& data, std::uint64_t seed);

/// Errors on other rows differ by some tens of per cent: what just reaches the tolerance on some is likely to miss it on others. Some
/// features more cost less than a certificate that says no.
inline constexpr double comparison_margin = 0.65, confirmation_margin = 0.85;

struct Variant {
  Estimator estimator;
  Sampler sampler;
};

/// A candidate that could be made; its map is packed once and measured several times.
struct MadeCandidate {
  Candidate record;
  FeatureSource source;
  FeatureMap map;
  ApproximateOptions how;  ///< a Fourier map is made; of no use for Nyström

  MadeCandidate(Candidate candidate, FeatureSource made_of, ApproximateOptions made_how)
      : record(std::move(candidate)), source(std::move(made_of)), map(source), how(std::move(made_how)) {}
  /// Null for a Nyström map.
  const SpectralAtoms* atoms() const { return std::get_if<SpectralAtoms>(&source); }
};

/// Makes candidates and keeps the list of all of them.
class CandidateMaker {
 public:
  /// Keeps a view of `data`.
  CandidateMaker(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const ChooseOptions& options);

  /// What suits the kernel's measure; one entry, whose names mean nothing, for a kernel without a measure.
  const std::vector<Variant>& fourier_variants() const { return variants_; }
  double fourier_operations(std::size_t n_frequencies) const;
  const Kernel& kernel() const { return *kernel_; }

  /// Empty, with the reason on record, if the library refuses it or there is no time.
  std::optional<MadeCandidate> fourier(const Variant& variant, std::size_t n_frequencies);
  std::optional<MadeCandidate> nystrom(std::size_t n_features);
  /// The same map made of all rows of the data: atoms keep their frequencies and get weights anew.
  MadeCandidate refitted(const MadeCandidate& candidate) const;
  HeldOutError compare(const FeatureMap& map) const;
  /// Whether rows are too few to hold some out for good: then confirm() is the last word. It makes five maps, or says what the rows that
  /// compared do if there is no time for them; infinite where one cannot be made.
  bool cross_fits() const { return rows_.certification.empty(); }
  HeldOutError confirm(const MadeCandidate& candidate) const;
  HeldOutError certify(const MadeCandidate& candidate) const;
  const std::vector<Candidate>& tried() const { return tried_; }
  /// Nothing more can be made.
  bool out_of_time() const;

 private:
  /// That the search goes on.
  std::optional<double> expected_seconds() const;
  double nystrom_operations(std::size_t n_landmarks, std::size_t n_features) const;
  FeatureSource source_of(const MadeCandidate& candidate, const RowsView<double>& rows, const Execution& execution) const;
  /// Asked on the calling thread, where the caller's own token may have something to ask too.
  StopSource deadline_stop() const;
  HeldOutError error_on(const RowsMatrix<double>& rows, const FeatureMap& map) const;
  HeldOutError cross_fitted(const MadeCandidate& candidate) const;
  /// Calls make(record, execution), which completes the record and gives what the map is made of; records what the library refuses.
  template <class Make>
  std::optional<MadeCandidate> try_out(Candidate record, const ApproximateOptions& how, const Make& make);

  std::shared_ptr<const Kernel> kernel_;
  RowsView<double> data_;
  RowRoles rows_;
  ChooseOptions options_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::vector<double> extent_;  // of all rows: a point set that covers it can be made for any of them
  std::size_t matrix_rows_;     // of the matrices whose error is measured
  std::vector<Variant> variants_;
  std::size_t n_parts_ = 1;  // a jordan variant shares its frequencies among these
  std::vector<Candidate> tried_;
};

}  // namespace askrff::choosing
