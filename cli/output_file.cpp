// Creates, writes and renames an output file.
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "askrff/errors.hpp"

namespace askrff::cli {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return std::generic_category().message(error); }

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw std::invalid_argument(fmt::format("--out: cannot create \"{}\": {}", path, why));
}

fs::path destination_of(const std::string& path) {
  constexpr int most_links = 40;
  if (path.empty()) refuse(path, "the name is empty");
  if (path == "-") refuse(path, "standard output cannot be replaced in one step, expected a file name");
  fs::path target = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    if (links == most_links) refuse(path, reason(ELOOP));
    const fs::path next = fs::read_symlink(target, error);
    if (error) refuse(path, error.message());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status) || !target.has_filename()) refuse(path, reason(EISDIR));
  if (fs::exists(status) && !fs::is_regular_file(status)) refuse(path, "it exists and is not a regular file");
  return target;
}

}  // namespace

void require_other_file(const std::string& out, const std::string& input, const char* option) {
  std::error_code ignored;  // a file that is not there is another one
  if (fs::equivalent(out, input, ignored))
    throw std::invalid_argument(fmt::format("--out: \"{}\" is the file of {}, expected another one", out, option));
}

OutputFile::OutputFile(const std::string& path) : path_(path), destination_(destination_of(path)) {
  constexpr int most_attempts = 1000;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    temporary_ = destination_;
    temporary_ += fmt::format(".tmp-{}-{}", ::getpid(), attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    if (errno != EEXIST && errno != EINTR) refuse(path, reason(errno));
  }
  refuse(path, "no free name for the unfinished file beside it");
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::fail(int error) { throw WriteError(fmt::format("--out: cannot write \"{}\": {}", path_, reason(error))); }

void OutputFile::finish(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  // Some file systems cannot synchronise at all; that is not a failed write.
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) fail(errno);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

}  // namespace askrff::cli
