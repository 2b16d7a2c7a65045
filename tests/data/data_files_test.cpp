// data_files: which files a pattern matches, and in which order.
#include <gtest/gtest.h>
#include <unistd.h>

#include "data/pattern_files.hpp"

namespace askrff::test {
namespace {

class DataFiles : public ManyFiles {};

TEST_F(DataFiles, AreInTheOrderOfTheirBytes) {
  for (const char* name : {"part-2.csv", "part-10.csv", "part-a.csv", "part-B.csv", "part-\xc3\xa4.csv", "other.csv", ".part-0.csv"})
    write(name, "1\n");
  EXPECT_EQ(files("part-*.csv"), (Names{"part-10.csv", "part-2.csv", "part-B.csv", "part-a.csv", "part-\xc3\xa4.csv"}));
  EXPECT_EQ(files("part-?.csv"), (Names{"part-2.csv", "part-B.csv", "part-a.csv"}));
  EXPECT_EQ(files("part-[0-9]*.csv"), (Names{"part-10.csv", "part-2.csv"}));
  EXPECT_EQ(files("*art-2*"), Names{"part-2.csv"});
}

TEST_F(DataFiles, FoldersAreSearchedAndNoFiles) {
  for (const char* name : {"a", "b", "part-0"}) std::filesystem::create_directory(path(name));
  for (const char* name : {"a/part-2", "b/part-1", "part-1"}) write(name, "1\n");
  EXPECT_EQ(files("part-*"), Names{"part-1"});
  EXPECT_EQ(files("?/part-*"), (Names{"a/part-2", "b/part-1"}));
  EXPECT_EQ(message_of<DataError>([&] { files("[ab]"); }), path("[ab]") + ": no file matches");
  EXPECT_EQ(message_of<DataError>([&] { files("[ab]/"); }), path("[ab]/") + ": no file matches");
}

TEST_F(DataFiles, OtherSourcesAreThemselves) {
  for (const std::string source : {"-", "", "builtin:moons", "builtin:[", "no-such.csv"}) EXPECT_EQ(data_files(source), Names{source});
  const std::string zero("a*\0b", 4);
  EXPECT_EQ(data_files(zero), Names{zero});
  EXPECT_THROW(read_data(zero), DataError);
}

TEST_F(DataFiles, AFileMayBeCalledLikeAPattern) {
  write("part-*.csv", "1\n2\n");
  write("part-1.csv", "3\n");
  write("x[1].csv", "4\n");
  EXPECT_EQ(files("part-*.csv"), Names{"part-*.csv"});
  EXPECT_EQ(elements(read_data(path("part-*.csv")).X), (Values{1, 2}));
  EXPECT_EQ(elements(read_data(path("x[1].csv")).X), Values{4});
  EXPECT_EQ(files("part-[*1].csv"), (Names{"part-*.csv", "part-1.csv"}));
  EXPECT_EQ(files("part-\\**"), Names{"part-*.csv"});
}

TEST_F(DataFiles, NoMatch) {
  const std::string expected = "part-*.npy: no file matches";
  EXPECT_EQ(error_of_all("part-*.npy"), expected);
  EXPECT_EQ(error_of_all("no-folder/part-*.npy"), "no-folder/" + expected);
  EXPECT_EQ(shortened(message_of<DataError>([&] { DataStream::can_read_again(path("part-*.npy")); })), expected);
  write("f.csv", "1\n");
  EXPECT_EQ(error_of_all("f.csv", {.label_file = "part-*.npy"}), expected);
}

TEST_F(DataFiles, AFolderThatCannotBeSearchedIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may search every folder";
  for (const char* name : {"a", "b"}) std::filesystem::create_directory(path(name));
  write("a/part", "1\n");
  std::filesystem::permissions(path("b"), std::filesystem::perms::none);
  EXPECT_TRUE(contains(error_of_all("?/p*"), "b' cannot be searched: Permission denied"));
  std::filesystem::permissions(path("b"), std::filesystem::perms::owner_all);
}

TEST_F(DataFiles, ALinkToNothingIsAnError) {
  write("part-1.csv", "1\n");
  std::filesystem::create_symlink("none", path("part-2.csv"));
  EXPECT_EQ(error_of_all("part-*.csv"), "cannot read 'part-2.csv': No such file or directory");
}

}  // namespace
}  // namespace askrff::test
