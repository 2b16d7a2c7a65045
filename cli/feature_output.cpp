// Writes features to files and to standard output.
#include "feature_output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "askrff/output_file.hpp"

namespace askrff::cli {
namespace {

void write_to_standard_output(const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw WriteError("standard output", "cannot be written: " + std::generic_category().message(errno));
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

}  // namespace

struct FeatureOutput::State {
  State(const std::string& path, FeatureFormat format, NpyWriter::Type type, std::size_t n_features, std::optional<std::uint64_t> n_rows)
      : n_expected(n_rows) {
    if (is_stream(path)) {
      if (::isatty(STDOUT_FILENO) == 1)
        throw InvalidArgument("--out", "standard output is a terminal, expected a pipe or the name of a file: features are no text");
      if (format == FeatureFormat::npy) header = NpyWriter::header(n_rows.value(), n_features, type);
    } else if (format == FeatureFormat::npy) {
      npy.emplace(path, n_features, type);
    } else {
      raw.emplace(path, "--out");
    }
  }

  template <class T>
  void append(MatrixView<const T> block) {
    n_written += block.rows();
    if (npy) return npy->append(block);
    if (!header.empty()) write_to_standard_output(header.data(), header.size());
    header.clear();
    for (std::size_t i = 0; i < block.rows(); ++i) put(block.row(i));
  }

  template <class T>
  void put(std::span<const T> row) {
    const char* const bytes = reinterpret_cast<const char*>(row.data());
    if (raw) return raw->append({bytes, row.size_bytes()});
    buffer.append(bytes, row.size_bytes());
    constexpr std::size_t enough = std::size_t{1} << 18;
    if (buffer.size() >= enough) flush();
  }

  void flush() {
    write_to_standard_output(buffer.data(), buffer.size());
    buffer.clear();
  }

  void finish() {
    if (npy) return npy->finish();
    if (raw) return raw->finish();
    flush();
    if (n_expected && n_written != *n_expected)
      throw WriteError("standard output", fmt::format("{} rows were written, expected {}", n_written, *n_expected));
  }

  std::optional<NpyWriter> npy;
  std::optional<OutputFile> raw;
  std::string header, buffer;  // of standard output; the header until it is written
  std::optional<std::uint64_t> n_expected;
  std::uint64_t n_written = 0;
};

FeatureOutput::FeatureOutput(const std::string& path, FeatureFormat format, Precision type, std::size_t n_features,
                             std::optional<std::uint64_t> n_rows)
    : state_(std::make_unique<State>(path, format, type == Precision::float32 ? NpyWriter::Type::float32 : NpyWriter::Type::float64,
                                     n_features, n_rows)) {}
FeatureOutput::~FeatureOutput() = default;

void FeatureOutput::append(MatrixView<const float> block) { state_->append(block); }
void FeatureOutput::append(MatrixView<const double> block) { state_->append(block); }
void FeatureOutput::finish() { state_->finish(); }

}  // namespace askrff::cli
