// Files of models and maps: records written in one go, and read back with everything checked.
#include <fmt/format.h>

#include <stdexcept>

#include "askrff/output_file.hpp"
#include "askrff/version.hpp"
#include "askrff/errors.hpp"
#include "pipeline/stored_keys.hpp"

namespace askrff {
namespace {

using io::Allow;
using io::any_size;
using io::Records;
using io::RecordWriter;

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
  write_training(file, model.training);
}

Model read_model(const Records& file, Preparation map) {
  Model model;
  model.preparation = std::move(map);
  const std::string task = file.text("model/task"), precision = file.text("model/precision");
  if (task != name_of(Task::classification) && task != name_of(Task::regression))
    file.refuse("model/task", "is neither classification nor regression");
  if (precision != name_of(Precision::float32) && precision != name_of(Precision::float64))
    file.refuse("model/precision", "is neither float32 nor float64");
  model.task = task == name_of(Task::classification) ? Task::classification : Task::regression;
  model.precision = precision == name_of(Precision::float32) ? Precision::float32 : Precision::float64;
  model.classes = file.texts("model/classes");
  model.linear.weights = file.matrix("model/weights", any_size, any_size);
  model.linear.bias = file.numbers("model/bias", model.linear.n_outputs());
  model.training = read_training(file);
  return model;
}

/// `write` adds what the kind of file asks for; what it finds wrong is said in the name of `who`.
template <class Write>
void save(const char* who, const std::string& path, const char* kind, const Write& write) {
  OutputFile out(path, who);
  RecordWriter file;
  try {
    file.text("kind", kind);
    file.text("written-by", ASKRFF_VERSION);
    write(file);
  } catch (const std::invalid_argument& error) {
    throw InvalidArgument(who, fmt::format("{}", error.what()));
  }
  out.append(file.finish());
  out.finish();
}

}  // namespace

void save_model(const std::string& path, const Model& model) {
  check(model);
  save("save_model", path, "model", [&](RecordWriter& file) {
    pipeline::write_map(file, model.preparation);
    write_model(file, model);
  });
}

void save_map(const std::string& path, const Preparation& map) {
  check(map);
  save("save_map", path, "map", [&](RecordWriter& file) { pipeline::write_map(file, map); });
}

StoredFile load_stored(const std::string& path) {
  const Records file = Records::read(path);
  const std::string kind = file.text("kind");
  if (kind != "map" && kind != "model") file.refuse("kind", "is neither map nor model");
  StoredFile stored;
  stored.version = file.version();
  stored.n_bytes = file.n_bytes();
  stored.checksum = file.checksum();
  stored.written_by = file.text("written-by");
  try {
    Preparation map = pipeline::read_map(file);
    if (kind == "map") {
      check(map);
      stored.content = std::move(map);
    } else {
      Model model = read_model(file, std::move(map));
      check(model);
      stored.content = std::move(model);
    }
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {  // what the library finds wrong with the numbers
    throw DataError(path + ": " + error.what());
  }
  return stored;
}

Model load_model(const std::string& path) {
  StoredFile stored = load_stored(path);
  if (Model* model = std::get_if<Model>(&stored.content)) return std::move(*model);
  throw DataError(path + ": holds a map without a model, expected a file written by askrff train");
}

Preparation load_map(const std::string& path) {
  StoredFile stored = load_stored(path);
  if (Model* model = std::get_if<Model>(&stored.content)) return std::move(model->preparation);
  return std::move(std::get<Preparation>(stored.content));
}

}  // namespace askrff
