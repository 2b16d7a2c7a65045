// The call itself: help, version, exit codes, one-line errors, broken outputs.
#include "cli/command.hpp"

#include "askrff/kernels.hpp"
#include "askrff/version.hpp"

namespace askrff::test {
namespace {

const std::vector<std::string> subcommands{"kernels", "masses", "bound", "approx", "choose", "transform", "inspect", "demo"};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Call, HelpTeaches) {
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_EQ(help.err, "");
  for (const std::string& name : subcommands) EXPECT_TRUE(contains(help.out, name)) << name;
  EXPECT_TRUE(contains(help.out, "Examples:"));
  EXPECT_TRUE(contains(help.out, "Exit codes"));
}

TEST(Call, EverySubcommandHasHelpWithAnExample) {
  for (const std::string& name : subcommands) {
    const Outcome help = run({name, "--help"});
    EXPECT_EQ(help.exit_code, 0) << name;
    EXPECT_EQ(help.err, "") << name;
    EXPECT_TRUE(contains(help.out, "--json")) << help.out;
    EXPECT_TRUE(contains(help.out, "askrff " + name)) << help.out;
  }
}

TEST(Call, HelpNamesEveryKernelAndParameterOfTheRegistry) {
  for (const char* name : {"masses", "bound", "approx", "choose", "transform"}) {
    const std::string help = run({name, "--help"}).out;
    for (const KernelInfo& kernel : kernel_registry()) {
      EXPECT_TRUE(contains(help, kernel.name)) << kernel.name;
      for (const ParameterInfo& parameter : kernel.parameters) {
        EXPECT_TRUE(contains(help, "--" + parameter.name)) << parameter.name;
        EXPECT_TRUE(contains(help, parameter.default_value.text())) << parameter.name;
      }
    }
  }
}

TEST(Call, VersionIsThatOfTheProject) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out, "askrff " ASKRFF_VERSION "\n");
  EXPECT_EQ(version.err, "");
}

TEST(Call, JsonMayComeFirst) { EXPECT_EQ(run({"--json", "kernels"}).out, run({"kernels", "--json"}).out); }

TEST(Call, WrongSubcommandsAreRefused) {
  expect_refused(
      {}, {"no subcommand",
           "kernels, info, masses, bound, diagnose, approx, choose, transform, train, plan, sums, merge, predict, inspect, demo, doctor",
           "askrff --help"});
  expect_refused({"mases"}, {"unknown subcommand \"mases\"", "masses"});
  expect_refused({"--json"}, {"subcommand"});
  expect_refused({"--frobnicate"}, {"--frobnicate"});
  expect_refused({"kernels", "kernels"}, {"kernels"});
  expect_refused({"kernels", "masses", "--kernel", "gaussian", "--dim", "2"});
  expect_refused({"new\nline"}, {"new line"});
}

TEST(Call, UnknownAndIncompleteOptionsAreRefused) {
  for (const std::string& name : subcommands) {
    expect_refused({name, "--frobnicate"}, {name, "--frobnicate"});
    expect_refused({name, "stray"}, {"stray"});
  }
  expect_refused({"masses", "--dim", "8"}, {"--kernel", "required"});
  expect_refused({"masses", "--kernel"}, {"--kernel"});
  expect_refused({"masses", "--kernel", "gaussian"}, {"--dim"});
  expect_refused({"masses", "--kernel", "gaussian", "--dim", "2", "--dim", "3"}, {"--dim"});
  expect_refused({"approx", "--kernel", "gaussian"}, {"--data"});
  expect_refused({"bound", "--kernel", "gaussian", "--dim", "8"}, {"--diameter"});
  expect_refused({"transform", "--kernel", "shift-gaussian", "--data", "builtin:uniform:2", "--out", "/tmp/askrff-never.npy"}, {"--side"});
  expect_refused({"transform", "--kernel", "gaussian", "--data", "builtin:uniform:2", "--side", "left"}, {"--out"});
  expect_refused({"transform", "--data", "builtin:uniform:2", "--side", "left", "--out", "/tmp/askrff-never.npy"},
                 {"--kernel", "--features"});
  expect_refused({"choose", "--kernel", "gaussian", "--data", "builtin:uniform:2"}, {"--out"});
}

TEST(Call, KernelParametersAreChecked) {
  const auto masses = [](const Arguments& rest) { return Arguments{"masses", "--dim", "3"} + rest; };
  expect_refused(masses({"--kernel", "gausian"}), {"gausian", "gaussian"});
  expect_refused(masses({"--kernel", ""}));
  expect_refused(masses({"--kernel", "shift-gaussian", "--beta", "0.1"}), {"--beta", "shift-gaussian", "--sigma, --shift"});
  expect_refused(masses({"--kernel", "gaussian", "--weight", "0.1"}), {"--weight", "--sigma"});
  expect_refused(masses({"--kernel", "shift-gaussian", "--shift", "1,2"}), {"shift", "2", "3"});
  expect_refused(masses({"--kernel", "shift-gaussian", "--shift", "1,2,3,4"}), {"shift", "4", "3"});
  expect_refused(masses({"--kernel", "gaussian", "--sigma", "1,2,3"}), {"--sigma", "one number"});
  for (const char* junk : {"", "x", "1x", "1,", ",1", "1,,2", "1,2,x", "nan", "inf", "1e999", "--json", " 1", "0x10"})
    expect_refused(masses({"--kernel", "shift-gaussian", "--shift", junk}), {"--shift"});
  for (const char* bad : {"0", "-1", "nan", "inf", "-inf", "1e999", "two"})
    expect_refused(masses({"--kernel", "gaussian", "--sigma", bad}), {"sigma"});
}

TEST(Call, OverflowingMassesAreRefused) {
  for (const char* kernel : {"cosh-gaussian", "sinh-gaussian"}) {
    const Arguments call{"masses", "--kernel", kernel, "--dim", "1", "--sigma", "2"};
    expect_refused(call + Arguments{"--beta", "18.6"}, {kernel, "37"});
    EXPECT_EQ(run(call + Arguments{"--beta", "18.4"}).exit_code, 0);
  }
}

TEST(Call, DimensionsAreChecked) {
  for (const char* command : {"masses", "bound"})
    for (const char* dim : {"0", "-1", "1.5", "x", "", "1000000000000000", "99999999999999999999999"}) {
      Arguments call{command, "--kernel", "shift-gaussian", "--dim", dim};
      if (std::string(command) == "bound") call.insert(call.end(), {"--diameter", "1"});
      expect_refused(call, {"--dim", "whole number"});
    }
}

TEST(Call, AFullDeviceIsAFailureOfTheWork) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  for (const Arguments& call : {Arguments{"kernels"}, Arguments{"kernels", "--json"}, Arguments{"--help"}})
    expect_one_line_error(run_onto(full, call), 1, {"standard output"});
  close(full);
}

TEST(Call, AClosedStandardOutputIsAFailureOfTheWork) {
  const int reading_only = open("/dev/null", O_RDONLY);
  ASSERT_GE(reading_only, 0);
  expect_one_line_error(run_onto(reading_only, {"kernels"}), 1, {"standard output"});
  close(reading_only);
}

TEST(Call, AReaderThatHasGoneIsNoError) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const Outcome outcome = run_onto(ends[1], {"kernels"});
  close(ends[1]);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace askrff::test
