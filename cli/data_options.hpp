// The data of a call: --data with its format, columns, labels and scaling.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/rows.hpp"
#include "options.hpp"
#include "output_checks.hpp"

namespace askrff::cli {

/// ", columns scaled to [0,1]" and the like, for reports; empty for none.
std::string scale_text(Scaling scaling);

struct DataOptions {
  std::string source;
  ReadOptions read;
  Scaling scale = Scaling::none;  ///< set the default before add_to

  /// `scale_help` says what the scaling is fitted on.
  void add_to(CLI::App& app, const std::string& scale_help = "");
  /// All but --scale, for subcommands that take rows as they are.
  void add_unscaled_to(CLI::App& app);
  /// --labels, for subcommands that look at labels.
  void add_labels_to(CLI::App& app);
  /// All of --data, --format, --columns, --label, --labels, --scale, for subcommands where data is not always wanted.
  void refuse_all(const std::string& reason) const;
  bool is_given() const { return given(data_); }
  /// The files that --data and --labels name, all of a pattern, and others: inputs for check_files. Throws DataError if a pattern matches
  /// nothing.
  std::vector<NamedFile> inputs(std::vector<NamedFile> others = {}) const;
  /// Makes --data a required option.
  void require() { required(data_); }
  /// Refuses --scale alone.
  void refuse_scale(const std::string& reason) const { refuse_if_given(scale_, reason); }
  /// Reads all rows, with labels and the names of the columns; does not scale. Throws DataError. Reading shows its progress.
  Dataset load_labelled(const Execution& execution = {}) const;
  /// The rows block by block, not scaled; those of a pipe for one pass. Throws DataError.
  DataStream open(const Execution& execution = {}) const;
  /// The same where the source can be read again; else rows that are read already.
  std::unique_ptr<RowStream> rows(const Execution& execution = {}) const;

 private:
  ReadOptions checked(const Execution& execution) const;

  CLI::Option *data_ = nullptr, *format_ = nullptr, *columns_ = nullptr, *label_ = nullptr, *labels_ = nullptr, *scale_ = nullptr;
};

}  // namespace askrff::cli
