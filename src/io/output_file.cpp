// Creates, writes and renames an output file.
#include "askrff/output_file.hpp"
#include "askrff/errors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "io/messages.hpp"

namespace askrff {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

std::string reason(int error) { return std::generic_category().message(error); }

/// Names of unfinished files, for remove_unfinished_files. More files than this at once are written all the same, but not removed there.
constexpr std::size_t max_listed = 64;
std::atomic<const char*> unfinished[max_listed];
static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");

/// The name must stay where it is until it is taken off the list.
void list_unfinished(const char* name) {
  for (std::atomic<const char*>& place : unfinished)
    if (const char* empty = nullptr; place.compare_exchange_strong(empty, name)) return;
}

void unlist_unfinished(const char* name) {
  for (std::atomic<const char*>& place : unfinished)
    if (const char* found = name; place.compare_exchange_strong(found, nullptr)) return;
}

/// The name with something after it, shortened where the whole would be longer than the file system allows; no character is torn.
std::string lengthened(std::string name, const std::string& ending, std::size_t max_bytes) {
  if (name.size() + ending.size() <= max_bytes) return name + ending;
  std::size_t kept = max_bytes - std::min(max_bytes, ending.size());
  while (kept > 0 && (static_cast<unsigned char>(name[kept]) & 0xC0) == 0x80) --kept;
  return name.substr(0, kept) + ending;
}

}  // namespace

/// The unfinished file; removed with its State unless it has been renamed.
struct OutputFile::State {
  State(const std::string& path_, std::string who_) : path(path_), who(std::move(who_)) {
    destination = find_destination();
    buffer.reserve(buffer_bytes);  // before there is a file that a failure would leave behind
    create();
  }
  ~State() { discard(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  [[noreturn]] void fail_create(const std::string& why) const {
    throw InvalidArgument(who, "cannot create " + io::in_quotes(path) + ": " + why);
  }

  [[noreturn]] void fail_write(const std::string& why) {
    discard();
    throw WriteError(who, "cannot write " + io::in_quotes(path) + ": " + why);
  }

  /// The file a chain of symbolic links leads to, so that the link stays and its target is replaced; it need not exist.
  fs::path follow_links() const {
    constexpr int max_links = 40;
    fs::path target = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
      if (links == max_links) fail_create(reason(ELOOP));
      refuse_open_file(target);
      const fs::path next = fs::read_symlink(target, error);
      if (error) fail_create(error.message());
      target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
  }

  /// /dev/stdout and /proc/self/fd/1 are links to what somebody has open, be it a regular file: he would go on with the old one.
  void refuse_open_file(const fs::path& link) const {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(fs::absolute(link, error).parent_path(), error);
    if (folder == "/dev" || folder.string().starts_with("/proc/"))
      fail_create("it leads to an open file such as standard output, which cannot be replaced in one step, expected a file name");
  }

  /// Where the file will be. Renaming over a device or a pipe would destroy it, so only regular files are replaced.
  fs::path find_destination() const {
    if (path.empty()) fail_create("the name is empty");
    if (path == "-") fail_create("standard output cannot be replaced in one step, expected a file name");
    if (path.find('\0') != std::string::npos) fail_create("the name contains a zero byte");
    fs::path target = follow_links();
    std::error_code error;
    const fs::file_status status = fs::status(target, error);
    if (fs::is_directory(status) || !target.has_filename()) fail_create(reason(EISDIR));
    if (fs::exists(status) && !fs::is_regular_file(status)) fail_create("it exists and is not a regular file");
    return target;
  }

  /// The new file may be read and written by whom the old one could, from its first byte on.
  void create() {
    constexpr int max_attempts = 1000;
    struct stat old {};
    const bool replaces = ::stat(destination.c_str(), &old) == 0;
    const mode_t owner_only = 0600, all_but_umask = 0666, permissions = 0777;
    const long limit = ::pathconf(folder().c_str(), _PC_NAME_MAX);
    const std::size_t max_bytes = limit > 0 ? static_cast<std::size_t>(limit) : 255;
    if (destination.filename().native().size() > max_bytes) fail_create(reason(ENAMETOOLONG));
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      const std::string name = lengthened(destination.filename().string(), fmt::format(".tmp-{}-{}", ::getpid(), attempt), max_bytes);
      temporary = destination.parent_path() / name;
      descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, replaces ? owner_only : all_but_umask);
      if (descriptor >= 0 && replaces && ::fchmod(descriptor, old.st_mode & permissions) != 0) fail_permissions(errno);
      if (descriptor >= 0) return list_unfinished(temporary.c_str());
      if (errno != EEXIST && errno != EINTR) {
        const int error = errno;
        temporary.clear();
        fail_create(reason(error));
      }
    }
    temporary.clear();
    fail_create("no free name for the unfinished file beside it");
  }

  [[noreturn]] void fail_permissions(int error) {
    discard();
    fail_create("the permissions of the old file cannot be kept: " + reason(error));
  }

  /// Closes and removes the unfinished file; nothing happens once there is none.
  void discard() noexcept {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
    if (!temporary.empty()) {
      unlist_unfinished(temporary.c_str());
      ::unlink(temporary.c_str());
    }
    temporary.clear();
  }

  void require_open() {
    if (finished || (completed && !temporary.empty()))
      throw InvalidArgument(who, io::in_quotes(path) + (finished ? " is finished already" : " is complete already"));
    if (descriptor < 0) fail_write("an earlier write failed");
  }

  void write_out(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_write(reason(errno));
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void flush() {
    write_out(buffer.data(), buffer.size());
    buffer.clear();
  }

  void append(std::string_view bytes) {
    require_open();
    if (buffer.size() + bytes.size() > buffer_bytes) flush();
    if (bytes.size() >= buffer_bytes) return write_out(bytes.data(), bytes.size());
    buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  }

  void overwrite_start(std::string_view bytes) {
    require_open();
    flush();
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = ::pwrite(descriptor, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_write(reason(errno));
      done += static_cast<std::size_t>(written);
    }
  }

  void complete() {
    require_open();
    flush();
    // Some file systems cannot synchronise at all (EINVAL, ENOTSUP); that is not a failed write.
    if (::fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP) fail_write(reason(errno));
    const int closed = ::close(descriptor);
    descriptor = -1;
    if (closed != 0 && errno != EINTR) fail_write(reason(errno));
    completed = true;
  }

  void finish() {
    if (finished || temporary.empty() || !completed) complete();
    if (::rename(temporary.c_str(), destination.c_str()) != 0) fail_write(reason(errno));
    unlist_unfinished(temporary.c_str());
    temporary.clear();
    finished = true;
    synchronise_directory();
  }

  fs::path folder() const { return destination.has_parent_path() ? destination.parent_path() : fs::path("."); }

  /// Makes the new name survive a crash where the file system can; the file itself is complete either way.
  void synchronise_directory() const noexcept {
    const int handle = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    ::fsync(handle);
    ::close(handle);
  }

  std::string path, who;
  fs::path destination, temporary;
  int descriptor = -1;
  bool completed = false, finished = false;
  std::vector<char> buffer;
};

OutputFile::OutputFile(const std::string& path, std::string who) : state_(std::make_unique<State>(path, std::move(who))) {}
OutputFile::~OutputFile() = default;
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;

const std::string& OutputFile::path() const { return state_->path; }
void OutputFile::append(std::string_view bytes) { state_->append(bytes); }
void OutputFile::overwrite_start(std::string_view bytes) { state_->overwrite_start(bytes); }
void OutputFile::complete() { state_->complete(); }
void OutputFile::finish() { state_->finish(); }
void OutputFile::fail(const std::string& why) { state_->fail_write(why); }

void remove_unfinished_files() noexcept {
  for (const std::atomic<const char*>& place : unfinished)
    if (const char* const name = place) ::unlink(name);
}

}  // namespace askrff
