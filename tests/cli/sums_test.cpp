// askrff plan, sums, merge and train --sums: any number of files, in any order, give the bytes of askrff train on all of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

/// A table in files part-1.csv …, its plan and its sums.
class Sums : public Train {
 protected:
  const std::string data = folder.file("part-*.csv"), plan = folder.file("job.plan");

  /// cuts: where files end, as shares of the rows; the same twice is a file without rows, the second of them without a byte.
  void write_parts(const std::string& table, const std::vector<double>& cuts) const {
    const std::size_t header_end = table.find('\n') + 1;
    std::size_t begin = header_end;
    bool had_empty = false;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      const std::size_t about = header_end + static_cast<std::size_t>(cuts[i] * static_cast<double>(table.size() - header_end));
      const std::size_t end = about >= table.size() ? table.size() : std::max(begin, table.find('\n', about) + 1);
      const bool is_empty = begin == end;
      folder.write("part-" + std::to_string(i + 1) + ".csv",
                   is_empty && had_empty ? "" : table.substr(0, header_end) + table.substr(begin, end - begin));
      had_empty = had_empty || is_empty;
      begin = end;
    }
  }

  std::string sums_file(std::size_t part) const { return folder.file(std::to_string(part) + ".sums"); }
  void make_plan(const Arguments& more) const {
    const Outcome outcome = run(Arguments{"plan", "--data", data, "--out", plan} + more);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  Arguments sums_call(std::size_t part) const { return {"sums", "--plan", plan, "--part", std::to_string(part), "--out", sums_file(part)}; }
  void make_sums(const std::vector<std::size_t>& parts) const {
    for (const std::size_t part : parts) {
      const Outcome outcome = run(sums_call(part));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    }
  }
  std::string solved(const Arguments& sums, const Arguments& more = {}) const {
    const std::string out = folder.file("of-sums.askrff");
    const Outcome outcome = run(Arguments{"train", "--out", out} + more + Arguments{"--sums"} + sums);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return content_of(out);
  }
  std::string trained(const Arguments& more) const {
    const Outcome outcome = run(train(data, more + Arguments{"--model", "ridge"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return content_of(model);
  }
};

TEST_F(Sums, TheModelIsThatOfAllFiles) {
  const Arguments more = kernel + Arguments{"--label", "z"};
  const std::vector<std::vector<double>> ways{
      {1}, {0.3, 1}, {0.5, 0.5, 0.8, 1}, {0, 0, 0.2, 0.3, 0.31, 0.9, 1}, {0.4, 0.6, 0.6, 0.6, 0.7, 1, 1}};
  for (const auto& cuts : ways) {
    SCOPED_TRACE(cuts.size());
    write_parts(surface(500), cuts);
    make_plan(more);
    std::vector<std::size_t> parts(cuts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = cuts.size() - i;
    make_sums(parts);
    EXPECT_EQ(solved({folder.file("*.sums")}), trained(more));
    for (const std::size_t part : parts) std::filesystem::remove(sums_file(part));
  }
}

TEST_F(Sums, ClassesHaveProbabilitiesByOneMorePass) {
  write_parts(sectors(400, {"a", "b", "c"}), {0.4, 0.4, 1});
  const Arguments more = kernel + Arguments{"--label", "kind"};
  make_plan(more);
  make_sums({2, 3, 1});
  EXPECT_EQ(solved({folder.file("*.sums")}, {"--probabilities"}), trained(more));
  const std::string with = folder.file("of-sums.askrff");
  EXPECT_TRUE(run_json({"train", "--sums", folder.file("*.sums"), "--out", with, "--probabilities"}).at("probabilities"));
  EXPECT_FALSE(run_json({"train", "--sums", folder.file("*.sums"), "--out", with}).at("probabilities"));
  EXPECT_EQ(solved({folder.file("*.sums")}, {"--probabilities", "--leave-one-out"}), trained(more + Arguments{"--leave-one-out"}));
}

TEST_F(Sums, OptionsOfTrain) {
  write_parts(sectors(400, {"a", "b", "c"}), {0.4, 1});
  for (const Arguments& more :
       {kernel + Arguments{"--c", "2"}, kernel + Arguments{"--c", "2", "--precision", "float32", "--no-bias", "--class-weight", "balanced"},
        Arguments{"--kernel", "linear", "--c", "1", "--scale", "standard", "--seed", "9"},
        Arguments{"--kernel", "gaussian", "--tune", "sigma", "--frequencies", "8", "--c", "1", "--folds", "3"},
        Arguments{"--kernel", "gaussian", "--tolerance", "0.05", "--max-frequencies", "64", "--c", "1"},
        Arguments{"--kernel", "gaussian", "--n-features", "16", "--estimator", "nystrom", "--c", "1", "--class-weight", "a=2,b=0.5"}}) {
    const Arguments with_label = more + Arguments{"--label", "kind"};
    make_plan(with_label);
    make_sums({1, 2});
    EXPECT_EQ(solved({sums_file(2), sums_file(1)}), trained(with_label));
  }
}

TEST_F(Sums, OtherFormatsAndLabels) {
  const Arguments more{"--kernel", "linear", "--c", "1"};
  folder.write("part-1.csv", "1,2,0.5\n3,4,1\n");
  folder.write("part-2.csv", "5,7,2\n2,2,0\n");
  folder.write("y-1.txt", "a\nb\n");
  folder.write("y-2.txt", "b\na\n");
  const Arguments labels = more + Arguments{"--labels", folder.file("y-*.txt"), "--row-weight", "3"};
  make_plan(labels);
  make_sums({1, 2});
  EXPECT_EQ(solved({folder.file("*.sums")}), trained(labels));
  folder.write("y.txt", "a\nb\nb\na\n");
  expect_refused(Arguments{"plan", "--data", data, "--labels", folder.file("y.txt"), "--out", plan} + more,
                 {"y.txt", "one label file for each"});
  // The last column is in one file only.
  folder.write("part-1.csv", "1 1:1 2:2\n-1 1:3\n");
  folder.write("part-2.csv", "1 1:2\n-1 1:3 4:5\n");
  const Arguments libsvm = more + Arguments{"--format", "libsvm"};
  make_plan(libsvm);
  make_sums({1, 2});
  EXPECT_EQ(solved({folder.file("*.sums")}), trained(libsvm));
}

TEST_F(Sums, BuiltinDataAreOnePart) {
  const Arguments more = kernel + Arguments{"--c", "1"};
  ASSERT_EQ(run(Arguments{"plan", "--data", "builtin:moons:300", "--out", plan} + more).exit_code, 0);
  make_sums({1});
  ASSERT_EQ(run(train("builtin:moons:300", more + Arguments{"--model", "ridge"})).exit_code, 0);
  EXPECT_EQ(solved({sums_file(1)}), content_of(model));
}

TEST_F(Sums, MergedInAnyTree) {
  write_parts(surface(500), {0.1, 0.3, 0.3, 0.6, 1});
  const Arguments more = kernel + Arguments{"--label", "z", "--c-grid", "1,10"};
  make_plan(more);
  make_sums({1, 2, 3, 4, 5});
  const std::string some = folder.file("some"), all = folder.file("all"), other = folder.file("other");
  const json merged = run_json({"merge", sums_file(5), sums_file(2), sums_file(2), "--out", some});
  EXPECT_EQ(merged.at("missing"), (json{1, 4}));
  EXPECT_EQ(merged.at("complete"), false);
  EXPECT_EQ(run_json({"merge", some, sums_file(4), sums_file(1), "--out", all}).at("complete"), true);
  ASSERT_EQ(run({"merge", sums_file(4), sums_file(1), sums_file(5), "--out", other}).exit_code, 0);
  ASSERT_EQ(run({"merge", folder.file("?.sums"), "--out", other}).exit_code, 0);
  EXPECT_EQ(content_of(all), content_of(other));
  EXPECT_EQ(solved({all}), trained(more));
  EXPECT_EQ(solved({all, sums_file(1), some}), trained(more));
}

TEST_F(Sums, WhatIsMissingIsNamed) {
  write_parts(surface(500), {0.1, 0.3, 0.3, 0.6, 1});
  make_plan(kernel + Arguments{"--label", "z"});
  make_sums({2, 3});
  const Arguments call{"train", "--out", model, "--sums", folder.file("*.sums")};
  expect_refused(call, {"sums of parts 1,4-5 of 5 are missing", "part-1.csv", "of 500 rows"});
  EXPECT_FALSE(std::filesystem::exists(model));
  const json shown = run_json({"inspect", sums_file(2)});
  EXPECT_EQ(shown.at("holds"), "planned-sums");
  EXPECT_EQ(shown.at("missing"), (json{1, 4, 5}));
  EXPECT_EQ(shown.at("plan").at("n_parts"), 5);
}

TEST_F(Sums, Reports) {
  write_parts(sectors(300, {"a", "b"}), {0.5, 0.5, 1});
  const json planned = run_json(Arguments{"plan", "--data", data, "--label", "kind", "--out", plan} + kernel);
  EXPECT_EQ(planned.at("n_parts"), 3);
  EXPECT_EQ(planned.at("rows"), 300);
  EXPECT_EQ(planned.at("task"), "classification");
  EXPECT_EQ(planned.at("parts").at(1).at("rows"), 0);
  EXPECT_EQ(planned.at("parts").at(2).at("file"), folder.file("part-3.csv"));
  const json summed = run_json(sums_call(3));
  EXPECT_EQ(summed.at("part"), 3);
  EXPECT_EQ(summed.at("rows"), planned.at("parts").at(2).at("rows"));
  const json shown = run_json({"inspect", plan});
  EXPECT_EQ(shown.at("holds"), "ridge-plan");
  EXPECT_EQ(shown.at("plan").at("command"), planned.at("command"));
  for (const std::string& file : {plan, sums_file(3)}) {
    const Outcome outcome = run({"inspect", file});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("part-3.csv"), std::string::npos) << outcome.out;
  }
  const std::string help = run({"plan", "--help"}).out;
  for (const char* part : {"SLURM_ARRAY_TASK_ID", "make -j", "askrff sums", "askrff train --sums"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
}

TEST_F(Sums, PartsByNameAndCopies) {
  write_parts(surface(300), {0.5, 1});
  make_plan(kernel + Arguments{"--label", "z"});
  make_sums({2});
  const std::string out = folder.file("other");
  ASSERT_EQ(run({"sums", "--plan", plan, "--data", folder.file("part-2.csv"), "--out", out}).exit_code, 0);
  EXPECT_EQ(content_of(out), content_of(sums_file(2)));
  std::filesystem::rename(folder.file("part-2.csv"), folder.file("moved.csv"));
  ASSERT_EQ(run({"sums", "--plan", plan, "--part", "2", "--data", folder.file("moved.csv"), "--out", out}).exit_code, 0);
  EXPECT_EQ(content_of(out), content_of(sums_file(2)));
  expect_refused({"sums", "--plan", plan, "--data", folder.file("moved.csv"), "--out", out}, {"--data", "is no part of", "part-1.csv"});
  expect_refused({"sums", "--plan", plan, "--part", "1", "--data", folder.file("moved.csv"), "--out", out}, {"moved.csv", "part 1"});
  expect_refused({"sums", "--plan", plan, "--out", out}, {"--part"});
}

TEST_F(Sums, ChangedFilesAreRefused) {
  const std::string table = sectors(300, {"a", "b"});
  write_parts(table, {0.5, 0.5, 1});
  make_plan(kernel + Arguments{"--label", "kind"});
  const std::string part = folder.file("part-1.csv"), content = content_of(part);
  folder.write("part-1.csv", content + "0.5,0.25,\"a\"\n");
  expect_refused(sums_call(1), {"part-1.csv", "the plan has seen"});
  folder.write("part-1.csv", content.substr(0, content.find('\n') + 1));
  expect_refused(sums_call(1), {"part-1.csv", "rows of class 'a', but the plan has seen"});
  std::string changed = content;
  changed[changed.find("\n", 40) + 3] = changed[changed.find("\n", 40) + 3] == '7' ? '8' : '7';
  folder.write("part-1.csv", changed);
  expect_refused(sums_call(1), {"part-1.csv"});
  folder.write("part-1.csv", "x,w" + content.substr(3));
  expect_refused(sums_call(1), {"part-1.csv: column 2 is called 'w', in the plan it is 'y'"});
  folder.write("part-1.csv", content + "0.5,0.25,\"c\"\n");
  expect_refused(sums_call(1), {"part-1.csv", "there was no 'c'"});
  folder.write("part-2.csv", content);
  expect_refused(sums_call(2), {"part-2.csv", "the plan has seen 0"});
  std::filesystem::remove(folder.file("part-3.csv"));
  expect_refused(sums_call(3), {"part-3.csv", "No such file"});
  for (const std::size_t i : {1, 2, 3}) EXPECT_FALSE(std::filesystem::exists(sums_file(i)));
}

TEST_F(Sums, Refused) {
  write_parts(surface(300), {0.5, 1});
  const Arguments more = kernel + Arguments{"--label", "z"};
  make_plan(more);
  make_sums({1, 2});
  const std::string out = folder.file("out");
  for (const char* part : {"0", "3", "99999999999999999999", "-1", "x", ""})
    expect_refused({"sums", "--plan", plan, "--part", part, "--out", out}, {"--part"});
  expect_refused({"sums", "--plan", plan, "--part", "3", "--out", out}, {"got \"3\", expected a whole number from 1 to 2"});
  expect_refused({"sums", "--plan", sums_file(1), "--part", "1", "--out", out}, {"holds sums, expected a plan"});
  expect_refused({"merge", plan, "--out", out}, {"holds a plan without sums"});
  expect_refused({"merge", folder.file("none*.sums"), "--out", out}, {"no file matches"});
  expect_refused({"merge", "--out", out}, {"FILE"});
  expect_refused({"merge", sums_file(1), "--out", sums_file(1)}, {"--out", "is the file of FILE"});
  expect_refused({"sums", "--plan", plan, "--part", "1", "--out", plan}, {"--out", "is the file of --plan"});
  expect_refused({"sums", "--plan", plan, "--part", "1", "--out", folder.file("part-1.csv")}, {"--out", "is the file of --data"});
  expect_refused({"train", "--sums", sums_file(1), sums_file(2), "--out", sums_file(2)}, {"--out", "is the file of --sums"});
  expect_refused(Arguments{"plan", "--data", data, "--out", folder.file("part-2.csv")} + more, {"--out", "is the file of --data"});
  expect_refused(Arguments{"plan", "--data", "-", "--out", out} + more, {"standard input", "only once"});
  expect_refused(Arguments{"plan", "--data", data, "--out", out, "--model", "svm"} + more, {"--model", "expected ridge"});
  const Arguments solve{"train", "--out", out, "--sums", folder.file("*.sums")};
  for (const Arguments& option : {Arguments{"--data", data},
                                  {"--kernel", "gaussian"},
                                  {"--seed", "1"},
                                  {"--folds", "3"},
                                  {"--model", "ridge"},
                                  {"--scale", "none"},
                                  {"--precision", "float32"},
                                  {"--label", "z"},
                                  {"--n-features", "8"}})
    expect_refused(solve + option, {option[0], "belongs to askrff plan"});
  expect_refused(solve + Arguments{"--c", "1", "--c-grid", "1,2"}, {"--c-grid"});
  expect_refused(solve + Arguments{"--probabilities"}, {"probabilities", "regression"});
  expect_refused(train(data, more + Arguments{"--probabilities"}), {"--probabilities", "only with --sums"});
  expect_refused({"train", "--kernel", "gaussian", "--out", out}, {"--data", "--sums"});
  expect_refused({"predict", "--model", plan, "--data", data}, {"job.plan"});
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(Sums, OfDifferentPlansAreRefused) {
  write_parts(surface(300), {0.5, 1});
  make_plan(kernel + Arguments{"--label", "z"});
  make_sums({1});
  make_plan(kernel + Arguments{"--label", "z", "--seed", "1"});
  make_sums({2});
  expect_refused({"merge", sums_file(1), sums_file(2), "--out", folder.file("out")},
                 {"2.sums: sums of another plan than", "1.sums, expected the same"});
  expect_refused({"train", "--sums", folder.file("*.sums"), "--out", model}, {"sums of another plan than"});
}

TEST_F(Sums, DamagedFilesAreRefused) {
  write_parts(surface(300), {0.5, 1});
  make_plan(kernel + Arguments{"--label", "z"});
  make_sums({1});
  for (const auto& [file, call] : {std::pair{plan, Arguments{"sums", "--plan", plan, "--part", "1", "--out", folder.file("out")}},
                                   std::pair{sums_file(1), Arguments{"merge", sums_file(1), "--out", folder.file("out")}}}) {
    const std::string content = content_of(file), name = std::filesystem::path(file).filename();
    folder.write(name, content.substr(0, content.size() / 2));
    expect_refused(call, {"ends early"});
    std::string flipped = content;
    flipped[content.size() / 2] ^= 16;
    folder.write(name, flipped);
    expect_refused(call, {"checksum"});
    expect_refused({"inspect", file}, {"checksum"});
    folder.write(name, "hello");
    expect_refused(call, {"is not a model or map, a plan or its sums"});
    folder.write(name, "");
    expect_refused(call, {"is empty"});
    folder.write(name, content);
    EXPECT_EQ(run(call).exit_code, 0);
  }
}

}  // namespace
}  // namespace askrff::test
