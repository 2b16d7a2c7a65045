// Rows that are read whole before the first is given out, block by block afterwards.
#include "data/held_rows.hpp"

#include <algorithm>
#include <utility>

#include "data/messages.hpp"

namespace askrff::data {
namespace {

class HeldRows : public RowSource {
 public:
  explicit HeldRows(RowSource& source) : name_(source.name()), no_rows_(source.no_rows()), data_(source.read_all()) {
    if (data_.X.rows() == 0) fail(name_, no_rows_);
  }

  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return data_.X.cols(); }
  const std::vector<std::string>& column_names() const override { return data_.column_names; }
  bool has_labels() const override { return !data_.labels.empty(); }
  std::optional<std::uint64_t> known_rows() const override { return data_.X.rows(); }
  std::string no_rows() const override { return no_rows_; }

  std::size_t read(MatrixView<double> X, RowBlock& labels) override {
    const std::size_t count = std::min(X.rows(), data_.X.rows() - at_);
    std::copy_n(data_.X.data() + at_ * X.cols(), count * X.cols(), X.data());
    if (has_labels())
      for (std::size_t i = at_; i < at_ + count; ++i) labels.labels.push_back(data_.labels[i]);
    at_ += count;
    return count;
  }

  Dataset read_all() override { return std::exchange(data_, {}); }

 private:
  std::string name_, no_rows_;
  Dataset data_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> hold_rows(RowSource& source) { return std::make_unique<HeldRows>(source); }

}  // namespace askrff::data
