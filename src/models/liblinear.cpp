// The design as LIBLINEAR's nodes, and one call of it per problem.
#include "models/liblinear.hpp"

#include <fmt/format.h>

#include <cmath>

#ifdef ASKRFF_HAS_LIBLINEAR
#include <linear.h>
#endif

#include "core/vectors.hpp"
#include "askrff/errors.hpp"

namespace askrff {

bool has_liblinear() {
#ifdef ASKRFF_HAS_LIBLINEAR
  return true;
#else
  return false;
#endif
}

namespace models {

#ifdef ASKRFF_HAS_LIBLINEAR

template <class T>
struct LiblinearRows<T>::Nodes {
  std::size_t n_columns = 0, n_rows = 0;
  std::vector<feature_node> values;  // n_columns nodes and an end for every row

  feature_node* row(std::size_t i) { return values.data() + i * (n_columns + 1); }
};

template <class T>
LiblinearRows<T>::LiblinearRows(const Design<T>& design) : nodes_(std::make_unique<Nodes>()) {
  constexpr std::uint64_t most_nodes = std::uint64_t{1} << 29;
  if (design.rows() > most_nodes / (design.n_columns() + 1))
    throw InvalidArgument("liblinear",
                          fmt::format("{} rows of {} columns are too many for its format, expected at most {} numbers; use newton",
                                      design.rows(), design.n_columns(), most_nodes));
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

template <class T>
typename LiblinearRows<T>::Fit LiblinearRows<T>::fit(const TrainingRows& rows, const BinaryProblem& wanted, double c,
                                                     double tolerance) const {
  std::vector<double> targets;
  std::vector<feature_node*> nodes;
  for (std::size_t i = 0; i < nodes_->n_rows; ++i) {
    if (wanted.held_out != no_fold && rows.folds[i] == wanted.held_out) continue;
    targets.push_back(rows.classes[i] == wanted.positive ? 1 : -1);
    nodes.push_back(nodes_->row(i));
  }
  problem data{};
  data.l = static_cast<int>(nodes.size());
  data.n = static_cast<int>(nodes_->n_columns);
  data.y = targets.data();
  data.x = nodes.data();
  data.bias = -1;  // the design has its own column of ones
  parameter settings{};
  settings.solver_type = L2R_L2LOSS_SVC;
  settings.C = c;
  settings.eps = tolerance;
  set_print_string_function([](const char*) {});
  if (const char* trouble = check_parameter(&data, &settings)) throw InvalidArgument("liblinear", fmt::format("{}", trouble));
  ::model* trained = train(&data, &settings);
  const double sign = trained->label[0] > 0 ? 1 : -1;
  Fit fit{std::vector<double>(trained->w, trained->w + nodes_->n_columns), 0};
  free_and_destroy_model(&trained);
  for (double& weight : fit.weights) weight *= sign;
  fit.objective = 0.5 * squared_norm(fit.weights);
  for (std::size_t i = 0, k = 0; i < nodes_->n_rows; ++i) {
    if (wanted.held_out != no_fold && rows.folds[i] == wanted.held_out) continue;
    const double short_of = std::max(0.0, 1 - targets[k++] * output(i, fit.weights));
    fit.objective += c * short_of * short_of;
  }
  return fit;
}

template <class T>
double LiblinearRows<T>::output(std::size_t row, std::span<const double> weights) const {
  const feature_node* node = nodes_->row(row);
  double sum = 0;
  for (std::size_t f = 0; f < weights.size(); ++f) sum += weights[f] * node[f].value;
  return sum;
}

#else

template <class T>
struct LiblinearRows<T>::Nodes {};
template <class T>
LiblinearRows<T>::LiblinearRows(const Design<T>&) {
  throw InvalidArgument("svm", "this build has no LIBLINEAR, expected the newton solver");
}
template <class T>
typename LiblinearRows<T>::Fit LiblinearRows<T>::fit(const TrainingRows&, const BinaryProblem&, double, double) const {
  return {};
}
template <class T>
double LiblinearRows<T>::output(std::size_t, std::span<const double>) const {
  return 0;
}

#endif

template <class T>
LiblinearRows<T>::~LiblinearRows() = default;

template class LiblinearRows<float>;
template class LiblinearRows<double>;

}  // namespace models
}  // namespace askrff
