// From an address to a verified file in a folder: download, checks, and only then the final name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/download.hpp"

namespace askrff::experiments {

struct FetchOptions {
  std::string mirror = {};  ///< MIRROR/FILE instead of the file's own address; empty: none
  DownloadOptions download = {};
  Execution execution = {};
};

/// Where the file would come from. Throws std::invalid_argument for a mirror that is no plain http or https address.
std::string address_of(const CatalogueFile& file, const std::string& mirror);

/// Downloads the file into the folder, which is created if need be, and returns its path. The file appears under its name only after bytes
/// (where their checksum is known) and content have been verified. Throws DownloadError, and then leaves FILE.part for the next call if the
/// transfer was cut off, or nothing if what came was wrong. Several processes may do this at once: one fetches, the others wait and use
/// that.
std::filesystem::path fetch_file(const CatalogueFile& file, const std::filesystem::path& folder, const FetchOptions& options = {});

struct Destination {
  std::filesystem::path folder;
  bool is_cache = true;  ///< ours: files in it that are wrong are replaced. Else they are the user's, and an error
};

struct FetchedCopy {
  std::vector<std::filesystem::path> paths;  ///< of all files of the data set, all verified
  std::size_t n_fetched = 0;                 ///< 0: all were here
};

/// What the folders lack of the data set, fetched to the destination, which is one of them. Throws as fetch_file, and DataError if a file
/// is there and wrong.
FetchedCopy fetch_dataset(const CatalogueEntry& entry, const std::vector<std::filesystem::path>& folders, const Destination& destination,
                          const FetchOptions& options = {});

}  // namespace askrff::experiments
