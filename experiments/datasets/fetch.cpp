// Fetching one file of a data set.
#include "experiments/datasets/fetch.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>

#include "askrff/errors.hpp"
#include "experiments/datasets/content.hpp"
#include "experiments/datasets/places.hpp"
#include "experiments/datasets/sha256.hpp"

namespace askrff::experiments {
namespace {

void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw WriteError(folder.string(), fmt::format("cannot be created: {}", error.message()));
}

/// What is wrong with what came; empty: nothing. The bytes come first: what has the right ones need not be feared by a parser.
std::string problem_of(const PartFile& part, const CatalogueFile& file, const Execution& execution) {
  if (file.bytes_are_binding && !file.sha256.empty()) {
    const std::string sha256 = sha256_of_file(part.path());
    if (sha256 != file.sha256) return fmt::format("{} bytes with SHA-256 {} came, expected {}", part.size(), sha256, file.sha256);
  }
  try {
    read_verified(part.path(), file, execution);
  } catch (const DataError& error) {
    return fmt::format("what came is not the data set: {}", error.what());
  }
  return {};
}

bool is_verified(const std::filesystem::path& path, const CatalogueFile& file, const Execution& execution) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    read_verified(path, file, execution);
    return true;
  } catch (const DataError&) {
    return false;
  }
}

/// True: right. False: wrong, but to be replaced. Throws DataError where it is wrong and not ours to replace.
bool is_right_or_replaceable(const std::filesystem::path& path, const CatalogueFile& file, const Destination& destination,
                             const FetchOptions& options) {
  try {
    read_verified(path, file, options.execution);
    return true;
  } catch (const DataError& error) {
    if (!destination.is_cache || file.address.empty() || path.filename() != file.published_name()) throw;
    if (options.download.notice) options.download.notice(fmt::format("{}; it is fetched again", error.what()));
    return false;
  }
}

/// Until what came is right. If it was put together from what an earlier call had left and is wrong, that may be to blame: once more, from
/// the beginning.
void fetch_into(PartFile& part, const CatalogueFile& file, const FetchOptions& options) {
  const std::string address = address_of(file, options.mirror);
  for (;;) {
    const bool was_begun = part.size() > 0;
    download(address, part, file.bytes_are_binding ? file.n_bytes : 0, options.download);
    const std::string problem = problem_of(part, file, options.execution);
    if (problem.empty()) return;
    part.clear();
    const std::string what = fmt::format("{}: {}", shown_address(address), problem);
    if (!was_begun) throw DownloadError(what);
    if (options.download.notice) options.download.notice(what + "; starting from the beginning");
  }
}

}  // namespace

std::string address_of(const CatalogueFile& file, const std::string& mirror) {
  if (mirror.empty()) return file.address;
  const bool is_plain = (mirror.starts_with("http://") || mirror.starts_with("https://")) && !mirror.ends_with("//") &&
                        mirror.find_first_of("?#") == std::string::npos;
  if (!is_plain)
    throw std::invalid_argument(fmt::format("mirror: got \"{}\", expected http://… or https://… without ? and #", shown_address(mirror)));
  return mirror + (mirror.ends_with('/') ? "" : "/") + file.published_name();
}

std::filesystem::path fetch_file(const CatalogueFile& file, const std::filesystem::path& folder, const FetchOptions& options) {
  create_folder(folder);
  if (std::error_code error; std::filesystem::is_directory(std::filesystem::symlink_status(folder / file.published_name(), error)))
    throw WriteError((folder / file.published_name()).string(), "is a folder, expected a file or nothing");
  PartFile part(folder, file.published_name());
  if (is_verified(part.final_path(), file, options.execution)) {  // whoever was waited for has done it
    part.remove();
    return part.final_path();
  }
  try {
    fetch_into(part, file, options);
  } catch (...) {
    if (part.size() == 0) part.remove();
    throw;
  }
  part.publish();
  return part.final_path();
}

FetchedCopy fetch_dataset(const CatalogueEntry& entry, const std::vector<std::filesystem::path>& folders, const Destination& destination,
                          const FetchOptions& options) {
  FetchedCopy fetched;
  const auto here = find_copy(entry, folders);
  if (here && here->paths().front().parent_path() != destination.folder) {
    fetched.paths = here->paths();
    const std::vector<CatalogueFile> files = here->copy->files();
    for (std::size_t i = 0; i < files.size(); ++i) read_verified(fetched.paths[i], files[i], options.execution);
    return fetched;
  }
  const CatalogueCopy& copy = here ? *here->copy : entry.published();
  for (const CatalogueFile& file : copy.files()) {
    const auto path = find_file(destination.folder, file);
    if (path && is_right_or_replaceable(*path, file, destination, options)) {
      fetched.paths.push_back(*path);
      continue;
    }
    fetched.paths.push_back(fetch_file(file, destination.folder, options));
    ++fetched.n_fetched;
  }
  return fetched;
}

}  // namespace askrff::experiments
