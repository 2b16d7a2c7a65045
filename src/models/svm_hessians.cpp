// Gram matrices of active rows, changed by the rows that changed sides.
#include "models/svm_hessians.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/threads.hpp"

namespace askrff::models {
namespace {

/// Rows to be added (their weight) or taken away (minus that).
template <class T>
struct Changes {
  std::vector<std::uint32_t> rows;
  std::vector<T> weights, factors;  // factor: weight times target

  void add(std::uint32_t row, double weight, double target) {
    rows.push_back(row);
    weights.push_back(static_cast<T>(weight));
    factors.push_back(static_cast<T>(weight * target));
  }
};

/// The upper triangle of `gram` becomes the lower one of `factor`, by tiles that stay in the first cache.
void transpose_triangle(const Matrix<double>& gram, Matrix<double>& factor) {
  constexpr std::size_t tile = 32;
  const std::size_t n = gram.rows();
  for (std::size_t i0 = 0; i0 < n; i0 += tile)
    for (std::size_t j0 = 0; j0 <= i0; j0 += tile)
      for (std::size_t i = i0; i < std::min(n, i0 + tile); ++i)
        for (std::size_t j = j0; j < std::min(i + 1, j0 + tile); ++j) factor(i, j) = gram(j, i);
}

}  // namespace

template <class T>
class Hessians<T>::Matrices {
 public:
  Matrices(const Design<T>& design, const BatchState& state, std::span<const BinaryProblem> problems, const LabelledRows& rows,
           const Execution& execution)
      : design_(design),
        execution_(execution),
        included_(state.active),
        moments_(problems.size(), design.n_columns()),
        factors_(problems.size()),
        damped_(problems.size()) {
    begin_grams(state, problems, rows);
    Matrix<double> targets(problems.size(), design.rows());
    for (std::size_t p = 0; p < problems.size(); ++p)
      for (std::size_t i = 0; i < design.rows(); ++i) targets(p, i) = state.row_weights[i] * state.targets[p][i];
    design.transposed_times(targets, moments_, execution);
  }

  void prepare(const BatchState& state, std::span<const std::size_t> problems, double c) {
    update(state, problems);
    Team team = team_for(factor_work() * static_cast<double>(problems.size()), execution_);
    const bool one_by_one = problems.size() < team.n_threads;  // then the factorisation itself uses the threads
    if (one_by_one) team.n_threads = 1;
    const Execution inside = one_by_one ? execution_ : on_one_thread(execution_);
    parallel_for(problems.size(), team, [&](std::size_t k) { factor(problems[k], c, inside); });
  }

  void minimum(std::size_t p, std::span<double> weights) const {
    std::ranges::copy(moments_.row(p), weights.begin());
    solve(p, weights);
  }
  void solve(std::size_t p, std::span<double> values) const {
    solve_cholesky(factors_[p], MatrixView<double>(values.data(), n(), 1), execution_);
  }
  bool is_damped(std::size_t p) const { return damped_[p] != 0; }

 private:
  struct Target {
    const Changes<T>* changes;
    Matrix<double>* gram;
    std::span<double> moments;  // may be empty
  };

  std::size_t n() const { return design_.n_columns(); }
  double factor_work() const { return std::pow(static_cast<double>(n()), 3) / 100; }

  /// The Gram matrix of all rows less that of the fold held out: one pass over the rows for all problems. Fold by fold, so that the sums do
  /// not depend on which problems are in the batch; those that no problem holds out are not kept.
  void begin_grams(const BatchState& state, std::span<const BinaryProblem> problems, const LabelledRows& rows) {
    std::map<std::uint32_t, Changes<T>> parts;
    for (std::uint32_t i = 0; i < design_.rows(); ++i) parts[rows.folds.empty() ? no_fold : rows.folds[i]].add(i, state.row_weights[i], 0);
    std::map<std::uint32_t, Matrix<double>> held_out;
    Matrix<double> total(n(), n());
    for (const auto& [fold, changes] : parts) {
      Matrix<double> gram(n(), n());
      add_all(std::vector<Target>{{&changes, &gram, {}}});
      execution_.stop.check();
      for (std::size_t k = 0; k < n() * n(); ++k) total.data()[k] += gram.data()[k];
      const auto holds_it_out = [fold = fold](const BinaryProblem& problem) { return problem.held_out == fold; };
      if (fold != no_fold && std::ranges::any_of(problems, holds_it_out)) held_out.emplace(fold, std::move(gram));
    }
    for (const BinaryProblem& problem : problems) {
      execution_.stop.check();
      grams_.push_back(total);
      const auto found = held_out.find(problem.held_out);
      if (found == held_out.end()) continue;
      for (std::size_t k = 0; k < n() * n(); ++k) grams_.back().data()[k] -= found->second.data()[k];
    }
  }

  void update(const BatchState& state, std::span<const std::size_t> problems) {
    std::vector<Changes<T>> changes(problems.size());
    const double rows = static_cast<double>(problems.size()) * static_cast<double>(design_.rows());
    parallel_for(problems.size(), team_for(2 * rows, execution_), [&](std::size_t k) {
      collect(state, problems[k], changes[k]);
      included_[problems[k]] = state.active[problems[k]];
    });
    std::vector<Target> targets;
    for (std::size_t k = 0; k < problems.size(); ++k)
      if (!changes[k].rows.empty()) targets.push_back({&changes[k], &grams_[problems[k]], moments_.row(problems[k])});
    add_all(targets);
  }

  /// What turns the Gram matrix of the rows included into that of the active ones; if most rows change, it is made anew.
  void collect(const BatchState& state, std::size_t p, Changes<T>& changes) {
    const std::vector<std::uint8_t>&now = state.active[p], &before = included_[p];
    std::size_t n_changed = 0, n_active = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      n_changed += now[i] != before[i] ? 1 : 0;
      n_active += now[i];
    }
    const bool anew = n_changed > n_active;
    if (anew) {
      std::fill_n(grams_[p].data(), n() * n(), 0.0);
      std::ranges::fill(moments_.row(p), 0.0);
    }
    for (std::uint32_t i = 0; i < now.size(); ++i) {
      const int sign = anew ? now[i] : int{now[i]} - int{before[i]};
      if (sign != 0) changes.add(i, sign * state.row_weights[i], state.targets[p][i]);
    }
  }

  double work_of(std::span<const Target> targets) const {
    double rows = 0;
    for (const Target& target : targets) rows += static_cast<double>(target.changes->rows.size());
    return rows * static_cast<double>(n()) * static_cast<double>(n()) / 64;
  }

  /// Whole triangles for as many problems as the threads can share evenly, the rest in slices of equal area: a slice gathers its rows
  /// again, which is a fifth of the work. Slices change no sum.
  void add_all(std::span<const Target> targets) {
    if (targets.empty()) return;
    Team team = team_for(work_of(targets), execution_, design_.thread_safe());
    team.n_threads = std::min(team.n_threads, n() / 16 + 1);
    const std::size_t n_threads = team.n_threads;
    const std::size_t n_whole = targets.size() / n_threads * n_threads;
    parallel_for(n_whole + (targets.size() - n_whole) * n_threads, team, [&](std::size_t task) {
      if (task < n_whole) return add_slice(targets[task], 0, 1);
      const std::size_t rest = task - n_whole;
      add_slice(targets[n_whole + rest / n_threads], rest % n_threads, n_threads);
    });
  }

  void add_slice(const Target& target, std::size_t slice, std::size_t n_slices) const {
    const std::size_t first = triangle_slice_begin(n(), slice, n_slices), end = triangle_slice_begin(n(), slice + 1, n_slices);
    if (first == end) return;
    design_.add_outer_products(target.changes->rows, target.changes->weights, first, target.gram->view().middle_rows(first, end - first),
                               target.changes->factors, slice == 0 ? target.moments : std::span<double>(), execution_.stop);
  }

  /// Adds to the diagonal what rounding may have taken from it, if the matrix cannot be factored without.
  void factor(std::size_t p, double c, const Execution& execution) {
    double trace = 0;
    for (std::size_t i = 0; i < n(); ++i) trace += std::abs(grams_[p](i, i));
    const double least = std::numeric_limits<T>::epsilon() * (trace / static_cast<double>(n()) + 0.5 / c);
    damped_[p] = 0;
    for (double damping = 0;; damping = damping == 0 ? least : 10 * damping) {
      if (factors_[p].empty()) factors_[p] = Matrix<double>(n(), n());
      transpose_triangle(grams_[p], factors_[p]);
      for (std::size_t i = 0; i < n(); ++i) factors_[p](i, i) += 0.5 / c + damping;
      try {
        cholesky(factors_[p], execution);
        return;
      } catch (const NumericalError&) {
        if (damping > trace) throw;
        damped_[p] = 1;
      }
    }
  }

  const Design<T>& design_;
  Execution execution_;
  std::vector<std::vector<std::uint8_t>> included_;  // rows whose outer products are in grams_
  std::vector<Matrix<double>> grams_;                // from the diagonal on
  Matrix<double> moments_;                           // Φ_Aᵀy
  std::vector<Matrix<double>> factors_;
  std::vector<std::uint8_t> damped_;
};

template <class T>
Hessians<T>::Hessians(const Design<T>& design, const BatchState& state, std::span<const BinaryProblem> problems, const LabelledRows& rows,
                      const Execution& execution)
    : matrices_(std::make_unique<Matrices>(design, state, problems, rows, execution)) {}
template <class T>
Hessians<T>::~Hessians() = default;

template <class T>
void Hessians<T>::prepare(const BatchState& state, std::span<const std::size_t> problems, double c) {
  matrices_->prepare(state, problems, c);
}
template <class T>
void Hessians<T>::minimum(std::size_t problem, std::span<double> weights) const {
  matrices_->minimum(problem, weights);
}
template <class T>
void Hessians<T>::solve(std::size_t problem, std::span<double> values) const {
  matrices_->solve(problem, values);
}
template <class T>
bool Hessians<T>::is_damped(std::size_t problem) const {
  return matrices_->is_damped(problem);
}

template class Hessians<float>;
template class Hessians<double>;

}  // namespace askrff::models
