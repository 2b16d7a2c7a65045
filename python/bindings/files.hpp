// Files with Python's errors, and their bytes in memory, for pickle.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>

#include "askrff/errors.hpp"
#include "askrff/output_file.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// Raises FileNotFoundError, PermissionError, … if the file cannot be opened.
void require_readable(const std::string& path);

/// Calls save() without the lock of the interpreter. Throws OSError if the file cannot be created or written; what is wrong with the
/// content stays what it was.
template <class Save>
void save_to(const std::string& path, const Save& save) {
  released([&] {
    try {
      const OutputFile probe(path, "save");
    } catch (const std::invalid_argument& error) {
      throw WriteError(error.what());
    }
    save();
  });
}

/// A folder of its own for one file, removed with all that is in it.
class ScratchFile {
 public:
  enum class Place { memory, disk };
  /// Throws WriteError.
  explicit ScratchFile(Place place);
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile();

  const std::string& path() const { return path_; }
  /// Throw WriteError.
  std::string read() const;
  void write(const char* bytes, std::size_t size) const;

 private:
  std::string folder_, path_;
};

/// Calls use(file) with a file in memory or, if there is no place for it, on a disk.
template <class Use>
auto with_scratch_file(const Use& use) {
  try {
    return use(ScratchFile(ScratchFile::Place::memory));
  } catch (const WriteError&) {
    return use(ScratchFile(ScratchFile::Place::disk));
  }
}

/// What write(path) writes.
template <class Write>
nb::bytes file_in_memory(const Write& write) {
  const std::string content = released([&] {
    return with_scratch_file([&](const ScratchFile& file) {
      write(file.path());
      return file.read();
    });
  });
  return nb::bytes(content.data(), content.size());
}

/// What read(path) makes of a file with these bytes. Its DataError names from_bytes instead of a file.
template <class Read>
auto from_memory(const nb::bytes& bytes, const Read& read) {
  const char* const data = bytes.c_str();
  const std::size_t size = bytes.size();
  return released([&] {
    return with_scratch_file([&](const ScratchFile& file) {
      file.write(data, size);
      try {
        return read(file.path());
      } catch (const DataError& error) {
        const std::string message = error.what();
        throw DataError(message.starts_with(file.path()) ? "from_bytes" + message.substr(file.path().size()) : message);
      }
    });
  });
}

}  // namespace askrff::python
