// Tables that lie in memory by columns, of Arrow or of NumPy, and rows of them as arrays.
#include "askrff/columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "askrff/arrow.hpp"
#include "bindings.hpp"
#include "rows.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

constexpr const char* where = "X";

/// "float64" for what NumPy calls so; empty for what cannot be data.
std::string numpy_name(const ColumnField& field) {
  if (!is_number(field.type) || field.is_dictionary) return "";
  if (field.type == ElementType::truth_bits || field.type == ElementType::truth_bytes) return "bool";
  return field.content.substr(0, field.content.find(' '));
}

/// Batches of some columns. Copies share them.
class Table {
 public:
  explicit Table(std::vector<ColumnField> fields) : fields_(std::move(fields)), columns_(fields_.size()) {
    std::iota(columns_.begin(), columns_.end(), std::size_t{0});
  }

  void add(ColumnBatch batch) {
    if (batch.n_rows == 0) return;
    starts_.push_back(n_rows_);
    n_rows_ += batch.n_rows;
    batches_.push_back(std::make_shared<const ColumnBatch>(std::move(batch)));
  }

  std::size_t n_rows() const { return n_rows_; }
  std::size_t n_columns() const { return columns_.size(); }
  const ColumnField& field(std::size_t column) const { return fields_[columns_.at(column)]; }

  Table select(const std::vector<std::size_t>& columns) const {
    Table part = *this;
    part.columns_.clear();
    for (const std::size_t j : columns) part.columns_.push_back(columns_.at(j));
    return part;
  }

  void check_data() const {
    for (const std::size_t j : columns_) check_is_data(fields_[j], where);
  }
  void check_finite() const {
    for (std::size_t k = 0; k < batches_.size(); ++k)
      if (const auto row = first_gap(*batches_[k], columns_)) refuse_gap(*batches_[k], fields_, columns_, *row, starts_[k] + *row, where);
  }

  template <class T>
  Matrix<T> copy(std::size_t first, std::size_t last) const {
    last = std::min(last, n_rows_);
    first = std::min(first, last);
    Matrix<T> rows(last - first, columns_.size());
    for (std::size_t at = first; at < last;) {
      const std::size_t k = batch_of(at), inside = at - starts_[k], count = std::min(last - at, batches_[k]->n_rows - inside);
      copy_rows(*batches_[k], columns_, inside, rows.view().middle_rows(at - first, count));
      at += count;
    }
    return rows;
  }

  template <class T>
  Matrix<T> take(const std::vector<std::uint32_t>& places) const {
    Matrix<T> rows(places.size(), columns_.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t k = batch_of(places[i]);
      copy_rows(*batches_[k], columns_, places[i] - starts_[k], rows.view().middle_rows(i, 1));
    }
    return rows;
  }

  /// Calls use(column, row) for all rows of a column; refuses those that are missing.
  template <class Use>
  void each(std::size_t column, const Use& use) const {
    const std::size_t j = columns_.at(column);
    for (std::size_t k = 0; k < batches_.size(); ++k) {
      const Column& of_batch = batches_[k]->columns[j];
      for (std::size_t i = 0; i < of_batch.n_rows; ++i) {
        if (of_batch.is_missing(i) || (of_batch.dictionary && of_batch.dictionary->is_missing(of_batch.index(i))))
          throw DataError(where, column_text(fields_[j].name) + " has no value in row " + std::to_string(starts_[k] + i) +
                                     ", expected one in every row: leave such rows out first");
        use(of_batch, i);
      }
    }
  }

 private:
  std::size_t batch_of(std::size_t row) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), row) - starts_.begin()) - 1;
  }

  std::vector<ColumnField> fields_;
  std::vector<std::size_t> columns_;  // those that belong to the table
  std::vector<std::shared_ptr<const ColumnBatch>> batches_;
  std::vector<std::size_t> starts_;
  std::size_t n_rows_ = 0;
};

/// Numbers as an array of their own type, whole ones kept exactly.
nb::object numbers_of(const Table& table, std::size_t column) {
  const ElementType type = table.field(column).type;
  const bool is_whole = type != ElementType::float32 && type != ElementType::float64;
  std::vector<double> numbers;
  std::vector<std::int64_t> whole;
  constexpr double first_shared = 0x1p53;
  table.each(column, [&](const Column& values, std::size_t row) {
    const std::size_t at = values.dictionary ? values.index(row) : row;
    const double number = (values.dictionary ? *values.dictionary : values).number(at);
    if (!is_whole) return numbers.push_back(number);
    if (std::abs(number) >= first_shared)
      throw DataError(
          where, column_text(table.field(column).name) + " holds whole numbers from 2^53 on, expected smaller ones: labels may be text");
    whole.push_back(static_cast<std::int64_t>(number));
  });
  return is_whole ? to_array(std::move(whole)) : to_array(std::move(numbers));
}

nb::object values_of(const Table& table, std::size_t column) {
  const ColumnField& field = table.field(column);
  if (is_number(field.type)) return numbers_of(table, column);
  if (!is_text(field.type)) throw DataError(where, column_text(field.name) + " holds " + field.content + ", expected numbers or text");
  nb::list texts;
  table.each(column, [&](const Column& values, std::size_t row) {
    const std::string_view text = values.text(row);
    texts.append(nb::str(text.data(), text.size()));
  });
  return texts;
}

ElementType element_of(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(type.code);
  const auto by_bits = [&](ElementType one, ElementType two, ElementType four, ElementType eight) {
    return type.bits == 8 ? one : type.bits == 16 ? two : type.bits == 32 ? four : type.bits == 64 ? eight : ElementType::other;
  };
  using E = ElementType;
  if (code == Code::Bool) return type.bits == 8 ? E::truth_bytes : E::other;
  if (code == Code::Int) return by_bits(E::int8, E::int16, E::int32, E::int64);
  if (code == Code::UInt) return by_bits(E::uint8, E::uint16, E::uint32, E::uint64);
  return code == Code::Float ? by_bits(E::other, E::other, E::float32, E::float64) : E::other;
}

/// Columns that are arrays of one dimension each, kept alive by the table.
Table table_of_arrays(const std::vector<std::string>& names, std::vector<Array> arrays) {
  if (names.size() != arrays.size()) throw std::invalid_argument("table: as many names as arrays are expected");
  std::vector<ColumnField> fields;
  ColumnBatch batch;
  for (std::size_t j = 0; j < arrays.size(); ++j) {
    const Array& array = arrays[j];
    const ElementType type = element_of(array.dtype());
    if (type == ElementType::other || array.ndim() != 1 || array.shape(0) != arrays[0].shape(0))
      throw nb::type_error(("table: " + column_text(names[j]) + " is no array of numbers like the first").c_str());
    fields.push_back({names[j], type, false, dtype_name(array.dtype()) + " numbers"});
    Column column;
    column.type = type;
    column.n_rows = array.shape(0);
    column.values = array.data();
    column.stride = array.stride(0) * static_cast<std::ptrdiff_t>(array.itemsize());
    batch.columns.push_back(std::move(column));
  }
  batch.n_rows = arrays.empty() ? 0 : arrays[0].shape(0);
  batch.owner = std::shared_ptr<const void>(new std::vector<Array>(std::move(arrays)), [](const void* owner) {
    const nb::gil_scoped_acquire lock;
    delete static_cast<const std::vector<Array>*>(owner);
  });
  Table table(std::move(fields));
  table.add(std::move(batch));
  return table;
}

template <class Struct>
Struct* pointer_in(const nb::object& capsule, const char* name) {
  void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
  if (pointer == nullptr) throw nb::python_error();
  return static_cast<Struct*>(pointer);
}

/// A stream of batches that gives as many rows as are asked for, whatever the batches.
class BatchStream {
 public:
  explicit BatchStream(ArrowReader reader) : reader_(std::move(reader)) {}
  const std::vector<ColumnField>& fields() const { return reader_.fields(); }

  /// The next n_rows rows, fewer only at the end. Called without the interpreter's lock: streams may want it on a thread of theirs.
  Table read(std::size_t n_rows) {
    Table table(reader_.fields());
    while (table.n_rows() < n_rows) {
      std::optional<ColumnBatch> batch = std::exchange(left_, std::nullopt);
      if (!batch) batch = reader_.next();
      if (!batch) break;
      const std::size_t count = std::min(batch->n_rows, n_rows - table.n_rows());
      if (count < batch->n_rows) left_ = batch->part(count, batch->n_rows - count);
      table.add(count < batch->n_rows ? batch->part(0, count) : std::move(*batch));
    }
    return table;
  }

 private:
  ArrowReader reader_;
  std::optional<ColumnBatch> left_;
};

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < table.n_columns(); ++j) names.push_back(table.field(j).name);
  return names;
}

void bind_table(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Columns in memory, and rows of them as arrays; NaN stands for what is missing.")
      .def_prop_ro("n_rows", &Table::n_rows)
      .def_prop_ro("names", &names_of)
      .def_prop_ro(
          "types",
          [](const Table& table) {
            std::vector<std::string> types;
            for (std::size_t j = 0; j < table.n_columns(); ++j) types.push_back(numpy_name(table.field(j)));
            return types;
          },
          "NumPy's names of the types; empty for columns that cannot be data.")
      .def("select", &Table::select, "columns"_a, "The table of these columns.")
      .def("check_data", &Table::check_data, "Refuses columns that cannot be data.")
      .def(
          "check_finite", [](const Table& table) { released([&] { table.check_finite(); }); },
          "Refuses numbers that are missing or not finite.")
      .def(
          "copy",
          [](const Table& table, std::size_t first, std::size_t last, bool single) {
            if (single) return to_array(released([&] { return table.copy<float>(first, last); }));
            return to_array(released([&] { return table.copy<double>(first, last); }));
          },
          "first"_a, "last"_a, "single"_a, "Rows first … last - 1 as an array in C order, float32 if single.")
      .def(
          "take",
          [](const Table& table, const Array& places, bool single) {
            const auto rows = codes_of(places, places.shape(0), table.n_rows(), "take");
            if (single) return to_array(table.take<float>(rows));
            return to_array(table.take<double>(rows));
          },
          "places"_a, "single"_a, "The rows with these numbers, int64.")
      .def("values", &values_of, "column"_a, "One column: an array of numbers, int64 or float64, or a list of text.");
  module.def(
      "refuse_column",
      [](const std::string& name, const std::string& content, bool is_categories) {
        check_is_data({name, is_categories ? ElementType::text : ElementType::other, false, content}, where);
      },
      "name"_a, "content"_a, "is_categories"_a, "Raises ValueError for a column that holds no numbers: what to do.");
  module.def("table_of_arrays", &table_of_arrays, "names"_a, "arrays"_a, "The table of these columns, which are not copied.");
}

}  // namespace

void bind_columns(nb::module_& module) {
  bind_table(module);
  nb::class_<BatchStream>(module, "BatchStream", "An Arrow stream, read once.")
      .def_static(
          "of_stream",
          [](const nb::object& capsule) {
            auto* const stream = pointer_in<ArrowArrayStream>(capsule, "arrow_array_stream");
            return released([&] { return std::make_unique<BatchStream>(ArrowReader(stream, where)); });
          },
          "capsule"_a, "What __arrow_c_stream__ gives.")
      .def_static(
          "of_array",
          [](const nb::object& schema, const nb::object& array) {
            return std::make_unique<BatchStream>(
                ArrowReader(pointer_in<ArrowSchema>(schema, "arrow_schema"), pointer_in<ArrowArray>(array, "arrow_array"), where));
          },
          "schema"_a, "array"_a, "What __arrow_c_array__ gives.")
      .def(
          "read", [](BatchStream& stream, std::size_t n_rows) { return released([&] { return stream.read(n_rows); }); }, "n_rows"_a,
          "The table of the next rows, fewer only at the end.");
}

}  // namespace askrff::python
