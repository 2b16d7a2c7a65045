// The class Model: raw rows → outputs, and its file.
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "askrff/model.hpp"
#include "askrff/version.hpp"
#include "bindings.hpp"
#include "files.hpp"
#include "interrupts.hpp"
#include "maps.hpp"
#include "stand_in.hpp"
#include "words.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// Immutable, cheap to copy; the predictor is made when it is first needed.
class PythonModel {
 public:
  explicit PythonModel(Model model) : state_(std::make_shared<State>()) {
    state_->model = std::move(model);
    check(state_->model);
  }

  const Model& model() const { return state_->model; }
  /// Without the lock of the interpreter.
  std::shared_ptr<const Predictor> predictor(std::size_t n_threads) const {
    const std::lock_guard lock(state_->mutex);
    if (!state_->predictor || state_->n_threads != n_threads) {
      state_->predictor = std::make_shared<const Predictor>(state_->model, Execution{n_threads});
      state_->n_threads = n_threads;
    }
    return state_->predictor;
  }

 private:
  struct State {
    Model model;
    std::mutex mutex;
    std::shared_ptr<const Predictor> predictor;
    std::size_t n_threads = 0;  // of the predictor
  };
  std::shared_ptr<State> state_;
};

/// What is known of the training; what is not named stays empty.
Training training_from(const nb::dict& facts) {
  Training training;
  training.version = ASKRFF_VERSION;
  const auto take = [&](const char* key, auto& value) {
    if (facts.contains(key) && !facts[key].is_none()) value = nb::cast<std::decay_t<decltype(value)>>(facts[key]);
  };
  take("command", training.command);
  take("trainer", training.trainer);
  take("solver", training.solver);
  take("seed", training.seed);
  take("n_rows", training.n_rows);
  take("c", training.c);
  take("cv_c", training.cv_c);
  take("cv_scores", training.cv_scores);
  take("cv_measure", training.cv_measure);
  for (double& score : training.cv_scores)
    if (std::isnan(score)) score = std::numeric_limits<double>::infinity();  // files hold no NaN
  return training;
}

nb::dict to_python(const Training& training) {
  nb::dict result;
  result["version"] = training.version;
  result["command"] = training.command;
  result["trainer"] = training.trainer;
  result["solver"] = training.solver;
  result["seed"] = training.seed;
  result["n_rows"] = training.n_rows;
  result["c"] = training.c;
  result["cv_c"] = training.cv_c;
  result["cv_scores"] = training.cv_scores;
  result["cv_measure"] = training.cv_measure;
  return result;
}

PythonModel made(const PythonMap& map, const Array& weights, const std::vector<double>& bias, const std::string& task,
                 std::vector<std::string> classes, const std::string& precision, const nb::dict& training) {
  const auto values = view_of<double>(weights, "Model", "weights");
  Model model;
  model.preparation = map.preparation();
  model.linear.weights = Matrix<double>(values.rows(), values.cols());
  for (std::size_t f = 0; f < values.rows(); ++f) std::ranges::copy(values.row(f), model.linear.weights.row(f).begin());
  model.linear.bias = bias;
  model.task = parse(tasks, "task", task);
  model.classes = std::move(classes);
  model.precision = parse(precisions, "precision", precision);
  model.training = training_from(training);
  return PythonModel(std::move(model));
}

nb::object outputs(const PythonModel& self, const Array& X, std::size_t n_threads) {
  const auto rows = view_of<double>(X, "Model.outputs", "X");
  return to_array(released([&] {
    const auto predictor = self.predictor(PythonMap(self.model().preparation).calls_function() ? 1 : n_threads);
    const std::size_t n_outputs = self.model().linear.n_outputs();
    Matrix<double> out(rows.rows(), n_outputs);
    by_row_blocks(rows.rows(), 8 * self.model().linear.n_features(), [&](std::size_t first, std::size_t count) {
      const Matrix<double> block = predictor->outputs(rows.middle_rows(first, count));
      std::copy_n(block.data(), count * n_outputs, out.data() + first * n_outputs);
    });
    return out;
  }));
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<PythonModel>(module, "Model", "From raw rows to outputs: a map, weights and a bias. Immutable.")
      .def(
          "__init__",
          [](PythonModel* self, const PythonMap& map, const Array& weights, const std::vector<double>& bias, const std::string& task,
             std::vector<std::string> classes, const std::string& precision,
             const nb::dict& training) { new (self) PythonModel(made(map, weights, bias, task, std::move(classes), precision, training)); },
          "map"_a, "weights"_a, "bias"_a, "task"_a, "classes"_a = std::vector<std::string>(), "precision"_a = "float64",
          "training"_a = nb::dict())
      .def("outputs", &outputs, "X"_a, "n_threads"_a = 0, "(rows, n_outputs) float64, of raw rows.")
      .def_prop_ro("classes", [](const PythonModel& self) { return self.model().classes; })
      .def_prop_ro("task", [](const PythonModel& self) { return std::string(name_of(self.model().task)); })
      .def_prop_ro("precision", [](const PythonModel& self) { return std::string(name_of(self.model().precision)); })
      .def_prop_ro("map", [](const PythonModel& self) { return PythonMap(self.model().preparation); })
      .def_prop_ro("training", [](const PythonModel& self) { return to_python(self.model().training); })
      .def_prop_ro("weights",
                   [](nb::handle_t<PythonModel> self) {
                     return to_array_of(self, nb::cast<const PythonModel&>(self).model().linear.weights.view());
                   })
      .def_prop_ro("bias",
                   [](nb::handle_t<PythonModel> self) {
                     return to_array_of(self, std::span(nb::cast<const PythonModel&>(self).model().linear.bias));
                   })
      .def(
          "save", [](const PythonModel& self, const std::string& path) { save_to(path, [&] { save_model(path, self.model()); }); },
          "path"_a)
      .def(
          "to_bytes",
          [](const PythonModel& self) {
            Model model = self.model();
            auto kernel = take_out_function(model.preparation);
            return std::pair(file_in_memory([&](const std::string& path) { save_model(path, model); }), std::move(kernel));
          },
          "As Map.to_bytes.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes, const std::optional<PythonKernel>& kernel) {
            return from_memory(bytes, [&](const std::string& path) {
              Model model = load_model(path);
              put_back_function(model.preparation, kernel);
              return PythonModel(std::move(model));
            });
          },
          "bytes"_a, "kernel"_a.none() = nb::none(), "What to_bytes gave.");
  module.def(
      "load_model",
      [](const std::string& path) {
        require_readable(path);
        return released([&] { return PythonModel(load_model(path)); });
      },
      "path"_a);
}

}  // namespace askrff::python
