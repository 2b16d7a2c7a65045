// askrff doctor: what it found, also where something is forced or wrong; and --threads of the subcommands that work on rows.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "cli/command.hpp"

namespace askrff::test {
namespace {

/// An environment variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(Doctor, FindsMachineBackendsAndSpeeds) {
  const nlohmann::json doctor = run_json({"doctor"});
  const auto& backends = doctor.at("backends");
  ASSERT_GE(backends.size(), 2u);
  EXPECT_EQ(backends[0], "reference");
  EXPECT_EQ(doctor.at("backend"), backends[1]);
  EXPECT_FALSE(doctor.at("processor").get<std::string>().empty());
  EXPECT_GE(doctor.at("threads").get<int>(), 1);
  for (const char* speed : {"product_gflops", "product_gflops_all_threads", "streaming_write_gbs", "features_written_gbs"})
    EXPECT_GT(doctor.at(speed).get<double>(), 0) << speed;
  EXPECT_TRUE(doctor.at("blas").is_null() || doctor.at("blas").at("library").is_string());
  const Outcome text = run({"doctor"});
  EXPECT_EQ(text.exit_code, 0);
  for (const char* part : {"processor", "backends here", "streaming write", "GFLOP/s"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part;
}

TEST(Doctor, NamesAForcedBackendAndTooManyThreads) {
  const nlohmann::json before = run_json({"doctor"});
  const Variable backend("ASKRFF_BACKEND", before.at("backends").back().get<std::string>().c_str()), threads("ASKRFF_THREADS", "1000");
  const nlohmann::json doctor = run_json({"doctor"});
  EXPECT_EQ(doctor.at("backend"), before.at("backends").back());
  EXPECT_EQ(doctor.at("threads"), 1000);
  std::string problems;
  for (const auto& problem : doctor.at("problems")) problems += problem.at("mend").get<std::string>() + "\n";
  EXPECT_NE(problems.find("unset ASKRFF_BACKEND"), std::string::npos) << problems;
  EXPECT_NE(problems.find("ASKRFF_THREADS"), std::string::npos) << problems;
}

TEST(Doctor, NonsenseInTheEnvironmentIsRefused) {
  {
    const Variable backend("ASKRFF_BACKEND", "warp");
    expect_refused({"doctor"}, {"ASKRFF_BACKEND", "warp", "reference"});
  }
  const Variable threads("ASKRFF_THREADS", "many");
  expect_refused({"doctor"}, {"ASKRFF_THREADS", "many"});
}

TEST(Threads, GiveTheSameFileAndErrors) {
  const TemporaryFolder folder;
  const Arguments transform{"transform", "--data", "builtin:uniform:8:3000", "--kernel", "sinh-gaussian", "--frequencies", "100",
                            "--side",    "left"};
  const auto file = [&](const char* threads) {
    const std::string path = folder.file(std::string(threads) + ".npy");
    EXPECT_EQ(run(transform + Arguments{"--out", path, "--threads", threads}).exit_code, 0);
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(file("1"), file("3"));
  const Arguments approx{"approx", "--data", "builtin:uniform:8", "--kernel", "shift-gaussian", "--frequencies", "64", "--trials", "2"};
  const auto error = [&](const char* threads) { return run_json(approx + Arguments{"--threads", threads}).at("rows")[0].at("error_mean"); };
  EXPECT_EQ(error("1"), error("4"));
  for (const char* nonsense : {"0", "-1", "many", "1025", "1.5"}) expect_refused(approx + Arguments{"--threads", nonsense}, {"--threads"});
}

}  // namespace
}  // namespace askrff::test
