// Kernels by expression on the command line: values, tables, every subcommand that takes a kernel, refusals.
#include "cli/command.hpp"

#include <cmath>

namespace askrff::test {
namespace {

using nlohmann::json;

const Arguments approx_formula = {"approx", "--data", "builtin:uniform:3", "--frequencies", "16", "--trials", "1"};

class Expressions : public testing::Test {
 protected:
  TemporaryFolder folder;

  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = (folder.path() / name).string();
    std::ofstream(path) << content;
    return path;
  }
};

TEST_F(Expressions, ParametersAreGivenByName) {
  const json result =
      run_json(approx_formula + Arguments{"--kernel", "expr: exp(-abs(x + b)/s)", "--param", "s=0.8", "--param", "b=0.3/d"});
  EXPECT_EQ(result.at("kernel"), "expr: exp(-abs(x + b)/s)");
  EXPECT_EQ(result.at("parameters").at("s"), 0.8);
  EXPECT_NEAR(result.at("parameters").at("b").get<double>(), 0.1, 1e-15);
  const json vector = run_json(approx_formula + Arguments{"--kernel", "expr: exp(-abs(x)/s)", "--param", "s=1,2,3"});
  EXPECT_EQ(vector.at("parameters").at("s"), (json{1, 2, 3}));
}

TEST_F(Expressions, TablesComeFromFiles) {
  const std::string plain = file("f.csv", "0,1\n1,0.5\n2,0.1\n3,0\n"), named = file("g.csv", "t,weight\n-3,0\n0,1\n3,2\n");
  const json result = run_json(approx_formula + Arguments{"--kernel", "expr: f(r)*g(t)", "--table", "f=" + plain, "--table", "g=" + named,
                                                          "--param", "a=0.5,0,-0.5"});
  EXPECT_EQ(result.at("parameters").at("f"), (json{0, 1, 1, 0.5, 2, 0.1, 3, 0}));
  EXPECT_EQ(result.at("parameters").at("g").size(), 6u);
  const Outcome text = run(approx_formula + Arguments{"--kernel", "expr: f(r)", "--table", "f=" + plain});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("expr: f(r) (f = table of 4 points) in 3 dimensions"), std::string::npos) << text.out;
}

// A model of an expression knows it, from its file alone.
TEST_F(Expressions, ModelsKeepThem) {
  const std::string table = file("f.csv", "0,1\n1,0.5\n2,0.1\n3,0\n"), model = (folder.path() / "m.askrff").string();
  const Arguments kernel = {"--kernel", "expr: f(r)*exp(-s*t)", "--table", "f=" + table, "--param", "s=0.5", "--param", "a=1"};
  const Outcome trained = run(Arguments{"train", "--data", "builtin:moons:300", "--frequencies", "32", "--out", model} + kernel);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const json inspected = run_json({"inspect", model});
  EXPECT_NE(inspected.dump().find("expr: f(r)*exp(-s*t)"), std::string::npos);
  EXPECT_NE(run({"inspect", model}).out.find("table of 4 points"), std::string::npos);
  std::filesystem::remove(table);
  EXPECT_EQ(run({"predict", "--model", model, "--data", "builtin:moons:300"}).exit_code, 0);
}

// The route is in the kernel's name, in files as well.
TEST_F(Expressions, ARouteCanBeForced) {
  const std::string model = (folder.path() / "m.askrff").string(), name = "expr(route=radial): exp(-r^2)";
  const Arguments choose = {"choose", "--data", "builtin:uniform:2", "--frequencies", "16", "--estimator", "fourier", "--out", model};
  const Outcome made = run(choose + Arguments{"--kernel", "expr: exp(-r^2)", "--route", "radial"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(run_json({"inspect", model}).dump().find(name), std::string::npos);
  const json found = run_json({"diagnose", "--data", "builtin:uniform:2", "--kernel", "expr: exp(-r^2)", "--route", "radial"});
  EXPECT_NE(found.dump().find(name), std::string::npos) << found.dump();
  EXPECT_NE(found.dump().find("radial: a sum of"), std::string::npos) << found.dump();
  const auto refused = [&](const Arguments& kernel, const char* why) {
    const Outcome outcome = run(choose + kernel);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"--kernel", "gaussian", "--route", "radial"}, "--route: belongs to --kernel \"expr: …\"");
  refused({"--kernel", name, "--route", "radial"}, "--route: the route stands in --kernel");
  refused({"--kernel", "expr: exp(-r)", "--route", "square"}, "got \"square\", expected auto, product");
  refused({"--kernel", "expr: exp(-abs(x))", "--route", "radial"}, "the route radial does not fit");
  // Also where no measure is needed.
  for (const char* command : {"choose", "approx", "train"}) {
    Arguments call{command, "--data", "builtin:moons:300", "--estimator", "nystrom", "--kernel", "expr: exp(-r)", "--route", "product"};
    call = call + (std::string(command) == "approx" ? Arguments{"--points", "100"} : Arguments{"--out", model});
    expect_refused(call, {"the route product does not fit"});
  }
}

TEST_F(Expressions, EverySubcommandWithAKernelTakesThem) {
  const Arguments kernel = {"--kernel", "expr: exp(-r*w/s)", "--param", "s=0.5", "--param", "w=1"};
  const std::string out = (folder.path() / "out").string();
  EXPECT_EQ(run(Arguments{"choose", "--data", "builtin:uniform:2", "--frequencies", "16", "--out", out + ".askrff"} + kernel).exit_code, 0);
  EXPECT_EQ(
      run({"transform", "--data", "builtin:uniform:2", "--features", out + ".askrff", "--side", "left", "--out", out + ".npy"}).exit_code,
      0);
  for (const char* subcommand : {"masses", "bound"}) {
    const Outcome outcome = run(Arguments{subcommand, "--dim", "2"} + kernel +
                                (subcommand == std::string("bound") ? Arguments{"--epsilon", "0.1", "--diameter", "1"} : Arguments{}));
    // What was found numerically, a mixture of Gaussians here, has exact masses.
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
}

TEST_F(Expressions, HelpAndKernelsTeachThem) {
  for (const char* subcommand : {"approx", "train", "choose", "transform", "masses", "bound", "plan"}) {
    const std::string help = run({subcommand, "--help"}).out;
    for (const char* word : {"--param NAME=VALUE", "--table NAME=FILE", "expr: exp(-abs(x + 0.3)/s)"})
      EXPECT_NE(help.find(word), std::string::npos) << subcommand << " " << word;
  }
  const json kernels = run_json({"kernels"}).at("expressions");
  EXPECT_EQ(kernels.at("form"), "expr: FORMULA");
  EXPECT_TRUE(kernels.at("functions").contains("tanh"));
  EXPECT_TRUE(kernels.at("variables").contains("r"));
}

TEST_F(Expressions, MistakesAreRefused) {
  const std::string three = file("three.csv", "0,1,2\n1,2,3\n"), falling = file("falling.csv", "1,1\n0,2\n");
  const auto expect = [&](const Arguments& arguments, const std::string& words) {
    const Outcome outcome = run(approx_formula + arguments);
    EXPECT_NE(outcome.exit_code, 0) << words;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect({"--kernel", "expr: exp(-*x)"}, "expression, column 6: got \"*\", expected a number");
  expect({"--kernel", "expr: exp(-x/s)"}, "s is no variable of expressions, expected its value: --param s=NUMBER");
  expect({"--kernel", "expr: f(x)"}, "f is no function of expressions, expected a table: --table f=FILE");
  expect({"--kernel", "expr: exp(-t)"}, "t is a·δ, expected the direction: --param a=N");
  expect({"--kernel", "expr: exp(-r)", "--param", "q=1"}, "--param q: kernel expr: exp(-r) has no such parameter, expected none");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "s=1,2"}, "--param s: got \"1,2\", kernel expr: exp(-r/s) takes one number");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "s=one"}, "--param s");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "s"}, "--param: got \"s\", expected NAME=VALUE");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "=2"}, "expected NAME=VALUE");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "s=1", "--param", "s=2"}, "--param: s has two values");
  expect({"--kernel", "expr: exp(-r/s)", "--param", "s=1", "--sigma", "2"},
         "--sigma: kernel expr: exp(-r/s) has no such parameter, expected --param s");
  expect({"--kernel", "gaussian", "--param", "sigma=1"},
         "--param: belongs to --kernel \"expr: …\"; the parameters of gaussian are options");
  expect({"--kernel", "expr: f(x)", "--table", "f=" + three}, "has 3 columns, expected two");
  expect({"--kernel", "expr: f(x)", "--table", "f=" + falling}, "table f: point 2 is at 0 behind 1, expected increasing abscissae");
  expect({"--kernel", "expr: f(x)", "--table", "f=/nowhere/f.csv"}, "/nowhere/f.csv");
  expect({"--kernel", "expr: exp(-s*x)", "--table", "s=" + file("two.csv", "0,1\n1,2\n")}, "--table s: s stands for a number");
  const std::string two = file("pairs.csv", "0,1\n1,2\n");
  expect({"--kernel", "expr: exp(-r)", "--scales", "1,2,3"}, "--scales: kernel expr: exp(-r) has no such parameter, expected none");
  expect({"--kernel", "expr: exp(-r)", "--table", "f=" + two}, "--table f: kernel expr: exp(-r) has no such parameter, expected none");
  expect({"--kernel", "expr: f(x)", "--param", "f=1"}, "--param f: f stands for a function in expr: f(x), expected --table f=FILE");
  expect({"--kernel", "shifted:expr: exp(-r)", "--shift", "0.3"}, "a formula is not shifted; write the shift into it, (x + 0.3) for x");
  expect({"--kernel", "expr: exp(-x4^2)"}, "kernel expr: exp(-x4^2): it has x4, the data has dimension 3");
  expect({"--kernel", "expr: log(r)"}, "kernel expr: log(r): it is -inf where x - y = (0, 0, 0)");
  expect({"--kernel", "expr: sqrt(-1 - r)"}, "it is nan where x - y = (0, 0, 0)");
}

}  // namespace
}  // namespace askrff::test
