// Built-in data sets: generated, the same bits on every machine. Row i depends on i only, so more rows start with the same rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "askrff/random.hpp"
#include "core/ceil_div.hpp"
#include "core/portable_math.hpp"
#include "core/threads.hpp"
#include "data/messages.hpp"
#include "data/numbers.hpp"
#include "data/row_source.hpp"

namespace askrff {
namespace data {
namespace {

constexpr std::uint64_t builtin_seed = 0;
constexpr std::size_t default_rows = 2000;
constexpr double pi = 3.141592653589793;

/// Row i into `row`; its label, or nothing.
using FillRow = std::string_view (*)(std::size_t i, std::span<double> row);

std::string_view fill_gaussian(std::size_t i, std::span<double> row) {
  row[0] = RandomStream(builtin_seed, Purpose::builtin_data, i).normal();
  return {};
}

std::string_view fill_uniform(std::size_t i, std::span<double> row) {
  RandomStream random(builtin_seed, Purpose::builtin_data, i);
  for (double& value : row) value = random.uniform();
  return {};
}

/// Even rows (+1): the upper half of the unit circle around 0; odd rows (-1): the lower half of the one around (1, 1/2).
std::string_view fill_moons(std::size_t i, std::span<double> row) {
  constexpr double noise = 0.1;
  RandomStream random(builtin_seed, Purpose::builtin_data, i);
  const bool upper = i % 2 == 0;
  const portable::SinCos angle = portable::sincos(pi * random.uniform());
  row[0] = (upper ? angle.cos : 1 - angle.cos) + noise * random.normal();
  row[1] = (upper ? angle.sin : 0.5 - angle.sin) + noise * random.normal();
  return upper ? "+1" : "-1";
}

struct Builtin {
  std::string name;
  std::size_t n_columns;  // 0: the description says
  FillRow fill_row;
  bool has_labels;
  std::string meaning;

  std::string usage() const { return name + (n_columns == 0 ? ":D[:ROWS]" : "[:ROWS]"); }
};

const std::vector<Builtin>& builtins() {
  static const std::vector<Builtin> all = {
      {"gauss1d", 1, fill_gaussian, false, "standard normal numbers in one column"},
      {"uniform", 0, fill_uniform, false, "uniform points of the unit cube [0,1]^D"},
      {"moons", 2, fill_moons, true, "two interleaving half circles in the plane with normal noise of 0.1, labels +1 and -1"},
  };
  return all;
}

[[noreturn]] void refuse(std::string_view description, const std::string& problem) {
  std::string expected;
  for (const Builtin& builtin : builtins()) expected += (expected.empty() ? "builtin:" : ", builtin:") + builtin.usage();
  fail(fmt::format("builtin:{}", description), problem + ", expected one of " + expected);
}

/// The next part of "NAME:D:ROWS", taken off it.
std::string_view take_part(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find(':'));
  rest.remove_prefix(part.size());
  return part;
}

std::uint64_t take_size(std::string_view description, std::string_view& rest, const char* what) {
  rest.remove_prefix(rest.empty() ? 0 : 1);
  const std::string_view part = take_part(rest);
  std::uint64_t size = 0;
  if (!parse_count(part, size) || size == 0)
    refuse(description, fmt::format("the number of {} is {}, which is no whole number from 1", what, in_quotes(part)));
  return size;
}

class BuiltinRows : public RowSource {
 public:
  BuiltinRows(std::string name, const Builtin& builtin, std::size_t rows, std::size_t cols, const ReadOptions& options)
      : name_(std::move(name)), builtin_(builtin), rows_(rows), cols_(cols), options_(options) {}

  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return cols_; }
  bool has_labels() const override { return builtin_.has_labels; }
  std::optional<std::uint64_t> known_rows() const override { return rows_; }

  std::size_t read(MatrixView<double> X, RowBlock& labels) override {
    const std::size_t count = std::min(X.rows(), rows_ - at_), n_labels = labels.labels.size();
    if (has_labels()) labels.labels.resize(n_labels + count);
    constexpr std::size_t slice = 256;
    constexpr double cost = 16;  // a draw against the nanosecond of team_for
    const double work = cost * static_cast<double>(count) * static_cast<double>(cols_);
    parallel_for(ceil_div(count, slice), team_for(work, options_.execution), [&](std::size_t task) {
      for (std::size_t i = task * slice; i < std::min(count, (task + 1) * slice); ++i) {
        const std::string_view label = builtin_.fill_row(at_ + i, X.row(i));
        if (has_labels()) labels.labels[n_labels + i] = label;
      }
    });
    at_ += count;
    if (count > 0) report_reading(options_.execution, static_cast<double>(at_) / static_cast<double>(rows_));
    return count;
  }

  Dataset read_all() override {
    Dataset data;
    data.X = Matrix<double>(rows_, cols_);
    RowBlock labels;
    read(data.X, labels);
    data.labels = std::move(labels.labels);
    return data;
  }

 private:
  std::string name_;
  const Builtin& builtin_;
  std::size_t rows_, cols_, at_ = 0;
  ReadOptions options_;
};

}  // namespace

std::unique_ptr<RowSource> open_builtin(std::string_view description, const ReadOptions& options, Reading reading) {
  std::string_view rest = description;
  const std::string_view name = take_part(rest);
  const Builtin* builtin = nullptr;
  for (const Builtin& candidate : builtins())
    if (candidate.name == name) builtin = &candidate;
  if (builtin == nullptr) refuse(description, fmt::format("there is no built-in data set {}", in_quotes(name)));
  const std::uint64_t cols = builtin->n_columns != 0 ? builtin->n_columns : take_size(description, rest, "columns");
  const std::uint64_t rows = rest.empty() ? default_rows : take_size(description, rest, "rows");
  if (!rest.empty()) refuse(description, fmt::format("{} is left over", in_quotes(rest)));

  const std::string source = fmt::format("builtin:{}", description);
  if (options.format != DataFormat::automatic) fail(source, "a file format was asked for, expected none with built-in data");
  if (!options.label.empty()) fail(source, "a label column was asked for, expected only with CSV, NPY and Arrow data");
  if (cols > max_columns) fail(source, fmt::format("{} columns, expected at most {}", cols, max_columns));
  check_memory(source, reading == Reading::whole ? rows : 1, cols, options.max_bytes);
  check_columns(source, options.n_columns, static_cast<std::size_t>(cols));
  return std::make_unique<BuiltinRows>(source, *builtin, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), options);
}

}  // namespace data

const std::vector<BuiltinInfo>& builtin_datasets() {
  static const std::vector<BuiltinInfo> all = [] {
    std::vector<BuiltinInfo> infos;
    for (const data::Builtin& builtin : data::builtins())
      infos.push_back(
          {"builtin:" + builtin.usage(), fmt::format("{}; {} rows unless ROWS says otherwise", builtin.meaning, data::default_rows)});
    return infos;
  }();
  return all;
}

}  // namespace askrff
