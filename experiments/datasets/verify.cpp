// Verification for people: nothing is thrown for a wrong file, it is written down.
#include "experiments/datasets/verify.hpp"

#include <algorithm>
#include <system_error>

#include "askrff/errors.hpp"
#include "experiments/datasets/content.hpp"
#include "experiments/datasets/places.hpp"
#include "experiments/datasets/sha256.hpp"

namespace askrff::experiments {
namespace {

FileVerdict verdict_on(const std::filesystem::path& path, const CatalogueFile& file, const Execution& execution) {
  FileVerdict verdict;
  verdict.path = path;
  std::error_code ignored;
  verdict.n_bytes = std::filesystem::file_size(path, ignored);
  if (ignored) verdict.n_bytes = 0;
  try {
    if (verdict.n_bytes <= max_file_bytes) verdict.sha256 = sha256_of_file(path);
    read_verified(path, file, execution);
  } catch (const DataError& error) {
    verdict.problem = error.what();
  }
  if (!file.sha256.empty() && !verdict.sha256.empty()) verdict.bytes = verdict.sha256 == file.sha256 ? Bytes::as_recorded : Bytes::others;
  return verdict;
}

}  // namespace

bool DatasetVerdict::is_wrong() const {
  return std::any_of(files.begin(), files.end(), [](const FileVerdict& file) { return !file.problem.empty(); });
}

DatasetVerdict verify_dataset(const CatalogueEntry& entry, const std::vector<std::filesystem::path>& folders, const Execution& execution) {
  DatasetVerdict verdict;
  verdict.name = entry.name;
  verdict.is_complete = find_copy(entry, folders).has_value();
  for (const std::filesystem::path& folder : folders)
    for (const CatalogueCopy& copy : entry.copies)
      for (const CatalogueFile& file : copy.files())
        if (const auto path = find_file(folder, file)) verdict.files.push_back(verdict_on(*path, file, execution));
  if (verdict.is_complete || verdict.files.empty()) return verdict;
  for (const CatalogueFile& file : entry.published().files()) {
    const bool is_here = std::any_of(folders.begin(), folders.end(), [&](const auto& folder) { return find_file(folder, file); });
    if (!is_here) verdict.lacking.push_back(file.published_name());
  }
  return verdict;
}

}  // namespace askrff::experiments
