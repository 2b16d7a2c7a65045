// Downloads from servers of every habit: good, slow, cut off, lying, endless.
#include "experiments/datasets/download.hpp"

#include <chrono>

#include "io/temporary_files.hpp"
#include "support/environment.hpp"
#include "support/http_server.hpp"

namespace askrff::experiments {
namespace {

using namespace std::chrono_literals;
using namespace test;

class Download : public TemporaryFiles {
 protected:
  Download() {
    body_.resize(300'000);
    for (std::size_t i = 0; i < body_.size(); ++i) body_[i] = static_cast<char>(i * i % 251);
    options_.first_wait = 1ms;
    options_.longest_wait = 10ms;
    options_.notice = [this](const std::string& sentence) { notices_.push_back(sentence); };
  }

  /// "done", or what is said; the unfinished file is left as it is.
  std::string fetch(const std::string& address, std::uint64_t n_bytes = 0) {
    PartFile part(folder(), "file");
    try {
      download(address, part, n_bytes, options_);
    } catch (const DownloadError& error) {
      return error.what();
    }
    return "done";
  }
  std::string part() const { return content("file.part"); }

  const EnvironmentVariable no_proxy_{"no_proxy", "127.0.0.1"};
  std::string body_;
  DownloadOptions options_;
  std::vector<std::string> notices_;
};

TEST_F(Download, AFileArrives) {
  const HttpServer server(serving(body_));
  std::uint64_t done = 0, total = 1;
  options_.progress = [&](std::uint64_t now, std::uint64_t all) { done = now, total = all; };
  EXPECT_EQ(fetch(server.address("/file")), "done");
  EXPECT_EQ(part(), body_);
  EXPECT_EQ(done, body_.size());
  EXPECT_EQ(total, 0u);
  EXPECT_EQ(server.requests().front().path, "/file");
  EXPECT_TRUE(notices_.empty());
}

TEST_F(Download, SlownessIsNoMistake) {
  const HttpServer server(dribbling(body_));
  EXPECT_EQ(fetch(server.address(), body_.size()), "done");
  EXPECT_EQ(part(), body_);
}

TEST_F(Download, WhatWasCutOffIsContinued) {
  const HttpServer server(in_turn({truncating(body_, 100'000), serving(body_)}));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_);
  ASSERT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(server.requests()[1].range_from, 100'000u);
  ASSERT_EQ(notices_.size(), 1u);
  EXPECT_TRUE(contains(notices_[0], "; trying again in "));
}

TEST_F(Download, ALaterCallContinues) {
  write("file.part", body_.substr(0, 1234));
  const HttpServer server(serving(body_));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_);
  EXPECT_EQ(server.requests()[0].range_from, 1234u);
}

TEST_F(Download, AServerThatIgnoresRangeStartsAnew) {
  write("file.part", std::string(1234, 'x'));
  const HttpServer server(ignoring_range(body_));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_);
}

TEST_F(Download, AServerThatContinuesElsewhereIsAskedForEverything) {
  write("file.part", body_.substr(0, 1234));
  const HttpServer server(continuing_at(body_, 1000));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_);
  EXPECT_EQ(server.requests()[1].range_from, 0u);
  EXPECT_TRUE(contains(notices_.at(0), "continued at byte 1000, asked for 1234"));
}

TEST_F(Download, AServerThatDoesNotSayWhereItContinuesIsAskedForEverything) {
  write("file.part", body_.substr(0, 1234));
  const HttpServer server(continuing_silently(body_));
  EXPECT_EQ(fetch(server.address(), body_.size()), "done");
  EXPECT_EQ(part(), body_);
  EXPECT_TRUE(contains(notices_.at(0), "did not say where it continued, asked for byte 1234"));
}

TEST_F(Download, APageOfAnyOtherStatusIsNoFile) {
  for (const char* code : {"204 No Content", "300 Multiple Choices", "301 Moved Permanently", "304 Not Modified"}) {
    write("file.part", body_.substr(0, 1234));
    const HttpServer server(status(code));
    EXPECT_TRUE(contains(fetch(server.address(), body_.size()), "HTTP status " + std::string(code, 3) + ", expected the file")) << code;
    EXPECT_EQ(server.requests().size(), 1u) << code;
    EXPECT_EQ(part(), body_.substr(0, 1234)) << code << ": what had come is kept";
  }
}

TEST_F(Download, BeyondTheEndItStartsAnew) {
  write("file.part", body_ + "more");
  const HttpServer server(serving(body_));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_);
  EXPECT_TRUE(contains(notices_.at(0), "416"));
}

TEST_F(Download, NothingIsAskedForWhereAllIsHere) {
  write("file.part", body_);
  const HttpServer server(serving(body_));
  EXPECT_EQ(fetch(server.address(), body_.size()), "done");
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Download, AFileThatIsNotThereIsNotAskedForAgain) {
  const HttpServer server(status("404 Not Found"));
  EXPECT_EQ(fetch(server.address("/file")), server.address("/file") + ": HTTP status 404, expected the file");
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(part(), "") << "the page that explains a 404 is not the file";
}

TEST_F(Download, ServersInTroubleAreAskedAgain) {
  const HttpServer server(in_turn({status("500 Oh"), status("429 Slowly", "Retry-After: 1\r\n"), hanging_up(), serving(body_)}));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(server.requests().size(), 4u);
  EXPECT_EQ(part(), body_);
}

TEST_F(Download, PatienceEnds) {
  const HttpServer server(status("503 No"));
  EXPECT_TRUE(ends_with(fetch(server.address()), "HTTP status 503, expected the file; gave up after 4 attempts"));
  EXPECT_EQ(server.requests().size(), 4u);
  EXPECT_EQ(notices_.size(), 3u);
}

TEST_F(Download, AServerThatFallsSilentIsLeft) {
  options_.stall_limit = 1s;
  options_.max_attempts = 2;
  const HttpServer server(in_turn({stalling(body_, 20), serving(body_)}));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(server.requests().at(1).range_from, 20u);
  EXPECT_EQ(part(), body_);
}

TEST_F(Download, NobodyThereIsAnError) {
  std::string address;
  {
    const HttpServer gone(hanging_up());
    address = gone.address("/file");
  }
  options_.max_attempts = 2;
  EXPECT_TRUE(ends_with(fetch(address), "gave up after 2 attempts"));
}

TEST_F(Download, AProxyThatIsGoneIsNamed) {
  std::string gone;
  {
    const HttpServer server(hanging_up());
    gone = server.address();
  }
  const EnvironmentVariable proxy("http_proxy", gone);
  options_.max_attempts = 1;
  EXPECT_TRUE(contains(fetch("http://askrff.invalid/file"), "(a proxy is named by http_proxy); gave up after 1 attempts"));
}

TEST_F(Download, ShorterThanKnownIsCutOff) {
  options_.max_attempts = 2;
  const HttpServer server(ignoring_range(body_.substr(0, 10)));
  EXPECT_TRUE(contains(fetch(server.address(), body_.size()), "10 bytes came, expected 300000; gave up after 2 attempts"));
}

TEST_F(Download, LongerThanKnownIsRefused) {
  const HttpServer server(serving(body_));
  EXPECT_TRUE(ends_with(fetch(server.address(), 1000), ": more than 1000 bytes came, expected at most so many"));
  EXPECT_EQ(part(), "");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(Download, AnEndlessFileIsRefused) {
  options_.max_bytes = 1'000'000;
  const HttpServer server(endless());
  EXPECT_TRUE(ends_with(fetch(server.address()), ": more than 1000000 bytes came, expected at most so many"));
  EXPECT_EQ(part(), "");
}

TEST_F(Download, RedirectsAreFollowed) {
  const HttpServer target(serving(body_));
  const HttpServer server(redirecting(target.address("/there")));
  EXPECT_EQ(fetch(server.address()), "done");
  EXPECT_EQ(part(), body_) << "and not the page that says where to go";
  EXPECT_EQ(target.requests()[0].path, "/there");
}

TEST_F(Download, RedirectsInCirclesAreLeft) {
  const HttpServer server(redirecting("/again"));
  EXPECT_TRUE(contains(fetch(server.address()), "redirects"));
  EXPECT_EQ(server.requests().size(), 6u);
}

TEST_F(Download, RedirectsToOtherProtocolsAreRefused) {
  for (const std::string to : {"file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"}) {
    const HttpServer server(redirecting(to));
    EXPECT_NE(fetch(server.address()), "done") << to;
    EXPECT_EQ(part(), "");
    EXPECT_EQ(server.requests().size(), 1u);
  }
}

TEST_F(Download, OtherAddressesAreRefused) {
  PartFile part(folder(), "file");
  for (const char* address : {"file:///etc/passwd", "ftp://x", "", "/etc/passwd", "example.org/x"})
    EXPECT_THROW(download(address, part, 0), std::invalid_argument) << address;
}

TEST_F(Download, APasswordIsNotShown) {
  EXPECT_EQ(shown_address("http://me:secret@host/a@b"), "http://host/a@b");
  EXPECT_EQ(shown_address("https://me:se@cret@host"), "https://host");
  EXPECT_EQ(shown_address("https://host/a"), "https://host/a");
}

TEST_F(Download, AProgressThatThrowsEndsIt) {
  const HttpServer server(serving(body_));
  options_.progress = [](std::uint64_t, std::uint64_t) { throw std::logic_error("enough"); };
  EXPECT_THROW(fetch(server.address()), std::logic_error);
}

}  // namespace
}  // namespace askrff::experiments
