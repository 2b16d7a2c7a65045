// PartFile: what has come of a download so far, kept beside its final name for the next attempt and used by one process at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace askrff::experiments {

/// FOLDER/NAME.part. It is locked while the object lives; who comes second waits, and then finds what the first one left. Not copied, not
/// moved.
class PartFile {
 public:
  /// Opens or creates it; the folder must be there. Throws WriteError if that cannot be done, or if it is a link or anything but a file.
  PartFile(const std::filesystem::path& folder, const std::string& name);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& final_path() const { return final_path_; }
  std::uint64_t size() const { return size_; }

  /// Throws WriteError if not all of it can be written.
  void append(const char* bytes, std::size_t n);
  /// Back to no bytes.
  void clear();
  /// Nothing of it is to be kept.
  void remove();
  /// Synchronised with the disk and renamed to FOLDER/NAME; a file or link of that name is replaced.
  void publish();

 private:
  bool open_and_lock();
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_, final_path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace askrff::experiments
