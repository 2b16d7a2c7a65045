// The class Model, askrff::Model itself: raw rows → outputs, and its file; and what a file of either kind holds.
#include "askrff/model.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

#include "arrays.hpp"
#include "calls.hpp"
#include "files.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

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

nb::object outputs(const Model& self, const Array& X, std::size_t n_threads) {
  const auto rows = view_of<double>(X, "Model.outputs", "X");
  return to_array(interruptible(n_threads, [&](const Execution& execution) { return self.outputs(rows, execution); }));
}

nb::object outputs_of_sparse(const Model& self, const SparseArrays& X, std::size_t n_threads) {
  const auto rows = X.view<double>("Model.outputs");
  return to_array(interruptible(n_threads, [&](const Execution& execution) { return self.outputs(rows, execution); }));
}

nb::object probabilities(const Model& self, const Array& outputs) {
  return to_array(self.probabilities_of(view_of<double>(outputs, "Model.probabilities", "outputs")));
}

nb::object read_only(Matrix<double> copy) {
  const MatrixView<const double> values = copy;
  return to_array_of(std::move(copy), values);
}
nb::object read_only(std::vector<double> copy) {
  const std::span<const double> values = copy;
  return to_array_of(std::move(copy), values);
}

/// Raises FileNotFoundError, PermissionError, … if the file cannot be opened.
void require_readable(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (!file) {
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw nb::python_error();
  }
  std::fclose(file);
}

nb::object load(const std::string& path) {
  require_readable(path);
  const StoredFile stored = released([&] { return load_stored(path); });
  return stored.model() ? nb::cast(*stored.model()) : nb::cast(stored.map());
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<Model> type(module, "Model", nb::dynamic_attr(), "From raw rows to outputs: a map, weights and a bias. Immutable.");
  type.def("outputs", &outputs, "X"_a, "n_threads"_a = 0, "(rows, n_outputs) float64, of raw rows.")
      .def("outputs", &outputs_of_sparse, "X"_a, "n_threads"_a = 0)
      .def("probabilities", &probabilities, "outputs"_a, "(rows, n_classes), of outputs.")
      .def_prop_ro("has_probabilities", [](const Model& self) { return self.output_scale.has_value(); })
      .def_prop_ro("classes", [](const Model& self) { return self.classes; })
      .def_prop_ro("task", [](const Model& self) { return name_of(self.task); })
      .def_prop_ro("precision", [](const Model& self) { return name_of(self.precision); })
      .def_prop_ro("map",
                   [](nb::handle_t<Model> self) { return hold_kernel(nb::cast(nb::cast<const Model&>(self).map), held_kernel(self)); })
      .def_prop_ro("training", [](const Model& self) { return to_python(self.training); })
      .def_prop_ro("weights", [](const Model& self) { return read_only(self.linear.weights); })
      .def_prop_ro("bias", [](const Model& self) { return read_only(self.linear.bias); });
  add_files(type);
  module.def("load", &load, "path"_a, "The Map or Model of a file.");
}

}  // namespace askrff::python
