// Patterns on the command line: the same results as with one file that has all rows.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

/// Lines of a table as three files with its header, the second without rows, and as one.
class ManyFilesCommand : public Train {
 protected:
  void write_parts(const std::string& table) const {
    const std::size_t header_end = table.find('\n') + 1, middle = table.find('\n', table.size() / 3) + 1;
    folder.write("all.csv", table);
    folder.write("part-1.csv", table.substr(0, middle));
    folder.write("part-2.csv", table.substr(0, header_end));
    folder.write("part-3.csv", table.substr(0, header_end) + table.substr(middle));
  }
  std::string trained(const std::string& data, const Arguments& more) const {
    const Outcome outcome = run(train(data, more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return content_of(model);
  }
  const std::string all = folder.file("all.csv"), parts = folder.file("part-*.csv");
};

TEST_F(ManyFilesCommand, TrainGivesTheSameBytes) {
  write_parts(sectors(400, {"a", "b", "c"}));
  const Arguments svm = kernel + Arguments{"--label", "kind"};
  EXPECT_EQ(trained(parts, svm), trained(all, svm));
  const Arguments ridge = svm + Arguments{"--model", "ridge"};
  EXPECT_EQ(trained(parts, ridge), trained(all, ridge));
  EXPECT_EQ(trained(parts, ridge + Arguments{"--threads", "1"}), trained(all, ridge + Arguments{"--threads", "2"}));
  write_parts(surface(400));
  const Arguments regression = kernel + Arguments{"--label", "z", "--model", "ridge"};
  EXPECT_EQ(trained(parts, regression), trained(all, regression));
}

/// More rows than a block of the stream has.
TEST_F(ManyFilesCommand, TrainOfManyBlocks) {
  write_parts(surface(30000));
  const Arguments ridge = kernel + Arguments{"--label", "z", "--model", "ridge", "--c", "1"};
  EXPECT_EQ(trained(parts, ridge), trained(all, ridge));
}

TEST_F(ManyFilesCommand, LabelsInFiles) {
  folder.write("X-1.csv", "1,2\n3,4\n");
  folder.write("X-2.csv", "5,7\n2,2\n");
  folder.write("X.csv", "1,2\n3,4\n5,7\n2,2\n");
  folder.write("y-1.txt", "a\nb\n");
  folder.write("y-2.txt", "b\na\n");
  folder.write("y.txt", "a\nb\nb\na\n");
  const Arguments more{"--kernel", "linear", "--c", "1"};
  const std::string expected = trained(folder.file("X.csv"), more + Arguments{"--labels", folder.file("y.txt")});
  EXPECT_EQ(trained(folder.file("X-*.csv"), more + Arguments{"--labels", folder.file("y-*.txt")}), expected);
  EXPECT_EQ(trained(folder.file("X-*.csv"), more + Arguments{"--labels", folder.file("y.txt")}), expected);
  folder.write("y-3.txt", "a\n");
  expect_refused(train(folder.file("X-*.csv"), more + Arguments{"--labels", folder.file("y-*.txt")}), {"y-*.txt: 3 files match, but 2 of"});
}

TEST_F(ManyFilesCommand, Info) {
  write_parts(sectors(300, {"a", "b"}));
  json of_parts = run_json({"info", "--data", parts, "--label", "kind"}), of_all = run_json({"info", "--data", all, "--label", "kind"});
  EXPECT_EQ(of_parts.at("data"), parts);
  EXPECT_EQ(of_parts.at("rows"), 300);
  of_parts["data"] = of_all["data"];
  EXPECT_EQ(of_parts, of_all);
}

TEST_F(ManyFilesCommand, Predict) {
  write_parts(sectors(300, {"a", "b"}));
  trained(all, kernel + Arguments{"--label", "kind"});
  const Arguments label{"--label", "kind", "--out"};
  const json of_parts = run_json(predict(parts, label + Arguments{folder.file("p1")}));
  const json of_all = run_json(predict(all, label + Arguments{folder.file("p2")}));
  EXPECT_EQ(of_parts.at("rows"), 300);
  EXPECT_EQ(of_parts.at("accuracy"), of_all.at("accuracy"));
  EXPECT_EQ(content_of(folder.file("p1")), content_of(folder.file("p2")));
}

/// What predict writes while it works has a name that the pattern matches too.
TEST_F(ManyFilesCommand, OutputsAreNoInputs) {
  write_parts(sectors(300, {"a", "b"}));
  trained(all, kernel + Arguments{"--label", "kind"});
  const Arguments to_part{"--label", "kind", "--out", folder.file("part-out.csv")};
  const std::string any = folder.file("part-*");
  EXPECT_EQ(run_json(predict(any, to_part)).at("rows"), 300);
  expect_refused(predict(any, to_part), {"--out", "part-out.csv\" is the file of --data"});  // now it is one
  EXPECT_EQ(lines_of(folder.file("part-out.csv")).size(), 300u);
  expect_refused({"train", "--data", parts, "--kernel", "gaussian", "--out", folder.file("part-3.csv")}, {"is the file of --data"});
  expect_refused({"choose", "--data", parts, "--kernel", "gaussian", "--out", folder.file("part-3.csv")}, {"is the file of --data"});
}

TEST_F(ManyFilesCommand, OtherCommands) {
  write_parts(sectors(300, {"a", "b"}));
  const Arguments label{"--label", "kind"};
  const auto transformed = [&](const std::string& data) {
    const std::string out = folder.file("out.npy");
    EXPECT_EQ(run(Arguments{"transform", "--data", data, "--side", "left", "--out", out} + label + kernel).exit_code, 0);
    return content_of(out);
  };
  EXPECT_EQ(transformed(parts), transformed(all));
  const auto approximated = [&](const std::string& data) {
    return run_json(Arguments{"approx", "--data", data, "--points", "50", "--trials", "1"} + label + kernel);
  };
  EXPECT_EQ(approximated(parts).at("data"), parts);
  const Outcome chosen = run(Arguments{"choose", "--data", parts, "--kernel", "gaussian", "--out", folder.file("map")} + label);
  EXPECT_EQ(chosen.exit_code, 0) << chosen.err;
  EXPECT_NE(chosen.out.find("--data '" + parts + "'"), std::string::npos) << chosen.out;  // to be typed again
}

TEST_F(ManyFilesCommand, Refused) {
  const std::string none = folder.file("part-*.npy");
  for (const Arguments& call : {Arguments{"info", "--data", none}, train(none, kernel), Arguments{"approx", "--data", none} + kernel,
                                Arguments{"choose", "--data", none, "--kernel", "gaussian", "--out", folder.file("map")},
                                Arguments{"transform", "--data", none, "--side", "left", "--out", folder.file("out")} + kernel})
    expect_refused(call, {"part-*.npy: no file matches\n"});
  folder.write("part-1.csv", "a,b\n1,2\n");
  folder.write("part-2.csv", "a,c\n1,2\n");
  expect_refused({"info", "--data", parts}, {"part-2.csv: column 2 of the data is called 'c', expected 'b' as in ", "part-1.csv"});
  folder.write("part-2.csv", "a,b\n1,2\n1,x\n");
  expect_refused({"info", "--data", parts}, {"part-2.csv:3: column 2 ('b'): 'x' is not a number"});
  folder.write("part-2.npy", "");
  expect_refused({"info", "--data", folder.file("part-*")}, {"part-2.csv:3"});  // reached first
  expect_refused({"info", "--data", folder.file("part-1.csv"), folder.file("part-2.csv")}, {"part-2.csv", "is not an option here"});
}

/// However many the files and rows are.
TEST_F(ManyFilesCommand, MemoryIsThatOfABlock) {
  if (const std::string why = no_limit_of_addresses(); !why.empty()) GTEST_SKIP() << why;
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += "0.5,1,2,3,4,5,6,7\n";
  for (int k = 10; k < 60; ++k) folder.write("part-" + std::to_string(k) + ".csv", rows);
  constexpr rlim_t limit = rlim_t{48} << 20;  // the rows would take 61 MiB
  const Outcome outcome = run_limited({"info", "--data", parts, "--threads", "1", "--json"}, RLIMIT_AS, limit);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).at("rows"), 1000000);
}

}  // namespace
}  // namespace askrff::test
