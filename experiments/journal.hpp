// Journal: finished trials on disk, one line each, so that an interrupted run goes on where it stopped.
#pragma once

#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

namespace askrff::experiments {

/// A file of lines {"key":…,"seconds":…,"value":…}. Only one process at a time has it open. A last line that was not finished is dropped.
/// Threads may share it; entries stay where they are.
class Journal {
 public:
  using Json = nlohmann::ordered_json;
  struct Entry {
    Json value;
    double seconds = 0;
  };

  /// Creates the file or reads it. Throws std::invalid_argument if it cannot be opened, another process has it, or a line is no entry.
  explicit Journal(const std::filesystem::path& path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Null if the trial has not been finished.
  const Entry* find(const std::string& key) const;
  /// Throws std::out_of_range.
  const Entry& at(const std::string& key) const;
  /// On disk when it returns. Throws WriteError.
  void record(const std::string& key, Json value, double seconds);

 private:
  void read();

  std::filesystem::path path_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace askrff::experiments
