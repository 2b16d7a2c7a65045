// Arrow's C interface: structs that contradict each other, made of the input. Buffers are as long as their array says, for that is all the
// interface can promise; every count, offset and pointer may be wrong.
#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "askrff/arrow.hpp"
#include "target.hpp"

namespace {

constexpr std::int64_t most_elements = 64;

class Decisions {
 public:
  Decisions(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : std::uint8_t{0}; }
  /// Mostly `usual`; else something small, negative or enormous.
  std::int64_t count(std::int64_t usual) {
    const std::uint8_t choice = byte();
    if (choice < 200) return usual;
    if (choice < 220) return choice % (most_elements / 2);
    constexpr std::int64_t odd[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX / 2, std::int64_t{1} << 32, -5};
    return odd[choice % std::size(odd)];
  }
  bool rarely() { return byte() > 240; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

class Structs {
 public:
  Structs(const std::uint8_t* data, std::size_t size) : decide_(data, size) {
    const std::int64_t n_columns = decide_.byte() % 6, n_rows = decide_.byte() % (most_elements / 4);
    for (std::int64_t j = 0; j < n_columns; ++j) {
      schema_children_.push_back(decide_.rarely() ? nullptr : &schema(0));
      array_children_.push_back(decide_.rarely() ? nullptr : &array(n_rows, schema_children_.back()));
    }
    top_schema_.format = decide_.rarely() ? "g" : "+s";
    top_schema_.n_children = decide_.rarely() ? -1 : n_columns;
    top_schema_.children = decide_.rarely() ? nullptr : schema_children_.data();
    top_schema_.release = [](ArrowSchema* self) { self->release = nullptr; };
    top_array_.length = decide_.count(n_rows);
    top_array_.offset = decide_.count(0);
    top_array_.null_count = decide_.count(0);
    top_array_.n_children = decide_.count(n_columns);
    top_array_.children = decide_.rarely() ? nullptr : array_children_.data();
    const bool fits = top_array_.length <= most_elements && top_array_.offset <= most_elements;
    top_buffers_.push_back(fits && decide_.rarely() ? bytes(most_elements) : nullptr);
    top_array_.n_buffers = 1;
    top_array_.buffers = top_buffers_.data();
    top_array_.release = [](ArrowArray* self) { self->release = nullptr; };
  }

  ArrowSchema* schema() { return &top_schema_; }
  ArrowArray* array() { return &top_array_; }

 private:
  ArrowSchema& schema(int depth) {
    constexpr const char* formats[] = {"g", "f",  "l", "i",       "c",  "C", "S",     "b", "u",
                                       "U", "vu", "n", "tsu:UTC", "+l", "",  nullptr, "e", "w:3"};
    ArrowSchema& made = schemas_.emplace_back();
    made.format = formats[decide_.byte() % std::size(formats)];
    made.name = decide_.rarely() ? nullptr : "column";
    if (depth < 2 && decide_.rarely()) made.dictionary = &schema(depth + 1);
    return made;
  }

  /// Bytes for so many elements of any size, from the input as far as it goes.
  const void* bytes(std::int64_t elements) {
    std::string& made = memory_.emplace_back();
    for (std::int64_t i = 0; i < (elements + 1) * 16; ++i) made += static_cast<char>(decide_.byte());
    return made.data();
  }

  ArrowArray& array(std::int64_t n_rows, const ArrowSchema* schema) {
    ArrowArray& made = arrays_.emplace_back();
    made.length = decide_.count(n_rows + decide_.byte() % 8);
    made.offset = decide_.count(decide_.byte() % 4);
    made.null_count = decide_.count(0);
    const std::string format = schema == nullptr || schema->format == nullptr ? "" : schema->format;
    const std::int64_t n_buffers = format == "vu" ? 4 : format == "u" || format == "U" ? 3 : 2;
    std::vector<const void*>& buffers = buffers_.emplace_back();
    const bool fits = made.length <= most_elements && made.offset <= most_elements;
    for (std::int64_t k = 0; k < n_buffers; ++k) {
      const bool is_there = fits && !(k == 0 && made.null_count == 0) && !decide_.rarely();
      buffers.push_back(is_there ? bytes(2 * most_elements) : nullptr);
    }
    make_text_end_inside(format, made, buffers);
    made.n_buffers = decide_.rarely() ? decide_.byte() % 2 : n_buffers;
    made.buffers = decide_.rarely() ? nullptr : buffers.data();
    if (schema != nullptr && schema->dictionary != nullptr && !decide_.rarely()) made.dictionary = &array(n_rows, schema->dictionary);
    return made;
  }

  /// The last offset of text says how long its characters are, and sizes those of pieces: the interface has nothing to compare it with.
  void make_text_end_inside(const std::string& format, const ArrowArray& array, std::vector<const void*>& buffers) {
    if (buffers.size() < 3 || buffers[1] == nullptr) return;
    const std::int64_t size = decide_.byte();
    if (format == "vu") {
      if (buffers[3] != nullptr) std::memcpy(const_cast<void*>(buffers[3]), &size, sizeof size);
    } else if (array.length >= 0 && array.offset >= 0) {
      const std::int64_t bytes = format == "U" ? 8 : 4;
      std::memcpy(static_cast<char*>(const_cast<void*>(buffers[1])) + (array.offset + array.length) * bytes, &size,
                  static_cast<std::size_t>(bytes));
    }
  }

  Decisions decide_;
  std::deque<ArrowSchema> schemas_;
  std::deque<ArrowArray> arrays_;
  std::deque<std::vector<const void*>> buffers_;
  std::deque<std::string> memory_;
  std::vector<ArrowSchema*> schema_children_;
  std::vector<ArrowArray*> array_children_;
  std::vector<const void*> top_buffers_;
  ArrowSchema top_schema_{};
  ArrowArray top_array_{};
};

void use(const askrff::ColumnBatch& batch, const std::vector<askrff::ColumnField>& fields) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < fields.size(); ++j) try {
      check_is_data(fields[j], "fuzz");
      columns.push_back(j);
    } catch (const askrff::DataError&) {
      if (!is_text(fields[j].type)) continue;
      for (std::size_t i = 0; i < batch.n_rows; ++i) try {
          if (!batch.columns[j].is_missing(i)) (void)std::string(batch.columns[j].text(i));
        } catch (const askrff::DataError&) {
        }
    }
  askrff::Matrix<double> X(batch.n_rows, columns.size());
  if (!columns.empty()) copy_rows(batch, columns, 0, X);
  const auto gap = first_gap(batch, columns);
  if (gap && *gap >= batch.n_rows) askrff::fuzz::broken("a gap that is no row");
  if (gap) try {
      refuse_gap(batch, fields, columns, *gap, *gap, "fuzz");
    } catch (const askrff::DataError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Structs structs(data, size);
  try {
    askrff::ArrowReader reader(structs.schema(), structs.array(), "fuzz");
    while (const auto batch = reader.next()) use(*batch, reader.fields());
  } catch (const askrff::DataError&) {
  }
  return 0;
}
