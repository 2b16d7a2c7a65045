// Fits on features: the support vector machine, ridge regression from sums, folds.
#include "training.hpp"

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "askrff/design.hpp"
#include "askrff/ridge.hpp"
#include "askrff/svm.hpp"
#include "interrupts.hpp"
#include "maps.hpp"
#include "ridge_moments.hpp"
#include "words.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

template <class Integer>
std::vector<std::uint32_t> checked_codes(const Array& array, std::size_t n_values, const std::string& start) {
  const auto* const values = static_cast<const Integer*>(array.data());
  const std::int64_t stride = array.size() > 1 ? array.stride(0) : 1;
  std::vector<std::uint32_t> codes(array.shape(0));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const auto code = static_cast<std::int64_t>(values[static_cast<std::int64_t>(i) * stride]);
    if (code < 0 || static_cast<std::uint64_t>(code) >= n_values)
      throw std::invalid_argument(start + " holds " + std::to_string(code) + " in row " + std::to_string(i) + ", expected 0 to " +
                                  std::to_string(n_values - 1));
    codes[i] = static_cast<std::uint32_t>(code);
  }
  return codes;
}

}  // namespace

std::vector<std::uint32_t> codes_of(const Array& array, std::size_t n_rows, std::size_t n_values, const char* who, const char* what) {
  const std::string start = std::string(who) + ": " + what;
  if (array.ndim() != 1 || array.shape(0) != n_rows)
    throw std::invalid_argument(start + " has " + std::to_string(array.size()) + " numbers in " + std::to_string(array.ndim()) +
                                (array.ndim() == 1 ? " dimension" : " dimensions") + ", expected one for each of " +
                                std::to_string(n_rows) + " rows");
  if (holds<std::int64_t>(array)) return checked_codes<std::int64_t>(array, n_values, start);
  if (holds<std::int32_t>(array)) return checked_codes<std::int32_t>(array, n_values, start);
  if (holds<std::uint32_t>(array)) return checked_codes<std::uint32_t>(array, n_values, start);
  throw nb::type_error((start + " holds " + dtype_name(array.dtype()) + ", expected int64").c_str());
}

nb::object describe(const CrossValidation& validation) {
  if (validation.c.empty()) return nb::none();
  std::vector<double> mean, deviation;
  for (std::size_t i = 0; i < validation.c.size(); ++i) {
    mean.push_back(validation.mean(i));
    deviation.push_back(validation.deviation(i));
  }
  nb::dict result;
  result["c"] = to_array(validation.c);
  result["mean"] = to_array(std::move(mean));
  result["std"] = to_array(std::move(deviation));
  result["scores"] = to_array(validation.scores);
  result["measure"] = std::string(name_of(validation.measure));
  return result;
}

namespace {

/// Tells `function`, unless it is None, the part that is done. Throws also if nobody waits any more.
std::function<void(const Progress&)> teller(const nb::object& function, const std::shared_ptr<Caller>& caller) {
  return [&function, &caller](const Progress& progress) {
    caller->check();
    if (!function.is_none()) caller->call([&] { function(progress.done); });
  };
}

nb::dict describe(LinearModel model, double c, const CrossValidation& validation) {
  nb::dict result;
  result["weights"] = to_array(std::move(model.weights));
  result["bias"] = to_array(std::move(model.bias));
  result["c"] = c;
  result["cv"] = python::describe(validation);
  return result;
}

/// Sums that rows are added to and models solved from, in any order. One thread at a time works on them; others wait.
class PythonRidgeSums {
 public:
  PythonRidgeSums(PythonMap map, std::size_t n_targets, std::size_t n_folds, Precision precision, std::size_t n_threads)
      : map_(std::move(map)),
        n_targets_(n_targets),
        n_folds_(n_folds),
        execution_{n_threads},
        sums_(made(precision, n_targets, n_folds, features_execution())) {}
  /// Goes on from there.
  PythonRidgeSums(PythonMap map, RidgeMoments start, Precision precision, std::size_t n_threads)
      : map_(std::move(map)),
        n_targets_(start.n_targets()),
        n_folds_(start.folds.size()),
        execution_{n_threads},
        n_rows_(start.n_rows()),
        sums_(made(precision, std::move(start), features_execution())) {}

  /// An error in the middle leaves the sums of no use, and they say so.
  template <class U>
  void add(MatrixView<const U> X, MatrixView<const double> Y, const std::vector<std::uint32_t>& folds) {
    const std::lock_guard lock(mutex_);
    require_whole();
    if (Y.rows() != X.rows())
      throw std::invalid_argument("RidgeSums.add: Y has " + std::to_string(Y.rows()) + " rows, X has " + std::to_string(X.rows()));
    bool has_begun = false;
    try {
      // ΦᵀΦ takes n_features operations for every feature; the library keeps a copy of the rows of a block.
      const std::size_t n = map_.features().n_features(), cost = n * (1 + n / 32) + 8 * X.cols();
      by_row_blocks(X.rows(), cost, [&](std::size_t first, std::size_t count) {
        const std::span<const std::uint32_t> all(folds), of_block = folds.empty() ? all : all.subspan(first, count);
        std::visit([&](auto& sums) { add_block(sums, X.middle_rows(first, count), Y.middle_rows(first, count), of_block); }, sums_);
        n_rows_ += count;
        has_begun = true;
      });
    } catch (const std::invalid_argument&) {
      is_whole_ = !has_begun && !map_.calls_function();  // refused before anything was added, unless a function has refused itself
      throw;
    } catch (...) {
      is_whole_ = false;
      throw;
    }
  }

  /// A copy: others may go on with the sums meanwhile.
  RidgeMoments moments() {
    const std::lock_guard lock(mutex_);
    require_whole();
    try {
      return std::visit([](auto& sums) { return sums.moments(); }, sums_);
    } catch (...) {
      is_whole_ = false;  // features of the latest rows may be made only now
      throw;
    }
  }

  const PythonMap& map() const { return map_; }
  std::size_t n_targets() const { return n_targets_; }
  std::size_t n_folds() const { return n_folds_; }
  std::uint64_t n_rows() const { return n_rows_; }
  bool is_whole() const { return is_whole_; }
  const Execution& execution() const { return execution_; }

 private:
  using Sums = std::variant<RidgeSums<float>, RidgeSums<double>>;

  /// A Python function is called on the thread of the caller.
  Execution features_execution() const { return map_.calls_function() ? Execution{1} : execution_; }

  template <class... Arguments>
  Sums made(Precision precision, Arguments&&... arguments) const {
    if (precision == Precision::float32) return RidgeSums<float>(map_.features(), std::forward<Arguments>(arguments)...);
    return RidgeSums<double>(map_.features(), std::forward<Arguments>(arguments)...);
  }
  template <class T, class U>
  void add_block(RidgeSums<T>& sums, MatrixView<const U> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds) {
    Matrix<T> storage;
    sums.add(map_.prepared(X, storage), Y, folds);
  }
  void require_whole() const {
    if (!is_whole_) throw std::invalid_argument("RidgeSums: an earlier call ended halfway, its rows are counted in part; begin anew");
  }

  PythonMap map_;
  std::size_t n_targets_, n_folds_;
  Execution execution_;
  std::atomic<std::uint64_t> n_rows_ = 0;
  Sums sums_;
  std::atomic<bool> is_whole_ = true;
  std::mutex mutex_;
};

void add_rows(PythonRidgeSums& sums, const Array& X, const Array& Y, const std::optional<Array>& folds) {
  with_type_of(X, "RidgeSums.add", "X", [&](auto type) {
    const auto rows = view_of<decltype(type)>(X, "RidgeSums.add", "X");
    const auto targets = view_of<double>(Y, "RidgeSums.add", "Y");
    std::vector<std::uint32_t> of_rows;
    if (folds) of_rows = codes_of(*folds, rows.rows(), sums.n_folds(), "RidgeSums.add", "folds");
    released([&] { sums.add(rows, targets, of_rows); });
  });
}

nb::dict solve(nb::handle_t<PythonRidgeSums> self, const std::vector<double>& c_grid, bool bias, const nb::object& progress) {
  auto& sums = nb::cast<PythonRidgeSums&>(self);
  RidgeOptions options;
  options.c = c_grid;
  options.bias = bias;
  options.execution = sums.execution();
  std::optional<RidgeMoments> moments;
  if (sums.map().calls_function()) moments = released([&] { return sums.moments(); });
  RidgeFit fit = interruptible(
      [owner = nb::borrow(self), &sums, moments = std::move(moments), options, progress](const std::shared_ptr<Caller>& caller) mutable {
        options.execution.progress = teller(progress, caller);
        return solve_ridge(moments ? *moments : sums.moments(), options);
      });
  nb::dict result = describe(std::move(fit.model), fit.c, fit.validation);
  result["training_error"] = fit.training_error;
  result["training_errors"] = to_array(std::move(fit.training_errors));
  result["resolution"] = fit.resolution;
  return result;
}

struct SvmQuestion {
  ClassLabels labels;
  std::vector<double> c_grid;
  std::size_t n_folds;
  std::uint64_t seed;
  bool bias;
  SvmOptions options;
  Execution design_execution;
};

struct SvmAnswer {
  SvmFit fit;
  double c = 0;
  CrossValidation validation;
};

/// As the command line does it: folds by class and seed, the best C in cross-validation, a fit on all rows.
template <class T, class U>
SvmAnswer answer(const SvmQuestion& question, const PythonMap& map, MatrixView<const U> X) {
  Matrix<T> storage;
  const Design<T> design(map.features(), map.prepared(X, storage), {.bias = question.bias, .execution = question.design_execution});
  SvmAnswer result;
  if (question.c_grid.size() == 1) {
    result.c = question.c_grid[0];
  } else {
    const auto folds = stratified_folds(question.labels, question.n_folds, question.seed);
    result.validation = cross_validate_svm(design, question.labels, folds, question.c_grid, question.options);
    result.c = result.validation.c[result.validation.best()];
  }
  result.fit = fit_svm(design, question.labels, result.c, question.options);
  return result;
}

nb::dict svm(const PythonMap& map, const Array& X, const Array& codes, std::size_t n_classes, std::vector<double> c_grid,
             std::size_t n_folds, std::uint64_t seed, bool bias, const std::string& precision, std::size_t n_threads,
             const nb::object& progress) {
  if (X.ndim() < 1) throw std::invalid_argument("fit_svm: X has no dimensions, expected 2");
  SvmQuestion question{{}, std::move(c_grid), n_folds, seed, bias, {}, {map.calls_function() ? 1 : n_threads}};
  for (std::size_t k = 0; k < n_classes; ++k) question.labels.names.push_back(std::to_string(k));
  question.labels.of_rows = codes_of(codes, X.shape(0), n_classes, "fit_svm", "codes");
  question.options.execution = {n_threads};
  const Precision of_features = parse(precisions, "precision", precision);
  SvmAnswer solved = with_type_of(X, "fit_svm", "X", [&](auto type) {
    const auto rows = view_of<decltype(type)>(X, "fit_svm", "X");
    auto solve = [question = std::move(question), map, rows, of_features, progress,
                  owner = X](const std::shared_ptr<Caller>& caller) mutable {
      question.options.execution.progress = teller(progress, caller);
      return of_features == Precision::float32 ? answer<float>(question, map, rows) : answer<double>(question, map, rows);
    };
    // A Python function is called on this thread.
    return map.calls_function() ? directly(std::move(solve)) : interruptible(std::move(solve));
  });
  nb::dict result = describe(std::move(solved.fit.model), solved.c, solved.validation);
  result["objectives"] = to_array(std::move(solved.fit.objectives));
  result["n_iterations"] = solved.fit.n_iterations;
  return result;
}

nb::object dealt(FoldDealer& dealer, const Array& codes) {
  if (codes.ndim() != 1) throw std::invalid_argument("FoldDealer.deal: codes are no list of numbers, expected one for each row");
  std::vector<std::uint32_t> folds =
      codes_of(codes, codes.shape(0), std::size_t{std::numeric_limits<std::uint32_t>::max()}, "FoldDealer.deal", "codes");
  for (std::uint32_t& fold : folds) fold = dealer.next(fold);
  return to_array(std::move(folds));
}

}  // namespace

void bind_training(nb::module_& module) {
  nb::class_<PythonRidgeSums>(module, "RidgeSums", "The sums of ridge regression: rows come in any number of calls, models in between.")
      .def(
          "__init__",
          [](PythonRidgeSums* self, const PythonMap& map, std::size_t n_targets, std::size_t n_folds, const std::string& precision,
             std::size_t n_threads) {
            const Precision of_features = parse(precisions, "precision", precision);
            released([&] { new (self) PythonRidgeSums(map, n_targets, n_folds, of_features, n_threads); });
          },
          "map"_a, "n_targets"_a = 1, "n_folds"_a = 1, "precision"_a = "float64", "n_threads"_a = 0)
      .def("add", &add_rows, "X"_a, "Y"_a, "folds"_a.none() = nb::none(),
           "Rows, their targets (rows, n_targets) and, if there are folds, theirs.")
      .def_static(
          "from_moments",
          [](const PythonMap& map, const nb::dict& moments, const std::string& precision, std::size_t n_threads) {
            const Precision of_features = parse(precisions, "precision", precision);
            RidgeMoments start = moments_from(moments);
            return released([&] { return std::make_unique<PythonRidgeSums>(map, std::move(start), of_features, n_threads); });
          },
          "map"_a, "moments"_a, "precision"_a = "float64", "n_threads"_a = 0,
          "Sums that go on from moments() of others, of the same map and precision.")
      .def(
          "moments", [](PythonRidgeSums& self) { return to_python(released([&] { return self.moments(); })); },
          "The sums so far as arrays and numbers, a copy: all that others need to go on.")
      .def("solve", &solve, "c_grid"_a, "bias"_a = true, "progress"_a.none() = nb::none(),
           "The model of the best C by the folds; further rows may be added.")
      .def_prop_ro("n_rows", &PythonRidgeSums::n_rows)
      .def_prop_ro("is_whole", &PythonRidgeSums::is_whole, "False if an error has left rows counted in part.")
      .def_prop_ro("n_targets", &PythonRidgeSums::n_targets)
      .def_prop_ro("n_folds", &PythonRidgeSums::n_folds)
      .def_prop_ro("map", &PythonRidgeSums::map, nb::rv_policy::copy);

  nb::class_<FoldDealer>(module, "FoldDealer", "Deals rows out to folds as they come, as the command line does.")
      .def(nb::init<std::size_t, std::uint64_t>(), "n_folds"_a, "seed"_a = 0)
      .def("skip", &FoldDealer::skip, "n_rows"_a, "of_class"_a = 0, "As if so many rows of a class had been dealt.")
      .def("deal", &dealt, "codes"_a, "The folds of the next rows, of these classes (all 0 for numbers).");

  module.def(
      "default_c_grid", [] { return to_array(default_c_grid()); }, "2^-5, …, 2^5, as in the paper.");
  module.def("fit_svm", &svm, "map"_a, "X"_a, "codes"_a, "n_classes"_a, "c_grid"_a, "n_folds"_a = 5, "seed"_a = 0, "bias"_a = true,
             "precision"_a = "float64", "n_threads"_a = 0, "progress"_a.none() = nb::none(),
             "A linear support vector machine on the features of the map's side; of several C the best in cross-validation.");
}

}  // namespace askrff::python
