// The search for files of data sets.
#include "experiments/datasets/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;

/// An empty variable counts as none.
fs::path from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value ? value : "";
}

/// A folder that has two names is looked at once.
void add_once(std::vector<fs::path>& folders, const fs::path& folder) {
  std::error_code error;  // of a cache that is not there yet
  const bool is_there = std::any_of(folders.begin(), folders.end(), [&](const fs::path& f) { return fs::equivalent(f, folder, error); });
  if (!is_there) folders.push_back(folder);
}

void add_named_folder(std::vector<fs::path>& folders, const fs::path& folder, const char* who) {
  if (folder.empty()) return;
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw std::invalid_argument(fmt::format("{}: got \"{}\", expected a folder that is there", who, folder.string()));
  add_once(folders, folder);
}

/// The paths of all files, or nothing if one is missing.
std::optional<std::vector<fs::path>> find_all(const fs::path& folder, const std::vector<CatalogueFile>& files) {
  std::vector<fs::path> paths;
  for (const CatalogueFile& file : files) {
    const auto path = find_file(folder, file);
    if (!path) return std::nullopt;
    paths.push_back(*path);
  }
  return paths;
}

}  // namespace

std::optional<fs::path> cache_folder() {
  // The specification of these folders says that relative paths are to be ignored.
  if (const fs::path cache = from_environment("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "askrff" / "datasets";
  if (const fs::path home = from_environment("HOME"); home.is_absolute()) return home / ".cache" / "askrff" / "datasets";
  return std::nullopt;
}

std::vector<fs::path> searched_folders(const DataPlaces& places) {
  std::vector<fs::path> folders;
  add_named_folder(folders, places.data_dir, "--data-dir");
  add_named_folder(folders, from_environment("ASKRFF_DATA"), "ASKRFF_DATA");
  if (const auto cache = cache_folder()) add_once(folders, *cache);
  return folders;
}

std::optional<fs::path> find_file(const fs::path& folder, const CatalogueFile& file) {
  for (const std::string_view ending : {"", ".xz", ".gz", ".bz2", ".zst"}) {
    const fs::path path = folder / (file.name + std::string(ending));
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

std::vector<fs::path> FoundCopy::paths() const {
  std::vector<fs::path> all = training;
  all.insert(all.end(), test.begin(), test.end());
  return all;
}

std::optional<FoundCopy> find_copy(const CatalogueEntry& entry, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    for (const CatalogueCopy& copy : entry.copies) {
      auto training = find_all(folder, copy.training);
      auto test = find_all(folder, copy.test);
      if (training && test) return FoundCopy{&copy, std::move(*training), std::move(*test)};
    }
  }
  return std::nullopt;
}

}  // namespace askrff::experiments
