// Where files are looked for, in which order, and what counts as a file.
#include "experiments/datasets/places.hpp"

#include <sys/stat.h>

#include "io/temporary_files.hpp"
#include "support/environment.hpp"

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;
using test::EnvironmentVariable;

class Places : public test::TemporaryFiles {
 protected:
  std::string make_folder(const std::string& name) const {
    fs::create_directories(folder() / name);
    return path(name);
  }
};

TEST_F(Places, TheOrderIsOptionThenVariableThenCache) {
  const EnvironmentVariable data("ASKRFF_DATA", make_folder("variable")), cache("XDG_CACHE_HOME", path("cache"));
  const std::vector<fs::path> expected = {make_folder("option"), path("variable"), folder() / "cache/askrff/datasets"};
  EXPECT_EQ(searched_folders({path("option")}), expected);
}

TEST_F(Places, AFolderWithTwoNamesIsLookedAtOnce) {
  const EnvironmentVariable data("ASKRFF_DATA", make_folder("data/x") + "/.."), cache("XDG_CACHE_HOME", path("cache"));
  const std::vector<fs::path> expected = {path("data"), folder() / "cache/askrff/datasets"};
  EXPECT_EQ(searched_folders({path("data")}), expected);
}

TEST_F(Places, TheCacheNeedsAnAbsolutePath) {
  const EnvironmentVariable data("ASKRFF_DATA", std::nullopt);
  {
    const EnvironmentVariable cache("XDG_CACHE_HOME", "relative"), home("HOME", path("home"));
    EXPECT_EQ(cache_folder(), folder() / "home/.cache/askrff/datasets");
  }
  const EnvironmentVariable cache("XDG_CACHE_HOME", std::nullopt), home("HOME", "");
  EXPECT_EQ(cache_folder(), std::nullopt);
  EXPECT_TRUE(searched_folders({}).empty());
}

TEST_F(Places, AFolderThatIsNamedMustBeThere) {
  const EnvironmentVariable data("ASKRFF_DATA", std::nullopt);
  const auto message = [&](const std::string& name) { return test::message_of<std::invalid_argument>([&] { searched_folders({name}); }); };
  EXPECT_TRUE(test::contains(message(path("nowhere")), "nowhere\", expected a folder that is there"));
  EXPECT_TRUE(test::starts_with(message(write("file", "")), "--data-dir: got "));
  const EnvironmentVariable wrong("ASKRFF_DATA", path("nowhere"));
  EXPECT_TRUE(test::starts_with(message(""), "ASKRFF_DATA: got "));
}

TEST_F(Places, OnlyRegularFilesCountCompressedOrNot) {
  const CatalogueFile file = catalogue_entry("cod-RNA").published().training.front();
  make_folder("cod-rna");
  EXPECT_EQ(find_file(folder(), file), std::nullopt) << "a folder of that name";
  ASSERT_EQ(::mkfifo(path("cod-rna.gz").c_str(), 0600), 0);
  EXPECT_EQ(find_file(folder(), file), std::nullopt) << "a pipe of that name";
  fs::create_symlink(path("nowhere"), path("cod-rna.bz2"));
  EXPECT_EQ(find_file(folder(), file), std::nullopt) << "a dead link";
  write("cod-rna.part", "");
  EXPECT_EQ(find_file(folder(), file), std::nullopt) << "an unfinished download";
  write("elsewhere", "");
  fs::create_symlink(path("elsewhere"), path("cod-rna.zst"));
  EXPECT_EQ(find_file(folder(), file), path("cod-rna.zst"));
  write("cod-rna.xz", "");
  EXPECT_EQ(find_file(folder(), file), path("cod-rna.xz"));
}

TEST_F(Places, ACopyIsAllOfItsFilesInOneFolder) {
  const CatalogueEntry& entry = catalogue_entry("ijcnn1");
  const std::vector<fs::path> folders = {make_folder("a"), make_folder("b")};
  write("a/ijcnn1.tr.bz2", ""), write("a/ijcnn1.val.bz2", ""), write("b/ijcnn1.t.bz2", "");
  EXPECT_FALSE(find_copy(entry, folders));
  write("b/ijcnn1.train.libsvm.xz", ""), write("b/ijcnn1.test.libsvm", "");
  const auto local = find_copy(entry, folders);
  ASSERT_TRUE(local);
  EXPECT_FALSE(local->copy->is_published());
  EXPECT_EQ(local->paths(), (std::vector<fs::path>{path("b/ijcnn1.train.libsvm.xz"), path("b/ijcnn1.test.libsvm")}));
  write("a/ijcnn1.t", "");
  EXPECT_EQ(find_copy(entry, folders)->training.size(), 2u) << "the first folder is preferred";
}

TEST_F(Places, TheFixedSplitOfLetterIsPreferred) {
  write("letter-recognition.data", "");
  EXPECT_TRUE(find_copy(catalogue_entry("letter"), {folder()})->copy->is_published());
  write("letter-binary.train.libsvm", ""), write("letter-binary.test.libsvm", "");
  EXPECT_EQ(find_copy(catalogue_entry("letter"), {folder()})->test.size(), 1u);
}

}  // namespace
}  // namespace askrff::experiments
