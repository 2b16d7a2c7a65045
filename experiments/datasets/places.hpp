// Where files of data sets are: the folders that are searched, in order, and what is found in them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/paper_data.hpp"

namespace askrff::experiments {

/// --data-dir, ASKRFF_DATA and the cache folder, as far as there are any. Throws std::invalid_argument if one of the first two is named and
/// is no folder.
std::vector<std::filesystem::path> searched_folders(const DataPlaces& places);

/// $XDG_CACHE_HOME/askrff/datasets, else $HOME/.cache/askrff/datasets; nothing if neither variable holds an absolute path. Need not exist.
std::optional<std::filesystem::path> cache_folder();

/// The file in this folder, compressed in any way or not; nothing if it is not there. Only regular files (and links to them) are looked at.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder, const CatalogueFile& file);

/// A copy all of whose files are in one folder.
struct FoundCopy {
  const CatalogueCopy* copy = nullptr;
  std::vector<std::filesystem::path> training, test;  ///< in the order of the copy's files

  std::vector<std::filesystem::path> paths() const;  ///< training, then test
};

/// The preferred copy of the first folder that has one. Nothing is opened.
std::optional<FoundCopy> find_copy(const CatalogueEntry& entry, const std::vector<std::filesystem::path>& folders);

}  // namespace askrff::experiments
