// Data made or read on demand, and the list of groups.
#include "row.hpp"

namespace askrff::accuracy {
namespace {

// Data sets have seeds far from those of trials.
std::uint64_t data_seed(std::size_t index) { return derive_seed(base_seed, 1'000'000 + index); }

}  // namespace

const Problem& Context::real_data(const std::string& name) {
  if (const auto known = problems_.find(name); known != problems_.end()) return known->second;
  const std::size_t index = static_cast<std::size_t>(&real_dataset(name) - real_datasets().data());
  Problem problem = quick() ? make_uniform(real_dataset(name).dim, sizes().training_rows, sizes().evaluation_rows, data_seed(index))
                            : read_real(data_dir(), real_dataset(name), sizes().evaluation_rows, data_seed(index));
  return problems_.emplace(name, std::move(problem)).first->second;
}

const Problem& Context::uniform_data(std::size_t dim) {
  const std::string key = "uniform " + std::to_string(dim);
  if (const auto known = problems_.find(key); known != problems_.end()) return known->second;
  return problems_.emplace(key, make_uniform(dim, sizes().training_rows, sizes().evaluation_rows, data_seed(100 + dim))).first->second;
}

const Problem& Context::normal_data(std::size_t dim) {
  const std::string key = "normal " + std::to_string(dim);
  if (const auto known = problems_.find(key); known != problems_.end()) return known->second;
  return problems_.emplace(key, make_normal(dim, sizes().training_rows, sizes().evaluation_rows, data_seed(2000 + dim))).first->second;
}

std::vector<Group> all_groups() {
  return {saving_rows(),   uniform_rows(),    regime_rows(),      nystrom_rows(),     orthogonal_rows(),
          gaussian_rows(), quadrature_rows(), calibration_rows(), certificate_rows(), structured_rows()};
}

}  // namespace askrff::accuracy
