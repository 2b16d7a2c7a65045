// Files and standard input as bytes, and bytes as lines.
#include "data/input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "askrff/errors.hpp"
#include "core/platform.hpp"
#include "data/decompress.hpp"
#include "data/messages.hpp"
#include "data/window_sizes.hpp"

namespace askrff::data {
namespace {

/// An open file descriptor; standard input is read but not closed.
class DescriptorStream : public ByteStream {
 public:
  DescriptorStream(const std::string& source, const StopToken& stop) : source_(source), owned_(source != "-"), stop_(stop) {
    if (!owned_) return;
    if (source_.find('\0') != std::string::npos) throw DataError("cannot read " + in_quotes(source_) + ": the name contains a zero byte");
    do {
      descriptor_ = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);
    if (descriptor_ < 0) fail_with(errno);
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
      regular_ = true;
      size_ = static_cast<double>(status.st_size);
    }
  }
  ~DescriptorStream() override {
    if (owned_ && descriptor_ >= 0) ::close(descriptor_);
  }
  DescriptorStream(const DescriptorStream&) = delete;
  DescriptorStream& operator=(const DescriptorStream&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    for (;;) {
      wait();
      const ssize_t got = ::read(descriptor_, out, size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_with(errno);
      n_read_ += static_cast<double>(got);
      return static_cast<std::size_t>(got);
    }
  }
  double fraction() const override { return !regular_ ? -1 : size_ > 0 ? std::min(1.0, n_read_ / size_) : 1; }
  int regular_file() const override { return regular_ ? descriptor_ : -1; }

 private:
  /// Until there is something to read: bytes of a pipe or terminal may never come.
  void wait() const {
    stop_.check();
    pollfd waiting{descriptor_, POLLIN, 0};
    constexpr int milliseconds = 50;
    while (!regular_) {
      const int ready = ::poll(&waiting, 1, milliseconds);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return;  // read() says what is wrong
      stop_.check();
    }
  }
  [[noreturn]] void fail_with(int error) const {
    throw DataError("cannot read " + (owned_ ? in_quotes(source_) : "standard input") + ": " + std::generic_category().message(error));
  }

  std::string source_;
  bool owned_;
  int descriptor_ = STDIN_FILENO;
  bool regular_ = false;
  double size_ = 0, n_read_ = 0;
  StopToken stop_;
};

}  // namespace

Execution execution_of_file(Execution execution, std::size_t k, std::size_t n) {
  if (execution.progress && n > 1)
    execution.progress = [tell = std::move(execution.progress), before = static_cast<double>(k),
                          all = static_cast<double>(n)](const Progress& progress) {
      tell({progress.stage, progress.done < 0 ? progress.done : (before + progress.done) / all});
    };
  return execution;
}

Input::Input(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes)
    : name_(std::move(name)), bytes_(std::move(bytes)), max_bytes_(max_bytes), window_(chunk_bytes) {}

std::string_view Input::peek(std::size_t wanted) {
  while (end_ - begin_ < wanted && !at_end_) {
    make_room();
    const std::size_t got = bytes_->read(window_.data() + end_, window_.size() - end_);
    at_end_ = got == 0;
    end_ += got;
  }
  return {window_.data() + begin_, end_ - begin_};
}

std::size_t Input::read(char* out, std::size_t size) {
  const std::size_t held = end_ - begin_;
  if (held == 0 && at_end_) return 0;
  const std::size_t got = held > 0 ? std::min(size, held) : bytes_->read(out, size);
  if (held > 0) {
    std::memcpy(out, window_.data() + begin_, got);
    begin_ += got;
  }
  at_end_ = at_end_ || got == 0;
  position_ += got;
  return got;
}

// Leaves room for at least one byte after end_.
void Input::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ < window_.size()) return;
  if (begin_ > 0) {
    std::memmove(window_.data(), window_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    return;
  }
  if (window_.size() >= std::max<std::uint64_t>(max_bytes_, chunk_bytes)) fail(name_, "one line needs more memory than the limit");
  window_.resize(window_.size() * 2);
}

Input open_input(const std::string& source, std::uint64_t max_bytes, const StopToken& stop) {
  const std::string name = source == "-" ? "standard input" : source;
  if (source.empty()) throw DataError("cannot read '': the name is empty");
  Input raw(name, std::make_unique<DescriptorStream>(source, stop), max_bytes);
  const Compression compression = recognise_compression(raw.peek(longest_magic));
  if (compression == Compression::none) return raw;
  return Input(name, decompress(std::move(raw), compression), max_bytes);
}

bool can_reopen(const std::string& source) {
  struct stat status {};
  return source != "-" && ::stat(source.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

FileStamp stamp_of(const std::string& source) {
  struct stat status {};
  if (source == "-" || ::stat(source.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const timespec written = platform::last_written(status);
  return {static_cast<std::uint64_t>(status.st_dev), status.st_ino, status.st_size, written.tv_sec, written.tv_nsec};
}

LineReader::LineReader(Input& input) : input_(input) {
  if (input_.peek(3).starts_with("\xEF\xBB\xBF")) input_.consume(3);
}

bool LineReader::next(std::string_view& line) {
  input_.consume(shown_);
  shown_ = 0;
  std::string_view window = input_.peek(1);
  if (window.empty()) return false;
  std::size_t searched = 0, end;
  while ((end = window.find('\n', searched)) == std::string_view::npos) {
    searched = window.size();
    window = input_.peek(searched + 1);
    if (window.size() == searched) break;  // the last line has no end
  }
  line = window.substr(0, end);
  shown_ = std::min(line.size() + 1, window.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

}  // namespace askrff::data
