// The class Map, askrff::Map itself: how it is made, what it is made of, its features, its file.
#include "askrff/map.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "calls.hpp"
#include "files.hpp"
#include "kernels.hpp"
#include "options.hpp"
#include "rows.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

nb::object made(const nb::object& kernel, const nb::object& X, const nb::dict& params, std::vector<std::string> column_names,
                std::uint64_t seed, std::size_t n_threads, const nb::object& progress, const nb::kwargs& others) {
  const KernelChoice choice = kernel_choice(kernel, params);
  PythonRows rows(X, std::move(column_names));
  MapOptions options{.seed = seed};
  OptionReader reader("make_map", others);
  take_map_options(reader, options);
  reader.finish();
  options.on_candidate = candidate_listener(progress);
  const Map map = interruptible(n_threads, [&](const Execution& execution) {
    options.execution = execution;
    return make_map(choice, rows, options);
  });
  return hold_kernel(nb::cast(map), kernel);
}

nb::object model_side(nb::handle_t<Map> self) {
  const auto& map = nb::cast<const Map&>(self);
  if (!map.has_side(FeatureSide::classifier)) return nb::borrow(self);
  return hold_kernel(nb::cast(map.with([](MapContent& content) { content.side = FeatureSide::classifier; })), held_kernel(self));
}

template <class U>
void transform_rows(const Map& map, FeatureSide side, const RowsView<U>& rows, const WritableArray& out, std::size_t n_threads) {
  with_type_of(out, "Map", "out", [&](auto type) {
    using T = decltype(type);
    const auto results = view_of<T>(out, "Map", "out");
    interruptible(n_threads, [&](const Execution& execution) { map.transform<T, U>(side, rows, results, execution); });
  });
}

void transform_into(const Map& map, FeatureSide side, const Array& X, const WritableArray& out, std::size_t n_threads) {
  with_type_of(X, "Map", "X", [&](auto type) {
    using U = decltype(type);
    transform_rows<U>(map, side, view_of<U>(X, "Map", "X"), out, n_threads);
  });
}

void transform_sparse_into(const Map& map, FeatureSide side, const SparseArrays& X, const WritableArray& out, std::size_t n_threads) {
  with_type_of(X.values(), "Map", "X", [&](auto type) {
    using U = decltype(type);
    transform_rows<U>(map, side, X.view<U>("Map"), out, n_threads);
  });
}

nb::object landmarks_of(const Map& map) {
  if (!map.nystrom()) return nb::none();
  const RowsMatrix<double>& landmarks = map.nystrom()->landmarks;
  if (!landmarks.is_sparse()) return to_array_of(map, landmarks.dense().view());
  const SparseView<double> rows = landmarks.sparse();
  const nb::object columns = to_array(std::vector<std::int64_t>(rows.columns(), rows.columns() + rows.n_values()));
  const nb::object starts = to_array(std::vector<std::int64_t>(rows.starts(), rows.starts() + rows.rows() + 1));
  const nb::object values = to_array_of(map, rows.all_values());
  return nb::module_::import_("scipy.sparse")
      .attr("csr_matrix")(nb::make_tuple(values, columns, starts), "shape"_a = nb::make_tuple(rows.rows(), rows.cols()));
}

nb::object matrix_of(const Map& map) {
  const MatrixFactors* factors = map.matrix();
  if (!factors) return nb::none();
  nb::dict result;
  result["rows"] = to_array(std::vector<std::int64_t>(factors->rows.begin(), factors->rows.end()));
  result["columns"] = to_array(std::vector<std::int64_t>(factors->columns.begin(), factors->columns.end()));
  result["left"] = to_array_of(map, factors->left_factor.view());
  result["right"] = to_array_of(map, factors->right_factor.view());
  result["singular_values"] = to_array_of(map, std::span<const double>(factors->singular_values));
  result["one_sided"] = factors->is_one_sided();
  return std::move(result);
}

std::size_t rows_outside(const Map& map, const nb::object& X) {
  const auto rows = rows_of_either(X, "Map.rows_outside", "X");
  return released([&] { return map.rows_outside(rows); });
}

std::string float32_warning(const Map& map, const nb::object& X, bool before_scaling) {
  const auto rows = rows_of_either(X, "Map.float32_warning", "X");
  return released([&] { return map.float32_warning(map.float32_error(rows, before_scaling)); });
}

nb::object scaled(const Map& map, const Array& X) {
  const auto rows = view_of<double>(X, "Map.scale", "X");
  return to_array(released([&] {
    Matrix<double> storage(rows.rows(), rows.cols());
    const auto result = map.scaled<double, double>(rows, storage);
    if (result.data() != storage.data())
      for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(rows.row(i), storage.row(i).begin());
    return storage;
  }));
}

nb::dict scaler_of(const Map& map) {
  const Scaler& scaler = map.content().scaler;
  nb::dict result;
  result["kind"] = name_of(scaler.kind);
  result["offset"] = to_array(scaler.offset);
  result["width"] = to_array(scaler.width);
  return result;
}

nb::object masses_of(const Map& map) {
  if (!map.has_side(FeatureSide::classifier)) return nb::none();
  nb::dict result;
  for (const PartRecord& record : map.atoms()->parts()) result[std::string(traits(record.part).name).c_str()] = record.mass;
  return result;
}

nb::object certificate_of(const Map& map) {
  const auto& certificate = map.content().certificate;
  if (!certificate) return nb::none();
  nb::dict result;
  result["error"] = certificate->error.error;
  result["lower"] = certificate->error.lower;
  result["upper"] = certificate->error.upper;
  result["between"] = certificate->error.between;
  result["between_lower"] = certificate->error.between_lower;
  result["between_upper"] = certificate->error.between_upper;
  result["n_rows"] = certificate->error.n_rows;
  result["matrix_rows"] = certificate->error.matrix_rows;
  result["reached"] = certificate->reached;
  result["refitted"] = certificate->refitted;
  return result;
}

nb::object kernel_of(nb::handle_t<Map> self) {
  const nb::object held = held_kernel(self);
  const NamedKernel& kernel = nb::cast<const Map&>(self).content().kernel;
  return held.is_none() && kernel.kernel ? nb::cast(kernel) : held;
}

/// What one of the atoms' words says, or for a map without atoms nothing.
auto word_of(std::string Provenance::*word) {
  return [word](const Map& self) { return self.atoms() ? std::optional(self.atoms()->provenance().*word) : std::nullopt; };
}

void add_facts(nb::class_<Map>& type) {
  type.def_prop_ro("dim", [](const Map& self) { return self.dim(); })
      .def_prop_ro("n_features", [](const Map& self) { return self.n_features(); })
      .def_prop_ro("n_frequencies", &Map::n_frequencies)
      .def_prop_ro("kind", &Map::kind, "'fourier', 'nystrom', 'matrix' or 'columns'.")
      .def_prop_ro(
          "right_dim", [](const Map& self) { return self.dim(FeatureSide::right); }, "Columns of rows on the right side.")
      .def_prop_ro("matrix", &matrix_of, "Of a kernel matrix's map what it is made of, arrays that are read-only; else None.")
      .def_prop_ro("estimator", word_of(&Provenance::estimator))
      .def_prop_ro("sampler", word_of(&Provenance::sampler))
      .def_prop_ro("weights_kind", word_of(&Provenance::weights))
      .def_prop_ro(
          "reason", [](const Map& self) { return self.content().reason; }, "Why this map, where it was chosen.")
      .def_prop_ro("seed", [](const Map& self) { return self.content().seed; })
      .def_prop_ro("side", [](const Map& self) { return name_of(self.content().side); })
      .def_prop_ro("kernel", &kernel_of, "The kernel it approximates; None where that is not known.")
      .def_prop_ro(
          "frequencies", [](const Map& self) { return self.atoms() ? to_array_of(self, self.atoms()->frequencies()) : nb::none(); },
          "(n_frequencies, dim), read-only; None for other kinds of map.")
      .def_prop_ro(
          "weights", [](const Map& self) { return self.atoms() ? to_array_of(self, self.atoms()->weights()) : nb::none(); },
          "(n_frequencies,) complex, read-only; None for other kinds of map.")
      .def_prop_ro("landmarks", &landmarks_of,
                   "(n_landmarks, dim), read-only, a CSR matrix if the map was made of sparse rows; None for other kinds of map.")
      .def_prop_ro("masses", &masses_of, "Of the Jordan parts, by name; None where atoms were not drawn part by part.")
      .def_prop_ro("certificate", &certificate_of, "The error measured on rows outside every fit; None where there were too few.")
      .def_prop_ro("scaling_warning", &Map::scaling_warning, "What is to be said of columns that outliers squeeze; empty if nothing.")
      .def_prop_ro("accuracy_warning", &Map::accuracy_warning, "What is to be said of a large error; empty if nothing.")
      .def_prop_ro("scaler", &scaler_of)
      .def_prop_ro("column_names", [](const Map& self) { return self.content().column_names; });
}

}  // namespace

void bind_maps(nb::module_& module) {
  nb::class_<Map> type(module, "Map", nb::dynamic_attr(),
                       "Features of a kernel, k(x, y) ≈ left(x)·right(y). Immutable. Rows are raw: scaled first, if so.");
  add_facts(type);
  const auto transform = [](FeatureSide side) {
    return [side](const Map& self, const Array& X, const WritableArray& out, std::size_t n_threads) {
      transform_into(self, side, X, out, n_threads);
    };
  };
  const auto transform_sparse = [](FeatureSide side) {
    return [side](const Map& self, const SparseArrays& X, const WritableArray& out, std::size_t n_threads) {
      transform_sparse_into(self, side, X, out, n_threads);
    };
  };
  type.def("left", transform_sparse(FeatureSide::left), "X"_a, "out"_a, "n_threads"_a = 0)
      .def("right", transform_sparse(FeatureSide::right), "X"_a, "out"_a, "n_threads"_a = 0);
  type.def("left", transform(FeatureSide::left), "X"_a, "out"_a, "n_threads"_a = 0,
           "Fills out (rows, n_features), float32 or float64 whichever X is.")
      .def("right", transform(FeatureSide::right), "X"_a, "out"_a, "n_threads"_a = 0)
      .def("float32_warning", &float32_warning, "X"_a, "before_scaling"_a,
           "What is to be said of float32 features of such rows; empty if nothing. before_scaling: the rows are float32 already.")
      .def("rows_outside", &rows_outside, "X"_a, "Rows far outside those the map was fitted on.")
      .def_static("outside_warning", &Map::outside_warning, "n_outside"_a, "n_rows"_a, "What is to be said of so many; empty if nothing.")
      .def("scale", &scaled, "X"_a, "A scaled copy.")
      .def("model_side", &model_side, "The same map with the features a model is trained on.");
  add_files(type);
  module.def(
      "make_map", &made, "kernel"_a, "X"_a, "params"_a = nb::dict(), "column_names"_a = std::vector<std::string>(), "seed"_a = 0,
      "n_threads"_a = 0, "progress"_a.none() = nb::none(), "options"_a,
      "A map for rows like those of X; the kernel by name with parameters, or a Kernel. Options as in MAP_DEFAULTS, words as in WORDS; "
      "progress(dict) hears of every map that is tried.");
  module.attr("MAP_DEFAULTS") = describe(MapOptions{});
  module.attr("WORDS") = all_words();
}

}  // namespace askrff::python
