// Reading, locking and appending.
#include "experiments/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "askrff/errors.hpp"

namespace askrff::experiments {
namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 28;  // a full report takes about one megabyte

std::string reason() { return std::generic_category().message(errno); }

std::string content_of(int file, const std::string& path) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) throw std::invalid_argument(fmt::format("'{}' is no regular file", path));
  if (static_cast<std::size_t>(status.st_size) > max_bytes)
    throw std::invalid_argument(
        fmt::format("'{}' has {} bytes, more than any report leaves; remove it to start anew", path, status.st_size));
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::invalid_argument(fmt::format("'{}' cannot be read: {}", path, n < 0 ? reason() : "it became shorter"));
    done += static_cast<std::size_t>(n);
  }
  return text;
}

bool is_entry(const Journal::Json& json) {
  return json.is_object() && json.contains("key") && json["key"].is_string() && json.contains("seconds") && json["seconds"].is_number() &&
         json.contains("value") && json["value"].is_object();
}

}  // namespace

Journal::Journal(const std::filesystem::path& path) : path_(path) {
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw std::invalid_argument(fmt::format("'{}' cannot be opened: {}", path.string(), reason()));
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw std::invalid_argument(errno == EWOULDBLOCK
                                      ? fmt::format("'{}' is in use by another run, expected a folder of its own", path.string())
                                      : fmt::format("'{}' cannot be locked: {}", path.string(), reason()));
    read();
  } catch (...) {
    close(file_);
    throw;
  }
}

Journal::~Journal() { close(file_); }

void Journal::read() {
  const std::string text = content_of(file_, path_.string());
  std::size_t line_number = 0, start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    ++line_number;
    Json json =
        Json::parse(text.begin() + static_cast<std::ptrdiff_t>(start), text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (!is_entry(json))
      throw std::invalid_argument(
          fmt::format("{}:{}: expected a trial written by an earlier run; remove the file to start anew", path_.string(), line_number));
    entries_[json["key"].get<std::string>()] = {std::move(json["value"]), json["seconds"].get<double>()};
  }
  if (start < text.size() && ftruncate(file_, static_cast<off_t>(start)) != 0)
    throw std::invalid_argument(fmt::format("'{}' cannot be written: {}", path_.string(), reason()));
}

const Journal::Entry* Journal::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const Journal::Entry& Journal::at(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return entries_.at(key);
}

void Journal::record(const std::string& key, Json value, double seconds) {
  const std::lock_guard lock(mutex_);
  const std::string line = Json{{"key", key}, {"seconds", seconds}, {"value", value}}.dump() + "\n";
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t n = write(file_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw WriteError(fmt::format("'{}' cannot be written: {}", path_.string(), reason()));
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  if (fdatasync(file_) != 0) throw WriteError(fmt::format("'{}' cannot be written: {}", path_.string(), reason()));
  entries_[key] = {std::move(value), seconds};
}

}  // namespace askrff::experiments
