// Tables that other programs in the process hold, through Arrow's C data and stream interfaces; no Arrow library is needed. The structs are
// those of the interface, binary compatible for all time; https://arrow.apache.org/docs/format/CDataInterface.html says what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/columns.hpp"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

extern "C" {

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

#endif  // ARROW_C_STREAM_INTERFACE

namespace askrff {

/// The batches of an Arrow stream, one after another. The memory is that of whoever made them; the interface says how many elements there
/// are, not how long buffers are, so that a maker is trusted with that; everything else is checked.
class ArrowReader {
 public:
  /// Takes the stream over: what is left in *stream is released. `name` starts the errors. Throws DataError for anything but a table
  /// (a struct of columns), and for a stream that cannot say what it holds.
  explicit ArrowReader(ArrowArrayStream* stream, std::string name = "Arrow stream");
  /// The same for a single batch.
  ArrowReader(ArrowSchema* schema, ArrowArray* batch, std::string name = "Arrow batch");
  ~ArrowReader();
  ArrowReader(ArrowReader&&) noexcept;
  ArrowReader& operator=(ArrowReader&&) noexcept;

  const std::string& name() const;
  const std::vector<ColumnField>& fields() const;
  /// The next rows, none of which may be missing as a whole; nothing after the last. Columns that are neither numbers nor text have rows,
  /// but no values. Throws DataError: what the stream says went wrong, or what is wrong with the batch.
  std::optional<ColumnBatch> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace askrff
