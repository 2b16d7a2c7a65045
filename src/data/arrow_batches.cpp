// From messages and the bytes after them to columns: every length and offset is compared with what is there.
#include "data/arrow_batches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "data/decompress.hpp"
#include "data/lz4.hpp"
#include "data/messages.hpp"

namespace askrff::data {
namespace {

/// The bytes of a batch, and what was decompressed of them; columns point into them.
struct BatchMemory {
  std::vector<char> body;
  std::vector<std::vector<char>> decompressed;
};

/// A piece of memory that is read as a stream.
class BytesInMemory : public ByteStream {
 public:
  explicit BytesInMemory(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min(size, bytes_.size());
    std::copy_n(bytes_.data(), count, out);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

/// Makes columns of a batch.
class BatchColumns {
 public:
  BatchColumns(const ArrowBatchPlan& plan, std::vector<char> body, const std::string& name, std::uint64_t max_bytes)
      : plan_(plan), name_(name), max_bytes_(max_bytes), memory_(std::make_shared<BatchMemory>()) {
    memory_->body = std::move(body);
  }

  /// The next column of the plan. element: of a dictionary that of its indices.
  Column column(const ColumnField& field, ElementType element) {
    const std::string what = column_text(field.name);
    if (next_column_ >= plan_.lengths.size()) fail(name_, fmt::format("a batch without {}, expected the columns of the schema", what));
    const std::uint64_t n_missing = plan_.n_missing[next_column_];
    if (plan_.lengths[next_column_] != plan_.n_rows)
      fail(name_, fmt::format("{} has {} rows, expected {} as the batch", what, plan_.lengths[next_column_], plan_.n_rows));
    ++next_column_;
    Column column;
    column.type = element;
    column.n_rows = static_cast<std::size_t>(plan_.n_rows);
    column.stride = static_cast<std::ptrdiff_t>(element_bytes(element));
    const std::string_view valid = buffer(what);
    if (n_missing > 0 && !valid.empty()) {
      check_size(valid, bytes_of_bits(plan_.n_rows), what);
      column.valid = reinterpret_cast<const std::uint8_t*>(valid.data());
    } else if (n_missing > 0 && plan_.n_rows > 0) {
      fail(name_, fmt::format("{} has {} missing values, but does not say which", what, n_missing));
    }
    const std::string_view values = buffer(what);
    check_size(values, bytes_of_values(element), what);
    column.values = values.data();
    if (is_text(element)) add_characters(column, what);
    return column;
  }

  /// After the last column. What keeps all of them alive.
  std::shared_ptr<BatchMemory> finish() {
    if (next_column_ != plan_.lengths.size() || next_buffer_ != plan_.buffers.size() || next_pieces_ != plan_.n_pieces.size())
      fail(name_, fmt::format("a batch of {} columns in {} buffers, expected {} in {} by the schema", plan_.lengths.size(),
                              plan_.buffers.size(), next_column_, next_buffer_));
    return memory_;
  }

 private:
  static std::uint64_t bytes_of_bits(std::uint64_t n) { return n / 8 + (n % 8 != 0 ? 1 : 0); }
  std::uint64_t bytes_of_values(ElementType element) const {
    if (element == ElementType::truth_bits) return bytes_of_bits(plan_.n_rows);
    const bool has_end = element == ElementType::text || element == ElementType::large_text;
    return plan_.n_rows == 0 ? 0 : (plan_.n_rows + (has_end ? 1 : 0)) * element_bytes(element);
  }

  void check_size(std::string_view bytes, std::uint64_t wanted, const std::string& what) const {
    if (bytes.size() < wanted)
      fail(name_, fmt::format("{} has {} bytes for {} rows, expected at least {}", what, bytes.size(), plan_.n_rows, wanted));
  }

  void add_characters(Column& column, const std::string& what) {
    std::uint64_t n_pieces = 1;
    if (column.type == ElementType::text_views) {
      if (next_pieces_ >= plan_.n_pieces.size()) fail(name_, fmt::format("{} does not say how many pieces of text it has", what));
      n_pieces = plan_.n_pieces[next_pieces_++];
      if (n_pieces > plan_.buffers.size()) fail(name_, fmt::format("{} has {} pieces of text, which are not there", what, n_pieces));
    }
    for (std::uint64_t k = 0; k < n_pieces; ++k) column.characters.push_back(buffer(what));
  }

  std::string_view buffer(const std::string& what) {
    if (next_buffer_ >= plan_.buffers.size()) fail(name_, fmt::format("{} lacks a buffer, expected those of its type", what));
    const ArrowPlace place = plan_.buffers[next_buffer_++];
    const std::string_view body(memory_->body.data(), memory_->body.size());
    if (place.begin > body.size() || place.size > body.size() - place.begin)
      fail(name_, fmt::format("{} lies {} bytes from {} on, but the batch has {} bytes", what, place.size, place.begin, body.size()));
    const std::string_view bytes = body.substr(static_cast<std::size_t>(place.begin), static_cast<std::size_t>(place.size));
    return plan_.codec == ArrowCodec::none || bytes.empty() ? bytes : decompressed(bytes, what);
  }

  /// A buffer starts with its size when it is decompressed; -1 says that it is not compressed.
  std::string_view decompressed(std::string_view bytes, const std::string& what) {
    std::int64_t size = 0;
    if (bytes.size() < sizeof size) fail(name_, fmt::format("{} is compressed in {} bytes, expected more", what, bytes.size()));
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    if (size == -1) return bytes;
    if (size < 0) fail(name_, fmt::format("{} has {} bytes decompressed, expected a number of them", what, size));
    n_decompressed_ += static_cast<std::uint64_t>(size);
    if (static_cast<std::uint64_t>(size) > max_bytes_ || n_decompressed_ > max_bytes_)
      fail(name_, fmt::format("a batch needs {} of memory, the limit is {}", in_bytes(static_cast<double>(n_decompressed_)),
                              in_bytes(static_cast<double>(max_bytes_))));
    auto found = plan_.codec == ArrowCodec::lz4 ? decompress_lz4(bytes, static_cast<std::size_t>(size))
                                                : decompress_zstd(bytes, static_cast<std::size_t>(size));
    if (!found) fail(name_, fmt::format("the compressed bytes of {} are damaged, expected {} bytes of them", what, size));
    memory_->decompressed.push_back(std::move(*found));
    return {memory_->decompressed.back().data(), memory_->decompressed.back().size()};
  }

  std::optional<std::vector<char>> decompress_zstd(std::string_view bytes, std::size_t size) const try {
    if (recognise_compression(bytes.substr(0, longest_magic)) != Compression::zstd) return std::nullopt;
    const auto stream = decompress(Input(name_, std::make_unique<BytesInMemory>(bytes), max_bytes_), Compression::zstd);
    std::vector<char> out;
    constexpr std::size_t step = std::size_t{1} << 20;
    for (;;) {
      const std::size_t before = out.size();
      if (before > size) return std::nullopt;
      out.resize(before + std::min(step, size - before + 1));
      const std::size_t got = stream->read(out.data() + before, out.size() - before);
      out.resize(before + got);
      if (got == 0) break;
    }
    return out.size() == size ? std::optional(std::move(out)) : std::nullopt;
  } catch (const DataError&) {
    return std::nullopt;
  }

  const ArrowBatchPlan& plan_;
  const std::string& name_;
  std::uint64_t max_bytes_, n_decompressed_ = 0;
  std::shared_ptr<BatchMemory> memory_;
  std::size_t next_column_ = 0, next_buffer_ = 0, next_pieces_ = 0;
};

}  // namespace

ArrowBatches::ArrowBatches(Input input, std::uint64_t max_bytes, StopToken stop)
    : max_bytes_(max_bytes), stop_(stop), messages_(open_arrow_messages(std::move(input), max_bytes, std::move(stop))) {
  fields_ = messages_->schema();
}

std::vector<ColumnField> ArrowBatches::fields() const {
  std::vector<ColumnField> fields;
  for (const ArrowField& field : fields_) fields.push_back(field.column);
  return fields;
}

std::optional<ColumnBatch> ArrowBatches::next() {
  for (;;) {
    stop_.check();
    const std::optional<ArrowMessage> message = messages_->next();
    if (!message) return std::nullopt;
    if (message->kind == ArrowMessageKind::dictionary) {
      keep_dictionary(*message);
      continue;
    }
    if (message->kind != ArrowMessageKind::batch) fail(name(), "a message that is no batch follows the schema, expected batches");
    BatchColumns columns(message->batch, messages_->body(*message), name(), max_bytes_);
    ColumnBatch batch;
    batch.n_rows = static_cast<std::size_t>(message->batch.n_rows);
    for (const ArrowField& field : fields_) {
      const bool is_dictionary = field.column.is_dictionary;
      Column column = columns.column(field.column, is_dictionary ? field.index_type : field.column.type);
      if (is_dictionary) {
        const auto found = dictionaries_.find(field.dictionary);
        if (found == dictionaries_.end()) fail(name(), fmt::format("{} comes before its dictionary", column_text(field.column.name)));
        column.dictionary = found->second;
      }
      batch.columns.push_back(std::move(column));
    }
    batch.owner = columns.finish();
    return batch;
  }
}

void ArrowBatches::keep_dictionary(const ArrowMessage& message) {
  const auto field = std::find_if(fields_.begin(), fields_.end(), [&](const ArrowField& candidate) {
    return candidate.column.is_dictionary && candidate.dictionary == message.dictionary;
  });
  if (field == fields_.end())
    fail(name(), fmt::format("a dictionary {} that no column has, expected those of the schema", message.dictionary));
  if (message.adds_to_dictionary)
    fail(name(), fmt::format("the dictionary of {} comes in parts, expected it whole", column_text(field->column.name)));
  BatchColumns columns(message.batch, messages_->body(message), name(), max_bytes_);
  const auto values = std::make_shared<Column>(columns.column(field->column, field->column.type));
  // One pointer for both: the column, and the memory it points into.
  struct Kept {
    std::shared_ptr<const Column> column;
    std::shared_ptr<const void> memory;
  };
  const auto kept = std::make_shared<Kept>(Kept{values, columns.finish()});
  dictionaries_[message.dictionary] = std::shared_ptr<const Column>(kept, kept->column.get());
}

}  // namespace askrff::data
