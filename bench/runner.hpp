// What the runners share: rows by name, files that appear when they are complete, exit codes.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace askrff::bench {

/// A row that cannot be measured here; the text says why and what would help.
class Skipped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The rows whose name starts with one of `only`; all of them if it is empty. Throws std::invalid_argument for a name that is none.
template <class Row>
std::vector<Row> selected(std::vector<Row> rows, const std::vector<std::string>& only) {
  const auto matches = [](const Row& row, const std::string& name) { return !name.empty() && row.name.starts_with(name); };
  for (const std::string& name : only)
    if (std::none_of(rows.begin(), rows.end(), [&](const Row& row) { return matches(row, name); }))
      throw std::invalid_argument(fmt::format("--only: no row is called \"{}\"; --list prints their names", name));
  if (!only.empty())
    std::erase_if(rows, [&](const Row& row) {
      return std::none_of(only.begin(), only.end(), [&](const std::string& name) { return matches(row, name); });
    });
  return rows;
}

/// Opens the file beside the wanted one at once: a run of many minutes should not end with a folder that is not there.
class JsonFile {
 public:
  /// Throws std::invalid_argument if it cannot be made. An empty path: nothing is written.
  explicit JsonFile(std::string path);
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;
  ~JsonFile();
  /// Throws std::runtime_error.
  void write(const std::string& text);

 private:
  std::string path_;
  std::ofstream stream_;
};

/// Throws std::runtime_error if standard output does not take it all.
void print(const std::string& text);

/// The exit code of `program`: 0 if `run` returns true, 1 if it returns false or throws, 2 for std::invalid_argument: the call was wrong.
/// What was thrown is one line on standard error.
int exit_code_of(const std::string& program, const std::function<bool()>& run);

}  // namespace askrff::bench
