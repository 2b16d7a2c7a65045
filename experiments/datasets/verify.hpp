// Every file of a data set that is found, with what is right and wrong about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "experiments/datasets/catalogue.hpp"

namespace askrff::experiments {

/// Whether the bytes are those the catalogue knows.
enum class Bytes {
  as_recorded,
  others,        ///< of which the content may still be right: other line ends, another compression
  not_recorded,  ///< the catalogue knows nothing of them
};

struct FileVerdict {
  std::filesystem::path path;
  std::uint64_t n_bytes = 0;
  std::string sha256;  ///< of its bytes; empty: it cannot be read, or is too long to be right
  Bytes bytes = Bytes::not_recorded;
  std::string problem;  ///< with its content, as a sentence; empty: it is right
};

struct DatasetVerdict {
  std::string name;
  std::vector<FileVerdict> files;    ///< of all copies in all folders
  bool is_complete = false;          ///< one folder has all files of one copy
  std::vector<std::string> lacking;  ///< if it is not complete but a file is there: the names of the published files that are missing

  bool is_wrong() const;  ///< a file is not what it should be
};

DatasetVerdict verify_dataset(const CatalogueEntry& entry, const std::vector<std::filesystem::path>& folders,
                              const Execution& execution = {});

}  // namespace askrff::experiments
