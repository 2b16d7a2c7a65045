// Looks at the files a call names: by device and inode where they exist, else by where they would be.
#include "output_checks.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "askrff/output_file.hpp"

namespace askrff::cli {
namespace {

namespace fs = std::filesystem;

using Inode = std::pair<dev_t, ino_t>;

std::optional<Inode> inode_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Inode{status.st_dev, status.st_ino};
}

std::optional<Inode> inode_of_standard_input() {
  struct stat status {};
  if (::fstat(STDIN_FILENO, &status) != 0) return std::nullopt;
  return Inode{status.st_dev, status.st_ino};
}

/// What a chain of symbolic links leads to, which need not exist.
fs::path without_links(fs::path path) {
  constexpr int max_links = 40;
  std::error_code error;
  for (int links = 0; links < max_links && fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : path.parent_path() / next;
  }
  return path;
}

bool is_same_place(const fs::path& a, const fs::path& b) {
  const auto folder_of = [](const fs::path& path) { return inode_of(path.has_parent_path() ? path.parent_path() : fs::path(".")); };
  const fs::path real_a = without_links(a), real_b = without_links(b);
  const auto folder = folder_of(real_a);
  return folder && folder == folder_of(real_b) && real_a.filename() == real_b.filename();
}

bool is_same_file(const std::string& out, const std::string& other, bool other_is_read) {
  const auto inode = inode_of(out);
  if (other == "-" && other_is_read) return inode && inode == inode_of_standard_input();
  return (inode && inode == inode_of(other)) || is_same_place(out, other);
}

void require_other(const NamedFile& out, const NamedFile& other, bool other_is_read) {
  if (out.path.empty() || other.path.empty() || !is_same_file(out.path, other.path, other_is_read)) return;
  throw std::invalid_argument(fmt::format("{}: \"{}\" is the file of {}{}, expected another one", out.option, out.path, other.option,
                                          other.path == "-" ? " (standard input)" : ""));
}

}  // namespace

void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const NamedFile& input : inputs) require_other(outputs[i], input, true);
    for (std::size_t j = 0; j < i; ++j) require_other(outputs[i], outputs[j], false);
  }
  for (const NamedFile& output : outputs) const OutputFile probe(output.path, output.option);
}

}  // namespace askrff::cli
