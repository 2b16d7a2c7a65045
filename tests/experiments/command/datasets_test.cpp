// askrff-paper datasets as users call it; downloads come from a server in the test.
#include <gtest/gtest.h>

#include "askrff/data.hpp"
#include "cli/command.hpp"
#include "support/environment.hpp"
#include "support/http_server.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

namespace fs = std::filesystem;

class Datasets : public ::testing::Test {
 protected:
  /// The bytes of UCI's letter-recognition.data, made anew from a copy of its content.
  static std::string letter_bytes() {
    const Dataset letter = read_data((shared_dir() / "data/letter.libsvm.xz").string(), {.n_columns = 16});
    std::string text;
    for (std::size_t i = 0; i < letter.X.rows(); ++i) {
      text += static_cast<char>('A' + std::stoi(letter.labels[i]) - 1);
      for (const double value : letter.X.row(i)) text += "," + std::to_string(static_cast<int>(value));
      text += '\n';
    }
    return text;
  }

  std::string cached(const std::string& name) const { return folder_.file("cache/askrff/datasets/" + name); }

  const TemporaryFolder folder_;
  const EnvironmentVariable cache_{"XDG_CACHE_HOME", folder_.file("cache")}, data_{"ASKRFF_DATA", std::nullopt},
      mirror_{"ASKRFF_DATASETS_MIRROR", std::nullopt}, no_proxy_{"no_proxy", "127.0.0.1"};
};

TEST_F(Datasets, ListNamesThemAll) {
  const auto json = run_json({"datasets", "list"});
  ASSERT_EQ(json["datasets"].size(), 4u);
  const auto& spambase = json["datasets"][0];
  EXPECT_EQ(spambase["name"], "spambase");
  EXPECT_EQ(spambase["rows"], 4601);
  EXPECT_EQ(spambase["positive"], 1813);
  EXPECT_EQ(spambase["here"], nullptr);
  EXPECT_EQ(spambase["published"][0]["bytes"], 702942);
  EXPECT_EQ(json["datasets"][1]["published"][0]["sha256"], nullptr);
  EXPECT_EQ(json["searched"][0], fs::path(cached("")).parent_path().string());
  const Outcome table = run({"datasets", "list"});
  EXPECT_EQ(table.exit_code, 0);
  for (const char* name : {"spambase", "ijcnn1", "letter", "cod-RNA", "not here", "CC BY 4.0"})
    EXPECT_NE(table.out.find(name), std::string::npos) << name;
}

TEST_F(Datasets, JsonIsTakenOnEveryLevel) {
  const std::string nested = run({"datasets", "list", "--json"}).out;
  EXPECT_EQ(run({"datasets", "--json", "list"}).out, nested);
  EXPECT_EQ(run({"--json", "datasets", "list"}).out, nested);
}

TEST_F(Datasets, HelpIsThatOfTheSubcommand) {
  for (const std::string name : {"list", "get", "verify"}) {
    const Outcome help = run({"datasets", name, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Usage: askrff-paper datasets " + name), std::string::npos) << help.out;
  }
}

TEST_F(Datasets, WrongCallsAreRefused) {
  expect_refused({"datasets"}, {"datasets: no subcommand given", "list, get, verify"});
  expect_refused({"datasets", "fetch"}, {"datasets: unknown subcommand \"fetch\"", "list, get, verify"});
  expect_refused({"datasets", "get"}, {"datasets get: NAME"});
  expect_refused({"datasets", "get", "mnist"}, {"datasets get: unknown data set \"mnist\", expected one of spambase"});
  expect_refused({"datasets", "get", "../../etc/passwd"}, {"unknown data set"});
  expect_refused({"datasets", "verify", "mnist"}, {"datasets verify: unknown data set"});
  expect_refused({"datasets", "list", "--data-dir", folder_.file("nowhere")}, {"--data-dir", "nowhere", "expected a folder"});
  expect_refused({"datasets", "list", "--data-dir", ""}, {"--data-dir: got \"\""});
  expect_refused({"datasets", "get", "letter", "--mirror", "ftp://me:secret@host/x"}, {"\"ftp://host/x\", expected http://"});
  expect_refused({"datasets", "get", "letter", "--mirror", "http://"}, {"\"http://\", expected http://"});
  expect_refused({"datasets", "get", "letter", "--bogus"},
                 {"datasets get: \"--bogus\" is not an option here; see askrff-paper datasets get --help"});
  EXPECT_TRUE(folder_.empty());
}

TEST_F(Datasets, WithoutAHomeThereIsNoCache) {
  const EnvironmentVariable cache("XDG_CACHE_HOME", std::nullopt), home("HOME", std::nullopt);
  expect_refused({"datasets", "get", "letter"}, {"datasets get: no folder to download to", "HOME", "--data-dir"});
  EXPECT_EQ(run({"datasets", "list"}).exit_code, 0);
}

TEST_F(Datasets, WhatAMirrorHasNotFails) {
  const HttpServer server(status("404 Not Found"));
  expect_one_line_error(run({"datasets", "get", "letter", "--mirror", server.address()}), 1,
                        {"datasets get: letter: ", server.address("/letter-recognition.data: HTTP status 404")});
  const EnvironmentVariable mirror("ASKRFF_DATASETS_MIRROR", server.address("/sub/"));
  expect_one_line_error(run({"datasets", "get", "letter", "spambase"}), 1, {"/sub/letter-recognition.data", "/sub/spambase.data"});
  EXPECT_EQ(server.requests().size(), 3u) << "one failure does not keep the others from being fetched";
  expect_one_line_error(run({"datasets", "get", "ALL"}), 1, {"spambase: ", "ijcnn1: ", "letter: ", "cod-RNA: "});
}

TEST_F(Datasets, WrongBytesAreRefused) {
  const HttpServer server(serving(std::string(702'942, '0')));
  expect_one_line_error(run({"datasets", "get", "spambase", "--mirror", server.address()}), 1,
                        {"702942 bytes with SHA-256 ", "came, expected b1ef93de71f97714d3d7d4f58fc9f718da7bbc8ac8a150eff2778616a8097b12"});
  EXPECT_FALSE(fs::exists(cached("spambase.data")));
  EXPECT_FALSE(fs::exists(cached("spambase.data.part")));
  const HttpServer portal(serving("<html>please log in</html>"));
  expect_one_line_error(run({"datasets", "get", "ijcnn1", "--mirror", portal.address()}), 1,
                        {"ijcnn1.tr.bz2: what came is not the data set"});
}

TEST_F(Datasets, GetFetchesVerifiesAndKeeps) {
  ASKRFF_NEED_SHARED("data/letter.libsvm.xz");
  const HttpServer server(in_turn({truncating(letter_bytes(), 300'000), serving(letter_bytes())}));
  const Outcome first = run({"datasets", "get", "Letter", "--json", "--mirror", server.address()});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.err.find("askrff-paper: warning: datasets get: "), std::string::npos) << first.err;
  const auto json = nlohmann::json::parse(first.out);
  EXPECT_EQ(json["datasets"][0]["fetched"], 1);
  EXPECT_EQ(json["datasets"][0]["files"][0], cached("letter-recognition.data"));
  EXPECT_EQ(server.requests().at(1).range_from, 300'000u);
  EXPECT_EQ(run_json({"datasets", "get", "letter"})["datasets"][0]["fetched"], 0) << "no network needed";
  const auto verdict = run_json({"datasets", "verify", "letter"});
  EXPECT_EQ(verdict["ok"], true);
  EXPECT_EQ(verdict["datasets"][0]["files"][0]["as_recorded"], true);
}

TEST_F(Datasets, GetPutsFilesWhereItIsTold) {
  ASKRFF_NEED_SHARED("data/letter.libsvm.xz");
  fs::create_directories(folder_.file("data"));
  const HttpServer server(serving(letter_bytes()));
  EXPECT_EQ(run({"datasets", "get", "letter", "--data-dir", folder_.file("data"), "--mirror", server.address()}).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_.file("data/letter-recognition.data")));
  EXPECT_FALSE(fs::exists(folder_.file("cache")));
  const EnvironmentVariable data("ASKRFF_DATA", folder_.file("data"));
  EXPECT_EQ(run_json({"datasets", "list"})["datasets"][2]["here"]["files"][0], folder_.file("data/letter-recognition.data"));
}

TEST_F(Datasets, VerifyTellsWhatIsWrong) {
  const Outcome nothing = run({"datasets", "verify"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_NE(nothing.err.find("askrff-paper: datasets verify: no data set is here; looked in "), std::string::npos) << nothing.err;
  EXPECT_NE(nothing.out.find("not here"), std::string::npos);
  fs::create_directories(folder_.file("data"));
  folder_.write("data/spambase.data", "1,2,3\n");
  folder_.write("data/ijcnn1.tr", "1 1:1\n");
  const Outcome wrong = run({"datasets", "verify", "--json", "--data-dir", folder_.file("data")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("spambase.data"), std::string::npos) << wrong.err;
  const auto json = nlohmann::json::parse(wrong.out);
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["datasets"][0]["files"][0]["ok"], false);
  EXPECT_EQ(json["datasets"][0]["files"][0]["as_recorded"], false);
  EXPECT_EQ(json["datasets"][1]["lacking"].size(), 2u);
}

TEST_F(Datasets, VerifyTakesLocalCopies) {
  ASKRFF_NEED_SHARED("data/spambase.libsvm.xz");
  const auto json = run_json({"datasets", "verify", "spambase", "letter", "--data-dir", (shared_dir() / "data").string()});
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["datasets"].size(), 2u);
  EXPECT_EQ(json["datasets"][1]["files"].size(), 3u);
}

}  // namespace
}  // namespace askrff::test
