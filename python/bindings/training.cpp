// train(), and RidgeTrainer for rows that come in several calls.
#include "askrff/train.hpp"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "files.hpp"
#include "kernels.hpp"
#include "options.hpp"
#include "rows.hpp"
#include "sparse.hpp"
#include "training.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// A trainer that one thread at a time works on.
struct SharedTrainer {
  explicit SharedTrainer(RidgeTrainer of_rows) : trainer(std::move(of_rows)) {}
  RidgeTrainer trainer;
  std::mutex mutex;
};

/// f(trainer) by one thread, interruptible; others are refused meanwhile, also a function that f calls.
template <class F>
auto with_trainer(SharedTrainer& shared, std::size_t n_threads, const nb::object& progress, const F& f) {
  const std::unique_lock lock(shared.mutex, std::try_to_lock);
  if (!lock) throw std::runtime_error("RidgeTrainer: another call is at work on it, expected one at a time");
  return interruptible(n_threads, [&](Execution execution) {
    listen(execution, progress);
    shared.trainer.set_execution(execution);
    struct Forget {  // neither signals nor listeners of this call concern a later one
      RidgeTrainer& trainer;
      ~Forget() { trainer.set_execution({}); }
    } const forget{shared.trainer};
    return f(shared.trainer, execution);
  });
}

/// {"c", "mean", "std", "measure"} and "scores", values of C × folds; empty if nothing was tried.
nb::dict describe(const CrossValidation& validation) {
  nb::dict result;
  if (validation.c.empty()) return result;
  std::vector<double> mean, deviation;
  for (std::size_t i = 0; i < validation.c.size(); ++i) {
    mean.push_back(validation.mean(i));
    deviation.push_back(validation.deviation(i));
  }
  result["c"] = to_array(validation.c);
  result["mean"] = to_array(std::move(mean));
  result["std"] = to_array(std::move(deviation));
  result["scores"] = to_array(validation.scores);
  result["measure"] = name_of(validation.measure);
  return result;
}

/// A list of {"params", "C", "score", "refused"}; empty if nothing was tuned.
nb::list describe(const std::optional<Tuning>& tuning) {
  nb::list points;
  if (!tuning) return points;
  for (const TuningPoint& point : tuning->points) {
    nb::dict entry, params;
    for (const auto& [name, value] : point.values) params[name.c_str()] = to_python(value);
    entry["params"] = params;
    entry["C"] = point.c;
    entry["score"] = point.score;
    entry["refused"] = point.refused;
    points.append(entry);
  }
  return points;
}

nb::list describe(const std::optional<SizeSearch>& sizes) {
  nb::list trials;
  if (!sizes) return trials;
  for (const SizeTrial& trial : sizes->trials) {
    nb::dict each;
    each["n_features"] = trial.n_features;
    each["C"] = trial.c;
    each["score"] = trial.score;
    trials.append(each);
  }
  return trials;
}

}  // namespace

std::pair<nb::object, nb::dict> to_python(const TrainedModel& model, const nb::object& kernel) {
  nb::dict report;
  report["validation"] = describe(model.report.validation);
  report["tuning"] = describe(model.report.tuning);
  report["sizes"] = describe(model.report.sizes);
  report["warnings"] = nb::cast(model.report.warnings);
  report["rmse"] = model.report.rmse;
  return {hold_kernel(nb::cast(static_cast<const Model&>(model)), kernel), report};
}

TrainOptions train_options(const char* who, const nb::object& kernel, const nb::dict& params, std::uint64_t seed,
                           const nb::kwargs& others) {
  TrainOptions options;
  options.kernel = kernel_choice(kernel, params);
  options.seed = seed;
  OptionReader reader(who, others);
  take_map_options(reader, options.features);
  options.precision = options.features.precision;
  reader.take("model", options.trainer);
  reader.take("c", options.c);
  reader.take("tuned", options.tuned);
  reader.take("balanced", options.class_weights.balanced);
  reader.take("class_weights", options.class_weights.by_label);
  reader.take("n_folds", options.n_folds);
  reader.take("bias", options.bias);
  reader.take("max_row_bytes", options.max_row_bytes);
  reader.finish();
  return options;
}

namespace {

nb::object trainer_to_python(RidgeTrainer trainer, const nb::object& kernel) {
  trainer.set_execution({});
  return hold_kernel(nb::cast(std::make_unique<SharedTrainer>(std::move(trainer))), kernel);
}

nb::tuple trained(const nb::object& kernel, const nb::object& X, const Array& y, const nb::dict& params, std::vector<std::string> classes,
                  std::vector<std::string> column_names, const std::optional<Array>& weights, std::uint64_t seed, std::size_t n_threads,
                  const nb::object& progress, const nb::object& map, const nb::kwargs& others) {
  TrainOptions options = train_options("train", kernel, params, seed, others);
  if (!map.is_none()) options.map = nb::cast<const Map&>(map);
  PythonRows rows(X, std::move(column_names));
  if (classes.empty()) {
    options.task = Task::regression;
    rows.set_targets(y);
  } else {
    rows.set_classes(y, std::move(classes));
  }
  if (weights) rows.set_weights(*weights);
  options.features.on_candidate = candidate_listener(progress);
  std::optional<RidgeTrainer> sums;
  const TrainedModel model = interruptible(n_threads, [&](Execution execution) {
    listen(execution, progress);
    options.execution = execution;
    return train(rows, options, sums);
  });
  auto [python_model, report] = to_python(model, kernel);
  return nb::make_tuple(python_model, report, sums ? trainer_to_python(std::move(*sums), kernel) : nb::none());
}

nb::object new_trainer(nb::handle_t<Map> map, std::vector<std::string> classes, std::size_t n_targets, std::size_t n_folds, bool bias,
                       const std::string& precision, std::uint64_t seed) {
  RidgeTrainerOptions options{.classes = std::move(classes),
                              .n_targets = n_targets,
                              .n_folds = n_folds,
                              .bias = bias,
                              .precision = value_of<Precision>("precision", precision),
                              .seed = seed};
  const auto& features = nb::cast<const Map&>(map);
  return trainer_to_python(released([&] { return RidgeTrainer(features, std::move(options)); }), held_kernel(map));
}

template <class T>
void add_view(SharedTrainer& self, const RowsView<T>& rows, const Array& y, std::size_t n_threads, const std::optional<Array>& weights) {
  const std::size_t n_classes = self.trainer.options().classes.size();
  std::vector<std::uint32_t> codes;
  MatrixView<const double> targets;
  if (n_classes > 0)
    codes = codes_of(y, rows.rows(), n_classes, "RidgeTrainer.add");
  else
    targets = view_of<double>(y, "RidgeTrainer.add", "y");
  const auto of_rows = weights ? weights_of(*weights, rows.rows(), "RidgeTrainer.add") : std::vector<double>();
  with_trainer(self, n_threads, nb::none(), [&](RidgeTrainer& trainer, const Execution&) {
    n_classes > 0 ? trainer.add<T>(rows, codes, of_rows) : trainer.add<T>(rows, targets, of_rows);
  });
}

void add_rows(SharedTrainer& self, const Array& X, const Array& y, std::size_t n_threads, const std::optional<Array>& weights) {
  with_type_of(X, "RidgeTrainer.add", "X", [&](auto type) {
    using T = decltype(type);
    add_view<T>(self, view_of<T>(X, "RidgeTrainer.add", "X"), y, n_threads, weights);
  });
}

void add_sparse_rows(SharedTrainer& self, const SparseArrays& X, const Array& y, std::size_t n_threads,
                     const std::optional<Array>& weights) {
  with_type_of(X.values(), "RidgeTrainer.add", "X", [&](auto type) {
    using T = decltype(type);
    add_view<T>(self, X.view<T>("RidgeTrainer.add"), y, n_threads, weights);
  });
}

std::pair<nb::object, nb::dict> solved(nb::handle_t<SharedTrainer> self, const std::vector<double>& c, std::size_t n_threads,
                                       const nb::object& progress) {
  const TrainedModel model = with_trainer(nb::cast<SharedTrainer&>(self), n_threads, progress,
                                          [&](RidgeTrainer& trainer, const Execution& execution) { return trainer.solve(c, execution); });
  return to_python(model, held_kernel(self));
}

nb::object variances(SharedTrainer& self, const Array& X, double c, std::size_t n_threads) {
  const MatrixView<const double> rows = view_of<double>(X, "RidgeTrainer.posterior_variances", "X");
  return to_array(with_trainer(self, n_threads, nb::none(), [&](RidgeTrainer& trainer, const Execution& execution) {
    return trainer.posterior_variances(rows, c, execution);
  }));
}

std::pair<nb::bytes, nb::object> bytes_of(nb::handle_t<SharedTrainer> self) {
  auto& shared = nb::cast<SharedTrainer&>(self);
  const std::string content =
      with_trainer(shared, 0, nb::none(), [](RidgeTrainer& trainer, const Execution&) { return trainer.to_bytes(); });
  return {nb::bytes(content.data(), content.size()), shared.trainer.map().nystrom() ? held_kernel(self) : nb::none()};
}

nb::object trainer_from(const nb::bytes& bytes, const nb::object& kernel) {
  std::string content(bytes.c_str(), bytes.size());
  const auto of_landmarks = kernel_in(kernel);
  return trainer_to_python(released([&] { return RidgeTrainer::from_bytes(std::move(content), {}, "from_bytes", of_landmarks); }), kernel);
}

}  // namespace

void bind_training(nb::module_& module) {
  nb::class_<SharedTrainer>(module, "RidgeTrainer", nb::dynamic_attr(),
                            "Ridge regression on rows that come in any number of calls, models in between.")
      .def(nb::new_(&new_trainer), "map"_a, "classes"_a = std::vector<std::string>(), "n_targets"_a = 1, "n_folds"_a = 1, "bias"_a = true,
           "precision"_a = "float64", "seed"_a = 0)
      .def("add", &add_sparse_rows, "X"_a, "y"_a, "n_threads"_a = 0, "row_weights"_a.none() = nb::none())
      .def("add", &add_rows, "X"_a, "y"_a, "n_threads"_a = 0, "row_weights"_a.none() = nb::none(),
           "Raw rows and the class of each, int64, or their targets (rows, n_targets); weights: what each counts, above 0.")
      .def("solve", &solved, "c"_a, "n_threads"_a = 0, "progress"_a.none() = nb::none(),
           "The model of the best C by the folds, and what is said of it, as of train; c empty: as the library chooses. Further rows may "
           "be added.")
      .def("posterior_variances", &variances, "X"_a, "c"_a, "n_threads"_a = 0,
           "Of an output at raw rows, float64, for noise of variance 1 and a prior of weights with the variance 2c.")
      .def_prop_ro(
          "is_on_grid", [](const SharedTrainer& self) { return self.trainer.is_on_grid(); }, "The sums are those of a grid of frequencies.")
      .def("to_bytes", &bytes_of, "As Map.to_bytes.")
      .def_static("from_bytes", &trainer_from, "bytes"_a, "kernel"_a.none() = nb::none())
      .def_prop_ro("n_rows", [](const SharedTrainer& self) { return self.trainer.n_rows(); })
      .def_prop_ro("n_folds", [](const SharedTrainer& self) { return self.trainer.options().n_folds; })
      .def_prop_ro("n_targets", [](const SharedTrainer& self) { return self.trainer.options().n_targets; })
      .def_prop_ro("bias", [](const SharedTrainer& self) { return self.trainer.options().bias; })
      .def_prop_ro("precision", [](const SharedTrainer& self) { return name_of(self.trainer.options().precision); })
      .def_prop_ro(
          "is_whole", [](const SharedTrainer& self) { return self.trainer.is_whole(); },
          "False if an error has left rows counted in part.");

  module.def(
      "train", &trained, "kernel"_a, "X"_a, "y"_a, "params"_a = nb::dict(), "classes"_a = std::vector<std::string>(),
      "column_names"_a = std::vector<std::string>(), "row_weights"_a.none() = nb::none(), "seed"_a = 0, "n_threads"_a = 0,
      "progress"_a.none() = nb::none(), "map"_a.none() = nb::none(), "options"_a,
      "(model, {validation, tuning, sizes, warnings}, RidgeTrainer to go on with or None). y: class numbers if there are classes, else "
      "targets (rows, n_targets). Options: as in TRAIN_DEFAULTS, model, c (empty: as the library chooses), tuned, balanced, "
      "class_weights, n_folds, bias, precision. map: ready features, then the kernel is not asked. progress hears the part that is done, "
      "and before that of every map that is tried.");
  module.attr("TRAIN_DEFAULTS") = describe(TrainOptions{}.features);
  module.attr("C_LIMITS") = nb::make_tuple(min_c, max_c);
  module.attr("WEIGHT_LIMITS") = nb::make_tuple(min_weight, max_weight);
}

}  // namespace askrff::python
