// Who waits for work and what the work asks of him; kernels of work that may be abandoned, and what it leaves behind.
#include "interrupts.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace askrff::python {
namespace {

std::atomic<int> n_abandoned = 0;  // pieces of work that nobody waits for and that still go on

/// A process that ends while such work goes on must not destroy what the work uses: it ends at once, with the code it was to end with.
/// Python itself has ended in order by then.
void end_at_once_at_exit() {
#ifdef __GLIBC__
  static const int registered = on_exit(
      [](int code, void*) {
        if (n_abandoned == 0) return;
        std::fflush(nullptr);
        _exit(code);
      },
      nullptr);
  (void)registered;
#endif
}

class WatchedKernel final : public Kernel {
 public:
  WatchedKernel(const PythonKernel& kernel, std::shared_ptr<Caller> caller)
      : kernel_(kernel.kernel()), is_function_(kernel.is_callable), caller_(std::move(caller)) {}

  std::string name() const override { return kernel_->name(); }
  bool symmetric() const override { return kernel_->symmetric(); }
  bool positive_definite() const override { return kernel_->positive_definite(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    watch([&] { kernel_->evaluate(differences, out); });
  }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const override {
    watch([&] { kernel_->evaluate_pairs(X, Y, out, backend); });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override { return kernel_->measure(dim); }

 private:
  template <class F>
  void watch(const F& evaluate) const {
    if (is_function_) return caller_->call(evaluate);
    caller_->check();
    evaluate();
  }

  std::shared_ptr<const Kernel> kernel_;
  bool is_function_;
  std::shared_ptr<Caller> caller_;
};

}  // namespace

std::shared_ptr<Caller> Caller::at_work() {
  auto caller = std::make_shared<Caller>();
  caller->own_.emplace();
  return caller;
}

void Caller::check() {
  if (own_) own_->check();
  if (is_abandoned_) throw std::runtime_error("nobody waits for this");  // nor hears it
}

void Caller::call(const std::function<void()>& function) {
  if (own_) {
    own_->check();
    const nb::gil_scoped_acquire gil;
    return function();
  }
  Request request{function, {}, false};
  std::unique_lock lock(mutex_);
  check();
  requests_.push_back(&request);
  for_caller_.notify_one();
  for_work_.wait(lock, [&] { return request.is_done || is_abandoned_; });
  check();
  if (request.error) std::rethrow_exception(request.error);
}

bool Caller::finish() {
  const std::lock_guard lock(mutex_);
  is_done_ = true;
  if (is_abandoned_) --n_abandoned;
  for_caller_.notify_one();
  return !is_abandoned_;
}

void Caller::wait() {
  Interrupts interrupts;
  std::unique_lock lock(mutex_);
  while (!is_done_) {
    for_caller_.wait_for(lock, std::chrono::milliseconds(51), [this] { return is_done_ || !requests_.empty(); });
    if (!requests_.empty()) serve(lock);
    if (is_done_) return;
    lock.unlock();
    try {
      interrupts.check();
    } catch (...) {
      lock.lock();
      if (!is_done_) abandon();
      throw;
    }
    lock.lock();
  }
}

void Caller::serve(std::unique_lock<std::mutex>& lock) {
  Request& request = *requests_.front();
  requests_.pop_front();
  lock.unlock();
  std::exception_ptr error;
  try {
    const nb::gil_scoped_acquire gil;
    request.function();
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  request.error = std::move(error);
  request.is_done = true;
  for_work_.notify_all();
}

void Caller::abandon() {
  is_abandoned_ = true;
  ++n_abandoned;
  requests_.clear();
  for_work_.notify_all();
  end_at_once_at_exit();
}

std::shared_ptr<const Kernel> watched(const PythonKernel& kernel, std::shared_ptr<Caller> caller) {
  return std::make_shared<WatchedKernel>(kernel, std::move(caller));
}

void call_later(int (*function)(void*), void* argument) {
  if (nb::is_alive()) Py_AddPendingCall(function, argument);  // of a full queue it would be lost, which is memory and nothing else
}

}  // namespace askrff::python
