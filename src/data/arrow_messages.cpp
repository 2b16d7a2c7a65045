// Two ways to the messages: a stream's, each with a mark and its size in front, and a file's, by the blocks its footer lists.
#include "data/arrow_messages.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "data/messages.hpp"

namespace askrff::data {
namespace {

constexpr std::size_t mark_bytes = 4, prefix_bytes = 8;  // a mark and a size
constexpr std::uint64_t longest_message = std::uint64_t{256} << 20;

void check_body(const std::string& name, std::uint64_t count, std::uint64_t max_bytes) {
  if (count > max_bytes)
    fail(name, fmt::format("a batch needs {} of memory, the limit is {}", in_bytes(static_cast<double>(count)),
                           in_bytes(static_cast<double>(max_bytes))));
}

/// The size of a message by its prefix; 0 is the end.
std::uint64_t size_in_prefix(std::string_view prefix, const std::string& name) {
  if (!prefix.starts_with(arrow_stream_mark)) fail(name, "something that is no message is among the Arrow data, expected one or the end");
  std::int32_t size = 0;
  std::memcpy(&size, prefix.data() + mark_bytes, sizeof size);
  if (size < 0 || static_cast<std::uint64_t>(size) > longest_message)
    fail(name, fmt::format("a message of {} bytes, expected at most {}", size, longest_message));
  return static_cast<std::uint64_t>(size);
}

/// Messages one after another.
class MessagesInOrder : public ArrowMessages {
 public:
  MessagesInOrder(Input input, std::uint64_t max_bytes, StopToken stop)
      : input_(std::move(input)), max_bytes_(max_bytes), stop_(std::move(stop)) {
    if (input_.peek(arrow_file_start.size()).starts_with(arrow_file_start)) {
      is_file_ = true;
      input_.consume(arrow_file_start.size());
    }
    if (!input_.peek(mark_bytes).starts_with(arrow_stream_mark))
      fail(name(), is_file_
                       ? "an Arrow file that can only be read from its end, expected it neither compressed as a whole nor through a pipe"
                       : "no Arrow data, expected a stream or file of Arrow IPC (Feather version 2) as Arrow 0.15 and later write it");
    std::optional<ArrowMessage> message = next();
    if (!message || message->kind != ArrowMessageKind::schema || message->body_bytes != 0)
      fail(name(), "an Arrow stream that does not start with a schema, expected one");
    schema_ = std::move(message->fields);
  }

  const std::string& name() const override { return input_.name(); }
  double fraction() const override { return input_.fraction(); }
  const std::vector<ArrowField>& schema() const override { return schema_; }

  /// The end is a mark and 0. A stream may also just end, by the format; but so does one whose writer has died.
  std::optional<ArrowMessage> next() override {
    const std::string_view prefix = input_.peek(prefix_bytes);
    if (ended_) return std::nullopt;
    if (prefix.empty())
      fail(
          name(),
          "the Arrow data end without the mark of their end, expected it: the writer may not have come to its end, or has not been closed");
    if (prefix.size() < prefix_bytes) fail(name(), "the Arrow data end within a message, expected all of it");
    const std::uint64_t size = size_in_prefix(prefix, name());
    input_.consume(prefix_bytes);
    if (size == 0) {
      check_end();
      return std::nullopt;
    }
    const std::vector<char> bytes = read_bytes(size, "a message");
    return read_arrow_message({bytes.data(), bytes.size()}, name());
  }

  std::vector<char> body(const ArrowMessage& message) override {
    check_body(name(), message.body_bytes, max_bytes_);
    return read_bytes(message.body_bytes, "a batch");
  }

 private:
  /// What a message says of its size is not believed: memory grows with what comes.
  std::vector<char> read_bytes(std::uint64_t count, const char* what) {
    std::vector<char> bytes;
    constexpr std::size_t first_step = std::size_t{1} << 20;
    while (bytes.size() < count) {
      stop_.check();
      const std::size_t before = bytes.size();
      bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(count, std::max(first_step, 2 * before))));
      for (std::size_t at = before; at < bytes.size();) {
        const std::size_t got = input_.read(bytes.data() + at, bytes.size() - at);
        if (got == 0) fail(name(), fmt::format("the Arrow data end within {}, after {} of {} bytes", what, at, count));
        at += got;
      }
    }
    return bytes;
  }

  /// A stream is over. A file goes on with a list of its batches, which is not needed here, and its magic.
  void check_end() {
    ended_ = true;
    if (!is_file_ && !input_.peek(1).empty()) fail(name(), "bytes follow the end of the Arrow stream, expected nothing after it");
    std::string last;
    for (std::string_view bytes; is_file_ && !(bytes = input_.peek(1)).empty(); input_.consume(bytes.size())) {
      last.append(bytes.substr(bytes.size() - std::min(bytes.size(), arrow_file_magic.size())));
      if (last.size() > arrow_file_magic.size()) last.erase(0, last.size() - arrow_file_magic.size());
    }
    if (is_file_ && last != arrow_file_magic) fail(name(), "the Arrow file ends early, expected ARROW1 at its end");
  }

  Input input_;
  std::uint64_t max_bytes_;
  StopToken stop_;
  bool is_file_ = false, ended_ = false;
  std::vector<ArrowField> schema_;
};

/// Messages where the footer of a file says they are.
class MessagesByFooter : public ArrowMessages {
 public:
  MessagesByFooter(Input input, std::uint64_t max_bytes) : input_(std::move(input)), max_bytes_(max_bytes) {
    struct stat found {};
    if (fstat(input_.regular_file(), &found) != 0) fail(name(), std::string("cannot be read: ") + std::strerror(errno));
    n_bytes_ = static_cast<std::uint64_t>(found.st_size);
    constexpr std::size_t size_bytes = 4;
    const std::size_t end_bytes = size_bytes + arrow_file_magic.size();
    if (n_bytes_ < arrow_file_start.size() + end_bytes) fail_end();
    const std::vector<char> end = bytes_at(n_bytes_ - end_bytes, end_bytes);
    if (std::string_view(end.data(), end.size()).substr(size_bytes) != arrow_file_magic) fail_end();
    std::int32_t size = 0;
    std::memcpy(&size, end.data(), sizeof size);
    if (size <= 0 || static_cast<std::uint64_t>(size) > std::min(longest_message, n_bytes_ - end_bytes - arrow_file_start.size()))
      fail(name(), fmt::format("a list of batches of {} bytes, expected fewer than the file has", size));
    const std::vector<char> footer = bytes_at(n_bytes_ - end_bytes - static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(size));
    footer_ = read_arrow_footer({footer.data(), footer.size()}, name());
  }

  const std::string& name() const override { return input_.name(); }
  double fraction() const override {
    return footer_.blocks.empty() ? 1 : static_cast<double>(next_) / static_cast<double>(footer_.blocks.size());
  }
  const std::vector<ArrowField>& schema() const override { return footer_.fields; }

  std::optional<ArrowMessage> next() override {
    if (next_ == footer_.blocks.size()) return std::nullopt;
    const ArrowBlock& block = footer_.blocks[next_++];
    if (block.message_bytes < prefix_bytes) fail(name(), fmt::format("a message of {} bytes, expected more", block.message_bytes));
    const std::vector<char> bytes = bytes_at(block.begin, block.message_bytes);
    const std::string_view message(bytes.data(), bytes.size());
    const std::uint64_t size = size_in_prefix(message, name());
    if (size > message.size() - prefix_bytes)
      fail(name(), fmt::format("a message of {} bytes, expected those of its list, {}", size, message.size()));
    body_begin_ = block.begin + block.message_bytes;
    return read_arrow_message(message.substr(prefix_bytes, static_cast<std::size_t>(size)), name());
  }

  std::vector<char> body(const ArrowMessage& message) override {
    check_body(name(), message.body_bytes, max_bytes_);
    return bytes_at(body_begin_, message.body_bytes);
  }

 private:
  [[noreturn]] void fail_end() const { fail(name(), "the Arrow file ends early, expected ARROW1 at its end"); }

  std::vector<char> bytes_at(std::uint64_t begin, std::uint64_t count) const {
    if (begin > n_bytes_ || count > n_bytes_ - begin)
      fail(name(), fmt::format("{} bytes from {} on are listed, but the file has {}", count, begin, n_bytes_));
    std::vector<char> bytes(static_cast<std::size_t>(count));
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t got = pread(input_.regular_file(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(begin + at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(name(), std::string("cannot be read: ") + std::strerror(errno));
      if (got == 0) fail_end();
      at += static_cast<std::size_t>(got);
    }
    return bytes;
  }

  Input input_;
  std::uint64_t max_bytes_, n_bytes_ = 0, body_begin_ = 0;
  ArrowFooter footer_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<ArrowMessages> open_arrow_messages(Input input, std::uint64_t max_bytes, StopToken stop) {
  if (input.regular_file() >= 0 && input.position() == 0 && input.peek(arrow_file_start.size()).starts_with(arrow_file_start))
    return std::make_unique<MessagesByFooter>(std::move(input), max_bytes);
  return std::make_unique<MessagesInOrder>(std::move(input), max_bytes, std::move(stop));
}

}  // namespace askrff::data
