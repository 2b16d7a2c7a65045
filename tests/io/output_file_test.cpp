// OutputFile: complete under its name or absent, and refusals in the caller's words.
#include "askrff/output_file.hpp"

#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using OutputFiles = TemporaryFiles;

TEST_F(OutputFiles, AppearsWhenFinished) {
  write("a", "old");
  OutputFile file(path("a"));
  file.append("new");
  file.append(std::string(3 << 20, 'x'));
  file.append(" end");
  EXPECT_EQ(content("a"), "old");
  file.finish();
  EXPECT_EQ(content("a"), "new" + std::string(3 << 20, 'x') + " end");
  EXPECT_EQ(n_files(), 1u);
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { file.append("more"); }), "is finished already"));
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { file.finish(); }), "is finished already"));
}

TEST_F(OutputFiles, WhatIsNotFinishedIsRemoved) {
  write("a", "old");
  {
    OutputFile file(path("a"));
    file.append("new");
    OutputFile moved = std::move(file);
    moved.append("newer");
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(OutputFiles, RefusalsAreInTheNameOfTheCaller) {
  const auto refused = [&](const std::string& name) { return message_of<std::invalid_argument>([&] { OutputFile(name, "--out"); }); };
  EXPECT_TRUE(starts_with(refused(""), "--out: cannot create '': the name is empty"));
  EXPECT_TRUE(contains(refused("-"), "standard output"));
  EXPECT_TRUE(contains(refused(folder().string()), "Is a directory"));
  EXPECT_TRUE(contains(refused(path("no/such")), "No such file"));
  EXPECT_TRUE(contains(refused("/dev/null"), "not a regular file"));
  EXPECT_TRUE(contains(refused(std::string("a\0b", 3)), "zero byte"));
  std::filesystem::create_symlink("loop", path("loop"));
  EXPECT_TRUE(contains(refused(path("loop")), "symbolic links"));
}

TEST_F(OutputFiles, PermissionsStay) {
  write("a", "old");
  for (const auto mode : {std::filesystem::perms(0600), std::filesystem::perms(0640), std::filesystem::perms(0444)}) {
    std::filesystem::permissions(path("a"), mode);
    OutputFile file(path("a"));
    file.append("new");
    file.finish();
    EXPECT_EQ(std::filesystem::status(path("a")).permissions(), mode);
  }
}

TEST_F(OutputFiles, OpenFilesAreNotReplacedThroughTheirNames) {
  std::FILE* const open = std::fopen(write("a", "old").c_str(), "r");
  ASSERT_NE(open, nullptr);
  const std::string name = "/dev/fd/" + std::to_string(fileno(open));
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { OutputFile file(name); }), "open file"));
  std::fclose(open);
  EXPECT_EQ(content("a"), "old");
}

TEST_F(OutputFiles, AFailureLeavesTheOldFileAndNothingElse) {
  write("a", "old");
  OutputFile file(path("a"), "me");
  EXPECT_TRUE(contains(message_of<WriteError>([&] { file.fail("the moon is full"); }), "me: cannot write '"));
  EXPECT_TRUE(contains(message_of<WriteError>([&] { file.append("x"); }), "an earlier write failed"));
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(n_files(), 1u);
}

/// Names as long as the file system takes them: the unfinished file beside has a name, too.
TEST_F(OutputFiles, LongNames) {
  std::string umlauts;
  for (int i = 0; i < 127; ++i) umlauts += "\u00e4";
  for (const std::string& name : {std::string(255, 'a'), std::string(250, 'b'), umlauts + "a", "a" + umlauts}) {
    OutputFile file(path(name));
    file.append("new");
    EXPECT_EQ(n_files(), 1u);
    file.finish();
    EXPECT_EQ(content(name), "new");
    std::filesystem::remove(path(name));
  }
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { OutputFile file(path(std::string(256, 'a'))); }), "File name too long"));
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(OutputFiles, FilesThatBelongTogether) {
  write("a", "old");
  OutputFile file(path("a"), "me");
  file.append("new");
  file.complete();
  EXPECT_EQ(content("a"), "old");
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { file.append("x"); }), "is complete already"));
  file.finish();
  EXPECT_EQ(content("a"), "new");
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { file.finish(); }), "is finished already"));
  OutputFile other(path("a"), "me");
  other.complete();
  EXPECT_THROW(other.fail("the moon is full"), WriteError);
  EXPECT_TRUE(contains(message_of<WriteError>([&] { other.finish(); }), "an earlier write failed"));
  EXPECT_EQ(content("a"), "new");
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(OutputFiles, RemovedAtOnce) {
  OutputFile finished(path("a")), first(path("b")), second(path("c")), given_up(path("d"));
  finished.finish();
  EXPECT_THROW(given_up.fail("no"), WriteError);
  EXPECT_EQ(n_files(), 3u);
  remove_unfinished_files();
  EXPECT_EQ(n_files(), 1u);
  EXPECT_EQ(content("a"), "");
}

}  // namespace
}  // namespace askrff::test
