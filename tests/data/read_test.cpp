// read_data: where data come from and how their format is found; the real data sets.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "data/compressed.hpp"
#include "io/temporary_files.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

using Values = std::vector<double>;

class Read : public TemporaryFiles {};

std::string message_of(const std::string& source, const ReadOptions& options = {}) {
  try {
    read_data(source, options);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

/// A file as standard input while it lives.
class StandardInput {
 public:
  explicit StandardInput(const std::string& path) : before_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~StandardInput() {
    if (before_ < 0) return;
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

TEST_F(Read, FormatByName) {
  EXPECT_EQ(elements(read("a.svm", "3 2:1\n").X), (Values{0, 1}));
  EXPECT_EQ(elements(read("a.SVMLIGHT.gz", "3 2:1\n").X), (Values{0, 1}));
  EXPECT_TRUE(starts_with(error_of("a.csv", "1 1:2\n3 1:4\n"), "a.csv:2: column 1 ('1 1:2'): '3 1:4' is not a number"));
  EXPECT_TRUE(starts_with(error_of("a.libsvm", "1,2\n"), "a.libsvm: 1 rows without"));
}

TEST_F(Read, FormatByContent) {
  EXPECT_EQ(elements(read("a.txt", "# c\n\n3 2:1\n").X), (Values{0, 1}));
  EXPECT_EQ(elements(read("noname", "0\n0\n3 2:1\n").X), (Values{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(elements(read("dir.csv.old", "1;2\n").X), (Values{1, 2}));
  EXPECT_EQ(elements(read("a.data", "1\n2\n").X), (Values{1, 2}));
  EXPECT_EQ(error_of("a.dat", "1:2 3:4\n"), "a.dat:1: the line starts with '1:2', expected a label");
  std::string wide = "1";
  for (int j = 1; j < 30000; ++j) wide += " " + std::to_string(j) + ":0.125";
  EXPECT_EQ(read("wide", wide).X.cols(), 29999u);
}

TEST_F(Read, FormatByOption) {
  EXPECT_EQ(elements(read("a.csv", "3 2:1\n", {.format = DataFormat::libsvm}).X), (Values{0, 1}));
  EXPECT_EQ(elements(read("a.libsvm", "3,2\n", {.format = DataFormat::csv}).X), (Values{3, 2}));
  EXPECT_TRUE(contains(error_of("a.csv", "3,2\n", {.format = DataFormat::npy}), "NPY magic"));
}

TEST_F(Read, StandardInput) {
  for (const std::string& ending : compressions()) {
    write("in", compressed("3 2:1\n", ending));
    const StandardInput input(path("in"));
    EXPECT_EQ(elements(read_data("-").X), (Values{0, 1})) << ending;
  }
  write("in", "1,2\n3,x\n");
  const StandardInput input(path("in"));
  EXPECT_EQ(message_of("-"), "standard input:2: column 2: 'x' is not a number, expected a finite number");
}

TEST_F(Read, Pipes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "1,2\n3,4\n", 8), 8);
  ::close(ends[1]);
  EXPECT_EQ(elements(read_data("/dev/fd/" + std::to_string(ends[0])).X), (Values{1, 2, 3, 4}));
  ::close(ends[0]);
}

TEST_F(Read, Unreadable) {
  EXPECT_EQ(message_of(path("none.csv")), "cannot read '" + path("none.csv") + "': No such file or directory");
  EXPECT_EQ(message_of(folder().string()), "cannot read '" + folder().string() + "': Is a directory");
  EXPECT_EQ(message_of(""), "cannot read '': the name is empty");
  EXPECT_EQ(message_of(std::string("a\0b", 3)), "cannot read 'a\\x00b': the name contains a zero byte");
  write("file", "1\n");
  EXPECT_TRUE(ends_with(message_of(path("file/x")), "': Not a directory"));
}

TEST_F(Read, ErrorsKeepThePlaceApartFromTheMessage) {
  const auto parts = [](const std::string& source) -> std::pair<std::string, std::string> {
    try {
      read_data(source);
    } catch (const DataError& error) {
      return {std::string(error.where()), std::string(error.message())};
    }
    return {};
  };
  const std::string csv = write("bad.csv", "a,b\n1,2\n3,x\n"), libsvm = write("bad.libsvm", "+1 1:2\n-1 1:2 1:3\n");
  EXPECT_EQ(parts(csv).first, csv + ":3");
  EXPECT_FALSE(contains(parts(csv).second, csv));
  EXPECT_EQ(parts(libsvm).first, libsvm + ":2");
}

TEST_F(Read, NoPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  write("secret.csv", "1\n");
  std::filesystem::permissions(path("secret.csv"), std::filesystem::perms::none);
  EXPECT_TRUE(ends_with(message_of(path("secret.csv")), "secret.csv': Permission denied"));
}

TEST_F(Read, EmptyFiles) {
  for (const char* name : {"a", "a.csv", "a.libsvm", "a.npy", "a.csv.gz"})
    EXPECT_TRUE(starts_with(error_of(name, ""), std::string(name) + ": ")) << name;
  for (const std::string& ending : compressions()) EXPECT_TRUE(starts_with(error_of("a.csv", compressed("", ending)), "a.csv: no rows"));
}

struct RealData {
  const char* name;
  std::size_t rows, cols;
  std::size_t n_positive, n_negative;  // 0: more than two classes
  double low, high;
};

// Facts of shared/data/SOURCES.md.
class RealDataSets : public ::testing::TestWithParam<RealData> {};

TEST_P(RealDataSets, AsDescribed) {
  const RealData& facts = GetParam();
  const std::string file = std::string("data/") + facts.name + ".libsvm.xz";
  ASKRFF_NEED_SHARED(file);
  const Dataset data = read_data((shared_dir() / file).string(), {.n_columns = facts.cols});
  EXPECT_EQ(data.X.rows(), facts.rows);
  EXPECT_EQ(data.X.cols(), facts.cols);
  std::map<std::string, std::size_t> counts;
  for (const std::string& label : data.labels) ++counts[label];
  if (facts.n_positive != 0) {
    EXPECT_EQ(counts.size(), 2u);
    EXPECT_EQ(counts["1"], facts.n_positive);
    EXPECT_EQ(counts["-1"], facts.n_negative);
  } else {
    EXPECT_EQ(counts.size(), 26u);
    for (const auto& [label, count] : counts) EXPECT_TRUE(count >= 734 && count <= 813) << label;
  }
  const double *begin = data.X.data(), *end = begin + data.X.rows() * data.X.cols();
  EXPECT_NEAR(*std::min_element(begin, end), facts.low, 5e-6);  // given to 6 digits
  EXPECT_NEAR(*std::max_element(begin, end), facts.high, 5e-6);
}

INSTANTIATE_TEST_SUITE_P(Shared, RealDataSets,
                         ::testing::Values(RealData{"spambase", 4601, 57, 1813, 2788, 0, 15841}, RealData{"letter", 20000, 16, 0, 0, 0, 15},
                                           RealData{"letter-binary.train", 12000, 16, 5937, 6063, -1, 1},
                                           RealData{"letter-binary.test", 6000, 16, 2995, 3005, -1.14286, 1},
                                           RealData{"ijcnn1.train", 49990, 22, 4853, 45137, -0.930435, 1},
                                           RealData{"ijcnn1.test", 91701, 22, 8712, 82989, -1.32154, 1.31208},
                                           RealData{"cod-rna.train", 59535, 8, 19845, 39690, -1868, 133},
                                           RealData{"cod-rna.test", 271617, 8, 90539, 181078, -1767, 131}),
                         [](const auto& instance) {
                           std::string name = instance.param.name;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace askrff::test
