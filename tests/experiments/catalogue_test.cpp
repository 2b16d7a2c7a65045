// The catalogue agrees with itself, with the paper, and with the files where they are at hand.
#include "experiments/datasets/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "experiments/datasets/content.hpp"
#include "experiments/datasets/places.hpp"
#include "support/shared.hpp"

namespace askrff::experiments {
namespace {

std::size_t n_rows(const std::vector<CatalogueFile>& files) {
  std::size_t n = 0;
  for (const CatalogueFile& file : files) n += file.content.n_rows;
  return n;
}

bool is_sha256(const std::string& text) { return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos; }

TEST(Catalogue, NamesAreFoundInAnySpelling) {
  for (const char* name : {"cod-RNA", "cod-rna", "codrna", "CODRNA"}) EXPECT_EQ(catalogue_entry(name).name, "cod-RNA");
  for (const char* name : {"", "mnist", "../spambase", "spambase/", "spambase "})
    EXPECT_THROW(catalogue_entry(name), std::invalid_argument);
}

TEST(Catalogue, EntriesAgreeWithThemselves) {
  for (const CatalogueEntry& entry : catalogue()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(entry.published().is_published());
    for (const CatalogueCopy& copy : entry.copies) {
      const std::size_t n_training = n_rows(copy.training), n_test = n_rows(copy.test);
      if (n_test == 0) {
        EXPECT_GE(n_training, entry.n_training + entry.n_test);
      } else {
        EXPECT_EQ(n_training, entry.n_training);
        EXPECT_EQ(n_test, entry.n_test);
      }
    }
  }
}

TEST(Catalogue, FilesAreDescribedInFull) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    for (const CatalogueCopy& copy : entry.copies) {
      for (const CatalogueFile& file : copy.files()) {
        SCOPED_TRACE(file.name);
        EXPECT_TRUE(names.insert(file.name).second) << "two files of one name";
        EXPECT_EQ(file.name.find_first_of("/\\"), std::string::npos);
        EXPECT_TRUE(is_sha256(file.content.sha256));
        EXPECT_TRUE(file.sha256.empty() || is_sha256(file.sha256));
        EXPECT_LT(file.content.n_positive, file.content.n_rows);
        EXPECT_EQ(file.address.empty(), !copy.is_published());
        if (copy.is_published()) {
          EXPECT_TRUE(file.address.starts_with("https://") && file.address.ends_with("/" + file.published_name()));
        }
      }
    }
  }
}

TEST(Catalogue, SizesAreThePapers) {
  EXPECT_EQ(catalogue_entry("spambase").n_training, 2760u);
  EXPECT_EQ(catalogue_entry("spambase").n_test, 1841u);
  EXPECT_EQ(catalogue_entry("ijcnn1").n_training, 49'990u);
  EXPECT_EQ(catalogue_entry("letter").n_test, 6000u);
  EXPECT_EQ(catalogue_entry("cod-RNA").n_test, 271'617u);
}

TEST(Catalogue, LocalCopiesHaveTheContentOnRecord) {
  ASKRFF_NEED_SHARED("data/cod-rna.test.libsvm.xz");
  std::size_t n_read = 0;
  for (const CatalogueEntry& entry : catalogue())
    for (const CatalogueCopy& copy : entry.copies)
      for (const CatalogueFile& file : copy.files())
        if (const auto path = find_file(test::shared_dir() / "data", file)) {
          EXPECT_NO_THROW(read_verified(*path, file)) << *path;
          ++n_read;
        }
  EXPECT_EQ(n_read, 8u);
}

}  // namespace
}  // namespace askrff::experiments
