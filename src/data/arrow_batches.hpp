// Batches of columns out of Arrow's IPC format: a stream of messages, alone or inside a file (Feather version 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/columns.hpp"
#include "data/arrow_message.hpp"
#include "data/arrow_messages.hpp"
#include "data/input.hpp"

namespace askrff::data {

class ArrowBatches {
 public:
  /// Reads the schema. No batch may take more than max_bytes, as it comes or decompressed. Throws DataError.
  ArrowBatches(Input input, std::uint64_t max_bytes, StopToken stop);

  const std::string& name() const { return messages_->name(); }
  double fraction() const { return messages_->fraction(); }
  std::vector<ColumnField> fields() const;
  /// Whether a column can be read at all: numbers, text, and dictionaries of them.
  static bool can_read(const ColumnField& field) { return field.type != ElementType::other; }

  /// The next batch, all columns of which can be read; nothing after the last. Throws DataError.
  std::optional<ColumnBatch> next();

 private:
  void keep_dictionary(const ArrowMessage& message);

  std::uint64_t max_bytes_;
  StopToken stop_;
  std::unique_ptr<ArrowMessages> messages_;
  std::vector<ArrowField> fields_;
  std::map<std::int64_t, std::shared_ptr<const Column>> dictionaries_;  // their memory is kept by the pointers
};

}  // namespace askrff::data
