// The data of a call: --data with its format, columns, label and scaling.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "askrff/data.hpp"
#include "options.hpp"

namespace askrff::cli {

enum class Scale { none, minmax };
inline constexpr Choice<Scale> scales[] = {{"minmax", Scale::minmax}, {"none", Scale::none}};

struct DataOptions {
  std::string source;
  ReadOptions read;
  Scale scale = Scale::none;  ///< set the default before add_to

  /// `scale_help` is added to what --scale means.
  void add_to(CLI::App& app, const std::string& scale_help = "");
  /// All of --data, --format, --columns, --label, --scale, for subcommands where data is not always wanted.
  void refuse_all(const std::string& reason) const;
  bool is_given() const { return given(data_); }
  /// Makes --data a required option.
  void require() { data_->required(); }
  /// Refuses --scale alone.
  void refuse_scale(const std::string& reason) const { refuse_if_given(scale_, reason); }
  /// Reads and scales. Throws DataError.
  Matrix<double> load() const;
  /// Reads and does not scale.
  Matrix<double> load_unscaled() const;

 private:
  CLI::Option *data_ = nullptr, *format_ = nullptr, *columns_ = nullptr, *label_ = nullptr, *scale_ = nullptr;
};

}  // namespace askrff::cli
