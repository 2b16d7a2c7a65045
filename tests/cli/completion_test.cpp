// What the shells are told may come next in a call, and the manual pages.
#include "cli/command.hpp"

#include <fstream>
#include <sstream>

namespace askrff::test {
namespace {

/// The words offered, without what they mean.
std::vector<std::string> offered(const Arguments& typed) {
  const Outcome outcome = run(Arguments{"complete"} + typed);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<std::string> words;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) words.push_back(line.substr(0, line.find('\t')));
  return words;
}

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }

TEST(Completion, Subcommands) {
  EXPECT_EQ(offered({"tra"}), (Words{"transform", "train"}));
  EXPECT_TRUE(has(offered({""}), "doctor"));
  EXPECT_FALSE(has(offered({""}), "complete"));  // are for machines
  EXPECT_FALSE(has(offered({""}), "man"));
  EXPECT_TRUE(has(offered({}), "kernels"));
}

TEST(Completion, OptionsOnceEach) {
  EXPECT_EQ(offered({"train", "--sam"}), Words{"--sampler"});
  EXPECT_EQ(offered({"train", "--sampler", "sobol", "--sam"}), Words{});
  EXPECT_EQ(offered({"train", "--sampler=sobol", "--sam"}), Words{});
  EXPECT_EQ(offered({"train", "--param", "a=1", "--par"}), Words{"--param"});  // may be given again
  EXPECT_EQ(offered({"doctor", ""}), (Words{"--help", "--json"}));
  EXPECT_EQ(offered({"info", "--sampler"}), Words{});  // is no option of info
}

TEST(Completion, FixedWords) {
  EXPECT_EQ(offered({"train", "--sampler", "so"}), Words{"sobol"});
  EXPECT_EQ(offered({"train", "--sampler=so"}), Words{"--sampler=sobol"});
  EXPECT_EQ(offered({"train", "--sigma", ""}), Words{"auto"});
  EXPECT_EQ(offered({"train", "--class-weight", ""}), Words{"balanced"});
  EXPECT_EQ(offered({"train", "--folds", ""}), Words{});  // any number
  const Outcome told = run({"complete", "transform", "--side", "l"});
  EXPECT_EQ(told.out.substr(0, 5), "left\t");
  EXPECT_GT(told.out.size(), 10u);
}

TEST(Completion, Kernels) {
  EXPECT_EQ(offered({"masses", "--kernel", "sh"}).front(), "shift-gaussian");
  EXPECT_TRUE(has(offered({"masses", "--kernel", "shifted:"}), "shifted:matern-3/2"));
  EXPECT_FALSE(has(offered({"masses", "--kernel", "shifted:"}), "shifted:sinh-gaussian"));
  EXPECT_TRUE(has(offered({"train", "--kernel", ""}), "linear"));
  EXPECT_FALSE(has(offered({"masses", "--kernel", ""}), "linear"));
  EXPECT_EQ(offered({"train", "--tune", "sigma,be"}), Words{"sigma,beta"});
}

TEST(Completion, Files) {
  EXPECT_EQ(offered({"info", "--data", "builtin:m"}), (Words{"builtin:moons", ":files"}));
  EXPECT_EQ(offered({"info", "--data", "x"}), Words{":files"});
  EXPECT_EQ(offered({"inspect", ""}), Words{":files"});
  EXPECT_EQ(offered({"merge", "a.sums", "b"}), Words{":files"});
}

TEST(Completion, ManualPages) {
  const TemporaryFolder folder;
  const Outcome outcome = run({"man", folder.path().string()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Words subcommands = offered({""});
  for (const std::string& name : subcommands) {
    std::ifstream file(folder.file("askrff-" + name + ".1"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.substr(0, 4), ".TH ") << name;
    EXPECT_NE(text.find(".SH SYNOPSIS\n"), std::string::npos) << name;
    EXPECT_NE(text.find("\\-\\-json"), std::string::npos) << name;
  }
  std::ifstream file(folder.file("askrff.1"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& name : subcommands) EXPECT_NE(text.find("\\fB" + name + "\\fR"), std::string::npos) << name;
  expect_one_line_error(run({"man"}), 2, {"folder"});
  expect_one_line_error(run({"man", folder.file("none")}), 2, {"none"});
}

}  // namespace
}  // namespace askrff::test
