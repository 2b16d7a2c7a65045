// Verified reading: the checksum sees numbers and classes and nothing else, and every difference is refused in words.
#include "experiments/datasets/content.hpp"

#include <bit>
#include <cstdint>

#include "experiments/small_files.hpp"
#include "data/compressed.hpp"
#include "io/temporary_files.hpp"

namespace askrff::experiments {
namespace {

using test::contains;

class VerifiedContent : public test::TemporaryFiles {
 protected:
  /// What is said about a file of that text; "accepted" if it is taken.
  std::string verdict(const std::string& text, const CatalogueFile& file = test::small_file()) const {
    const std::string path = write("file", text);
    return test::message_of<DataError>([&] { read_verified(path, file); });
  }
};

TEST_F(VerifiedContent, TheDigestIsWhatItsCommentSays) {
  std::string bytes;
  const auto put = [&bytes](std::uint64_t bits) {
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(bits >> (8 * i) & 0xFF);
  };
  put(2), put(1);
  for (const double value : {1.0, 0.25, -1.0, 0.0}) put(std::bit_cast<std::uint64_t>(value));
  Sha256 expected;
  expected.add(bytes);
  ContentDigest digest;
  digest.add(Matrix<double>(2, 1, {0.25, -0.0}), {1, -1});
  EXPECT_EQ(digest.finish(), expected.finish());
}

TEST_F(VerifiedContent, SpellingsDoNotMatter) {
  EXPECT_EQ(verdict(test::small_text), "accepted");
  EXPECT_EQ(verdict("+1 1:.5 2:0 3:2.0\r\n-1.0 2:-25e-2 3:-0\r\n1.0 1:0.001 2:4 3:-1\r\n"), "accepted");
  for (const std::string& ending : test::compressions())
    EXPECT_EQ(verdict(test::compressed(test::small_text, ending)), "accepted") << ending;
}

TEST_F(VerifiedContent, ATableOfTheSameContentHasTheSameDigest) {
  CatalogueFile file = test::small_file();
  file.format = DataFormat::csv;
  file.label_column = "4";
  file.labels = LabelCode::spam;
  EXPECT_EQ(verdict("0.5,0,2,1\n0,-0.25,0,0\n0.001,4,-1,1\n", file), "accepted");
}

TEST_F(VerifiedContent, EveryDifferenceIsRefused) {
  EXPECT_TRUE(contains(verdict("1 1:0.5 3:2\n-1 2:-0.25\n"), "file: 2 rows, expected 3 rows"));
  EXPECT_TRUE(contains(verdict(test::small_text + "1 1:1\n"), "file: more than 3 rows, expected 3 rows"));
  EXPECT_TRUE(contains(verdict("1 1:0.5 3:2\n-1 2:-0.25\n-1 1:1e-3 2:4 3:-1\n"), "1 rows of class +1, expected 2 of 3 rows"));
  EXPECT_TRUE(contains(verdict("1 1:0.5 3:2\n-1 2:-0.25\n2 1:1e-3 2:4 3:-1\n"), "row 3 has the label \"2\", expected one of two classes"));
  EXPECT_TRUE(contains(verdict("1 1:0.5 3:2\n0 2:-0.25\n1 1:1e-3 2:4 3:-1\n"), "row 2 has the label \"0\""));
  EXPECT_TRUE(contains(verdict("1 1:0.5 3:2\n-1 2:-0.25\n1 1:1e-3 2:4 3:-1.0000000000000002\n"), "but the content has SHA-256 "));
  EXPECT_TRUE(contains(verdict("1 1:1e-3 2:4 3:-1\n-1 2:-0.25\n1 1:0.5 3:2\n"), "but the content has SHA-256 "));  // other order
  EXPECT_TRUE(contains(verdict("1 1:0.5 4:2\n"), "file:1: "));                                                     // a fourth column
  EXPECT_NE(verdict(""), "accepted");
  EXPECT_NE(verdict("<html>not found</html>\n"), "accepted");
  EXPECT_NE(verdict(std::string("\0\1\2", 3)), "accepted");
  EXPECT_NE(verdict("1:0.5 3:2\n2:-0.25\n1:1e-3 2:4 3:-1\n"), "accepted");  // no labels
  EXPECT_NE(verdict(test::compressed(test::small_text, "gz").substr(0, 30)), "accepted");
}

TEST_F(VerifiedContent, AnotherNumberOfColumnsInATableIsRefused) {
  CatalogueFile file = test::small_file();
  file.format = DataFormat::csv;
  file.label_column = "1";
  EXPECT_TRUE(contains(verdict("1,2,3\n-1,2,3\n", file), "file: 2 columns, expected 3 columns beside the classes"));
}

TEST_F(VerifiedContent, LabelsOfEveryCode) {
  EXPECT_EQ(canonical_label(LabelCode::signs, "+1"), 1);
  EXPECT_EQ(canonical_label(LabelCode::signs, "-1.0"), -1);
  EXPECT_EQ(canonical_label(LabelCode::signs, "0"), std::nullopt);
  EXPECT_EQ(canonical_label(LabelCode::spam, "0"), -1);
  EXPECT_EQ(canonical_label(LabelCode::spam, "spam"), std::nullopt);
  EXPECT_EQ(canonical_label(LabelCode::letters, "A"), 1);
  EXPECT_EQ(canonical_label(LabelCode::letters, "26"), 26);
  for (const char* bad : {"a", "AB", "0", "27", "1.5", "", "1e300", "nan"})
    EXPECT_EQ(canonical_label(LabelCode::letters, bad), std::nullopt) << bad;
  EXPECT_TRUE(is_positive(LabelCode::letters, 13));
  EXPECT_FALSE(is_positive(LabelCode::letters, 14));
  EXPECT_FALSE(is_positive(LabelCode::signs, -1));
}

}  // namespace
}  // namespace askrff::experiments
