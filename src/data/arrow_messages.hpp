// The messages of Arrow's IPC format and the bytes that belong to them, one after another or where a file's end says they are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/arrow_message.hpp"
#include "data/input.hpp"

namespace askrff::data {

/// How such sources start: a file by its magic, a stream by the mark of its first message.
inline constexpr std::string_view arrow_file_magic = "ARROW1", arrow_file_start = {"ARROW1\0\0", 8};
inline constexpr std::string_view arrow_stream_mark = "\xFF\xFF\xFF\xFF";

class ArrowMessages {
 public:
  virtual ~ArrowMessages() = default;
  virtual const std::string& name() const = 0;
  virtual double fraction() const = 0;  ///< as ByteStream has it
  virtual const std::vector<ArrowField>& schema() const = 0;
  /// The next message after the schema; nothing after the last. Throws DataError.
  virtual std::optional<ArrowMessage> next() = 0;
  /// The bytes of the message that next() gave last; once. Throws DataError.
  virtual std::vector<char> body(const ArrowMessage& message) = 0;
};

/// Reads as far as the schema. Files that can be read anywhere are read by the list of batches at their end, as they should be; those that
/// come compressed or through a pipe in the order of their bytes, which most writers make possible. No body may have more than max_bytes.
/// Throws DataError.
std::unique_ptr<ArrowMessages> open_arrow_messages(Input input, std::uint64_t max_bytes, StopToken stop);

}  // namespace askrff::data
