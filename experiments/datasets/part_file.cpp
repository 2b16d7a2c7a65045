// The unfinished file of a download, by system calls: the standard library neither locks nor synchronises.
#include "experiments/datasets/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "askrff/errors.hpp"

namespace askrff::experiments {

PartFile::PartFile(const std::filesystem::path& folder, const std::string& name)
    : path_(folder / (name + ".part")), final_path_(folder / name) {
  while (!open_and_lock()) {
  }
}

PartFile::~PartFile() {
  if (descriptor_ >= 0) ::close(descriptor_);  // which unlocks it
}

void PartFile::fail(const std::string& what) const {
  throw WriteError(path_.string(), fmt::format("cannot be {}: {}", what, std::strerror(errno)));
}

/// False if the file that was waited for has been renamed or removed by who had it: then there is a new one to open.
bool PartFile::open_and_lock() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (descriptor_ < 0 && errno == ELOOP) throw WriteError(path_.string(), "is a link, expected a file or nothing");
  if (descriptor_ < 0) fail("opened");
  const auto close_and_fail = [this](const std::string& what) {
    const int error = errno;
    ::close(descriptor_);
    descriptor_ = -1;
    errno = error;
    fail(what);
  };
  struct stat opened {};
  if (::fstat(descriptor_, &opened) != 0) close_and_fail("examined");
  if (!S_ISREG(opened.st_mode) || opened.st_nlink > 1) {  // what has a second name belongs to somebody else
    ::close(descriptor_);
    descriptor_ = -1;
    throw WriteError(fmt::format("{}: is {}, expected a file of its own or nothing", path_.string(),
                                 S_ISREG(opened.st_mode) ? "a file with several names" : "no regular file"));
  }
  while (::flock(descriptor_, LOCK_EX) != 0)
    if (errno != EINTR) close_and_fail("locked");
  struct stat named {};
  const bool is_same = ::lstat(path_.c_str(), &named) == 0 && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev;
  if (!is_same) {
    ::close(descriptor_);
    descriptor_ = -1;
    return false;
  }
  const off_t end = ::lseek(descriptor_, 0, SEEK_END);  // now that nobody else writes
  if (end < 0) close_and_fail("examined");
  size_ = static_cast<std::uint64_t>(end);
  return true;
}

void PartFile::append(const char* bytes, std::size_t n) {
  while (n > 0) {
    const ssize_t written = ::write(descriptor_, bytes, n);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("written");
    bytes += written;
    n -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
}

void PartFile::clear() {
  if (::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0) fail("emptied");
  size_ = 0;
}

void PartFile::remove() {
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) fail("removed");
}

void PartFile::publish() {
  if (::fsync(descriptor_) != 0) fail("synchronised with the disk");
  if (::rename(path_.c_str(), final_path_.c_str()) != 0) fail("renamed to " + final_path_.string());
  // The name, too, is to survive a power failure; a file system that cannot promise it is no reason to fail.
  if (const int folder = ::open(final_path_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

}  // namespace askrff::experiments
