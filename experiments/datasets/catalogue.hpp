// The catalogue of the paper's data sets: where their files are published, under which names local copies are found, and what must be in
// them. The one list; docs/datasets.md explains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/data.hpp"

namespace askrff::experiments {

/// How a file writes its classes, and which of them is +1.
enum class LabelCode {
  signs,    ///< "-1" and "1" in any spelling ("-1.0", "+1")
  spam,     ///< the same, or "0" and "1"
  letters,  ///< "A" … "Z", or their numbers 1 … 26; A-M is +1, N-Z is -1
};

/// What the rows of a file must be, whatever its format.
struct Content {
  std::size_t n_rows = 0, n_columns = 0;
  std::size_t n_positive = 0;  ///< rows of class +1; the others are -1
  std::string sha256 = {};     ///< as ContentDigest computes it
};

struct CatalogueFile {
  std::string name = {};         ///< without the ending of a compression: "ijcnn1.tr"
  std::string compression = {};  ///< the ending at the address: ".bz2" or none
  std::string address = {};      ///< of the published file; empty for layouts of local copies
  std::uint64_t n_bytes = 0;     ///< of the published file; 0 where it is not known
  std::string sha256 = {};       ///< of its bytes; empty where it is not known
  /// Size and checksum are known of the archive's own file: a download must have them. Else they are those of a copy, and other bytes with
  /// the right content are as good.
  bool bytes_are_binding = true;
  DataFormat format = DataFormat::libsvm;
  std::string label_column = {};  ///< CSV: its number
  LabelCode labels = LabelCode::signs;
  Content content = {};

  std::string published_name() const { return name + compression; }
};

/// One way in which a data set comes: all of its files together.
struct CatalogueCopy {
  std::string origin = {};  ///< a sentence
  std::vector<CatalogueFile> training = {}, test = {};

  bool is_published() const { return !training.front().address.empty(); }
  std::vector<CatalogueFile> files() const;  ///< training, then test
};

struct CatalogueEntry {
  std::string name = {};                   ///< the paper's: "cod-RNA"
  std::string licence = {};                ///< in a few words
  std::size_t n_training = 0, n_test = 0;  ///< rows of a trial, as in the paper
  std::vector<CatalogueCopy> copies = {};  ///< the preferred one first; one of them is published

  const CatalogueCopy& published() const;
};

/// In the paper's order.
const std::vector<CatalogueEntry>& catalogue();

/// Without regard to case, and hyphens may be left out: "cod-rna", "codRNA". Throws std::invalid_argument for an unknown name.
const CatalogueEntry& catalogue_entry(std::string_view name);

}  // namespace askrff::experiments
