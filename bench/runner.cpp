// Files, standard output and exit codes of the runners.
#include "runner.hpp"

#include <cstdio>
#include <filesystem>
#include <new>

namespace askrff::bench {

JsonFile::JsonFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (std::filesystem::is_directory(path_)) throw std::invalid_argument(fmt::format("--json: {} is a folder", path_));
  stream_.open(path_ + ".part");
  if (!stream_) throw std::invalid_argument(fmt::format("--json: {} cannot be written", path_));
}

JsonFile::~JsonFile() {
  if (stream_.is_open()) std::remove((path_ + ".part").c_str());
}

void JsonFile::write(const std::string& text) {
  if (path_.empty()) return;
  stream_ << text << std::flush;
  if (!stream_) throw std::runtime_error(fmt::format("{} cannot be written", path_));
  stream_.close();
  std::filesystem::rename(path_ + ".part", path_);
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw std::runtime_error("standard output cannot be written");
}

int exit_code_of(const std::string& program, const std::function<bool()>& run) {
  constexpr int done = 0, work_failed = 1, call_was_wrong = 2;
  try {
    return run() ? done : work_failed;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return call_was_wrong;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{}: out of memory\n", program);
    return work_failed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return work_failed;
  }
}

}  // namespace askrff::bench
