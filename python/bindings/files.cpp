// Temporary files, and what cannot be opened.
#include "files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace askrff::python {

void require_readable(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (!file) {
    PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
    throw nb::python_error();
  }
  std::fclose(file);
}

ScratchFile::ScratchFile(Place place) {
  std::error_code ignored;
  const std::filesystem::path folder = place == Place::memory ? "/dev/shm" : std::filesystem::temp_directory_path(ignored);
  std::string name = (folder / "askrff-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw WriteError("cannot make a temporary folder in " + folder.string());
  folder_ = name;
  path_ = name + "/bytes";
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFile::read() const {
  std::ifstream stream(path_, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw WriteError("cannot read the temporary file " + path_);
  return bytes;
}

void ScratchFile::write(const char* bytes, std::size_t size) const {
  std::ofstream stream(path_, std::ios::binary);
  stream.write(bytes, static_cast<std::streamsize>(size));
  if (!stream.flush()) throw WriteError("cannot write the temporary file " + path_);
}

}  // namespace askrff::python
