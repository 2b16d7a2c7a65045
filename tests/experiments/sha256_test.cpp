// SHA-256 against the examples of its standard.
#include "experiments/datasets/sha256.hpp"

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"

namespace askrff::experiments {
namespace {

class Sha256Test : public test::TemporaryFiles {};

std::string sha256_of(const std::string& bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

TEST_F(Sha256Test, KnowsTheExamplesOfTheStandard) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_F(Sha256Test, PiecesAndFilesGiveTheSame) {
  const std::string text(700'001, 'x');
  Sha256 digest;
  for (std::size_t at = 0; at < text.size(); at += 999) digest.add(std::string_view(text).substr(at, 999));
  EXPECT_EQ(digest.finish(), sha256_of(text));
  EXPECT_EQ(sha256_of_file(write("file", text)), sha256_of(text));
  EXPECT_EQ(sha256_of_file(write("empty", "")), sha256_of(""));
}

TEST_F(Sha256Test, AFileThatCannotBeReadIsAnError) {
  EXPECT_TRUE(test::contains(test::message_of<DataError>([&] { sha256_of_file(path("nowhere")); }), "nowhere: cannot be read"));
  EXPECT_TRUE(test::contains(test::message_of<DataError>([&] { sha256_of_file(folder()); }), "cannot be read"));
}

}  // namespace
}  // namespace askrff::experiments
