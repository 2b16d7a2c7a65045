// LIBSVM text → rows in memory, against scikit-learn's reader of the same file, and two threads against one.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "askrff/data.hpp"
#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

constexpr std::size_t n_columns = 22;

/// Numbers of six digits, every column of every row; removed with the object.
class LibsvmFile {
 public:
  explicit LibsvmFile(std::size_t rows) {
    std::string pattern = (std::filesystem::temp_directory_path() / "askrff-bench-XXXXXX").string();
    const int descriptor = ::mkstemp(pattern.data());
    if (descriptor < 0) throw Skipped("no file can be made in " + std::filesystem::temp_directory_path().string());
    ::close(descriptor);
    path_ = pattern;
    write(rows);
  }
  ~LibsvmFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  LibsvmFile(const LibsvmFile&) = delete;
  LibsvmFile& operator=(const LibsvmFile&) = delete;

  const std::string& path() const { return path_; }
  double megabytes() const { return 1e-6 * static_cast<double>(std::filesystem::file_size(path_)); }
  Sample read_with(std::size_t n_threads) const {
    return timed([this, n_threads] { read_data(path_, {.format = DataFormat::libsvm, .execution = {n_threads}}); });
  }

 private:
  void write(std::size_t rows) const {
    constexpr std::size_t block_rows = 1000;
    std::ofstream out(path_, std::ios::binary);
    for (std::size_t first = 0; first < rows; first += block_rows) {
      const auto block = normal_rows<double>(std::min(block_rows, rows - first), n_columns, first);
      std::string text;
      for (std::size_t i = 0; i < block.rows(); ++i) {
        text += i % 2 == 0 ? "+1" : "-1";
        for (std::size_t j = 0; j < n_columns; ++j) fmt::format_to(std::back_inserter(text), " {}:{:.6g}", j + 1, block(i, j));
        text += '\n';
      }
      out << text;
    }
    if (!out.flush()) throw Skipped("no room for the file " + path_);
  }

  std::string path_;
};

std::string speed_note(const LibsvmFile& file, double milliseconds) {
  return fmt::format("{:.0f} MB, {:.0f} MB/s", file.megabytes(), 1e3 * file.megabytes() / milliseconds);
}

Figures against_sklearn(Context& context) {
  return context.with_python([&](PythonPeer& python) {
    const LibsvmFile file(context.sizes().text_rows);
    Figures figures = speed_ratios(alternate(
        file.read_with(1), [&] { return python.svmlight_seconds(file.path()); }, context.effort()));
    figures.note = fmt::format("{}; scikit-learn {}", speed_note(file, figures.ours_ms), python.description().sklearn);
    return figures;
  });
}

Figures against_one_thread(Context& context) {
  const LibsvmFile file(context.sizes().text_rows);
  Figures figures = speed_ratios(alternate(file.read_with(2), file.read_with(1), context.effort()));
  figures.note = speed_note(file, figures.ours_ms);
  return figures;
}

}  // namespace

std::vector<Benchmark> parse_rows(const Sizes& sizes) {
  const std::string what = fmt::format("LIBSVM text, {} rows × {} numbers of 6 digits, into a matrix", sizes.text_rows, n_columns);
  return {
      {"parse-libsvm",
       what + ", 1 thread",
       "scikit-learn load_svmlight_file, which gives a sparse matrix",
       {Sense::at_least, 5},
       times_its_speed,
       against_sklearn},
      {"parse-libsvm-threads", what + ", 2 threads", "the same, 1 thread", {Sense::at_least, 1.6}, times_its_speed, against_one_thread}};
}

}  // namespace askrff::bench
