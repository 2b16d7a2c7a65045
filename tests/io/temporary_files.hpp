// A folder of its own for each test, and shorthands to read data from it.
#pragma once

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "support/temporary_folder.hpp"

namespace askrff::test {

/// Files of the test are in folder(); it is removed with the fixture.
class TemporaryFiles : public ::testing::Test {
 protected:
  const std::filesystem::path& folder() const { return folder_.path(); }
  std::string path(const std::string& name) const { return folder_.file(name); }

  std::string write(const std::string& name, const std::string& content) const { return folder_.write(name, content); }
  std::string content(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  Dataset read(const std::string& name, const std::string& text, const ReadOptions& options = {}) const {
    return read_data(write(name, text), options);
  }
  /// What read_data says about a file of that content, without the folder; "accepted" if it takes it.
  std::string error_of(const std::string& name, const std::string& text, const ReadOptions& options = {}) const {
    try {
      read(name, text, options);
    } catch (const DataError& error) {
      std::string message = error.what();
      const std::string prefix = folder().string() + "/";
      for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      return message;
    }
    return "accepted";
  }

  std::size_t n_files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder()), std::filesystem::directory_iterator()));
  }

 private:
  TemporaryFolder folder_;
};

/// What a call says that must throw an Error; "accepted" if it throws nothing.
template <class Error, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Assertions about parts of a message; the message is printed where they fail.
inline ::testing::AssertionResult starts_with(const std::string& text, const std::string& start) {
  return (text.starts_with(start) ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text << " … " << start;
}
inline ::testing::AssertionResult ends_with(const std::string& text, const std::string& end) {
  return (text.ends_with(end) ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text << " … " << end;
}
inline ::testing::AssertionResult contains(const std::string& text, const std::string& part) {
  return (text.find(part) != std::string::npos ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << text << " … " << part;
}

/// The elements of X row by row, to compare with a list.
inline std::vector<double> elements(const Matrix<double>& X) { return {X.data(), X.data() + X.rows() * X.cols()}; }

}  // namespace askrff::test
