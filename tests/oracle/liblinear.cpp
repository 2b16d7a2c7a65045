// The design as LIBLINEAR's nodes, and one call of it per problem.
#include "oracle/liblinear.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#ifdef ASKRFF_HAS_LIBLINEAR
#include <linear.h>
#endif

namespace askrff::oracle {

#ifdef ASKRFF_HAS_LIBLINEAR

bool has_liblinear() { return true; }

struct LiblinearRows::Nodes {
  std::size_t n_columns = 0, n_rows = 0;
  std::vector<feature_node> values;  // n_columns nodes and an end for every row

  feature_node* row(std::size_t i) { return values.data() + i * (n_columns + 1); }
};

LiblinearRows::LiblinearRows(const Design<double>& design) : nodes_(std::make_unique<Nodes>()) {
  constexpr std::uint64_t max_nodes = std::uint64_t{1} << 29;
  if (design.rows() > max_nodes / (design.n_columns() + 1))
    throw std::invalid_argument(fmt::format("liblinear: {} rows of {} columns are too many for its format, expected at most {} numbers",
                                            design.rows(), design.n_columns(), max_nodes));
  nodes_->n_columns = design.n_columns();
  nodes_->n_rows = design.rows();
  nodes_->values.resize(design.rows() * (design.n_columns() + 1));
  std::vector<double> row(design.n_columns());
  for (std::size_t i = 0; i < design.rows(); ++i) {
    design.copy_row(i, row);
    feature_node* node = nodes_->row(i);
    for (std::size_t f = 0; f < row.size(); ++f) node[f] = {static_cast<int>(f + 1), row[f]};
    node[row.size()] = {-1, 0};
  }
}

LiblinearRows::Fit LiblinearRows::fit(std::span<const int> targets, double c, double tolerance) const {
  std::vector<double> signs;
  std::vector<feature_node*> nodes;
  for (std::size_t i = 0; i < nodes_->n_rows; ++i) {
    if (targets[i] == 0) continue;
    signs.push_back(targets[i]);
    nodes.push_back(nodes_->row(i));
  }
  problem data{};
  data.l = static_cast<int>(nodes.size());
  data.n = static_cast<int>(nodes_->n_columns);
  data.y = signs.data();
  data.x = nodes.data();
  data.bias = -1;  // the design has its own column of ones
  parameter settings{};
  settings.solver_type = L2R_L2LOSS_SVC;
  settings.C = c;
  settings.eps = tolerance;
  set_print_string_function([](const char*) {});
  if (const char* trouble = check_parameter(&data, &settings)) throw std::invalid_argument(fmt::format("liblinear: {}", trouble));
  ::model* trained = train(&data, &settings);
  const double sign = trained->label[0] > 0 ? 1 : -1;
  Fit fit{std::vector<double>(trained->w, trained->w + nodes_->n_columns), 0};
  free_and_destroy_model(&trained);
  for (double& weight : fit.weights) {
    weight *= sign;
    fit.objective += 0.5 * weight * weight;
  }
  for (std::size_t i = 0; i < nodes_->n_rows; ++i) {
    if (targets[i] == 0) continue;
    const double short_of = std::max(0.0, 1 - targets[i] * output(i, fit.weights));
    fit.objective += c * short_of * short_of;
  }
  return fit;
}

double LiblinearRows::output(std::size_t row, std::span<const double> weights) const {
  const feature_node* node = nodes_->row(row);
  double sum = 0;
  for (std::size_t f = 0; f < weights.size(); ++f) sum += weights[f] * node[f].value;
  return sum;
}

#else

bool has_liblinear() { return false; }

struct LiblinearRows::Nodes {};
LiblinearRows::LiblinearRows(const Design<double>&) { throw std::invalid_argument("liblinear: this build has none"); }
LiblinearRows::Fit LiblinearRows::fit(std::span<const int>, double, double) const { return {}; }
double LiblinearRows::output(std::size_t, std::span<const double>) const { return 0; }

#endif

LiblinearRows::~LiblinearRows() = default;

}  // namespace askrff::oracle
