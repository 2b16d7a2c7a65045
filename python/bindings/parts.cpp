// Rows in parts, on a cluster's workers: train_parts and make_map_parts ask a Python function for passes over them; PartWork and
// join_results are what its tasks do.
#include "askrff/parts.hpp"

#include <cstdint>
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
#include "training.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

std::string content_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }
nb::bytes to_bytes(const std::string& content) { return nb::bytes(content.data(), content.size()); }

/// Parts that a Python function can have a pass run over: run(task, starts) → result, all bytes.
class PythonParts final : public PartedRows {
 public:
  PythonParts(nb::object run, std::size_t n_parts, std::size_t n_columns, std::vector<std::string> column_names,
              std::vector<std::string> classes, std::size_t n_targets)
      : run_(std::move(run)),
        n_parts_(n_parts),
        n_columns_(n_columns),
        n_targets_(n_targets),
        column_names_(std::move(column_names)),
        classes_(std::move(classes)) {}

  const std::string& name() const override { return name_; }
  std::size_t n_parts() const override { return n_parts_; }
  std::size_t n_columns() const override { return n_columns_; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  const std::vector<std::string>& class_names() const override { return classes_; }
  std::size_t n_targets() const override { return n_targets_; }

  std::string run(const std::string& task, const std::vector<std::string>& starts) override {
    const nb::gil_scoped_acquire lock;
    nb::list of_parts;
    for (const std::string& start : starts) of_parts.append(to_bytes(start));
    return content_of(nb::cast<nb::bytes>(run_(to_bytes(task), of_parts)));
  }

 private:
  std::string name_ = "X";
  nb::object run_;
  std::size_t n_parts_, n_columns_, n_targets_;
  std::vector<std::string> column_names_, classes_;
};

std::pair<nb::object, nb::dict> trained_on_parts(const nb::object& run, std::size_t n_parts, std::size_t n_columns,
                                                 const nb::object& kernel, const nb::dict& params, std::vector<std::string> classes,
                                                 std::size_t n_targets, std::vector<std::string> column_names, std::uint64_t seed,
                                                 std::size_t n_threads, const nb::object& progress, const nb::kwargs& others) {
  TrainOptions options = train_options("train_parts", kernel, params, seed, others);
  if (classes.empty()) options.task = Task::regression;
  options.features.on_candidate = candidate_listener(progress);
  PythonParts rows(run, n_parts, n_columns, std::move(column_names), std::move(classes), n_targets);
  const TrainedModel model = interruptible(n_threads, [&](Execution execution) {
    listen(execution, progress);
    options.execution = execution;
    return train(rows, options);
  });
  return to_python(model, kernel);
}

nb::object map_of_parts(const nb::object& run, std::size_t n_parts, std::size_t n_columns, const nb::object& kernel, const nb::dict& params,
                        std::vector<std::string> column_names, std::uint64_t seed, std::size_t n_threads, const nb::object& progress,
                        const nb::kwargs& others) {
  const KernelChoice choice = kernel_choice(kernel, params);
  MapOptions options{.seed = seed};
  OptionReader reader("make_map_parts", others);
  take_map_options(reader, options);
  reader.finish();
  options.on_candidate = candidate_listener(progress);
  PythonParts rows(run, n_parts, n_columns, std::move(column_names), {}, 1);
  const Map map = interruptible(n_threads, [&](const Execution& execution) {
    options.execution = execution;
    return make_map(choice, rows, options);
  });
  return hold_kernel(nb::cast(map), kernel);
}

void add_rows(PartWork& self, const nb::object& X, const std::optional<Array>& y, const std::optional<Array>& weights, bool are_classes) {
  PythonRows rows(X, {});
  if (y && are_classes)
    rows.set_codes(*y);
  else if (y)
    rows.set_targets(*y);
  if (weights) rows.set_weights(*weights);
  interruptible(0, [&](const Execution& execution) {
    for (RowBlock block; rows.next(block);) {
      execution.stop.check();
      self.add(block);
    }
  });
}

nb::object new_work(const nb::bytes& task, const nb::bytes& start, std::size_t n_threads, const nb::object& kernel) {
  return hold_kernel(
      nb::cast(std::make_unique<PartWork>(content_of(task), content_of(start), Execution{.n_threads = n_threads}, kernel_in(kernel))),
      kernel);
}

nb::bytes joined(const std::vector<nb::bytes>& results, std::size_t n_threads, const nb::object& kernel) {
  std::vector<std::string> contents;
  for (const nb::bytes& result : results) contents.push_back(content_of(result));
  const auto of_landmarks = kernel_in(kernel);
  return to_bytes(
      interruptible(n_threads, [&](const Execution& execution) { return join_results(std::move(contents), execution, of_landmarks); }));
}

}  // namespace

void bind_parts(nb::module_& module) {
  nb::class_<PartWork>(module, "PartWork", nb::dynamic_attr(), "A part's share of a pass over rows, for rows that come block by block.")
      .def(nb::new_(&new_work), "task"_a, "start"_a, "n_threads"_a = 0, "kernel"_a.none() = nb::none())
      .def("add", &add_rows, "X"_a, "y"_a.none() = nb::none(), "row_weights"_a.none() = nb::none(), "are_classes"_a = false,
           "Raw rows; y: the class of each, int64, or targets (rows, n_targets), float64.")
      .def("finish", [](PartWork& self) { return to_bytes(released([&] { return self.finish(); })); });
  module.def("join_results", &joined, "results"_a, "n_threads"_a = 0, "kernel"_a.none() = nb::none(),
             "The result of all parts whose results these are, in the order of their parts.");
  module.def(
      "train_parts", &trained_on_parts, "run"_a, "n_parts"_a, "n_columns"_a, "kernel"_a, "params"_a = nb::dict(),
      "classes"_a = std::vector<std::string>(), "n_targets"_a = 1, "column_names"_a = std::vector<std::string>(), "seed"_a = 0,
      "n_threads"_a = 0, "progress"_a.none() = nb::none(), "options"_a,
      "(model, report) as train, of rows that run(task, starts) can reach: it has PartWork done for every part and joins the results.");
  module.def("make_map_parts", &map_of_parts, "run"_a, "n_parts"_a, "n_columns"_a, "kernel"_a, "params"_a = nb::dict(),
             "column_names"_a = std::vector<std::string>(), "seed"_a = 0, "n_threads"_a = 0, "progress"_a.none() = nb::none(), "options"_a,
             "make_map, of such rows.");
}

}  // namespace askrff::python
