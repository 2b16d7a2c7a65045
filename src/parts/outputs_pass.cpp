// What models fitted without a fold say of its rows, for probabilities.
#include "parts/outputs_pass.hpp"

#include "askrff/errors.hpp"

namespace askrff::parts {
namespace {

void write(io::RecordWriter& file, const pipeline::HeldOutOutputs& held_out) {
  file.matrix("outputs", {held_out.outputs.data(), held_out.classes.size(), held_out.n_outputs});
  file.counts("classes", std::vector<std::uint64_t>(held_out.classes.begin(), held_out.classes.end()), 1);
  file.numbers("weights", held_out.weights);
}

class Outputs final : public Pass {
 public:
  Outputs(const io::Records& task, PartContext& context)
      : execution_(context.execution),
        pass_(Map::from_bytes(task.text("map"), task.name(), kernel_for(task, context.kernel)), models_in(task),
              io::read_word<Precision>(task, "precision"), task.count("seed"), task.count("step", 1), context.start.n_before) {}

  void add(const PartRows& rows) override { pass_.add(rows.block.X, rows.classes, rows.labels.weights(), execution_); }
  void finish(io::RecordWriter& result) override { write(result, pass_.result()); }

 private:
  static std::vector<LinearModel> models_in(const io::Records& task) {
    std::vector<LinearModel> models;
    const std::size_t n_models = task.count("models", 2, 1000);
    for (std::size_t i = 0; i < n_models; ++i) {
      const std::string key = "models/" + std::to_string(i);
      Matrix<double> weights = task.matrix(key + "/weights", io::any_size, io::any_size);
      const std::size_t n_outputs = weights.cols();
      models.push_back({std::move(weights), task.numbers(key + "/bias", n_outputs)});
    }
    return models;
  }

  Execution execution_;
  pipeline::HeldOutPass pass_;
};

std::unique_ptr<Pass> begin(const io::Records& task, PartContext& context) {
  if (context.facts.classes.empty()) task.refuse("rows/classes", "is empty, expected classes: numbers have no probabilities");
  return std::make_unique<Outputs>(task, context);
}

void join(const std::vector<io::Records>& results, const PartContext&, io::RecordWriter& joined) {
  pipeline::HeldOutOutputs all = held_out_outputs_in(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) {
    const pipeline::HeldOutOutputs next = held_out_outputs_in(results[i]);
    if (next.n_outputs != all.n_outputs) throw InvalidArgument("join_results", "outputs of different models, expected the same");
    if (!next.weights.empty()) all.weights.resize(all.classes.size(), 1.0);
    all.weights.insert(all.weights.end(), next.weights.begin(), next.weights.end());
    all.outputs.insert(all.outputs.end(), next.outputs.begin(), next.outputs.end());
    all.classes.insert(all.classes.end(), next.classes.begin(), next.classes.end());
    if (!all.weights.empty()) all.weights.resize(all.classes.size(), 1.0);
  }
  write(joined, all);
}

}  // namespace

const PassKind outputs_pass{"outputs", &begin, &join};

void write_fold_models(io::RecordWriter& task, const std::vector<LinearModel>& models) {
  task.count("models", models.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::string key = "models/" + std::to_string(i);
    task.matrix(key + "/weights", models[i].weights);
    task.numbers(key + "/bias", models[i].bias);
  }
}

pipeline::HeldOutOutputs held_out_outputs_in(const io::Records& file) {
  pipeline::HeldOutOutputs held_out;
  const Matrix<double> outputs = file.matrix("outputs", io::any_size, io::any_size);
  held_out.n_outputs = outputs.cols();
  held_out.outputs.assign(outputs.data(), outputs.data() + outputs.rows() * outputs.cols());
  for (const std::uint64_t k : file.counts("classes", outputs.rows(), 1)) held_out.classes.push_back(static_cast<std::uint32_t>(k));
  held_out.weights = file.numbers("weights");
  if (!held_out.weights.empty() && held_out.weights.size() != outputs.rows()) file.refuse("weights", "is not one for each row");
  return held_out;
}

}  // namespace askrff::parts
