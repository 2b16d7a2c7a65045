// From a server to a verified file: what is wrong never gets its name, what was cut off is kept, and two at once do not meet.
#include "experiments/datasets/fetch.hpp"

#include <chrono>
#include <thread>

#include "experiments/datasets/verify.hpp"
#include "experiments/small_files.hpp"
#include "io/temporary_files.hpp"
#include "support/environment.hpp"
#include "support/http_server.hpp"

namespace askrff::experiments {
namespace {

using namespace test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

class Fetch : public TemporaryFiles {
 protected:
  Fetch() {
    options_.download.first_wait = 1ms;
    options_.download.longest_wait = 10ms;
    options_.download.max_attempts = 2;
    options_.download.notice = [this](const std::string& sentence) { notices_.push_back(sentence); };
  }

  /// "done", or what is said.
  std::string fetch(const HttpServer& server, const CatalogueFile& file) {
    options_.mirror = server.address("/mirror/");
    try {
      EXPECT_EQ(fetch_file(file, folder(), options_), path("small"));
    } catch (const DownloadError& error) {
      return error.what();
    }
    EXPECT_EQ(content("small"), small_text);
    EXPECT_FALSE(fs::exists(path("small.part")));
    return "done";
  }

  const EnvironmentVariable no_proxy_{"no_proxy", "127.0.0.1"};
  FetchOptions options_;
  std::vector<std::string> notices_;
};

/// A data set of one published file.
CatalogueEntry small_entry() {
  CatalogueEntry entry;
  entry.name = "small";
  entry.n_training = 2, entry.n_test = 1;
  entry.copies.resize(1);
  entry.copies[0].training = {small_file_with_bytes()};
  return entry;
}

TEST_F(Fetch, WhatIsRightGetsItsName) {
  const HttpServer server(serving(small_text));
  EXPECT_EQ(fetch(server, small_file_with_bytes()), "done");
  EXPECT_EQ(server.requests()[0].path, "/mirror/small");
  EXPECT_EQ(fetch(server, small_file()), "done") << "without a checksum of the bytes the content decides";
  EXPECT_EQ(server.requests().size(), 1u) << "it was here";
}

TEST_F(Fetch, WrongBytesAreRefusedAndRemoved) {
  std::string wrong = small_text;
  wrong[5] = '7';
  const HttpServer server(serving(wrong));
  const std::string message = fetch(server, small_file_with_bytes());
  EXPECT_TRUE(starts_with(message, server.address("/mirror/small: 41 bytes with SHA-256 ")));
  EXPECT_TRUE(ends_with(message, "came, expected " + small_file_with_bytes().sha256));
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(Fetch, WrongContentIsRefusedAndRemoved) {
  const HttpServer server(serving("<html>please log in</html>\n"));
  EXPECT_TRUE(contains(fetch(server, small_file()), "what came is not the data set: "));
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(Fetch, OtherBytesWithTheRightContentWillDoWhereTheChecksumIsOfACopy) {
  CatalogueFile file = small_file_with_bytes();
  file.sha256[0] = file.sha256[0] == '0' ? '1' : '0';
  const HttpServer server(serving(small_text));
  EXPECT_NE(fetch(server, file), "done");
  file.bytes_are_binding = false;
  file.n_bytes = 7;
  EXPECT_EQ(fetch(server, file), "done");
}

TEST_F(Fetch, WhatWasCutOffIsKeptForTheNextCall) {
  {
    const HttpServer server(in_turn({truncating(small_text, 20), hanging_up()}));
    EXPECT_NE(fetch(server, small_file_with_bytes()), "done");
    EXPECT_EQ(content("small.part"), small_text.substr(0, 20));
    EXPECT_FALSE(fs::exists(path("small")));
  }
  const HttpServer server(serving(small_text));
  EXPECT_EQ(fetch(server, small_file_with_bytes()), "done");
  EXPECT_EQ(server.requests()[0].range_from, 20u);
}

TEST_F(Fetch, AWrongBeginningIsNotBuiltUpon) {
  write("small.part", "something else entirely");
  const HttpServer server(serving(small_text));
  EXPECT_EQ(fetch(server, small_file_with_bytes()), "done");
  EXPECT_EQ(server.requests().size(), 2u);
  EXPECT_TRUE(ends_with(notices_.at(0), "; starting from the beginning"));
}

TEST_F(Fetch, AFailureWithoutABytesLeavesNothing) {
  const HttpServer server(status("404 Not Found"));
  EXPECT_TRUE(contains(fetch(server, small_file()), "HTTP status 404"));
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(Fetch, LinksAreNotFollowed) {
  const std::string precious = write("precious", "precious");
  fs::create_symlink(precious, path("small.part"));
  const HttpServer server(serving(small_text));
  EXPECT_THROW(fetch(server, small_file()), WriteError);
  fs::remove(path("small.part"));
  fs::create_hard_link(precious, path("small.part"));
  EXPECT_THROW(fetch(server, small_file()), WriteError);
  fs::remove(path("small.part"));
  fs::create_symlink(precious, path("small"));
  EXPECT_EQ(fetch(server, small_file()), "done");
  EXPECT_FALSE(fs::is_symlink(path("small")));
  EXPECT_EQ(content("precious"), "precious");
}

TEST_F(Fetch, AFolderOfItsNameIsToldBeforeTheTransfer) {
  fs::create_directories(path("small"));
  const HttpServer server(serving(small_text));
  EXPECT_THROW(fetch(server, small_file()), WriteError);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Fetch, AFolderThatCannotBeMadeIsAnError) {
  write("file", "");
  EXPECT_THROW(fetch_file(small_file(), folder() / "file" / "cache", options_), WriteError);
}

TEST_F(Fetch, TwoAtOnceFetchItOnce) {
  const HttpServer server(dribbling(small_text));
  options_.mirror = server.address();
  std::vector<std::string> said(3, "nothing");
  std::vector<std::thread> threads;
  for (std::string& words : said)
    threads.emplace_back([&] {
      try {
        fetch_file(small_file_with_bytes(), folder(), options_);
        words = "done";
      } catch (const std::exception& error) {
        words = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(said, std::vector<std::string>(3, "done"));
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(content("small"), small_text);
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(Fetch, Mirrors) {
  CatalogueFile file = small_file();
  file.compression = ".bz2";
  EXPECT_EQ(address_of(file, ""), file.address);
  EXPECT_EQ(address_of(file, "https://m.org/x"), "https://m.org/x/small.bz2");
  EXPECT_EQ(address_of(file, "http://m.org/"), "http://m.org/small.bz2");
  for (const char* bad : {"file:///tmp", "ftp://m.org", "m.org", "https://m.org/?x=", "https://m.org/#"})
    EXPECT_THROW(address_of(file, bad), std::invalid_argument) << bad;
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { address_of(file, "ftp://me:secret@m.org"); }), "\"ftp://m.org\""));
}

TEST_F(Fetch, ADataSetIsFetchedOnce) {
  const HttpServer server(serving(small_text));
  options_.mirror = server.address();
  const CatalogueEntry entry = small_entry();
  const Destination cache{folder(), true};
  EXPECT_EQ(fetch_dataset(entry, {folder()}, cache, options_).n_fetched, 1u);
  EXPECT_EQ(fetch_dataset(entry, {folder()}, cache, options_).n_fetched, 0u);
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Fetch, AWrongFileInTheCacheIsReplacedTheUsersOwnAreNot) {
  const HttpServer server(serving(small_text));
  options_.mirror = server.address();
  const CatalogueEntry entry = small_entry();
  write("small", "1 1:1\n");
  EXPECT_THROW(fetch_dataset(entry, {folder()}, {folder(), false}, options_), DataError);
  EXPECT_EQ(content("small"), "1 1:1\n");
  EXPECT_EQ(fetch_dataset(entry, {folder()}, {folder(), true}, options_).n_fetched, 1u);
  EXPECT_EQ(content("small"), small_text);
  EXPECT_TRUE(ends_with(notices_.at(0), "expected 3 rows; it is fetched again"));
}

TEST_F(Fetch, Verdicts) {
  const CatalogueEntry entry = small_entry();
  EXPECT_TRUE(verify_dataset(entry, {folder()}).files.empty());
  write("small", small_text);
  DatasetVerdict verdict = verify_dataset(entry, {folder()});
  EXPECT_TRUE(verdict.is_complete && !verdict.is_wrong());
  EXPECT_EQ(verdict.files.at(0).bytes, Bytes::as_recorded);
  write("small", small_text + "\n");
  verdict = verify_dataset(entry, {folder()});
  EXPECT_FALSE(verdict.is_wrong());
  EXPECT_EQ(verdict.files.at(0).bytes, Bytes::others);
  write("small", "1 1:1\n");
  EXPECT_TRUE(verify_dataset(entry, {folder()}).is_wrong());
  fs::resize_file(path("small"), std::uintmax_t{1} << 40);  // of holes; to read it would take hours
  verdict = verify_dataset(entry, {folder()});
  EXPECT_TRUE(contains(verdict.files.at(0).problem, "1099511627776 bytes, expected at most 1073741824")) << verdict.files.at(0).problem;
  EXPECT_EQ(verdict.files.at(0).sha256, "");
}

}  // namespace
}  // namespace askrff::experiments
