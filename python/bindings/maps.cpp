// The class Map: what it is made of, its features, products with them, its error, its file.
#include "maps.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "arrays.hpp"
#include "askrff/held_out.hpp"
#include "askrff/low_rank.hpp"
#include "bindings.hpp"
#include "files.hpp"
#include "interrupts.hpp"
#include "kernels.hpp"
#include "stand_in.hpp"
#include "words.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

const char* kind_of(const Preparation& map) { return map.atoms ? "fourier" : map.nystrom ? "nystrom" : "columns"; }

/// Numbers made for the features of a row; of landmarks, also what the kernel values and their combination take.
std::size_t cost_of_row(const Preparation& map, std::size_t n_features) {
  return map.dim + (map.nystrom ? map.nystrom->n_landmarks() * (16 + n_features / 8) : n_features);
}

/// One for landmarks of a Python function: it is called by the caller's own thread then.
std::size_t threads_for(const PythonMap& map, std::size_t n_threads) { return map.calls_function() ? 1 : n_threads; }

void transform_into(const PythonMap& map, FeatureSide side, const Array& X, const WritableArray& out, std::size_t n_threads) {
  with_type_of(X, "Map", "X", [&](auto type) {
    using T = decltype(type);
    const auto rows = view_of<T>(X, "Map", "X");
    const auto results = view_of<T>(out, "Map", "out");
    released([&] {
      const Features& features = map.features(side);
      if (results.rows() != rows.rows() || results.cols() != features.n_features())
        throw std::invalid_argument("Map: out has shape (" + std::to_string(results.rows()) + ", " + std::to_string(results.cols()) +
                                    "), expected (" + std::to_string(rows.rows()) + ", " + std::to_string(features.n_features()) + ")");
      const Execution execution{threads_for(map, n_threads)};
      by_row_blocks(rows.rows(), cost_of_row(map.preparation(), features.n_features()), [&](std::size_t first, std::size_t count) {
        Matrix<T> storage;
        features.transform(map.prepared(rows.middle_rows(first, count), storage), results.middle_rows(first, count), execution);
      });
    });
  });
}

/// out_side(A)·(in_side(B)ᵀ·V), as LowRankOperator does it, with a look at signals between blocks of A.
template <class T>
Matrix<T> product(const PythonMap& map, MatrixView<const T> A, FeatureSide out_side, MatrixView<const T> B, FeatureSide in_side,
                  MatrixView<const T> V, Execution execution) {
  const Features &out_features = map.features(out_side), &in_features = map.features(in_side);
  Matrix<T> storage;
  const Matrix<double> sums = multiply_transposed(in_features, map.prepared(B, storage), V, execution);
  Matrix<T> weights(sums.rows(), sums.cols());
  std::transform(sums.data(), sums.data() + sums.rows() * sums.cols(), weights.data(), [](double value) { return static_cast<T>(value); });
  Matrix<T> out(A.rows(), V.cols());
  by_row_blocks(A.rows(), cost_of_row(map.preparation(), out_features.n_features()), [&](std::size_t first, std::size_t count) {
    const Matrix<T> block =
        multiply(out_features, map.prepared(A.middle_rows(first, count), storage), MatrixView<const T>(weights.view()), execution);
    std::copy_n(block.data(), count * V.cols(), out.data() + first * V.cols());
  });
  return out;
}

nb::object apply(const PythonMap& map, const Array& X, const Array& Y, const Array& V, bool transposed, std::size_t n_threads) {
  return with_type_of(X, "Map.apply", "X", [&](auto type) {
    using T = decltype(type);
    const auto rows = view_of<T>(X, "Map.apply", "X"), columns = view_of<T>(Y, "Map.apply", "Y"), vectors = view_of<T>(V, "Map.apply", "V");
    auto work = [map, rows, columns, vectors, transposed, execution = Execution{threads_for(map, n_threads)}, of_rows = X, of_columns = Y,
                 of_vectors = V](const std::shared_ptr<Caller>&) {
      return transposed ? product<T>(map, columns, FeatureSide::right, rows, FeatureSide::left, vectors, execution)
                        : product<T>(map, rows, FeatureSide::left, columns, FeatureSide::right, vectors, execution);
    };
    return to_array(map.calls_function() ? directly(std::move(work)) : interruptible(std::move(work)));
  });
}

std::tuple<double, double, double> held_out(const PythonMap& map, const PythonKernel& kernel, const Array& X, std::size_t n_threads,
                                            std::size_t matrix_rows) {
  const auto rows = view_of<double>(X, "Map.held_out_error", "X");
  const auto measured = [map, rows, n_threads, matrix_rows, owner = X](const Kernel& exact) {
    Matrix<double> storage;
    const HeldOutError error = held_out_error(exact, map.feature_map("Map.held_out_error"), map.prepared(rows, storage),
                                              {threads_for(map, n_threads)}, matrix_rows);
    return std::tuple(error.error, error.lower, error.upper);
  };
  if (map.calls_function()) return released([&] { return measured(*kernel.kernel()); });
  return interruptible([measured, kernel](const std::shared_ptr<Caller>& caller) { return measured(*watched(kernel, caller)); });
}

std::size_t rows_outside(const PythonMap& map, const Array& X) {
  const auto rows = view_of<double>(X, "Map.rows_outside", "X");
  return released([&] {
    Matrix<double> storage;
    return map.preparation().rows_outside(map.prepared(rows, storage));
  });
}

PythonMap with_scaler(const PythonMap& map, const std::string& kind, const Array& X) {
  const auto rows = view_of<double>(X, "Map.with_scaler", "X");
  const Scaling scaling = parse(scalings, "scaler", kind);
  return released([&] { return map.with(Scaler::fitted_to(rows, scaling)); });
}

nb::object scaled(const PythonMap& map, const Array& X) {
  const auto rows = view_of<double>(X, "Map.scale", "X");
  return to_array(released([&] {
    Matrix<double> copy(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(rows.row(i), copy.row(i).begin());
    map.preparation().scaler.apply(copy.view());
    return copy;
  }));
}

nb::dict scaler_of(const PythonMap& map) {
  const Scaler& scaler = map.preparation().scaler;
  nb::dict result;
  result["kind"] = std::string(name_of(scaler.kind));
  result["offset"] = to_array(scaler.offset);
  result["width"] = to_array(scaler.width);
  return result;
}

nb::object masses_of(const PythonMap& map) {
  const auto& atoms = map.preparation().atoms;
  if (!atoms || atoms->parts().empty()) return nb::none();
  nb::dict result;
  for (const PartRecord& record : atoms->parts()) {
    nb::dict part;
    part["mass"] = record.mass;
    part["log_mass"] = record.log_mass;
    part["first"] = record.first;
    part["count"] = record.count;
    part["dropped"] = record.dropped;
    result[std::string(traits(record.part).name).c_str()] = part;
  }
  return result;
}

std::optional<double> error_of(const PythonMap& self) {
  const Preparation& map = self.preparation();
  if (map.certificate) return map.certificate->error.error;
  if (map.atoms && map.atoms->provenance().calibration) return map.atoms->provenance().calibration->error_after;
  return std::nullopt;
}

std::optional<std::pair<double, double>> error_interval_of(const PythonMap& self) {
  const auto& certificate = self.preparation().certificate;
  if (!certificate) return std::nullopt;
  return std::pair(certificate->error.lower, certificate->error.upper);
}

nb::object certificate_of(const PythonMap& self) {
  const auto& certificate = self.preparation().certificate;
  if (!certificate) return nb::none();
  nb::dict result;
  result["error"] = certificate->error.error;
  result["lower"] = certificate->error.lower;
  result["upper"] = certificate->error.upper;
  result["n_rows"] = certificate->error.n_rows;
  result["reached"] = certificate->reached;
  return result;
}

nb::object kernel_of(const PythonMap& self) {
  const Preparation& map = self.preparation();
  if (map.kernel.kernel) return nb::cast(PythonKernel{map.kernel, map.kernel.name.empty()});
  return nb::none();
}

std::string reason_of(const Preparation& map) { return !map.reason.empty() || !map.atoms ? map.reason : map.atoms->provenance().reason; }

/// What one of the atoms' words says, or for a map without atoms nothing.
template <class Word>
auto word_of(const Word& word) {
  return [word](const PythonMap& self) -> std::optional<std::string> {
    const auto& atoms = self.preparation().atoms;
    return atoms ? std::optional(atoms->provenance().*word) : std::nullopt;
  };
}

void add_facts(nb::class_<PythonMap>& type) {
  type.def_prop_ro("dim", [](const PythonMap& self) { return self.preparation().dim; })
      .def_prop_ro("n_features", [](const PythonMap& self) { return self.preparation().n_features(); })
      .def_prop_ro("n_frequencies",
                   [](const PythonMap& self) { return self.preparation().atoms ? self.preparation().atoms->size() : std::size_t{0}; })
      .def_prop_ro(
          "kind", [](const PythonMap& self) { return kind_of(self.preparation()); }, "'fourier', 'nystrom' or 'columns'.")
      .def_prop_ro("estimator", word_of(&Provenance::estimator))
      .def_prop_ro("sampler", word_of(&Provenance::sampler))
      .def_prop_ro("weights_kind", word_of(&Provenance::weights))
      .def_prop_ro(
          "reason", [](const PythonMap& self) { return reason_of(self.preparation()); }, "Why this map, where it was chosen.")
      .def_prop_ro("seed", [](const PythonMap& self) { return self.preparation().seed; })
      .def_prop_ro("side", [](const PythonMap& self) { return std::string(name_of(self.preparation().side)); })
      .def_prop_ro(
          "has_parts", [](const PythonMap& self) { return self.preparation().atoms && !self.preparation().atoms->parts().empty(); },
          "Whether atoms were drawn part by part: such a map has the side 'classifier'.")
      .def_prop_ro("kernel", &kernel_of, "The kernel it approximates; None where that is not known.")
      .def_prop_ro(
          "frequencies",
          [](nb::handle_t<PythonMap> self) -> nb::object {
            const auto& atoms = nb::cast<const PythonMap&>(self).preparation().atoms;
            return atoms ? to_array_of(self, atoms->frequencies()) : nb::none();
          },
          "(n_frequencies, dim), read-only; None for other kinds of map.")
      .def_prop_ro(
          "weights",
          [](nb::handle_t<PythonMap> self) -> nb::object {
            const auto& atoms = nb::cast<const PythonMap&>(self).preparation().atoms;
            return atoms ? to_array_of(self, atoms->weights()) : nb::none();
          },
          "(n_frequencies,) complex, read-only; None for other kinds of map.")
      .def_prop_ro(
          "landmarks",
          [](nb::handle_t<PythonMap> self) -> nb::object {
            const auto& factors = nb::cast<const PythonMap&>(self).preparation().nystrom;
            return factors ? to_array_of(self, factors->landmarks.view()) : nb::none();
          },
          "(n_landmarks, dim), read-only; None for other kinds of map.")
      .def_prop_ro("masses", &masses_of, "Of the Jordan parts, by name; None where atoms were not drawn part by part.")
      .def_prop_ro("error", &error_of, "The relative error of the certificate, or of the calibration; None without.")
      .def_prop_ro("error_interval", &error_interval_of, "Of the certificate, 95 %; None without.")
      .def_prop_ro("certificate", &certificate_of)
      .def_prop_ro("scaler", &scaler_of)
      .def_prop_ro("column_names", [](const PythonMap& self) { return self.preparation().column_names; });
}

}  // namespace

void bind_maps(nb::module_& module) {
  nb::class_<PythonMap> type(module, "Map",
                             "Features of a kernel, k(x, y) ≈ left(x)·right(y). Immutable. Rows are raw: scaled first, if so.");
  add_facts(type);
  const auto transform = [](FeatureSide side) {
    return [side](const PythonMap& self, const Array& X, const WritableArray& out, std::size_t n_threads) {
      transform_into(self, side, X, out, n_threads);
    };
  };
  type.def("left", transform(FeatureSide::left), "X"_a, "out"_a, "n_threads"_a = 0, "Fills out (rows, n_features), of the dtype of X.")
      .def("right", transform(FeatureSide::right), "X"_a, "out"_a, "n_threads"_a = 0)
      .def(
          "transform",
          [](const PythonMap& self, const Array& X, const WritableArray& out, std::size_t n_threads) {
            transform_into(self, self.preparation().side, X, out, n_threads);
          },
          "X"_a, "out"_a, "n_threads"_a = 0, "The features of its side, as left() and right().")
      .def("apply", &apply, "X"_a, "Y"_a, "V"_a, "transposed"_a = false, "n_threads"_a = 0,
           "left(X)·right(Y)ᵀ·V, or with the matrix transposed; features are never stored.")
      .def("held_out_error", &held_out, "kernel"_a, "X"_a, "n_threads"_a = 0, "matrix_rows"_a = 1000,
           "Relative error on rows that had no part in making the map, and its 95 % interval.")
      .def("rows_outside", &rows_outside, "X"_a, "Rows far outside those the map was fitted on.")
      .def("with_scaler", &with_scaler, "kind"_a, "X"_a, "The same map of rows that are scaled first, as fitted to X.")
      .def("scale", &scaled, "X"_a, "A scaled copy.")
      .def(
          "with_side", [](const PythonMap& self, const std::string& side) { return self.with(parse(sides, "side", side)); }, "side"_a)
      .def(
          "with_column_names",
          [](const PythonMap& self, std::vector<std::string> names) {
            Preparation map = self.preparation();
            map.column_names = std::move(names);
            check(map);
            return PythonMap(std::move(map));
          },
          "names"_a)
      .def(
          "save", [](const PythonMap& self, const std::string& path) { save_to(path, [&] { save_map(path, self.preparation()); }); },
          "path"_a)
      .def(
          "to_bytes",
          [](const PythonMap& self) {
            Preparation map = self.preparation();
            auto kernel = take_out_function(map);
            return std::pair(file_in_memory([&](const std::string& path) { save_map(path, map); }), std::move(kernel));
          },
          "The bytes of a file, and the kernel where they cannot hold it: of landmarks of a Python function; else None.")
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes, const std::optional<PythonKernel>& kernel) {
            return from_memory(bytes, [&](const std::string& path) {
              Preparation map = load_map(path);
              put_back_function(map, kernel);
              return PythonMap(std::move(map));
            });
          },
          "bytes"_a, "kernel"_a.none() = nb::none(), "What to_bytes gave.");
  module.def(
      "load_map",
      [](const std::string& path) {
        require_readable(path);
        return released([&] { return PythonMap(load_map(path)); });
      },
      "path"_a, "The map of a file of either kind, map or model.");
}

}  // namespace askrff::python
