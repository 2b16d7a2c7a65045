// Normal equations by groups of 1024 rows, one after another.
#include "askrff/operators.hpp"
#include "askrff/errors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/checks.hpp"
#include "operators/group_products.hpp"

namespace askrff {

using backend::Rows;
using operators::group_rows;

template <class T>
class NormalEquations<T>::Accumulator {
 public:
  Accumulator(Features features, std::size_t n_targets, const Execution& execution)
      : features_(std::move(features)),
        execution_(execution),
        n_targets_(n_targets),
        products_(features_, n_targets, group_rows),
        pending_X_(group_rows, plan().dim),
        pending_Y_(group_rows, n_targets),
        pending_weights_(group_rows) {
    begin();
  }

  void add(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
    require_whole();
    check(X, Y, weights);
    if (gram_.rows() != plan().n_features) begin();  // after finish
    is_spoilt_ = true;                               // until all rows are in
    std::size_t row = 0;
    while (row < X.rows()) {
      const std::size_t count = std::min(group_rows - n_pending_, X.rows() - row);
      const auto x = X.middle_rows(row, count);
      const auto y = n_targets_ > 0 ? Y.middle_rows(row, count) : MatrixView<const T>(nullptr, count, 0);
      const auto w = weights.empty() ? weights : weights.subspan(row, count);
      if (count == group_rows) {
        process(backend::rows_of(x), backend::rows_of(y), w.empty() ? nullptr : w.data());
      } else {
        keep(x, y, w);
        if (n_pending_ == group_rows) flush();
      }
      row += count;
      n_rows_ += count;
    }
    is_spoilt_ = false;
  }

  NormalSums finish() {
    require_whole();
    if (gram_.rows() != plan().n_features) begin();
    is_spoilt_ = true;
    if (n_pending_ > 0) flush();
    mirror();
    is_spoilt_ = false;
    return {std::move(gram_), std::move(moments_), std::exchange(n_rows_, 0)};  // memory for the next sums is taken when they begin
  }

  NormalSums sums() {
    require_whole();
    if (gram_.rows() != plan().n_features) begin();
    Matrix<double> gram = gram_, moments = moments_;
    const std::size_t n_pending = n_pending_;
    const auto go_back = [&]() -> NormalSums {
      n_pending_ = n_pending;  // they still wait: groups begin at the same rows
      return {std::exchange(gram_, std::move(gram)), std::exchange(moments_, std::move(moments)), n_rows_};
    };
    try {
      if (n_pending > 0) flush();
      mirror();
    } catch (...) {
      go_back();
      throw;
    }
    return go_back();
  }

  void set_execution(const Execution& execution) { execution_ = execution; }

 private:
  const detail::FeaturePlan& plan() const { return features_.plan(); }

  void begin() {
    moments_ = Matrix<double>(plan().n_features, n_targets_);
    gram_ = Matrix<double>(plan().n_features, plan().n_features);
  }

  void require_whole() const {
    if (is_spoilt_)
      throw InvalidArgument("NormalEquations", "a call was stopped or failed halfway: the sums are of no further use, begin anew");
  }

  void mirror() {
    for (std::size_t f = 0; f < gram_.rows(); execution_.stop.check(), ++f)
      for (std::size_t g = 0; g < f; ++g) gram_(f, g) = gram_(g, f);
  }

  void check(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) const {
    plan().check(X, execution_);
    const bool left_out = Y.rows() == 0 && Y.cols() == 0 && (n_targets_ == 0 || X.rows() == 0);
    if (!left_out) require_shape(Y, X.rows(), n_targets_, "NormalEquations::add", "Y");
    require_finite<T>(Y, "NormalEquations::add", "Y", execution_.stop);
    if (!weights.empty() && weights.size() != X.rows())
      throw InvalidArgument("NormalEquations::add", fmt::format("{} weights for {} rows", weights.size(), X.rows()));
    require_finite<T>(MatrixView<const T>(weights.data(), weights.empty() ? 0 : 1, weights.size()), "NormalEquations::add", "the weights");
  }

  // Rows of an incomplete group wait, so that groups begin at the same rows however the rows were cut into calls.
  void keep(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
    for (std::size_t i = 0; i < X.rows(); ++i) {
      std::ranges::copy(X.row(i), pending_X_.row(n_pending_ + i).begin());
      if (n_targets_ > 0) std::ranges::copy(Y.row(i), pending_Y_.row(n_pending_ + i).begin());
      pending_weights_[n_pending_ + i] = weights.empty() ? T{1} : weights[i];
    }
    n_pending_ += X.rows();
  }

  void flush() {
    const std::size_t count = std::exchange(n_pending_, 0);
    process(backend::rows_of(std::as_const(pending_X_).view()).from(0, count),
            backend::rows_of(std::as_const(pending_Y_).view()).from(0, count), pending_weights_.data());
  }

  void process(Rows<const T> X, Rows<const T> Y, const T* weights) { products_.add(X, Y, weights, gram_, moments_, execution_); }

  Features features_;
  Execution execution_;
  std::size_t n_targets_, n_rows_ = 0, n_pending_ = 0;
  bool is_spoilt_ = false;  // a call ended halfway
  operators::GroupProducts<T> products_;
  Matrix<T> pending_X_, pending_Y_;
  std::vector<T> pending_weights_;
  Matrix<double> gram_, moments_;
};

template <class T>
NormalEquations<T>::NormalEquations(Features features, std::size_t n_targets, const Execution& execution)
    : accumulator_(std::make_unique<Accumulator>(std::move(features), n_targets, execution)) {}
template <class T>
NormalEquations<T>::NormalEquations(NormalEquations&&) noexcept = default;
template <class T>
NormalEquations<T>& NormalEquations<T>::operator=(NormalEquations&&) noexcept = default;
template <class T>
NormalEquations<T>::~NormalEquations() = default;

template <class T>
void NormalEquations<T>::add(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
  accumulator_->add(X, Y, weights);
}
template <class T>
void NormalEquations<T>::set_execution(const Execution& execution) {
  accumulator_->set_execution(execution);
}
template <class T>
NormalSums NormalEquations<T>::finish() {
  return accumulator_->finish();
}
template <class T>
NormalSums NormalEquations<T>::sums() {
  return accumulator_->sums();
}

template class NormalEquations<float>;
template class NormalEquations<double>;

}  // namespace askrff
