// Files and bytes of maps and models, with Python's errors.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/output_file.hpp"
#include "askrff/model.hpp"
#include "bindings.hpp"
#include "kernels.hpp"

namespace askrff::python {

inline const Map& map_of(const Map& map) { return map; }
inline const Map& map_of(const Model& model) { return model.map; }

/// What Value::to_bytes left out of these bytes: the function that landmarks evaluate; else None.
template <class Value>
nb::object kernel_beside(nb::handle_t<Value> self) {
  return map_of(nb::cast<const Value&>(self)).nystrom() ? held_kernel(self) : nb::none();
}

/// The library's kernel of a Python object, null of None.
inline std::shared_ptr<const Kernel> kernel_in(const nb::object& kernel) {
  return kernel.is_none() ? nullptr : nb::cast<const NamedKernel&>(kernel).kernel;
}

template <class Value>
nb::object from_bytes(const nb::bytes& bytes, const nb::object& kernel) {
  std::string content(bytes.c_str(), bytes.size());
  auto of_landmarks = kernel_in(kernel);
  return hold_kernel(nb::cast(released([&] { return Value::from_bytes(std::move(content), "from_bytes", of_landmarks); })), kernel);
}

/// Throws OSError if the file cannot be created or written; what is wrong with the content stays what it was.
template <class Value>
void save(const Value& self, const std::string& path) {
  released([&] {
    try {
      const OutputFile probe(path, "save");
    } catch (const std::invalid_argument& error) {
      throw WriteError(error.what());
    }
    self.save(path);
  });
}

/// save, to_bytes and from_bytes.
template <class Value>
void add_files(nb::class_<Value>& type) {
  using namespace nb::literals;
  type.def("save", &save<Value>, "path"_a)
      .def(
          "to_bytes",
          [](nb::handle_t<Value> self) {
            const std::string content = released([&value = nb::cast<const Value&>(self)] { return value.to_bytes(); });
            return std::pair(nb::bytes(content.data(), content.size()), kernel_beside<Value>(self));
          },
          "The bytes of a file, and the kernel where they cannot hold it: of landmarks of a Python function; else None.")
      .def_static("from_bytes", &from_bytes<Value>, "bytes"_a, "kernel"_a.none() = nb::none(), "What to_bytes gave.");
}

}  // namespace askrff::python
