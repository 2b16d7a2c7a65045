// A user's function as a kernel, with the measures that were found of it.
#include "askrff/function_kernel.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "askrff/errors.hpp"
#include "found_measures/function_measure.hpp"
#include "found_measures/shared_measure.hpp"

namespace askrff {
namespace {

class FunctionKernel final : public Kernel {
 public:
  FunctionKernel(BlockFunction f, FunctionForm form) : f_(std::move(f)), form_(std::move(form)) {
    if (!f_) throw InvalidArgument(form_.name, "the function is empty, expected one that can be called");
    found_measures::check_form(form_);
  }

  std::string name() const override { return form_.name; }
  bool symmetric() const override { return form_.symmetric; }
  bool thread_safe() const override { return form_.thread_safe; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override { f_(differences, out); }
  void find_measure(std::size_t dim, const Execution& execution) const override { found_in(dim, execution); }
  void check_route(std::size_t dim, const Execution& execution) const override {
    if (form_.route != Route::automatic) find_measure(dim, execution);
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    const found_measures::FoundMeasure found = found_in(dim);
    return found.measure ? std::make_unique<found_measures::SharedMeasure>(found.measure) : nullptr;
  }
  std::string measure_reason(std::size_t dim) const override { return found_in(dim).reason; }

 private:
  // Whatever ends a search with an exception leaves nothing. It runs outside the lock: the function may wait for one of its own. Two
  // threads that come first find the same.
  found_measures::FoundMeasure found_in(std::size_t dim, const Execution& execution = {}) const {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = found_.find(dim); known != found_.end()) return known->second;
    }
    found_measures::FoundMeasure found = found_measures::measure_of_function(f_, dim, form_, execution);
    const std::lock_guard lock(mutex_);
    return found_.emplace(dim, std::move(found)).first->second;
  }

  BlockFunction f_;
  FunctionForm form_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, found_measures::FoundMeasure> found_;
};

}  // namespace

std::unique_ptr<Kernel> function_kernel(BlockFunction f, FunctionForm form) {
  return std::make_unique<FunctionKernel>(std::move(f), std::move(form));
}

}  // namespace askrff
