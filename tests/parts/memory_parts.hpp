// Rows in memory, cut into parts that are reached by bytes only, as those of a cluster.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "askrff/parts.hpp"

namespace askrff::test {

class MemoryParts : public PartedRows {
 public:
  Matrix<double> X;
  std::vector<double> labels;  ///< numbers of classes, or to be predicted, n_targets() per row
  std::vector<std::string> classes;
  std::vector<double> weights = {};
  std::vector<std::size_t> cuts;  ///< the first row of every part, and the end
  std::size_t targets = 1;
  std::size_t n_runs = 0;
  /// Changes the results of the parts before they are joined.
  std::function<void(std::vector<std::string>&)> tamper = {};
  /// Called with the rows of every part before its work.
  std::function<void(std::size_t part, Matrix<double>& X)> spoil = {};

  MemoryParts(Matrix<double> rows, std::vector<double> of_rows, std::vector<std::string> names, std::vector<std::size_t> cut_at)
      : X(std::move(rows)), labels(std::move(of_rows)), classes(std::move(names)), cuts(std::move(cut_at)) {}

  const std::string& name() const override { return name_; }
  std::size_t n_parts() const override { return cuts.size() - 1; }
  std::size_t n_columns() const override { return X.cols(); }
  const std::vector<std::string>& column_names() const override { return columns_; }
  const std::vector<std::string>& class_names() const override { return classes; }
  std::size_t n_targets() const override { return targets; }

  std::string run(const std::string& task, const std::vector<std::string>& starts) override {
    ++n_runs;
    std::vector<std::string> results;
    for (std::size_t part = 0; part < n_parts(); ++part) results.push_back(worked(task, starts[part], part));
    if (tamper) tamper(results);
    while (results.size() > 1) {  // neighbours, two by two
      std::vector<std::string> joined;
      for (std::size_t i = 0; i < results.size(); i += 2)
        joined.push_back(join_results({results.begin() + static_cast<std::ptrdiff_t>(i),
                                       results.begin() + static_cast<std::ptrdiff_t>(std::min(i + 2, results.size()))}));
      results = std::move(joined);
    }
    return results[0];
  }

 private:
  std::string worked(const std::string& task, const std::string& start, std::size_t part) {
    PartWork work(task, start, {.n_threads = 1 + part % 2});
    for (std::size_t first = cuts[part]; first < cuts[part + 1]; first += block_rows) {
      const std::size_t count = std::min(block_rows, cuts[part + 1] - first);
      Matrix<double> rows(count, X.cols());
      std::copy_n(X.row(first).data(), count * X.cols(), rows.data());
      if (spoil) spoil(part, rows);
      RowBlock block{.X = rows, .labels = {}, .label_numbers = some_of(labels, first * targets, count * targets)};
      if (!weights.empty()) block.weights = some_of(weights, first, count);
      work.add(block);
    }
    return work.finish();
  }
  static std::vector<double> some_of(const std::vector<double>& numbers, std::size_t first, std::size_t count) {
    if (numbers.empty()) return {};
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  static constexpr std::size_t block_rows = 700;
  std::string name_ = "parts";
  std::vector<std::string> columns_;
};

/// n parts of about the same size, an empty one among more than two.
inline std::vector<std::size_t> even_cuts(std::size_t n_rows, std::size_t n_parts) {
  std::vector<std::size_t> cuts;
  for (std::size_t part = 0; part <= n_parts; ++part) cuts.push_back(part * n_rows / n_parts);
  if (n_parts > 2) cuts[1] = cuts[2];
  return cuts;
}

}  // namespace askrff::test
