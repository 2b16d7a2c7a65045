// Data as it comes: outliers, constant columns, rows that repeat, fewer rows than features, one-hot rows. Every command works, or says one
// clear sentence.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

/// A table with a label in the last column.
struct Table {
  const char* name;
  std::size_t rows;
  std::function<std::vector<double>(std::size_t row, RandomStream& random)> row;
};

std::string text_of(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.rows; ++i) {
    RandomStream random(11, Purpose::builtin_data, i);
    const std::vector<double> values = table.row(i, random);
    for (const double value : values) text += fmt::format("{},", value);
    text += i % 2 == 0 ? "a\n" : "b\n";
  }
  return text;
}

/// Values depend on the class i % 2, so that there is something to learn.
std::vector<Table> tables() {
  return {
      {"one constant column", 200,
       [](std::size_t i, RandomStream& random) {
         return std::vector<double>{7, random.normal() + static_cast<double>(i % 2)};
       }},
      {"nothing but constant columns", 200,
       [](std::size_t, RandomStream&) {
         return std::vector<double>{7, 0};
       }},
      {"repeated rows", 200,
       [](std::size_t i, RandomStream&) {
         return std::vector<double>{static_cast<double>(i % 2), i % 4 < 2 ? 3. : 4.};
       }},
      {"the same row again and again", 200,
       [](std::size_t, RandomStream&) {
         return std::vector<double>{0.25, 0.5};
       }},
      {"fewer rows than features", 30,
       [](std::size_t i, RandomStream& random) {
         return std::vector<double>{random.normal() + static_cast<double>(i % 2), random.normal()};
       }},
      {"one-hot rows", 200,
       [](std::size_t i, RandomStream& random) {
         std::vector<double> row(12);
         row[random.below(4)] = row[4 + random.below(4)] = row[8 + (i % 2) + 2 * random.below(2)] = 1;
         return row;
       }},
      {"outliers", 200,
       [](std::size_t i, RandomStream& random) {
         return std::vector<double>{i == 50 ? 1e9 : random.normal() + static_cast<double>(i % 2), random.normal()};
       }},
  };
}

class BadData : public Train {
 protected:
  /// Done, or one sentence without the name of a function, and exit code 1 or 2: never a signal, never a number that is none.
  void expect_answer(const Arguments& call) const {
    std::string line;
    for (const std::string& argument : call) line += " " + argument;
    SCOPED_TRACE(line);
    const Outcome outcome = run(call);
    if (outcome.exit_code == 0) {
      EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
      return;
    }
    EXPECT_TRUE(outcome.exit_code == 1 || outcome.exit_code == 2) << outcome.exit_code;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.find("std::"), std::string::npos) << outcome.err;
  }
  void expect_done(const Arguments& call) const {
    const Outcome outcome = run(call);
    EXPECT_EQ(outcome.exit_code, 0) << call.front() << ": " << outcome.err;
  }
  Arguments on(const std::string& command, const std::string& file, std::size_t n_columns, const Arguments& more) const {
    return Arguments{command, "--data", file, "--label", std::to_string(n_columns + 1), "--kernel", "gaussian", "--n-features", "64"} +
           more;
  }
};

TEST_F(BadData, EveryCommandAnswers) {
  for (const Table& table : tables()) {
    SCOPED_TRACE(table.name);
    RandomStream random(11, Purpose::builtin_data, 0);
    const std::size_t n_columns = table.row(0, random).size();
    const std::string file = folder.write("x.csv", text_of(table)), out = folder.file("out");
    const bool all_same = std::string(table.name).find("nothing") == 0 || std::string(table.name).find("the same") == 0;
    for (const std::string scale : {"minmax", "robust", "maxabs", "standard", "none"}) {
      SCOPED_TRACE(scale);
      const Arguments scaled{"--scale", scale};
      const Arguments approx{"approx", "--data",        file, "--label", std::to_string(n_columns + 1), "--kernel", "gaussian", "--sigma",
                             "1",      "--frequencies", "32"};
      // A kernel of given width works on everything, one that goes by distances wants some.
      const Arguments fixed = scaled + Arguments{"--sigma", "1"};
      expect_done(on("train", file, n_columns, fixed + Arguments{"--out", out}));
      expect_done(on("train", file, n_columns, fixed + Arguments{"--memory", "0", "--out", out}));
      expect_done(on("train", file, n_columns, fixed + Arguments{"--model", "ridge", "--out", out}));
      expect_done(on("transform", file, n_columns, fixed + Arguments{"--out", out}));
      if (!all_same) expect_done(on("choose", file, n_columns, fixed + Arguments{"--out", out}));
      if (table.rows >= 48) expect_done(approx + scaled + Arguments{"--estimator", "fourier", "--trials", "1"});
      expect_answer(approx + scaled);
      expect_answer(on("choose", file, n_columns, scaled + Arguments{"--out", out}));
      expect_answer(on("train", file, n_columns, scaled + Arguments{"--out", out}));
    }
  }
}

TEST_F(BadData, OutliersAreToldOfByTheirColumn) {
  const Table outliers = tables().back();
  const std::string file = folder.write("x.csv", "size,weight,kind\n" + text_of(outliers)), out = folder.file("out");
  const std::string sentence = "warning: column 1 ('size') has outliers: scaled minmax", remedy = "--scale robust";
  const Arguments data{"--data", file, "--label", "kind", "--kernel", "gaussian"};
  const Arguments calls[] = {Arguments{"train", "--out", out} + data,
                             Arguments{"train", "--model", "ridge", "--out", out} + data,
                             Arguments{"train", "--memory", "0", "--out", out} + data,
                             Arguments{"choose", "--n-features", "16", "--out", out} + data,
                             Arguments{"approx", "--frequencies", "8"} + data,
                             Arguments{"transform", "--scale", "minmax", "--out", out} + data};
  for (const Arguments& call : calls) {
    SCOPED_TRACE(call.front());
    const Outcome told = run(call);
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_NE(told.err.find(sentence), std::string::npos) << told.err;
    EXPECT_NE(told.err.find(remedy), std::string::npos) << told.err;
    if (call.front() == "transform") continue;
    const Outcome robust = run(call + Arguments{"--scale", "robust"});
    EXPECT_EQ(robust.exit_code, 0) << robust.err;
    EXPECT_EQ(robust.err.find("outliers"), std::string::npos) << robust.err;
  }
}

// Numbers near the largest: their squares overflow, quotients and products may.
TEST_F(BadData, NumbersThatOverflow) {
  const auto table = [&](double unit, double outlier) {
    return folder.write("x.csv", text_of({"", 200, [&](std::size_t i, RandomStream& random) {
                                            return std::vector<double>{
                                                i == 50 ? outlier : unit * (random.normal() + static_cast<double>(i % 2)),
                                                unit * random.normal()};
                                          }}));
  };
  const std::string out = folder.file("out");
  std::string file = table(1, 1e300);
  for (const std::string scale : {"none", "minmax", "standard", "robust", "maxabs"}) {
    SCOPED_TRACE(scale);
    expect_done(on("train", file, 2, {"--scale", scale, "--out", model}));
    const Outcome predicted = run(predict(file, {"--label", "3"}));
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
    EXPECT_EQ(predicted.err, "");  // the rows of the fit do not lie outside it
    expect_done(on("transform", file, 2, {"--scale", scale, "--out", out}));
    expect_done(on("choose", file, 2, {"--scale", scale, "--out", out}));
  }
  const auto refused = [&](const std::string& scale, const std::vector<std::string>& words) {
    for (const std::string command : {"train", "choose", "transform"})
      expect_refused(on(command, file, 2, {"--scale", scale, "--out", out}), words);
  };
  file = table(1e-10, 1e300);
  refused("robust", {"column 1 holds 1e+300", "too large to be scaled"});
  file = table(1e300, 0);
  refused("none", {"e+300 apart, too far for a kernel"});
  for (const std::string scale : {"minmax", "standard", "robust", "maxabs"})
    expect_done(on("train", file, 2, {"--scale", scale, "--out", out}));
}

TEST_F(BadData, OneRowAndOneClass) {
  const std::string row = folder.write("row.csv", "1,2,a\n"), out = folder.file("out");
  expect_refused(on("train", row, 2, {"--out", out}), {"row.csv", "expected at least two classes"});
  expect_refused(on("choose", row, 2, {"--out", out}), {"row.csv", "expected at least 24"});
  expect_refused({"approx", "--data", row, "--label", "3", "--kernel", "gaussian"}, {"row.csv", "expected at least 48"});
  expect_done(on("transform", row, 2, {"--out", out}));
  const std::string one_class = folder.write("class.csv", "1,2,a\n3,4,a\n5,6,a\n");
  for (const char* const kind : {"svm", "ridge"})
    expect_refused(on("train", one_class, 2, {"--model", kind, "--out", out}), {"class.csv", "label 'a'", "at least two classes"});
}

TEST_F(BadData, ZerosOfOneHotRowsStayZeros) {
  const Table one_hot = tables()[5];
  const std::string file = folder.write("x.csv", text_of(one_hot));
  run_json(on("train", file, 12, {"--scale", "maxabs", "--out", model}));
  const json report = run_json({"inspect", model});
  EXPECT_EQ(report.at("scaling"), "maxabs");
  EXPECT_NE(run({"inspect", model}).out.find("every column divided by its largest absolute value"), std::string::npos);
  EXPECT_EQ(run(predict(file, {"--label", "13"})).exit_code, 0);
}

}  // namespace
}  // namespace askrff::test
