// Exact and approximate Gram blocks, and the errors between them.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "askrff/operators.hpp"
#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"
#include "operators/feature_blocks.hpp"

namespace askrff {
namespace {

using detail::FeaturePlan;

// Rows of X that are one task, and of Y that are one block: 128 × 512 entries are half a megabyte of doubles.
constexpr std::size_t task_rows = 128, block_cols = 512;

std::size_t n_tasks(std::size_t rows) { return ceil_div(rows, task_rows); }

template <class T>
void check_rows(const RowsView<T>& X, const RowsView<T>& Y, const char* who, const Execution& execution) {
  require_row_columns(Y, X.cols(), who, "Y", "X has");
  require_finite_rows(X, who, "X", execution.stop);
  require_finite_rows(Y, who, "Y", execution.stop);
}

Team team_for_pairs(std::size_t rows, std::size_t cols, std::size_t work_each, const Execution& execution, bool may_share) {
  const double work = static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(std::max<std::size_t>(1, work_each / 16));
  return team_for(work, execution, may_share);
}

/// Time spent on features by all threads together.
class FeatureClock {
 public:
  template <class Work>
  auto measure(const Work& work) {
    struct Watch {
      FeatureClock& clock;
      std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
      ~Watch() { clock.spent_ += (std::chrono::steady_clock::now() - start).count(); }
    } watch{*this};
    return work();
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::duration(spent_.load())).count(); }

 private:
  std::atomic<std::chrono::steady_clock::rep> spent_ = 0;
};

/// right(Y) for as many rows as fit into some memory, made by all threads; for_each calls visit(first row of Y, features) for each such
/// batch.
template <class T, class Visit>
void for_each_right_batch(const FeaturePlan& right, const RowsView<T>& Y, const Execution& execution, FeatureClock& clock,
                          const Visit& visit) {
  constexpr std::size_t batch_bytes = 64 << 20;
  const std::size_t fitting = batch_bytes / (right.n_features * sizeof(T)), batch = std::clamp<std::size_t>(fitting, 32, 1 << 20);
  for (std::size_t first = 0; first < Y.rows(); first += batch) {
    const auto rows = Y.middle_rows(first, std::min(batch, Y.rows() - first));
    Matrix<T> features(rows.rows(), right.n_features);
    clock.measure([&] { rows.visit([&](const auto& of_kind) { right.transform(of_kind, features.view(), execution); }); });
    visit(first, features);
  }
}

/// Calls visit(task, first_x, first_y, block of K̃) for all blocks; tasks run on several threads, if visit may, the blocks of one in order.
template <class T, class Visit>
void for_each_approximate_block(const FeatureMap& map, const RowsView<T>& X, const RowsView<T>& Y, const Execution& execution,
                                bool may_share, FeatureClock& clock, const Visit& visit) {
  const FeaturePlan& left = map.left().plan();
  const auto& primitives = left.primitives->of<T>();
  X.visit([&](const auto& of_kind) { left.check(of_kind, execution); });
  for_each_right_batch(map.right().plan(), Y, execution, clock, [&](std::size_t first_batch, const Matrix<T>& right) {
    const Team team = team_for_pairs(X.rows(), right.rows(), left.n_features, execution, may_share && left.thread_safe());
    parallel_for(n_tasks(X.rows()), team, [&](std::size_t task) {
      const std::size_t first_x = task * task_rows, count_x = std::min(task_rows, X.rows() - first_x);
      operators::FeatureBlock<T> features(left, count_x, count_x);
      const auto left_rows = clock.measure([&] { return features.fill(backend::rows_of(X).from(first_x, count_x)); });
      for (std::size_t first_y = 0; first_y < right.rows(); first_y += block_cols) {
        team.stop.check();
        Matrix<T> block(count_x, std::min(block_cols, right.rows() - first_y));
        primitives.product(left_rows, backend::rows_of(right.view()).from(first_y, block.cols()), left.n_features,
                           backend::rows_of(block.view()), backend::Update::set);
        visit(task, first_x, first_batch + first_y, block);
      }
    });
  });
}

template <class T>
void approximate_gram_into(const FeatureMap& map, const RowsView<T>& X, const RowsView<T>& Y, MatrixView<T> out,
                           const Execution& execution) {
  check_rows(X, Y, "approximate_gram", execution);
  require_shape(out, X.rows(), Y.rows(), "approximate_gram", "out");
  FeatureClock clock;
  for_each_approximate_block(map, X, Y, execution, true, clock,
                             [&](std::size_t, std::size_t first_x, std::size_t first_y, const Matrix<T>& block) {
                               for (std::size_t i = 0; i < block.rows(); ++i)
                                 std::ranges::copy(block.row(i), out.row(first_x + i).begin() + static_cast<std::ptrdiff_t>(first_y));
                             });
}

/// Exact values come from the kind of backend the map was made with, whatever the environment says by now.
Backend backend_of(const FeatureMap& map) { return map.backend_name() == "reference" ? Backend::reference : Backend::simd; }

/// Columns first … first + count - 1 of rows.
MatrixView<double> columns_of(MatrixView<double> rows, std::size_t first, std::size_t count) {
  return {rows.data() + first, rows.rows(), count, rows.stride()};
}

/// Errors of some rows of X against all of Y; sums in long double, whose range holds the square of any double.
struct ErrorSums {
  long double error_squares = 0, kernel_squares = 0;
  double largest_error = 0, largest_kernel = 0;

  void add(double exact, double approximate) {
    const double error = std::fabs(exact - approximate), value = std::fabs(exact);
    error_squares += static_cast<long double>(error) * error;
    kernel_squares += static_cast<long double>(value) * value;
    largest_error = std::fmax(largest_error, error);
    largest_kernel = std::fmax(largest_kernel, value);
  }
  void add(const ErrorSums& other) {
    error_squares += other.error_squares;
    kernel_squares += other.kernel_squares;
    largest_error = std::fmax(largest_error, other.largest_error);
    largest_kernel = std::fmax(largest_kernel, other.largest_kernel);
  }
};

}  // namespace

void exact_gram(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                const Execution& execution) {
  check_rows(X, Y, "exact_gram", execution);
  require_shape(out, X.rows(), Y.rows(), "exact_gram", "out");
  const Team team = team_for_pairs(X.rows(), Y.rows(), 64 + X.cols(), execution, kernel.thread_safe());
  parallel_for(n_tasks(X.rows()), team, [&](std::size_t task) {
    const std::size_t first_x = task * task_rows, count = std::min(task_rows, X.rows() - first_x);
    const auto rows = out.middle_rows(first_x, count);
    for (std::size_t first_y = 0; first_y < Y.rows(); first_y += block_cols) {
      team.stop.check();
      const std::size_t cols = std::min(block_cols, Y.rows() - first_y);
      kernel.evaluate_any_pairs(X.middle_rows(first_x, count), Y.middle_rows(first_y, cols), columns_of(rows, first_y, cols),
                                execution.backend);
    }
  });
}

Matrix<double> exact_gram(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, const Execution& execution) {
  Matrix<double> out(X.rows(), Y.rows());
  exact_gram(kernel, X, Y, out.view(), execution);
  return out;
}

void approximate_gram(const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                      const Execution& execution) {
  approximate_gram_into(map, X, Y, out, execution);
}
void approximate_gram(const FeatureMap& map, const RowsView<float>& X, const RowsView<float>& Y, MatrixView<float> out,
                      const Execution& execution) {
  approximate_gram_into(map, X, Y, out, execution);
}
Matrix<double> approximate_gram(const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y, const Execution& execution) {
  Matrix<double> out(X.rows(), Y.rows());
  approximate_gram(map, X, Y, out.view(), execution);
  return out;
}
Matrix<float> approximate_gram(const FeatureMap& map, const RowsView<float>& X, const RowsView<float>& Y, const Execution& execution) {
  Matrix<float> out(X.rows(), Y.rows());
  approximate_gram(map, X, Y, out.view(), execution);
  return out;
}

ApproximationError approximation_error(const Kernel& kernel, const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y,
                                       const Execution& execution) {
  check_rows(X, Y, "approximation_error", execution);
  std::vector<ErrorSums> of_task(n_tasks(X.rows()));  // added in order: the same bits for any number of threads
  const auto compare = [&](std::size_t task, std::size_t first_x, std::size_t first_y, const Matrix<double>& block) {
    Matrix<double> exact(block.rows(), block.cols());
    kernel.evaluate_any_pairs(X.middle_rows(first_x, block.rows()), Y.middle_rows(first_y, block.cols()), exact.view(), backend_of(map));
    for (std::size_t i = 0; i < block.rows(); ++i)
      for (std::size_t j = 0; j < block.cols(); ++j) {
        if (!std::isfinite(exact(i, j)))
          throw InvalidArgument("approximation_error", fmt::format("{} returned {} for row {} of X and row {} of Y", kernel.name(),
                                                                   exact(i, j), first_x + i, first_y + j));
        of_task[task].add(exact(i, j), block(i, j));
      }
  };
  FeatureClock clock;
  for_each_approximate_block(map, X, Y, execution, kernel.thread_safe(), clock, compare);
  ErrorSums sums;
  for (const ErrorSums& each : of_task) sums.add(each);
  const auto relative = [](long double error, long double size) {
    return size > 0 ? static_cast<double>(error / size) : error == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  };
  return {.frobenius = relative(std::sqrt(sums.error_squares), std::sqrt(sums.kernel_squares)),
          .maximum = relative(sums.largest_error, sums.largest_kernel),
          .max_absolute = sums.largest_error,
          .kernel_norm = static_cast<double>(std::sqrt(sums.kernel_squares)),
          .feature_seconds = clock.seconds()};
}

}  // namespace askrff
