// Arrow's C structs as columns: what a schema says, and whether a batch is what its schema says.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "askrff/arrow.hpp"
#include "io/arrow_types.hpp"
#include "io/messages.hpp"

namespace askrff {
namespace {

/// One of the structs, released at the end.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  /// Takes over what is there.
  explicit Owned(Struct* from) : value_(*from) { from->release = nullptr; }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  Struct* get() { return &value_; }
  const Struct& operator*() const { return value_; }
  const Struct* operator->() const { return &value_; }

 private:
  Struct value_{};
};

io::ArrowType type_of(const ArrowSchema& schema) { return io::arrow_type(schema.format == nullptr ? "" : schema.format); }

ColumnField field_of(const ArrowSchema& schema) {
  const ArrowSchema& values = schema.dictionary != nullptr ? *schema.dictionary : schema;
  const io::ArrowType type = type_of(values);
  ColumnField field{schema.name == nullptr ? "" : schema.name, type.element, schema.dictionary != nullptr, type.content};
  if (field.is_dictionary) field.content = "categories (a dictionary of " + type.content + ")";
  return field;
}

/// Checks a batch against its schema and makes columns of it. All errors are the maker's.
class BatchImport {
 public:
  BatchImport(const ArrowSchema& schema, const std::string& name) : schema_(schema), name_(name) {}

  void import(const ArrowArray& array, ColumnBatch& batch) const {
    check_extent(array, "a batch");
    if (array.n_children != schema_.n_children || (array.n_children > 0 && array.children == nullptr))
      fail(fmt::format("a batch has {} columns, expected {} as in the schema", array.n_children, schema_.n_children));
    batch.n_rows = static_cast<std::size_t>(array.length);
    for (std::int64_t j = 0; j < array.n_children; ++j) {
      const ArrowSchema& schema = *schema_.children[j];
      if (array.children[j] == nullptr) fail(fmt::format("{} is not there, expected one", column_text(name_of(schema))));
      const ArrowArray& child = *array.children[j];
      check_extent(child, column_text(name_of(schema)));
      if (child.length < array.offset + array.length)
        fail(fmt::format("{} has {} rows, expected {} as the batch", column_text(name_of(schema)), child.length,
                         array.offset + array.length));
      Column column = column_of(schema, child);
      column.n_rows = batch.n_rows;
      column.offset += static_cast<std::size_t>(array.offset);
      batch.columns.push_back(std::move(column));
    }
    check_no_row_missing(array);  // now that its columns have shown that there are so many rows
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { io::fail(name_, message); }
  static std::string_view name_of(const ArrowSchema& schema) { return schema.name == nullptr ? "" : schema.name; }

  /// Rows that a struct says are not there have no numbers.
  void check_no_row_missing(const ArrowArray& array) const {
    if (array.null_count == 0 || array.n_buffers < 1 || array.buffers == nullptr || array.buffers[0] == nullptr) return;
    Column rows;
    rows.valid = static_cast<const std::uint8_t*>(array.buffers[0]);
    rows.offset = static_cast<std::size_t>(array.offset);
    for (std::size_t i = 0; i < static_cast<std::size_t>(array.length); ++i)
      if (rows.is_missing(i)) fail(fmt::format("row {} of a batch is missing as a whole, expected a table without such rows", i));
  }

  /// So that no sum of these overflows, and no count of bytes either.
  void check_extent(const ArrowArray& array, const std::string& what) const {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;
    if (array.length < 0 || array.offset < 0 || array.length > most || array.offset > most)
      fail(fmt::format("{} has {} rows from {} on, expected numbers of rows", what, array.length, array.offset));
  }

  Column column_of(const ArrowSchema& schema, const ArrowArray& array) const {
    const std::string what = column_text(name_of(schema));
    Column column;
    const io::ArrowType type = type_of(schema);
    column.type = type.element;
    column.n_rows = static_cast<std::size_t>(array.length);
    column.offset = static_cast<std::size_t>(array.offset);
    column.stride = static_cast<std::ptrdiff_t>(element_bytes(type.element));
    if (schema.dictionary != nullptr && !is_integer(type.element))
      fail(fmt::format("{} has places in a dictionary that are {}, expected integers", what, type.content));
    if (type.element == ElementType::other) return column;
    const std::int64_t n_buffers = is_text(type.element) ? 3 : 2;
    const bool counts = type.element == ElementType::text_views ? array.n_buffers >= n_buffers : array.n_buffers == n_buffers;
    if (!counts || array.buffers == nullptr) fail(fmt::format("{} has {} buffers, expected {}", what, array.n_buffers, n_buffers));
    if (array.null_count != 0) column.valid = static_cast<const std::uint8_t*>(array.buffers[0]);
    if (array.null_count > 0 && column.valid == nullptr)
      fail(fmt::format("{} has {} missing values, but does not say which", what, array.null_count));
    column.values = array.buffers[1];
    if (column.values == nullptr && array.length > 0) fail(fmt::format("{} has {} rows, but no values", what, array.length));
    if (is_text(type.element) && array.length > 0) set_characters(column, array, what);
    if (schema.dictionary != nullptr) set_dictionary(column, schema, array, what);
    return column;
  }

  void set_characters(Column& column, const ArrowArray& array, const std::string& what) const {
    if (column.type == ElementType::text_views) return set_pieces(column, array, what);
    // They reach as far as the last offset says.
    std::int64_t end = 0;
    const char* const last = static_cast<const char*>(column.values) + (array.offset + array.length) * column.stride;
    if (column.type == ElementType::large_text) {
      std::memcpy(&end, last, sizeof end);
    } else {
      std::int32_t short_end;
      std::memcpy(&short_end, last, sizeof short_end);
      end = short_end;
    }
    const auto* const characters = static_cast<const char*>(array.buffers[2]);
    if (end < 0 || (end > 0 && characters == nullptr)) fail(fmt::format("{} has text that ends at {}, but none is there", what, end));
    column.characters.emplace_back(characters, static_cast<std::size_t>(end));
  }

  /// The last buffer says how long those between are.
  void set_pieces(Column& column, const ArrowArray& array, const std::string& what) const {
    const std::int64_t n_pieces = array.n_buffers - 3;
    const auto* const sizes = static_cast<const char*>(array.buffers[array.n_buffers - 1]);
    for (std::int64_t k = 0; k < n_pieces; ++k) {
      std::int64_t size = -1;
      if (sizes != nullptr) std::memcpy(&size, sizes + k * 8, sizeof size);
      const auto* const piece = static_cast<const char*>(array.buffers[2 + k]);
      if (size < 0 || (size > 0 && piece == nullptr)) fail(fmt::format("{} has a piece of text of {} bytes, expected some", what, size));
      column.characters.emplace_back(piece, static_cast<std::size_t>(size));
    }
  }

  void set_dictionary(Column& column, const ArrowSchema& schema, const ArrowArray& array, const std::string& what) const {
    if (array.dictionary == nullptr) fail(fmt::format("{} has no dictionary, expected one as in the schema", what));
    check_extent(*array.dictionary, "the dictionary of " + what);
    if (schema.dictionary->dictionary != nullptr) fail(fmt::format("{} has a dictionary of dictionaries, expected one of values", what));
    column.dictionary = std::make_shared<const Column>(column_of(*schema.dictionary, *array.dictionary));
  }

  const ArrowSchema& schema_;
  const std::string& name_;
};

}  // namespace

struct ArrowReader::State {
  explicit State(std::string source) : name(std::move(source)) {}

  void read_fields() {
    const std::string_view format = schema->format == nullptr ? "" : schema->format;
    if (format != "+s")
      io::fail(name, fmt::format("an Arrow array that holds {}, expected a table: columns with names", io::arrow_type(format).content));
    if (schema->n_children < 0 || (schema->n_children > 0 && schema->children == nullptr))
      io::fail(name, fmt::format("a table of {} columns, expected at least one", schema->n_children));
    for (std::int64_t j = 0; j < schema->n_children; ++j) {
      if (schema->children[j] == nullptr) io::fail(name, fmt::format("column {} of the schema is not there", j + 1));
      fields.push_back(field_of(*schema->children[j]));
    }
  }

  [[noreturn]] void fail_of_stream(int code) {
    const char* const said = stream.get()->get_last_error == nullptr ? nullptr : stream.get()->get_last_error(stream.get());
    io::fail(name, fmt::format("the stream ends with an error: {}",
                               said != nullptr ? printable(said, 500) : std::generic_category().message(code)));
  }

  std::string name;
  Owned<ArrowArrayStream> stream;
  Owned<ArrowSchema> schema;
  std::shared_ptr<Owned<ArrowArray>> only;  // the single batch, until it is given
  std::vector<ColumnField> fields;
};

ArrowReader::ArrowReader(ArrowArrayStream* stream, std::string name) : state_(std::make_unique<State>(std::move(name))) {
  if (stream == nullptr || stream->release == nullptr) io::fail(state_->name, "the stream has been read already, expected a new one");
  *state_->stream.get() = *stream;
  stream->release = nullptr;
  const ArrowArrayStream& taken = *state_->stream;
  if (taken.get_schema == nullptr || taken.get_next == nullptr)
    io::fail(state_->name, "a stream that cannot be read, expected get_schema and get_next");
  if (const int code = taken.get_schema(state_->stream.get(), state_->schema.get()); code != 0) state_->fail_of_stream(code);
  state_->read_fields();
}

ArrowReader::ArrowReader(ArrowSchema* schema, ArrowArray* batch, std::string name) : state_(std::make_unique<State>(std::move(name))) {
  if (schema == nullptr || schema->release == nullptr || batch == nullptr || batch->release == nullptr)
    io::fail(state_->name, "the batch has been taken already, expected a new one");
  *state_->schema.get() = *schema;
  schema->release = nullptr;
  state_->only = std::make_shared<Owned<ArrowArray>>(batch);
  state_->read_fields();
}

ArrowReader::~ArrowReader() = default;
ArrowReader::ArrowReader(ArrowReader&&) noexcept = default;
ArrowReader& ArrowReader::operator=(ArrowReader&&) noexcept = default;

const std::string& ArrowReader::name() const { return state_->name; }
const std::vector<ColumnField>& ArrowReader::fields() const { return state_->fields; }

std::optional<ColumnBatch> ArrowReader::next() {
  std::shared_ptr<Owned<ArrowArray>> array = std::exchange(state_->only, nullptr);
  if (array == nullptr) {
    if (state_->stream->release == nullptr) return std::nullopt;
    array = std::make_shared<Owned<ArrowArray>>();
    if (const int code = state_->stream->get_next(state_->stream.get(), array->get()); code != 0) state_->fail_of_stream(code);
    if ((*array)->release == nullptr) return std::nullopt;
  }
  ColumnBatch batch;
  BatchImport(*state_->schema, state_->name).import(**array, batch);
  batch.owner = array;
  return batch;
}

}  // namespace askrff
