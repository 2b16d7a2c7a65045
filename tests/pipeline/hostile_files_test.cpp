// Nothing in a file can hurt: damage of any kind, sizes beyond all memory, and files that only claim to be models are refused with a
// sentence that names the file, in little memory.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <fmt/format.h>

#include <functional>

#include "askrff/model.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/record_editor.hpp"
#include "pipeline/sample_models.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

constexpr std::uint64_t huge = std::uint64_t{1} << 62;

class HostileFiles : public TemporaryFiles {
 protected:
  static std::string saved(const Model& model) { return model.to_bytes(); }

  /// What is said about these bytes; "accepted" if they are taken. Every error names their origin and is one line.
  static std::string verdict(const std::string& bytes) {
    return checked("bad.askrff", [&] { Map::from_bytes(bytes, "bad.askrff"); });
  }
  /// The same of a file.
  static std::string verdict_of(const std::string& file) {
    return checked(file, [&] { load_stored(file); });
  }
  template <class Load>
  static std::string checked(const std::string& file, const Load& load) {
    try {
      load();
    } catch (const DataError& error) {
      const std::string message = error.what();
      EXPECT_TRUE(starts_with(message, file + ": "));
      EXPECT_EQ(message.find('\n'), std::string::npos);
      return message;
    }
    return "accepted";
  }

  static void expect_spoilt(const std::string& good, const std::string& word, const std::function<void(RecordEditor&)>& spoil) {
    RecordEditor editor(good);
    spoil(editor);
    EXPECT_TRUE(contains(verdict(editor.file()), word));
  }
};

/// The largest size this process ever had, in bytes.
std::size_t peak_memory() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::size_t>(usage.ru_maxrss);
#else
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

TEST_F(HostileFiles, TheEditorItselfChangesNothing) {
  const std::string good = saved(fourier_classifier());
  EXPECT_EQ(RecordEditor(good).file(), good);
}

TEST_F(HostileFiles, FilesAndBytesAreReadAlike) {
  const std::string good = saved(linear_regression());
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  for (const std::string& bytes : {good, flipped, good.substr(0, good.size() / 2), good + "x", std::string(), std::string("hello")}) {
    const std::string file = write("bad.askrff", bytes);
    EXPECT_EQ(verdict_of(file), message_of<DataError>([&] { Map::from_bytes(bytes, file); }));
  }
}

TEST_F(HostileFiles, CutAnywhere) {
  const std::string good = saved(linear_regression());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string message = verdict(good.substr(0, size));
    ASSERT_TRUE(contains(message, size == 0 ? "is empty" : "ends early")) << size;
  }
  EXPECT_TRUE(contains(verdict(good + std::string(8, '\0')), fmt::format("expected {}", good.size())));
}

template <class Refuses>
void expect_every_bit_counts(std::string file, const Refuses& refuses) {
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const auto flip = [&] { file[bit / 8] = static_cast<char>(file[bit / 8] ^ (1 << bit % 8)); };
    flip();
    ASSERT_TRUE(refuses(file)) << bit;
    flip();
  }
  EXPECT_FALSE(refuses(file));
}

TEST_F(HostileFiles, EveryBitCounts) {
  expect_every_bit_counts(saved(linear_regression()), [&](const std::string& file) { return verdict(file) != "accepted"; });
  expect_every_bit_counts(saved(fourier_classifier()), [](const std::string& file) {
    try {
      const io::Records records("memory", file);
    } catch (const DataError&) {
      return true;
    }
    return false;
  });
}

TEST_F(HostileFiles, Headers) {
  const std::string good = saved(linear_regression());
  const auto patched = [&](std::size_t at, const std::string& bytes) {
    return with_checksum(std::string(good).replace(at, bytes.size(), bytes));
  };
  EXPECT_TRUE(contains(verdict(patched(8, little_endian(7, 4))), "has version 7, this program knows versions up to 2; use a newer askrff"));
  EXPECT_TRUE(contains(verdict(patched(8, little_endian(0, 4))), "version 0"));
  EXPECT_TRUE(contains(verdict(patched(12, little_endian(1, 4))), "bytes after its 1 records"));
  EXPECT_TRUE(contains(verdict(patched(12, little_endian(0xFFFFFFFF, 4))), "its header says 4294967295"));
  EXPECT_TRUE(contains(verdict(patched(16, little_endian(huge))), "ends early"));
  EXPECT_TRUE(contains(verdict(patched(16, little_endian(8))), "expected 8"));
  EXPECT_TRUE(contains(verdict(std::string("\x89"
                                           "ASK\n\x1a\n") +
                               good.substr(8)),
                       "ends of its lines"));
  EXPECT_TRUE(contains(verdict("\x93NUMPY"), "is not a model or map"));
  EXPECT_TRUE(contains(verdict(good.substr(0, 12) + little_endian(0, 4) + little_endian(28) + "abcd"), "no whole file"));
  EXPECT_TRUE(contains(verdict(with_checksum(good.substr(0, 12) + little_endian(0, 4) + little_endian(32) + std::string(8, 'x'))),
                       "'kind' is missing"));
}

TEST_F(HostileFiles, RecordsThatLie) {
  const std::string good = saved(fourier_classifier());
  const std::size_t before = peak_memory();
  for (const std::uint64_t size : {huge, huge * 2, ~std::uint64_t{0}, std::uint64_t{1} << 32}) {
    for (const char* key : {"atoms/weights", "atoms/parts", "model/weights", "training/cv-c", "model/classes"}) {
      expect_spoilt(good, "bytes left", [&](RecordEditor& file) { file.set_shape(key, size, size); });
      expect_spoilt(good, "record", [&](RecordEditor& file) { file.set_shape(key, 1, size); });
      expect_spoilt(good, "record", [&](RecordEditor& file) { file.set_shape(key, size, 1); });
      expect_spoilt(good, "", [&](RecordEditor& file) { file.set_shape(key, size, 0); });
      expect_spoilt(good, "", [&](RecordEditor& file) { file.set_shape(key, 0, size); });
    }
    expect_spoilt(good, "expected", [&](RecordEditor& file) { file.set_count("map/dim", 0, size); });
    expect_spoilt(good, "model/classes", [&](RecordEditor& file) { file.set_count("model/classes", 1, size); });
  }
  expect_spoilt(good, "like an earlier one", [](RecordEditor& file) { file.records.push_back(file.records[3]); });
  expect_spoilt(good, "type 5", [](RecordEditor& file) { file.records[3].type = 5; });
  expect_spoilt(good, "type 0", [](RecordEditor& file) { file.records[3].type = 0; });
  expect_spoilt(good, "a name of 0 bytes", [](RecordEditor& file) { file.records[3].key = ""; });
  expect_spoilt(good, "a name of 101 bytes", [](RecordEditor& file) { file.records[3].key = std::string(101, 'k'); });
  expect_spoilt(good, "after its texts", [](RecordEditor& file) { file.set_count("model/classes", 2, 0); });
  std::string padded = good;
  padded[padded.find("map/dim") + 7] = 'x';
  EXPECT_TRUE(contains(verdict(with_checksum(padded)), "filled up with zeros"));
  EXPECT_LT(peak_memory() - before, std::size_t{64} << 20);
}

TEST_F(HostileFiles, UnknownKeysAreIgnored) {
  RecordEditor editor(saved(fourier_classifier()));
  editor.records.insert(editor.records.begin() + 2, {"map/of-the-future", 3, 2, 3, "abcdef"});
  EXPECT_EQ(verdict(editor.file()), "accepted");
}

TEST_F(HostileFiles, EveryKeyIsNeededOrOptionalInAKnownWay) {
  const std::vector<std::string> optional{"kernel/name",         "atoms/parts",        "calibration/numbers", "certificate/errors",
                                          "map/range",           "model/output-scale", "map/range-centre",    "calibration/range-centre",
                                          "certificate/between", "certificate/of"};
  for (const Model& model :
       {fourier_classifier(), nystrom_regression(), structured_classifier(), linear_regression(), matrix_classifier()}) {
    const std::string good = saved(model);
    for (const EditedRecord& record : RecordEditor(good).records) {
      const bool may_be_absent = std::find(optional.begin(), optional.end(), record.key) != optional.end();
      if (!may_be_absent) expect_spoilt(good, "missing", [&](RecordEditor& file) { file.erase(record.key); });
      if (record.type != 4)
        expect_spoilt(good, record.key, [&](RecordEditor& file) {
          file.set_text(record.key, "x");
          file[record.key].type = 4;
        });
    }
  }
}

TEST_F(HostileFiles, MatrixModels) {
  const std::string good = saved(matrix_classifier());
  EXPECT_EQ(number_at(good, io::version_at, 4), 2u);
  EXPECT_EQ(number_at(saved(linear_regression()), io::version_at, 4), 1u);
  const std::size_t before = peak_memory();
  expect_spoilt(good, "matrix/size", [](RecordEditor& file) { file.set_count("matrix/size", 0, 0); });
  expect_spoilt(good, "matrix/size", [](RecordEditor& file) { file.set_count("matrix/size", 0, huge); });
  expect_spoilt(good, "matrix/size", [](RecordEditor& file) { file.set_count("matrix/size", 1, 10); });
  expect_spoilt(good, "matrix/size", [](RecordEditor& file) { file.set_count("map/dim", 0, 8); });
  expect_spoilt(good, "the list of rows holds 14 at place 5", [](RecordEditor& file) { file.set_count("matrix/rows", 5, 14); });
  expect_spoilt(good, "the list of columns holds 0 at place 3", [](RecordEditor& file) { file.set_count("matrix/columns", 3, 0); });
  expect_spoilt(good, "matrix/left", [](RecordEditor& file) { file.set_shape("matrix/left", 9, 2); });
  expect_spoilt(good, "matrix/right", [](RecordEditor& file) { file.set_shape("matrix/right", 9, 2); });
  expect_spoilt(good, "matrix/left", [](RecordEditor& file) { file.set_number("matrix/left", 2, nan); });
  expect_spoilt(good, "matrix/singular-values", [](RecordEditor& file) {
    file.set_shape("matrix/singular-values", 1, 2);
    file["matrix/singular-values"].content.resize(16);
  });
  expect_spoilt(good, "classifier features need atoms", [](RecordEditor& file) { file.set_text("map/side", "classifier"); });
  expect_spoilt(good, "rows of a matrix with the scaling standard", [](RecordEditor& file) {
    file.set_text("scaler/kind", "standard");
    file.records.push_back({"scaler/offset", 1, 1, 9, std::string(72, '\0')});
    file.records.push_back({"scaler/width", 1, 1, 9, std::string(72, '\0')});
  });
  RecordEditor wide(good);  // a size that is possible, though nobody has such rows
  wide.set_count("map/dim", 0, std::uint64_t{1} << 32);
  wide.set_count("matrix/size", 1, std::uint64_t{1} << 32);
  EXPECT_EQ(verdict(wide.file()), "accepted");
  EXPECT_LT(peak_memory() - before, std::size_t{64} << 20);
}

TEST_F(HostileFiles, FourierModels) {
  const std::string good = saved(fourier_classifier());
  expect_spoilt(good, "'kind' is neither", [](RecordEditor& file) { file.set_text("kind", "modle"); });
  expect_spoilt(good, "map/kind", [](RecordEditor& file) { file.set_text("map/kind", "wavelet"); });
  expect_spoilt(good, "nystrom/landmarks", [](RecordEditor& file) { file.set_text("map/kind", "nystrom"); });
  expect_spoilt(good, "is not left, right or classifier", [](RecordEditor& file) { file.set_text("map/side", "middle"); });
  expect_spoilt(good, "is not none, minmax, standard, robust or maxabs", [](RecordEditor& file) { file.set_text("scaler/kind", "log"); });
  expect_spoilt(good, "the scaler is maxabs and has the offset", [](RecordEditor& file) {
    file.set_text("scaler/kind", "maxabs");
    file.set_number("scaler/offset", 0, 0.5);
  });
  expect_spoilt(good, "model/task", [](RecordEditor& file) { file.set_text("model/task", "ranking"); });
  expect_spoilt(good, "model/precision", [](RecordEditor& file) { file.set_text("model/precision", "float16"); });
  expect_spoilt(good, "expected 12 x 4", [](RecordEditor& file) { file.set_count("map/dim", 0, 4); });
  expect_spoilt(good, "map/dim", [](RecordEditor& file) { file.set_count("map/dim", 0, 0); });
  expect_spoilt(good, "gausian", [](RecordEditor& file) { file.set_text("kernel/name", "gausian"); });
  expect_spoilt(good, "sigma", [](RecordEditor& file) { file.set_number("kernel/values", 0, -1); });
  expect_spoilt(good, "kernel/values", [](RecordEditor& file) { file.set_number("kernel/values", 0, nan); });
  expect_spoilt(good, "kernel/forms", [](RecordEditor& file) { file.set_count("kernel/forms", 0, 4); });
  expect_spoilt(good, "kernel/values", [](RecordEditor& file) { file.set_count("kernel/forms", 0, 3); });  // a list of 1.5 numbers
  expect_spoilt(good, "expected more", [](RecordEditor& file) { file.set_count("kernel/forms", 1, 2); });
  expect_spoilt(good, "width", [](RecordEditor& file) { file.set_number("scaler/width", 0, -1); });
  expect_spoilt(good, "scaler/offset", [](RecordEditor& file) { file.set_number("scaler/offset", 2, nan); });
  expect_spoilt(good, "atoms/weights", [](RecordEditor& file) { file.set_number("atoms/weights", 5, nan); });
  expect_spoilt(good, "is not finite", [](RecordEditor& file) {  // each number is, its modulus is not
    file.set_number("atoms/weights", 0, 1.7e308);
    file.set_number("atoms/weights", 1, 1.7e308);
  });
  expect_spoilt(good, "atoms/frequencies", [](RecordEditor& file) { file.set_number("atoms/frequencies", 0, -HUGE_VAL); });
  expect_spoilt(good, "model/weights", [](RecordEditor& file) { file.set_number("model/weights", 7, nan); });
  expect_spoilt(good, "model/bias", [](RecordEditor& file) { file.set_number("model/bias", 0, HUGE_VAL); });
  expect_spoilt(good, "training/c", [](RecordEditor& file) { file.set_number("training/c", 0, nan); });
  expect_spoilt(good, "model/output-scale", [](RecordEditor& file) { file.set_number("model/output-scale", 0, nan); });
  expect_spoilt(good, "scale at least 0", [](RecordEditor& file) { file.set_number("model/output-scale", 0, -1); });
  expect_spoilt(good, "model/output-scale", [](RecordEditor& file) {
    file.set_shape("model/output-scale", 1, 1);
    file["model/output-scale"].content.resize(8);
  });
}

TEST_F(HostileFiles, PartsAndClasses) {
  const std::string good = saved(fourier_classifier());
  expect_spoilt(good, "has part 3", [](RecordEditor& file) { file.set_count("atoms/parts", 0, 3); });
  expect_spoilt(good, "stands twice", [](RecordEditor& file) { file.set_count("atoms/parts", 4, 0); });
  expect_spoilt(good, "reaches beyond", [](RecordEditor& file) { file.set_count("atoms/parts", 1, huge); });
  expect_spoilt(good, "reaches beyond", [](RecordEditor& file) { file.set_count("atoms/parts", 2, ~std::uint64_t{0}); });
  expect_spoilt(good, "0 or 1", [](RecordEditor& file) { file.set_count("atoms/parts", 3, 2); });
  expect_spoilt(good, "mass", [](RecordEditor& file) { file.set_number("atoms/masses", 0, -1); });
  expect_spoilt(good, "mass", [](RecordEditor& file) { file.set_number("atoms/masses", 0, HUGE_VAL); });
  expect_spoilt(good, "the map makes 20", [](RecordEditor& file) { file.set_count("atoms/parts", 2, 2); });
  expect_spoilt(good, "part by part", [](RecordEditor& file) { file.erase("atoms/parts"); });
  expect_spoilt(good, "at least 2", [](RecordEditor& file) { file.set_text("model/classes", "one"); });
  expect_spoilt(good, "2 classes have 3 outputs", [](RecordEditor& file) {
    file["model/classes"] = {"model/classes", 4, 2, 18, little_endian(1) + little_endian(1) + "ab"};
  });
  expect_spoilt(good, "stands twice", [](RecordEditor& file) {
    file["model/classes"] = {"model/classes", 4, 3, 27, little_endian(1) + little_endian(1) + little_endian(1) + "aba"};
  });
  expect_spoilt(good, "expected none", [](RecordEditor& file) { file.set_text("model/task", "regression"); });
  expect_spoilt(good, "have the offset 1", [](RecordEditor& file) { file.set_number("model/output-scale", 1, 1); });
  expect_spoilt(good, "for 12 features, the map makes 24", [](RecordEditor& file) {
    file.set_shape("model/weights", 12, 6);
    file.set_shape("model/bias", 1, 6);
    file["model/bias"].content.resize(48);
  });
}

TEST_F(HostileFiles, NystromModels) {
  const std::string good = saved(nystrom_regression());
  expect_spoilt(good, "lacks the kernel", [](RecordEditor& file) { file.erase("kernel/name"); });
  expect_spoilt(good, "nystrom/left", [](RecordEditor& file) { file.set_shape("nystrom/left", 5, 9); });
  expect_spoilt(good, "nystrom/right", [](RecordEditor& file) { file.set_shape("nystrom/right", 3, 15); });
  expect_spoilt(good, "nystrom/right", [](RecordEditor& file) { file.set_number("nystrom/right", 3, nan); });
  expect_spoilt(good, "nystrom/landmarks", [](RecordEditor& file) { file.set_shape("nystrom/landmarks", 2, 9); });
  expect_spoilt(good, "nystrom/landmarks", [](RecordEditor& file) { file.set_number("nystrom/landmarks", 0, nan); });
  expect_spoilt(good, "map/range", [](RecordEditor& file) { file.set_shape("map/range", 4, 1); });
  expect_spoilt(good, "map/range-centre", [](RecordEditor& file) { file.set_shape("map/range-centre", 2, 1); });
  expect_spoilt(good, "map/range-centre", [](RecordEditor& file) { file.set_number("map/range-centre", 0, nan); });
  expect_spoilt(good, "are -1 apart", [](RecordEditor& file) { file.set_number("map/range-distances", 1, -1); });
  expect_spoilt(good, "no parameter 'gamma'", [](RecordEditor& file) {
    file["kernel/parameters"] = {"kernel/parameters", 4, 2, 30, little_endian(5) + little_endian(5) + "sigmagamma" + "xxxx"};
    file["kernel/parameters"].cols = 26;
    file["kernel/parameters"].content.resize(26);
  });
}

TEST_F(HostileFiles, StructuredModelsStaySmall) {
  const std::string good = saved(structured_classifier());
  const std::size_t before = peak_memory();
  expect_spoilt(good, "padded_dim is 17", [](RecordEditor& file) { file.set_count("structure/padded-dim", 0, 17); });
  expect_spoilt(good, "signs", [](RecordEditor& file) { file.set_count("structure/padded-dim", 0, 1 << 23); });
  expect_spoilt(good, "expected at most", [](RecordEditor& file) { file.set_count("structure/padded-dim", 0, 1 << 24); });
  expect_spoilt(good, "structure/padded-dim", [](RecordEditor& file) { file.set_count("structure/padded-dim", 0, 1 << 25); });
  expect_spoilt(good, "structure/scales", [](RecordEditor& file) { file.set_number("structure/scales", 0, nan); });
  expect_spoilt(good, "sign 1 is 120", [](RecordEditor& file) { file["structure/signs"].content[1] = 'x'; });
  expect_spoilt(good, "padded_dim is 16", [](RecordEditor& file) { file.set_count("map/dim", 0, 100); });
  expect_spoilt(good, "expected at most", [](RecordEditor& file) { file.set_count("map/dim", 0, 1 << 24); });
  expect_spoilt(good, "float", [](RecordEditor& file) { file.set_number("model/weights", 0, 1e300); });
  EXPECT_LT(peak_memory() - before, std::size_t{64} << 20);
}

TEST_F(HostileFiles, WhatIsNoFile) {
  EXPECT_TRUE(contains(verdict_of(folder().string()), "is a directory, expected a file"));
  EXPECT_TRUE(contains(verdict_of("/dev/zero"), "is a device or a pipe"));
  EXPECT_TRUE(contains(verdict_of(path("absent")), "cannot be opened"));
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_TRUE(contains(verdict_of(path("fifo")), "is a device or a pipe"));  // and does not wait for a writer
  EXPECT_THROW(load_stored(""), DataError);
  EXPECT_THROW(load_stored(std::string("a\0b", 3)), DataError);
}

// A file that takes no room on the disk may claim any size.
TEST_F(HostileFiles, SparseGiants) {
  const std::size_t before = peak_memory();
  for (const std::uint64_t size : {std::uint64_t{1} << 40, std::uint64_t{4} << 30}) {
    write("sparse.askrff", std::string(io::record_magic) + little_endian(1, 4) + little_endian(1, 4) + little_endian(64));
    std::filesystem::resize_file(path("sparse.askrff"), size);
    EXPECT_TRUE(contains(verdict_of(path("sparse.askrff")), "expected"));
  }
  EXPECT_LT(peak_memory() - before, std::size_t{16} << 20);
}

}  // namespace
}  // namespace askrff::test
