// Batches of columns out of Arrow's IPC format: a stream of messages, alone or inside a file (Feather version 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/columns.hpp"
#include "data/arrow_message.hpp"
#include "data/input.hpp"

namespace askrff::data {

/// How such sources start: a file by its magic, a stream by the mark of its first message.
inline constexpr std::string_view arrow_file_magic = "ARROW1", arrow_file_start = {"ARROW1\0\0", 8};
inline constexpr std::string_view arrow_stream_mark = "\xFF\xFF\xFF\xFF";

class ArrowBatches {
 public:
  /// Reads as far as the schema. No batch may take more than max_bytes, as it comes or decompressed. Throws DataError.
  ArrowBatches(Input input, std::uint64_t max_bytes, StopToken stop);

  const std::string& name() const { return input_.name(); }
  double fraction() const { return input_.fraction(); }
  std::vector<ColumnField> fields() const;
  /// Whether a column can be read at all: numbers, text, and dictionaries of them.
  static bool can_read(const ColumnField& field) { return field.type != ElementType::other; }

  /// The next batch, all columns of which can be read; nothing after the last, when a file's end has been seen. Throws DataError.
  std::optional<ColumnBatch> next();

 private:
  std::optional<ArrowMessage> next_message();
  std::vector<char> read_bytes(std::uint64_t count, const char* what);
  void check_file_end();
  void keep_dictionary(const ArrowMessage& message);

  Input input_;
  std::uint64_t max_bytes_;
  StopToken stop_;
  bool is_file_ = false, ended_ = false;
  std::vector<ArrowField> fields_;
  std::map<std::int64_t, std::shared_ptr<const Column>> dictionaries_;  // their memory is kept by the pointers
};

}  // namespace askrff::data
