// Looks at the file --out names.
#include "output_checks.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "askrff/output_file.hpp"

namespace askrff::cli {
namespace {

/// By what they are if both exist, else by their names without links and dots.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto canonical_a = std::filesystem::weakly_canonical(std::filesystem::absolute(a, error), error);
  if (error) return false;
  const auto canonical_b = std::filesystem::weakly_canonical(std::filesystem::absolute(b, error), error);
  return !error && canonical_a == canonical_b;
}

}  // namespace

void require_other_file(const NamedFile& out, const NamedFile& other) {
  if (out.path.empty() || other.path.empty() || !is_same_file(out.path, other.path)) return;
  throw std::invalid_argument(fmt::format("{}: \"{}\" is the file of {}, expected another one", out.option, out.path, other.option));
}

void require_creatable(const std::string& out) { const OutputFile probe(out, "--out"); }

}  // namespace askrff::cli
