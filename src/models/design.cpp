// The design matrix: features stored once, or filled block by block whenever they are needed.
#include "askrff/linear.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/ceil_div.hpp"
#include "core/aligned.hpp"
#include "core/checks.hpp"
#include "core/platform.hpp"
#include "core/threads.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

using backend::Rows;

// Rows of one block: short enough for a cache, and fixed, because a sum of T over these rows is part of the results.
constexpr std::size_t block_rows = 256;
// Rows of one task of a pass, and of one partial sum of a transposed pass.
constexpr std::size_t task_rows = 1024, chunk_rows = 2048;

std::uint64_t usual_size() {
  constexpr std::uint64_t most = std::uint64_t{4} << 30;
  const std::uint64_t memory = platform::physical_memory();
  return memory > 0 ? std::min(most, memory / 4) : most;
}

}  // namespace

template <class T>
class Design<T>::Store {
 public:
  Store(Features features, const RowsView<T>& X, const DesignOptions& options) : features_(std::move(features)), X_(X) {
    if (X.rows() == 0) throw InvalidArgument("Design", "no rows, expected at least one");
    if (X.rows() > std::numeric_limits<std::uint32_t>::max())
      throw InvalidArgument("Design", fmt::format("{} rows, expected fewer than 2^32", X.rows()));
    X.visit([&](const auto& rows) { plan().check(rows, options.execution); });
    n_columns_ = plan().n_features + (options.bias ? 1 : 0);
    stride_ = padded_stride<T>(n_columns_);
    const std::uint64_t max_stored = options.max_stored > 0 ? options.max_stored : usual_size();
    if (X.rows() > max_stored / sizeof(T) / stride_) return;
    stored_ = Matrix<T>(X.rows(), stride_);
    const double work = static_cast<double>(X.rows()) * static_cast<double>(n_columns_);
    const std::size_t at_once = plan().task_rows();
    parallel_for(ceil_div(X.rows(), at_once), plan().team(work, options.execution), [&](std::size_t task) {
      const std::size_t first = task * at_once, count = std::min(at_once, X.rows() - first);
      fill(backend::rows_of(X).from(first, count), backend::rows_of(stored_.view()).from(first, count));
    });
  }

  std::size_t rows() const { return X_.rows(); }
  std::size_t n_features() const { return plan().n_features; }
  std::size_t n_columns() const { return n_columns_; }
  bool is_stored() const { return !stored_.empty(); }
  bool thread_safe() const { return is_stored() || plan().thread_safe(); }
  Team team(std::size_t n_problems, const Execution& execution) const { return team_for(work(n_problems), execution, thread_safe()); }
  const backend::ScalarPrimitives<T>& primitives() const { return plan().primitives->template of<T>(); }
  AlignedBuffer<T> scratch() const { return AlignedBuffer<T>(block_rows * stride_); }

  /// At most block_rows consecutive rows; in scratch if they are not stored.
  Rows<const T> block(std::size_t first, std::size_t count, AlignedBuffer<T>& scratch) const {
    if (is_stored()) return backend::rows_of(stored_.view()).from(first, count);
    return filled(backend::rows_of(X_).from(first, count), scratch);
  }

  /// At most block_rows rows from anywhere, side by side in scratch.
  Rows<const T> gathered(std::span<const std::uint32_t> rows, AlignedBuffer<T>& scratch) const {
    if (is_stored()) {
      for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(&stored_(rows[i], 0), n_columns_, scratch.data() + i * stride_);
      return {scratch.data(), rows.size(), stride_};
    }
    const std::vector<std::size_t> numbers(rows.begin(), rows.end());
    const RowsMatrix<T> X = RowsMatrix<T>::taken_from(X_, numbers);
    return filled(backend::rows_of(X.view()), scratch);
  }

  double work(std::size_t n_problems) const {
    return static_cast<double>(rows()) * static_cast<double>(n_columns_) * (1 + static_cast<double>(n_problems) / 16);
  }

 private:
  const detail::FeaturePlan& plan() const { return features_.plan(); }

  void fill(const backend::InputRows<T>& X, Rows<T> out) const {
    plan().run(X, out, backend::Store::cached);
    if (n_columns_ > plan().n_features)
      for (std::size_t i = 0; i < out.count; ++i) out.row(i)[plan().n_features] = T{1};
  }
  Rows<const T> filled(const backend::InputRows<T>& X, AlignedBuffer<T>& scratch) const {
    fill(X, {scratch.data(), X.count, stride_});
    return {scratch.data(), X.count, stride_};
  }

  Features features_;
  RowsView<T> X_;
  std::size_t n_columns_ = 0, stride_ = 0;
  Matrix<T> stored_;
};

template <class T>
Design<T>::Design(Features features, const RowsView<T>& X, const DesignOptions& options)
    : store_(std::make_unique<Store>(std::move(features), X, options)) {}
template <class T>
Design<T>::Design(Design&&) noexcept = default;
template <class T>
Design<T>& Design<T>::operator=(Design&&) noexcept = default;
template <class T>
Design<T>::~Design() = default;

template <class T>
std::size_t Design<T>::rows() const {
  return store_->rows();
}
template <class T>
std::size_t Design<T>::n_features() const {
  return store_->n_features();
}
template <class T>
std::size_t Design<T>::n_columns() const {
  return store_->n_columns();
}
template <class T>
bool Design<T>::is_stored() const {
  return store_->is_stored();
}
template <class T>
bool Design<T>::thread_safe() const {
  return store_->thread_safe();
}

template <class T>
void Design<T>::times(MatrixView<const double> weights, MatrixView<double> outputs, const Execution& execution) const {
  require_shape(weights, outputs.rows(), n_columns(), "Design::times", "weights");
  require_shape(outputs, weights.rows(), rows(), "Design::times", "outputs");
  const std::size_t n_problems = weights.rows();
  Matrix<T> factors(n_problems, n_columns());
  for (std::size_t p = 0; p < n_problems; ++p) std::ranges::copy(weights.row(p), factors.row(p).begin());
  const Team team = store_->team(n_problems, execution);
  parallel_for(ceil_div(rows(), task_rows), team, [&](std::size_t task) {
    AlignedBuffer<T> scratch = store_->scratch();
    Matrix<T> products(block_rows, n_problems);
    const std::size_t end = std::min(rows(), (task + 1) * task_rows);
    for (std::size_t first = task * task_rows; first < end; first += block_rows) {
      team.stop.check();
      const std::size_t count = std::min(block_rows, end - first);
      store_->primitives().product(store_->block(first, count, scratch), backend::rows_of(std::as_const(factors).view()), n_columns(),
                                   backend::rows_of(products.view()).from(0, count), backend::Update::set);
      for (std::size_t p = 0; p < n_problems; ++p)
        for (std::size_t i = 0; i < count; ++i) outputs(p, first + i) = static_cast<double>(products(i, p));
    }
  });
}

// Partial sums over fixed chunks of rows are added in their order, whatever the threads.
template <class T>
void Design<T>::transposed_times(MatrixView<const double> values, MatrixView<double> sums, const Execution& execution) const {
  require_shape(values, sums.rows(), rows(), "Design::transposed_times", "values");
  require_shape(sums, values.rows(), n_columns(), "Design::transposed_times", "sums");
  constexpr std::size_t chunks_per_thread = 4, max_partial = std::size_t{8} << 20;  // numbers
  const std::size_t n_problems = values.rows(), n_chunks = ceil_div(rows(), chunk_rows);
  const Team team = store_->team(n_problems, execution);
  const std::size_t room = max_partial / std::max<std::size_t>(1, n_columns() * n_problems);
  const std::size_t at_once = std::min(n_chunks, std::max(team.n_threads * chunks_per_thread, room));
  std::vector<Matrix<double>> partial(at_once, Matrix<double>(n_columns(), n_problems));
  for (std::size_t p = 0; p < n_problems; ++p) std::ranges::fill(sums.row(p), 0.0);
  for (std::size_t chunk = 0; chunk < n_chunks; chunk += at_once) {
    const std::size_t n = std::min(at_once, n_chunks - chunk);
    parallel_for(n, team, [&](std::size_t task) {
      std::fill_n(partial[task].data(), n_columns() * n_problems, 0.0);
      AlignedBuffer<T> scratch = store_->scratch();
      Matrix<T> factors(block_rows, n_problems);
      const std::size_t end = std::min(rows(), (chunk + task + 1) * chunk_rows);
      for (std::size_t first = (chunk + task) * chunk_rows; first < end; first += block_rows) {
        team.stop.check();
        const std::size_t count = std::min(block_rows, end - first);
        for (std::size_t p = 0; p < n_problems; ++p)
          for (std::size_t i = 0; i < count; ++i) factors(i, p) = static_cast<T>(values(p, first + i));
        store_->primitives().transposed_product(store_->block(first, count, scratch),
                                                backend::rows_of(std::as_const(factors).view()).from(0, count), nullptr, n_problems, 0,
                                                false, backend::rows_of(partial[task].view()));
      }
    });
    for (std::size_t task = 0; task < n; team.stop.check(), ++task)
      for (std::size_t f = 0; f < n_columns(); ++f)
        for (std::size_t p = 0; p < n_problems; ++p) sums(p, f) += partial[task](f, p);
  }
}

template <class T>
void Design<T>::add_outer_products(std::span<const std::uint32_t> rows, std::span<const T> signs, std::size_t first,
                                   MatrixView<double> gram, std::span<const T> factors, std::span<double> sum,
                                   const StopToken& stop) const {
  AlignedBuffer<T> scratch = store_->scratch();
  constexpr std::size_t slice_work = std::size_t{1} << 28;  // multiplications: some milliseconds
  const std::size_t slice = std::max<std::size_t>(96, slice_work / block_rows / n_columns());
  for (std::size_t i = 0; i < rows.size(); i += block_rows) {
    const std::size_t count = std::min(block_rows, rows.size() - i);
    const Rows<const T> block = store_->gathered(rows.subspan(i, count), scratch);
    for (std::size_t f = 0; f < gram.rows(); f += slice) {
      stop.check();
      store_->primitives().transposed_product(block, block, signs.data() + i, n_columns(), first + f, true,
                                              backend::rows_of(gram).from(f, std::min(slice, gram.rows() - f)));
    }
    if (!sum.empty())
      store_->primitives().transposed_product(block, {factors.data() + i, count, 1}, nullptr, 1, 0, false, {sum.data(), n_columns(), 1});
  }
}

template <class T>
void Design<T>::copy_row(std::size_t row, std::span<double> out) const {
  AlignedBuffer<T> scratch = store_->scratch();
  const Rows<const T> block = store_->block(row, 1, scratch);
  std::copy_n(block.row(0), n_columns(), out.begin());
}

template class Design<float>;
template class Design<double>;

}  // namespace askrff
