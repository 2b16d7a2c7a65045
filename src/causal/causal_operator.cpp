// K·V for a causal kernel: states Σ_j e^{-b(t - s_j)} v_j, one for each exponential and column, go along the ordered times.
#include "askrff/causal.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "causal/chunks.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

void require_moments(std::span<const double> times, std::string_view name) {
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!(std::fabs(times[i]) <= 1e300))
      throw InvalidArgument("CausalOperator", fmt::format("{}[{}] is {}, expected a number from -1e300 to 1e300", name, i, times[i]));
}

}  // namespace

/// One product. Walked backwards, targets send and sources receive.
class CausalPass {
 public:
  struct Scratch {
    std::vector<double> decays;  // of every item of the chunk, since the item before: its exponentials side by side
  };

  CausalPass(const CausalOperator& op, MatrixView<const double> V, bool backwards, Matrix<double>& out)
      : n_state(op.kernel_.size() * V.cols()), op_(op), V_(V), backwards_(backwards), out_(out), least_(V.cols()) {
    for (std::size_t i = 0; i < V.rows(); ++i)
      for (std::size_t c = 0; c < V.cols(); ++c) least_[c] = std::max(least_[c], std::fabs(V(i, c)));
    for (double& least : least_) least *= 1e-290;
  }

  void prepare(const Chunk& chunk, Scratch& scratch) const {
    scratch.decays.resize(chunk.size() * n_terms());
    double* decay = scratch.decays.data();
    for (std::size_t i = chunk.first; i < chunk.last; ++i)
      for (const double rate : op_.kernel_.rates) *decay++ = decay_of(rate, i == 0 ? 0 : span_between(i - 1, i));
  }

  void leave(const Chunk& chunk, const Scratch& scratch, double* left) const {
    std::vector<double> since(n_terms(), 1.0);  // what is left at the end of one sent now
    for (std::size_t i = chunk.last; i-- > chunk.first;) {
      const auto& moment = item(i);
      const double* decay = scratch.decays.data() + (i - chunk.first) * n_terms();
      for (std::size_t k = 0; k < n_terms(); ++k) {
        if (sends(moment)) add(left + k * n_columns(), since[k], V_.row(moment.index()).data());
        since[k] = since[k] < 1e-290 ? 0 : since[k] * decay[k];
      }
    }
  }

  void carry(const Chunk& chunk, const double* left, double* state) const {
    const double span = chunk.first == 0 ? 0 : span_between(chunk.first - 1, chunk.last - 1);
    for (std::size_t k = 0; k < n_terms(); ++k) {
      const double decay = decay_of(op_.kernel_.rates[k], span);
      for (std::size_t c = 0; c < n_columns(); ++c)
        state[k * n_columns() + c] = state[k * n_columns() + c] * decay + left[k * n_columns() + c];
    }
  }

  void walk(std::size_t, const Chunk& chunk, const Scratch& scratch, double* state) const {
    const double* decay = scratch.decays.data();
    for (std::size_t i = chunk.first; i < chunk.last; ++i, decay += n_terms()) {
      if (i > 0 && item(i).time != item(i - 1).time) weaken(state, decay);
      const auto& moment = item(i);
      if (sends(moment))
        for (std::size_t k = 0; k < n_terms(); ++k) add(state + k * n_columns(), 1, V_.row(moment.index()).data());
      else
        for (std::size_t k = 0; k < n_terms(); ++k)
          add(out_.row(moment.index()).data(), op_.kernel_.amplitudes[k], state + k * n_columns());
    }
  }

  const std::size_t n_state;

 private:
  std::size_t n_terms() const { return op_.kernel_.size(); }
  std::size_t n_columns() const { return V_.cols(); }
  const CausalOperator::Moment& item(std::size_t i) const { return op_.moments_[backwards_ ? op_.moments_.size() - 1 - i : i]; }
  bool sends(const CausalOperator::Moment& moment) const { return moment.is_source() != backwards_; }
  double span_between(std::size_t i, std::size_t j) const { return std::fabs(item(j).time - item(i).time); }
  static double decay_of(double rate, double span) { return std::exp(-decay_exponent(rate, span)); }

  void add(double* out, double factor, const double* in) const {
    for (std::size_t c = 0; c < n_columns(); ++c) out[c] += factor * in[c];
  }
  /// Numbers that no longer count become 0: those too small to be normal would take a hundred times as long.
  void weaken(double* state, const double* decay) const {
    for (std::size_t k = 0; k < n_terms(); ++k, state += n_columns())
      for (std::size_t c = 0; c < n_columns(); ++c) {
        const double weaker = state[c] * decay[k];
        state[c] = std::fabs(weaker) < least_[c] ? 0 : weaker;
      }
  }

  const CausalOperator& op_;
  MatrixView<const double> V_;
  bool backwards_;
  Matrix<double>& out_;
  std::vector<double> least_;
};

CausalOperator::CausalOperator(ExponentialSum kernel, std::span<const double> targets, std::span<const double> sources)
    : kernel_(std::move(kernel)), n_targets_(targets.size()), n_sources_(sources.size()) {
  kernel_.check();
  require_moments(targets, "targets");
  require_moments(sources, "sources");
  moments_.reserve(n_targets_ + n_sources_);
  for (std::size_t i = 0; i < n_targets_; ++i) moments_.push_back({targets[i], 2 * i});
  for (std::size_t j = 0; j < n_sources_; ++j) moments_.push_back({sources[j], 2 * j + 1});
  // Targets stand first and are often in order, as sources are: merging is all there is to do then.
  const auto earlier = [](const Moment& a, const Moment& b) { return a.time < b.time; };
  const auto middle = moments_.begin() + static_cast<std::ptrdiff_t>(n_targets_);
  if (!std::is_sorted(moments_.begin(), middle, earlier)) std::stable_sort(moments_.begin(), middle, earlier);
  if (!std::is_sorted(middle, moments_.end(), earlier)) std::stable_sort(middle, moments_.end(), earlier);
  std::inplace_merge(moments_.begin(), middle, moments_.end(), earlier);
}

Matrix<double> CausalOperator::product(MatrixView<const double> V, bool transposed, const Execution& execution) const {
  const std::size_t n_in = transposed ? n_targets_ : n_sources_, n_out = transposed ? n_sources_ : n_targets_;
  const char* who = transposed ? "CausalOperator::apply_transposed" : "CausalOperator::apply";
  if (V.rows() != n_in) throw InvalidArgument(who, fmt::format("V has {} rows, expected {}", V.rows(), n_in));
  require_finite<double>(V, who, "V", execution.stop);
  Matrix<double> out(n_out, V.cols());
  if (out.empty() || n_in == 0) return out;
  CausalPass pass(*this, V, transposed, out);
  const Chunks chunks(moments_.size(), 64, [](std::size_t) { return true; });
  const double work = static_cast<double>(moments_.size()) * static_cast<double>(kernel_.size()) * (4 + static_cast<double>(V.cols()));
  walk_chunks(pass, chunks, team_for(work, execution));
  return out;
}

Matrix<double> CausalOperator::apply(MatrixView<const double> V, const Execution& execution) const { return product(V, false, execution); }

Matrix<double> CausalOperator::apply_transposed(MatrixView<const double> U, const Execution& execution) const {
  return product(U, true, execution);
}

}  // namespace askrff
