// Sums for ridge regression over the rows of a part.
#include "parts/ridge_pass.hpp"
#include "pipeline/fit.hpp"

namespace askrff::parts {
namespace {

class Ridge final : public Pass {
 public:
  Ridge(const io::Records& task, PartContext& context) : trainer_(trainer_in(task, context).part(context.start.n_before)) {
    trainer_.set_execution(context.execution);
  }
  void add(const PartRows& rows) override { pipeline::add_to(trainer_, rows.block.X, rows.labels); }
  void finish(io::RecordWriter& result) override { write_trainer(result, trainer_); }

  static RidgeTrainer trainer_in(const io::Records& file, const PartContext& context) {
    return RidgeTrainer::from_bytes(file.text("trainer"), context.execution, file.name(), kernel_for(file, context.kernel));
  }

 private:
  RidgeTrainer trainer_;
};

std::unique_ptr<Pass> begin(const io::Records& task, PartContext& context) { return std::make_unique<Ridge>(task, context); }

void join(const std::vector<io::Records>& results, const PartContext& context, io::RecordWriter& joined) {
  RidgeTrainer all = Ridge::trainer_in(results[0], context);
  for (std::size_t i = 1; i < results.size(); ++i) all.merge(Ridge::trainer_in(results[i], context));
  write_trainer(joined, all);
}

}  // namespace

void write_trainer(io::RecordWriter& file, const RidgeTrainer& trainer) {
  file.count("own-kernel", leaves_out_kernel(trainer.map()) ? 1 : 0);
  file.text("trainer", trainer.to_bytes());
}

const PassKind ridge_pass{"ridge", &begin, &join};

}  // namespace askrff::parts
