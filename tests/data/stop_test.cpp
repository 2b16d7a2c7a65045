// Reading that is stopped in the middle: of data that are long, and of a pipe that says nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "askrff/data.hpp"
#include "support/stopping.hpp"
#include "support/temporary_folder.hpp"

namespace askrff::test {
namespace {

TEST(Stop, ReadingAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("long.csv");
  {
    std::ofstream file(path);
    std::string line;
    for (int j = 0; j < 100; ++j) line += (j > 0 ? "," : "") + std::to_string(0.123456789 * j);
    line += "\n";
    for (int i = 0; i < 300000; ++i) file << line;
  }
  expect_stops([&](const Execution& execution) { read_data(path, {.execution = execution}); }, std::chrono::milliseconds(150), 1);
  expect_stops(
      [&](const Execution& execution) {
        DataStream stream(path, {.execution = execution});
        summarise(stream, {.execution = execution});
      },
      std::chrono::milliseconds(150), 1);
}

TEST(Stop, ReadingBuiltinData) {
  expect_stops([](const Execution& execution) { read_data("builtin:uniform:100:5000000", {.execution = execution}); });
}

TEST(Stop, WaitingForAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "1,2\n", 4), 4);
  expect_stops([&](const Execution& execution) { read_data("/dev/fd/" + std::to_string(ends[0]), {.execution = execution}); });
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace askrff::test
