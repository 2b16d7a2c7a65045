// NPY output: complete under its name, or absent.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <stdexcept>

#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

class NpyWrite : public TemporaryFiles {
 protected:
  /// What the constructor says about the name; the folder is left out.
  std::string creation_error(const std::string& name) const {
    try {
      NpyWriter(name, 1, 1, NpyWriter::Type::float64);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "created";
  }
  void write_one(const std::string& name, double value) const {
    NpyWriter writer(name, 1, 1, NpyWriter::Type::float64);
    writer.append(MatrixView<const double>(&value, 1, 1));
    writer.finish();
  }
};

template <class T>
Matrix<T> sample(std::size_t rows, std::size_t cols) {
  Matrix<T> X(rows, cols);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) X(i, j) = static_cast<T>(i) / static_cast<T>(3) - static_cast<T>(j);
  return X;
}

template <class T>
std::vector<double> as_doubles(const Matrix<T>& X) {
  return {X.data(), X.data() + X.rows() * X.cols()};
}

TEST_F(NpyWrite, RoundTrip) {
  const Matrix<float> f = sample<float>(1000, 7);
  const Matrix<double> d = sample<double>(1000, 7);
  NpyWriter in_blocks(path("f.npy"), 1000, 7, NpyWriter::Type::float32);
  for (std::size_t i = 0; i < 1000; i += 100) in_blocks.append(f.view().middle_rows(i, 100));
  in_blocks.finish();
  NpyWriter at_once(path("d.npy"), 1000, 7, NpyWriter::Type::float64);
  at_once.append(d.view());
  at_once.finish();
  EXPECT_EQ(elements(read_data(path("f.npy")).X), as_doubles(f));
  EXPECT_EQ(elements(read_data(path("d.npy")).X), as_doubles(d));
  EXPECT_EQ(n_files(), 2u);
}

// The header is known at the end: the bytes are the same, and it can be written over however many digits there are.
TEST_F(NpyWrite, AsManyRowsAsThereAre) {
  const Matrix<float> f = sample<float>(1000, 7);
  NpyWriter known(path("known.npy"), 1000, 7, NpyWriter::Type::float32), found(path("found.npy"), 7, NpyWriter::Type::float32);
  for (std::size_t i = 0; i < 1000; i += 100) {
    known.append(f.view().middle_rows(i, 100));
    found.append(f.view().middle_rows(i, 100));
  }
  known.finish();
  found.finish();
  EXPECT_TRUE(content("found.npy") == content("known.npy"));
  EXPECT_EQ(NpyWriter::header(1000, 7, NpyWriter::Type::float32), content("known.npy").substr(0, 128));
  for (const std::size_t rows : {std::size_t{0}, std::size_t{1} << 57})
    EXPECT_EQ(NpyWriter::header(rows, 2, NpyWriter::Type::float64).size(), 128u) << rows;
  EXPECT_THROW(NpyWriter::header(std::size_t{1} << 60, 2, NpyWriter::Type::float64), std::invalid_argument);
  {
    NpyWriter unfinished(path("unfinished.npy"), 7, NpyWriter::Type::float32);
    unfinished.append(f.view());
  }
  EXPECT_EQ(n_files(), 2u);
}

TEST_F(NpyWrite, WideRowsAndStridedBlocks) {
  const Matrix<double> X = sample<double>(3, 200000);  // a row is more than the writer's buffer
  NpyWriter writer(path("x.npy"), 6, 150000, NpyWriter::Type::float64);
  writer.append(MatrixView<const double>(X.data(), 3, 150000, 200000));
  writer.append(MatrixView<const double>(X.data() + 50000, 3, 150000, 200000));
  writer.finish();
  const Dataset data = read_data(path("x.npy"));
  ASSERT_EQ(data.X.rows(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 150000; j += 49) ASSERT_EQ(data.X(i, j), X(i % 3, j + (i < 3 ? 0 : 50000)));
}

TEST_F(NpyWrite, HeaderIsVersionOneAndAligned) {
  write_one(path("x.npy"), 2.5);
  const std::string file = content("x.npy");
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  const std::size_t start = 10 + static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
  EXPECT_EQ(start % 64, 0u);
  EXPECT_EQ(file[start - 1], '\n');
  EXPECT_EQ(file.size(), start + 8);
  EXPECT_TRUE(contains(file, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }"));
}

TEST_F(NpyWrite, NoRows) {
  NpyWriter writer(path("x.npy"), 0, 3, NpyWriter::Type::float32);
  writer.append(MatrixView<const float>(nullptr, 0, 3));
  writer.finish();
  EXPECT_TRUE(contains(content("x.npy"), "'shape': (0, 3)"));
}

TEST_F(NpyWrite, AbsentUntilFinished) {
  const double value = 1;
  NpyWriter writer(path("x.npy"), 2, 1, NpyWriter::Type::float64);
  writer.append(MatrixView<const double>(&value, 1, 1));
  EXPECT_FALSE(std::filesystem::exists(path("x.npy")));
  EXPECT_EQ(n_files(), 1u);  // beside, in the same folder
  writer.append(MatrixView<const double>(&value, 1, 1));
  EXPECT_FALSE(std::filesystem::exists(path("x.npy")));
  writer.finish();
  EXPECT_TRUE(std::filesystem::exists(path("x.npy")));
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(NpyWrite, AnExceptionLeavesNothingAndKeepsTheOldFile) {
  write("x.npy", "old");
  try {
    const double value = 1;
    NpyWriter writer(path("x.npy"), 2, 1, NpyWriter::Type::float64);
    writer.append(MatrixView<const double>(&value, 1, 1));
    throw std::runtime_error("elsewhere");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(content("x.npy"), "old");
  EXPECT_EQ(n_files(), 1u);
  write_one(path("x.npy"), 4);
  EXPECT_EQ(elements(read_data(path("x.npy")).X), std::vector<double>{4});
}

TEST_F(NpyWrite, AKilledProcessLeavesTheOldFile) {
  write("x.npy", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    const Matrix<double> X = sample<double>(1000, 1000);
    NpyWriter writer(path("x.npy"), 1000, 1000, NpyWriter::Type::float64);
    writer.append(X.view());
    ::raise(SIGKILL);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(content("x.npy"), "old");
}

TEST_F(NpyWrite, TwoWritersOfOneName) {
  const double one = 1, two = 2;
  NpyWriter first(path("x.npy"), 1, 1, NpyWriter::Type::float64), second(path("x.npy"), 1, 1, NpyWriter::Type::float64);
  first.append(MatrixView<const double>(&one, 1, 1));
  second.append(MatrixView<const double>(&two, 1, 1));
  second.finish();
  EXPECT_EQ(elements(read_data(path("x.npy")).X), std::vector<double>{2});
  first.finish();
  EXPECT_EQ(elements(read_data(path("x.npy")).X), std::vector<double>{1});
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(NpyWrite, CannotBeCreated) {
  EXPECT_EQ(creation_error(""), "NpyWriter: cannot create '': the name is empty");
  EXPECT_EQ(creation_error("-"), "NpyWriter: cannot create '-': standard output cannot be replaced in one step, expected a file name");
  EXPECT_TRUE(ends_with(creation_error(path("no/x.npy")), "no/x.npy': No such file or directory"));
  EXPECT_TRUE(ends_with(creation_error(folder().string()), "': Is a directory"));
  EXPECT_TRUE(ends_with(creation_error(path("x.npy/")), "': Is a directory"));
  EXPECT_EQ(creation_error("/dev/null"), "NpyWriter: cannot create '/dev/null': it exists and is not a regular file");
  write("file", "");
  EXPECT_TRUE(ends_with(creation_error(path("file/x.npy")), "file/x.npy': Not a directory"));
  EXPECT_TRUE(ends_with(creation_error(path(std::string(300, 'x'))), "': File name too long"));
  EXPECT_EQ(n_files(), 1u);
  EXPECT_THROW(NpyWriter(path("x.npy"), std::size_t{1} << 40, std::size_t{1} << 40, NpyWriter::Type::float32), std::invalid_argument);
}

TEST_F(NpyWrite, NoPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may write everywhere";
  std::filesystem::permissions(folder(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const std::string message = creation_error(path("x.npy"));
  std::filesystem::permissions(folder(), std::filesystem::perms::owner_all);
  EXPECT_TRUE(ends_with(message, "': Permission denied"));
}

TEST_F(NpyWrite, SymbolicLinksStay) {
  std::filesystem::create_directory(path("far"));
  write("far/target.npy", "old");
  std::filesystem::create_symlink("far/target.npy", path("middle.npy"));
  std::filesystem::create_symlink(path("middle.npy"), path("link.npy"));
  write_one(path("link.npy"), 3);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("middle.npy")));
  EXPECT_FALSE(std::filesystem::is_symlink(path("far/target.npy")));
  EXPECT_EQ(elements(read_data(path("far/target.npy")).X), std::vector<double>{3});
  std::filesystem::create_symlink("far/new.npy", path("dangling.npy"));
  write_one(path("dangling.npy"), 5);
  EXPECT_EQ(elements(read_data(path("far/new.npy")).X), std::vector<double>{5});
  std::filesystem::create_symlink("loop.npy", path("loop.npy"));
  EXPECT_TRUE(contains(creation_error(path("loop.npy")), "symbolic links"));
}

TEST_F(NpyWrite, PermissionsFollowTheMask) {
  const mode_t before = ::umask(027);
  write_one(path("x.npy"), 1);
  ::umask(before);
  struct stat status {};
  ASSERT_EQ(::stat(path("x.npy").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(NpyWrite, WrongBlocks) {
  const Matrix<double> d = sample<double>(3, 2);
  const Matrix<float> f = sample<float>(1, 2);
  NpyWriter writer(path("x.npy"), 3, 2, NpyWriter::Type::float64);
  const auto message = [&](auto&& action) -> std::string {
    try {
      action();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message([&] { writer.append(f.view()); }), "NpyWriter::append: the block is float32, the file is float64");
  EXPECT_EQ(message([&] { writer.append(MatrixView<const double>(d.data(), 1, 1)); }),
            "NpyWriter::append: the block has 1 columns, the file 2");
  writer.append(d.view().middle_rows(0, 2));
  EXPECT_EQ(message([&] { writer.append(d.view().middle_rows(0, 2)); }), "NpyWriter::append: 2 rows follow 2, the file has 3 in all");
  writer.append(d.view().middle_rows(2, 1));  // refused blocks have not changed anything
  writer.finish();
  EXPECT_EQ(elements(read_data(path("x.npy")).X), elements(d));
  EXPECT_TRUE(contains(message([&] { writer.append(d.view()); }), "is finished already"));
  EXPECT_TRUE(contains(message([&] { writer.finish(); }), "is finished already"));
}

TEST_F(NpyWrite, MissingRows) {
  const double value = 1;
  NpyWriter writer(path("x.npy"), 2, 1, NpyWriter::Type::float64);
  writer.append(MatrixView<const double>(&value, 1, 1));
  try {
    writer.finish();
    FAIL();
  } catch (const WriteError& error) {
    EXPECT_TRUE(ends_with(error.what(), "x.npy': 1 rows were appended, expected 2"));
  }
  EXPECT_EQ(n_files(), 0u);
  EXPECT_THROW(writer.finish(), WriteError);
  EXPECT_THROW(writer.append(MatrixView<const double>(&value, 1, 1)), WriteError);
}

TEST_F(NpyWrite, FullDisk) {
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 100000, before.rlim_max };
  const Matrix<double> X = sample<double>(1000, 200);
  std::string large_block, at_the_end;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    NpyWriter writer(path("x.npy"), 1000, 200, NpyWriter::Type::float64);
    writer.append(X.view());
  } catch (const WriteError& error) {
    large_block = error.what();
  }
  try {
    NpyWriter writer(path("x.npy"), 100, 200, NpyWriter::Type::float64);  // fits the buffer: noticed by finish
    writer.append(X.view().middle_rows(0, 100));
    writer.finish();
  } catch (const WriteError& error) {
    at_the_end = error.what();
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(ends_with(large_block, "x.npy': File too large"));
  EXPECT_TRUE(ends_with(at_the_end, "x.npy': File too large"));
  EXPECT_EQ(n_files(), 0u);
}

}  // namespace
}  // namespace askrff::test
