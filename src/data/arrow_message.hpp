// What the messages of an Arrow stream say: the schema, and where in the bytes after a message the columns of a batch lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/columns.hpp"

namespace askrff::data {

enum class ArrowMessageKind { schema, dictionary, batch, other };

struct ArrowField {
  ColumnField column;
  ElementType index_type = ElementType::other;  ///< of a dictionary
  std::int64_t dictionary = 0;                  ///< its number
};

/// How the buffers of a batch are compressed, each for itself.
enum class ArrowCodec { none, lz4, zstd };

struct ArrowPlace {
  std::uint64_t begin = 0, size = 0;  ///< bytes
};

/// A batch of rows, or of the values of a dictionary.
struct ArrowBatchPlan {
  std::uint64_t n_rows = 0;
  std::vector<std::uint64_t> lengths, n_missing;  ///< of every column
  std::vector<ArrowPlace> buffers;                ///< of all columns, one after another
  std::vector<std::uint64_t> n_pieces;            ///< buffers with text, for every column of views
  ArrowCodec codec = ArrowCodec::none;
};

struct ArrowMessage {
  ArrowMessageKind kind = ArrowMessageKind::other;
  std::uint64_t body_bytes = 0;     ///< that follow the message
  std::vector<ArrowField> fields;   ///< of a schema
  ArrowBatchPlan batch;             ///< of a batch or a dictionary
  std::int64_t dictionary = 0;      ///< its number
  bool adds_to_dictionary = false;  ///< rather than replacing it
};

/// Where a file has a message, its prefix included, and the bytes of a batch behind it.
struct ArrowBlock {
  std::uint64_t begin = 0, message_bytes = 0;
};

/// What the end of a file says: its columns, and where its messages are, dictionaries first.
struct ArrowFooter {
  std::vector<ArrowField> fields;
  std::vector<ArrowBlock> blocks;
};

/// Reads one message. Throws DataError, whose where() is `name`, for anything that no writer makes, and for what is not supported.
ArrowMessage read_arrow_message(std::string_view bytes, const std::string& name);
/// The same for the footer of a file.
ArrowFooter read_arrow_footer(std::string_view bytes, const std::string& name);

}  // namespace askrff::data
