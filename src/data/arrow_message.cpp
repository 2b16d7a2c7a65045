// The metadata of Arrow's IPC format, as its FlatBuffers schemas Message.fbs and Schema.fbs number them.
#include "data/arrow_message.hpp"

#include <fmt/format.h>

#include <utility>

#include "data/flat_table.hpp"
#include "data/messages.hpp"

namespace askrff::data {
namespace {

// Fields of the tables, by number. A union takes two, its type and its table.
namespace message_field {
constexpr unsigned version = 0, kind = 1, header = 2, body_bytes = 3;
}
namespace footer_field {
constexpr unsigned schema = 1, dictionaries = 2, batches = 3;
}
namespace schema_field {
constexpr unsigned endianness = 0, fields = 1;
}
namespace column_field {
constexpr unsigned name = 0, kind = 2, type = 3, dictionary = 4;
}
namespace dictionary_field {
constexpr unsigned id = 0, index_type = 1;
}
namespace dictionary_batch_field {
constexpr unsigned id = 0, batch = 1, is_delta = 2;
}
namespace batch_field {
constexpr unsigned length = 0, nodes = 1, buffers = 2, compression = 3, n_pieces = 4;
}

/// What the kinds of types are called, in the order of their numbers from 1 on.
constexpr std::string_view kind_words[] = {"missing values only",
                                           "integers",
                                           "floating-point numbers",
                                           "bytes",
                                           "text",
                                           "truth values",
                                           "decimals",
                                           "dates",
                                           "times",
                                           "timestamps",
                                           "intervals",
                                           "lists",
                                           "columns of its own (a struct)",
                                           "a union of types",
                                           "bytes",
                                           "lists",
                                           "maps",
                                           "durations",
                                           "bytes",
                                           "text",
                                           "lists",
                                           "runs of equal values",
                                           "bytes",
                                           "text",
                                           "lists",
                                           "lists"};
constexpr std::uint8_t kind_integer = 2, kind_float = 3, kind_text = 5, kind_truth = 6, kind_large_text = 20, kind_text_views = 24;

ElementType integer_type(const FlatTable& type) {
  constexpr unsigned bits = 0, is_signed = 1;
  const bool with_sign = type.number<std::uint8_t>(is_signed, 0) != 0;
  switch (type.number<std::int32_t>(bits, 0)) {
    case 8:
      return with_sign ? ElementType::int8 : ElementType::uint8;
    case 16:
      return with_sign ? ElementType::int16 : ElementType::uint16;
    case 32:
      return with_sign ? ElementType::int32 : ElementType::uint32;
    case 64:
      return with_sign ? ElementType::int64 : ElementType::uint64;
    default:
      return ElementType::other;
  }
}

ElementType float_type(const FlatTable& type) {
  constexpr unsigned precision = 0;
  constexpr std::int16_t is_single = 1, is_double = 2;
  const auto found = type.number<std::int16_t>(precision, 0);
  return found == is_single ? ElementType::float32 : found == is_double ? ElementType::float64 : ElementType::other;
}

ElementType element_type(std::uint8_t kind, const FlatTable& type) {
  switch (kind) {
    case kind_integer:
      return integer_type(type);
    case kind_float:
      return float_type(type);
    case kind_truth:
      return ElementType::truth_bits;
    case kind_text:
      return ElementType::text;
    case kind_large_text:
      return ElementType::large_text;
    case kind_text_views:
      return ElementType::text_views;
    default:
      return ElementType::other;
  }
}

class MessageReader {
 public:
  MessageReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  ArrowMessage read() const {
    const FlatTable table = FlatTable::root(bytes_);
    constexpr std::int16_t first_supported = 3;  // V4, since Arrow 0.8
    if (table.number<std::int16_t>(message_field::version, 0) < first_supported)
      fail(name_, "an Arrow stream of a version before 4, expected one that Arrow 0.8 or later has written");
    ArrowMessage message;
    message.body_bytes = count_of(table.number<std::int64_t>(message_field::body_bytes, 0), "bytes of a batch");
    const auto header = table.table(message_field::header);
    if (!header) throw FlatDamage{};
    constexpr std::uint8_t schema = 1, dictionary = 2, batch = 3;
    switch (table.number<std::uint8_t>(message_field::kind, 0)) {
      case schema:
        message.kind = ArrowMessageKind::schema;
        read_schema(*header, message.fields);
        break;
      case dictionary:
        message.kind = ArrowMessageKind::dictionary;
        message.dictionary = header->number<std::int64_t>(dictionary_batch_field::id, 0);
        message.adds_to_dictionary = header->number<std::uint8_t>(dictionary_batch_field::is_delta, 0) != 0;
        if (const auto values = header->table(dictionary_batch_field::batch)) read_batch(*values, message.batch);
        break;
      case batch:
        message.kind = ArrowMessageKind::batch;
        read_batch(*header, message.batch);
        break;
      default:
        break;
    }
    return message;
  }

  ArrowFooter read_footer() const {
    const FlatTable table = FlatTable::root(bytes_);
    const auto schema = table.table(footer_field::schema);
    if (!schema) throw FlatDamage{};
    ArrowFooter footer;
    read_schema(*schema, footer.fields);
    for (const unsigned field : {footer_field::dictionaries, footer_field::batches}) {
      constexpr std::size_t block_bytes = 24;  // offset, a 32-bit size and what fills it up, size of the body
      const FlatVector blocks = table.vector(field, block_bytes);
      for (std::size_t k = 0; k < blocks.size(); ++k)
        footer.blocks.push_back({count_of(blocks.number<std::int64_t>(k), "bytes before a message"),
                                 count_of(blocks.number<std::int32_t>(k, 8), "bytes of a message")});
    }
    return footer;
  }

 private:
  std::uint64_t count_of(std::int64_t number, const char* what) const {
    constexpr std::int64_t most = std::int64_t{1} << 56;  // products with the size of an element stay numbers
    if (number < 0 || number > most) fail(name_, fmt::format("{} are {}, expected a number of them", what, number));
    return static_cast<std::uint64_t>(number);
  }

  void read_schema(const FlatTable& schema, std::vector<ArrowField>& found) const {
    if (schema.number<std::int16_t>(schema_field::endianness, 0) != 0)
      fail(name_, "an Arrow stream with the most significant byte first, expected the least significant one first");
    const FlatVector fields = schema.vector(schema_field::fields, 4);
    if (fields.size() > max_columns + 1) fail(name_, fmt::format("{} columns, expected at most {}", fields.size(), max_columns));
    std::size_t name_bytes = 0;
    for (std::size_t j = 0; j < fields.size(); ++j) {
      found.push_back(field_of(fields.table(j)));
      // Fields may share their bytes; a few of those must not become many.
      name_bytes += found.back().column.name.size();
      if (name_bytes > bytes_.size()) throw FlatDamage{};
    }
  }

  static ArrowField field_of(const FlatTable& table) {
    const auto kind = table.number<std::uint8_t>(column_field::kind, 0);
    const auto type = table.table(column_field::type);
    ArrowField field;
    field.column.name = table.text(column_field::name);
    if (type) field.column.type = element_type(kind, *type);
    field.column.content = kind >= 1 && kind <= std::size(kind_words) ? kind_words[kind - 1] : "values of an unknown type";
    if (kind == kind_float && field.column.type == ElementType::other) field.column.content = "float16 numbers";
    if (const auto dictionary = table.table(column_field::dictionary)) {
      const auto index_type = dictionary->table(dictionary_field::index_type);
      field.column.is_dictionary = true;
      field.column.content = "categories (a dictionary of " + field.column.content + ")";
      field.index_type = index_type ? integer_type(*index_type) : ElementType::int32;
      if (!is_integer(field.index_type)) throw FlatDamage{};
      field.dictionary = dictionary->number<std::int64_t>(dictionary_field::id, 0);
    }
    return field;
  }

  void read_batch(const FlatTable& table, ArrowBatchPlan& batch) const {
    constexpr std::size_t pair_bytes = 16;  // of two 64-bit numbers
    batch.n_rows = count_of(table.number<std::int64_t>(batch_field::length, 0), "rows of a batch");
    const FlatVector nodes = table.vector(batch_field::nodes, pair_bytes);
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      batch.lengths.push_back(count_of(nodes.number<std::int64_t>(j), "rows of a column"));
      batch.n_missing.push_back(count_of(nodes.number<std::int64_t>(j, 8), "missing values of a column"));
    }
    const FlatVector buffers = table.vector(batch_field::buffers, pair_bytes);
    for (std::size_t k = 0; k < buffers.size(); ++k)
      batch.buffers.push_back({count_of(buffers.number<std::int64_t>(k), "bytes before a buffer"),
                               count_of(buffers.number<std::int64_t>(k, 8), "bytes of a buffer")});
    const FlatVector n_pieces = table.vector(batch_field::n_pieces, 8);
    for (std::size_t k = 0; k < n_pieces.size(); ++k)
      batch.n_pieces.push_back(count_of(n_pieces.number<std::int64_t>(k), "pieces of text"));
    if (const auto compression = table.table(batch_field::compression)) {
      constexpr unsigned codec = 0;
      const auto found = compression->number<std::int8_t>(codec, 0);
      if (found != 0 && found != 1) fail(name_, fmt::format("batches are compressed by method {}, expected LZ4 or zstd", found));
      batch.codec = found == 0 ? ArrowCodec::lz4 : ArrowCodec::zstd;
    }
  }

  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace

ArrowMessage read_arrow_message(std::string_view bytes, const std::string& name) try {
  return MessageReader(bytes, name).read();
} catch (const FlatDamage&) {
  fail(name, "a message of the Arrow stream is damaged, expected offsets that lead into it");
}

ArrowFooter read_arrow_footer(std::string_view bytes, const std::string& name) try {
  return MessageReader(bytes, name).read_footer();
} catch (const FlatDamage&) {
  fail(name, "the list of batches at the end of the Arrow file is damaged, expected offsets that lead into it");
}

}  // namespace askrff::data
