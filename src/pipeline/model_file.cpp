// Files of models and maps: records written in one go, and read back with everything checked.
#include <fmt/format.h>

#include <stdexcept>

#include "askrff/output_file.hpp"
#include "askrff/version.hpp"
#include "askrff/errors.hpp"
#include "pipeline/check.hpp"
#include "pipeline/stored_keys.hpp"

namespace askrff {
namespace {

using io::Allow;
using io::any_size;
using io::Records;
using io::RecordWriter;
using pipeline::OwnKernels;

void write_training(RecordWriter& file, const Training& training) {
  file.texts("training/texts",
             std::vector<std::string>{training.version, training.command, training.trainer, training.solver, training.cv_measure});
  file.counts("training/counts", std::vector<std::uint64_t>{training.seed, training.n_rows}, 2);
  file.number("training/c", training.c);
  file.numbers("training/cv-c", training.cv_c);
  file.numbers("training/cv-scores", training.cv_scores);
}

Training read_training(const Records& file) {
  auto texts = file.texts("training/texts", 5);
  const auto counts = file.counts("training/counts", 1, 2);
  Training training;
  training.version = std::move(texts[0]);
  training.command = std::move(texts[1]);
  training.trainer = std::move(texts[2]);
  training.solver = std::move(texts[3]);
  training.cv_measure = std::move(texts[4]);
  training.seed = counts[0];
  training.n_rows = counts[1];
  training.c = file.number("training/c");
  training.cv_c = file.numbers("training/cv-c");
  training.cv_scores = file.numbers("training/cv-scores", training.cv_c.size(), Allow::infinite);
  return training;
}

void write_model(RecordWriter& file, const Model& model) {
  file.text("model/task", name_of(model.task));
  file.text("model/precision", name_of(model.precision));
  file.texts("model/classes", model.classes);
  file.matrix("model/weights", model.linear.weights);
  file.numbers("model/bias", model.linear.bias);
  if (model.output_scale) file.numbers("model/output-scale", std::vector<double>{model.output_scale->scale, model.output_scale->offset});
  write_training(file, model.training);
}

Model read_model(const Records& file, Map map) {
  Model model{.map = std::move(map), .linear = {}};
  model.task = pipeline::read_word<Task>(file, "model/task");
  model.precision = pipeline::read_word<Precision>(file, "model/precision");
  model.classes = file.texts("model/classes");
  model.linear.weights = file.matrix("model/weights", any_size, any_size);
  model.linear.bias = file.numbers("model/bias", model.linear.n_outputs());
  if (file.has("model/output-scale")) {
    const auto numbers = file.numbers("model/output-scale", 2);
    model.output_scale = OutputScale{numbers[0], numbers[1]};
  }
  model.training = read_training(file);
  return model;
}

/// `write` adds what the kind of file asks for; what it finds wrong is said in the name of `who`.
template <class Write>
std::string bytes_of(const char* who, const char* kind, const Write& write) {
  RecordWriter file;
  try {
    file.text("kind", kind);
    file.text("written-by", ASKRFF_VERSION);
    write(file);
  } catch (const std::invalid_argument& error) {
    throw InvalidArgument(who, error.what());
  }
  return file.finish();
}

std::string bytes_of(const char* who, const Map& map, OwnKernels own) {
  return bytes_of(who, "map", [&](RecordWriter& file) { pipeline::write_map(file, map, own); });
}

std::string bytes_of(const char* who, const Model& model, OwnKernels own) {
  pipeline::check(model);
  return bytes_of(who, "model", [&](RecordWriter& file) {
    pipeline::write_map(file, model.map, own);
    write_model(file, model);
  });
}

template <class Content>
void save_content(const char* who, const std::string& path, const Content& content) {
  OutputFile out(path, who);  // first: where nothing can be written nothing need be made
  out.append(bytes_of(who, content, OwnKernels::refused));
  out.finish();
}

/// left_out: a kernel that bytes do not hold, else null.
StoredFile stored_in(const Records& file, const std::shared_ptr<const Kernel>& left_out = nullptr) {
  const std::string kind = file.text("kind");
  if (kind != "map" && kind != "model") file.refuse("kind", "is neither map nor model");
  try {
    Map map = pipeline::read_map(file, left_out);
    StoredFile stored{.content = map,
                      .version = file.version(),
                      .n_bytes = file.n_bytes(),
                      .checksum = file.checksum(),
                      .written_by = file.text("written-by")};
    if (kind == "map") return stored;
    Model model = read_model(file, std::move(map));
    pipeline::check(model);
    stored.content = std::move(model);
    return stored;
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {  // what the library finds wrong with the numbers
    throw DataError(file.name(), error.what());
  }
}

Model model_in(const Records& file, const std::shared_ptr<const Kernel>& left_out = nullptr) {
  StoredFile stored = stored_in(file, left_out);
  if (Model* model = std::get_if<Model>(&stored.content)) return std::move(*model);
  throw DataError(file.name(), "holds a map without a model, expected a file written by askrff train");
}

}  // namespace

std::string Map::to_bytes() const { return bytes_of("Map::to_bytes", *this, OwnKernels::left_out); }
std::string Model::to_bytes() const { return bytes_of("Model::to_bytes", *this, OwnKernels::left_out); }
void Map::save(const std::string& path) const { save_content("Map::save", path, *this); }
void Model::save(const std::string& path) const { save_content("Model::save", path, *this); }

Map Map::from_bytes(std::string bytes, const std::string& name, std::shared_ptr<const Kernel> kernel) {
  return stored_in(Records(name, std::move(bytes)), kernel).map();
}
Model Model::from_bytes(std::string bytes, const std::string& name, std::shared_ptr<const Kernel> kernel) {
  return model_in(Records(name, std::move(bytes)), kernel);
}

StoredFile load_stored(const std::string& path) { return stored_in(Records::read(path)); }
Map load_map(const std::string& path) { return load_stored(path).map(); }
Model load_model(const std::string& path) { return model_in(Records::read(path)); }

}  // namespace askrff
