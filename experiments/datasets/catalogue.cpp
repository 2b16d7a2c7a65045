// The catalogue itself. Checksums of content were computed by this program from copies that agree with an independent second one each
// (docs/datasets.md says which).
#include "experiments/datasets/catalogue.hpp"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

namespace askrff::experiments {
namespace {

std::string uci(const std::string& path) { return "https://archive.ics.uci.edu/ml/machine-learning-databases/" + path; }
std::string libsvm_collection(const std::string& file) { return "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/" + file; }

/// A file of local copies: LIBSVM text.
CatalogueFile local_file(std::string name, LabelCode labels, Content content) {
  return {.name = std::move(name), .labels = labels, .content = std::move(content)};
}

CatalogueEntry spambase() {
  const Content content = {
      .n_rows = 4601, .n_columns = 57, .n_positive = 1813, .sha256 = "1b6c9932d8ccf356e7381421ea244f1283bb4b635bef4ece496e6b084994e0e7"};
  const std::string origin = "UCI Spambase, all 4601 rows; every trial shuffles them (the source is sorted by class) and cuts at 2760";
  return {.name = "spambase",
          .licence = "CC BY 4.0 (UCI)",
          .n_training = 2760,
          .n_test = 1841,
          .copies = {{.origin = origin,
                      .training = {{.name = "spambase.data",
                                    .address = uci("spambase/spambase.data"),
                                    .n_bytes = 702'942,
                                    .sha256 = "b1ef93de71f97714d3d7d4f58fc9f718da7bbc8ac8a150eff2778616a8097b12",
                                    .format = DataFormat::csv,
                                    .label_column = "58",
                                    .labels = LabelCode::spam,
                                    .content = content}},
                      .test = {}},
                     {.origin = origin, .training = {local_file("spambase.libsvm", LabelCode::spam, content)}, .test = {}}}};
}

/// The content of the LIBSVM collection's ijcnn1.tr followed by its ijcnn1.val is that of one training file.
CatalogueEntry ijcnn1() {
  const std::string origin =
      "LIBSVM collection, ijcnn1 (IJCNN 2001 challenge, the winner's transformation) with its split; training is its tr and val together";
  const Content test = {
      .n_rows = 91'701, .n_columns = 22, .n_positive = 8712, .sha256 = "38539260a16154db90b4720334847c5c38ce7ed6884c8cbd665a947c9fb41664"};
  return {.name = "ijcnn1",
          .licence = "none stated",
          .n_training = 49'990,
          .n_test = 91'701,
          .copies = {{.origin = origin,
                      .training = {{.name = "ijcnn1.tr",
                                    .compression = ".bz2",
                                    .address = libsvm_collection("ijcnn1.tr.bz2"),
                                    .content = {.n_rows = 35'000,
                                                .n_columns = 22,
                                                .n_positive = 3415,
                                                .sha256 = "a5e7ba6a12a3f628897584502fde4debd66a11390c28871ccce738b1a00c1fad"}},
                                   {.name = "ijcnn1.val",
                                    .compression = ".bz2",
                                    .address = libsvm_collection("ijcnn1.val.bz2"),
                                    .content = {.n_rows = 14'990,
                                                .n_columns = 22,
                                                .n_positive = 1438,
                                                .sha256 = "d5d91ef450c73cca5c22dd76fa03a954a86eae163635f4c30f19528b98cb8141"}}},
                      .test = {{.name = "ijcnn1.t", .compression = ".bz2", .address = libsvm_collection("ijcnn1.t.bz2"), .content = test}}},
                     {.origin = origin,
                      .training = {local_file("ijcnn1.train.libsvm", LabelCode::signs,
                                              {.n_rows = 49'990,
                                               .n_columns = 22,
                                               .n_positive = 4853,
                                               .sha256 = "ed8161a9450e59b57958cac2eb084557c0bbcb587a7c9951c1970c05bb801ce2"})},
                      .test = {local_file("ijcnn1.test.libsvm", LabelCode::signs, test)}}}};
}

/// The fixed split of the literature is preferred where there is a copy of it; no archive publishes it.
CatalogueEntry letter() {
  const std::string drawn = "UCI Letter Recognition, A-M against N-Z; every trial draws 12000 training and 6000 test rows of the 20000";
  const Content all = {
      .n_rows = 20'000, .n_columns = 16, .n_positive = 9940, .sha256 = "9d8b14a95fa79094292d1e419ad928692c21f60a49dab1e3b9a4d40dce52494a"};
  return {.name = "letter",
          .licence = "CC BY 4.0 (UCI)",
          .n_training = 12'000,
          .n_test = 6000,
          .copies = {{.origin = "UCI Letter Recognition, A-M against N-Z, in the fixed split of 12000 and 6000 rows that the literature on "
                                "random features uses, scaled to [-1,1] by its source",
                      .training = {local_file("letter-binary.train.libsvm", LabelCode::signs,
                                              {.n_rows = 12'000,
                                               .n_columns = 16,
                                               .n_positive = 5937,
                                               .sha256 = "72768c3b25620537d549a0be62ad25af35a60549fc13846c2c3db957126c0096"})},
                      .test = {local_file("letter-binary.test.libsvm", LabelCode::signs,
                                          {.n_rows = 6000,
                                           .n_columns = 16,
                                           .n_positive = 2995,
                                           .sha256 = "8574845cfa1f96cfcb3d2eaa421affcb7acbeab197dc81312f90993f6cb5e49c"})}},
                     {.origin = drawn,
                      .training = {{.name = "letter-recognition.data",
                                    .address = uci("letter-recognition/letter-recognition.data"),
                                    .n_bytes = 712'565,
                                    .sha256 = "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2",
                                    .format = DataFormat::csv,
                                    .label_column = "1",
                                    .labels = LabelCode::letters,
                                    .content = all}},
                      .test = {}},
                     {.origin = drawn, .training = {local_file("letter.libsvm", LabelCode::letters, all)}, .test = {}}}};
}

CatalogueEntry cod_rna() {
  const std::string origin = "LIBSVM collection, cod-rna (Uzilov, Keegan and Mathews 2006) with its split";
  const Content training = {
      .n_rows = 59'535, .n_columns = 8, .n_positive = 19'845, .sha256 = "867223a5c592153767d234d67e740cce8dcec355d937d4e7088835f3562dcae6"};
  const Content test = {.n_rows = 271'617,
                        .n_columns = 8,
                        .n_positive = 90'539,
                        .sha256 = "ca2c731e783e6580bd65f4370dca45ad2966ccecf30ebe19b636621a52b0f45a"};
  return {.name = "cod-RNA",
          .licence = "none stated",
          .n_training = 59'535,
          .n_test = 271'617,
          .copies = {{.origin = origin,
                      .training = {{.name = "cod-rna",
                                    .address = libsvm_collection("cod-rna"),
                                    .n_bytes = 4'667'176,
                                    .sha256 = "65b7cc0689fc29bba5db8b50fab0b6446d985f4bf8f6f5dd474f7df8b2f1ab6c",
                                    .bytes_are_binding = false,
                                    .content = training}},
                      .test = {{.name = "cod-rna.t",
                                .address = libsvm_collection("cod-rna.t"),
                                .n_bytes = 21'344'555,
                                .sha256 = "58cff16df896436b06343df78ccaef37a6979d819abbcadbec3cb16b93938df6",
                                .bytes_are_binding = false,
                                .content = test}}},
                     {.origin = origin,
                      .training = {local_file("cod-rna.train.libsvm", LabelCode::signs, training)},
                      .test = {local_file("cod-rna.test.libsvm", LabelCode::signs, test)}}}};
}

/// Letters and digits in lower case.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '-') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::vector<CatalogueFile> CatalogueCopy::files() const {
  std::vector<CatalogueFile> all = training;
  all.insert(all.end(), test.begin(), test.end());
  return all;
}

const CatalogueCopy& CatalogueEntry::published() const {
  for (const CatalogueCopy& copy : copies)
    if (copy.is_published()) return copy;
  throw std::logic_error("CatalogueEntry: no copy of " + name + " has an address");
}

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = {spambase(), ijcnn1(), letter(), cod_rna()};
  return entries;
}

const CatalogueEntry& catalogue_entry(std::string_view name) {
  std::string known;
  for (const CatalogueEntry& entry : catalogue()) {
    if (plain(entry.name) == plain(name)) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument(fmt::format("unknown data set \"{}\", expected one of {}", name.substr(0, 60), known));
}

}  // namespace askrff::experiments
