// Peers found on demand, ratios, and the list of rows.
#include "benchmark.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>

namespace askrff::bench {
namespace {

std::string refusal(const ChildError& error) { return fmt::format("the Python worker failed: {}", error.what()); }

}  // namespace

void Context::describe_python() {
  if (has_described_) return;
  has_described_ = true;
  if (settings_.python.empty()) {
    python_trouble_ = "no scikit-learn; give --sklearn PYTHON, or let `make bench` make build/bench-venv";
    return;
  }
  try {
    python_description_ = PythonPeer(settings_.python, "").description();
  } catch (const ChildError& error) {
    python_trouble_ = fmt::format("scikit-learn is of no use in {}: {}", settings_.python, error.what());
  }
}

void Context::choose_blas() {
  if (has_chosen_) return;
  has_chosen_ = true;
  describe_python();
  std::vector<std::string> libraries{"libopenblas.so.0"};
  if (python_description_ && !python_description_->openblas.empty()) libraries.push_back(python_description_->openblas);
  probes_ = probe_blas(libraries, settings_.quick);
  chosen_ = fastest(probes_);
  if (!chosen_) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (chosen_->core_type.empty())
    unsetenv("OPENBLAS_CORETYPE");
  else
    setenv("OPENBLAS_CORETYPE", chosen_->core_type.c_str(), 1);
  blas_ = std::make_unique<Blas>(chosen_->library);
}

const Blas& Context::blas() {
  choose_blas();
  if (!blas_) throw Skipped("no BLAS found; install one, Debian package libopenblas0-pthread");
  return *blas_;
}

void Context::need_python() {
  describe_python();
  if (!python_trouble_.empty()) throw Skipped(python_trouble_);
}

void Context::need_python_package() {
  need_python();
  if (python_description_->askrff.empty())
    throw Skipped(fmt::format("the Python package is of no use in {}: {}", settings_.python, python_description_->askrff_trouble));
}

PythonPeer Context::new_python() {
  choose_blas();  // the worker's OpenBLAS is given its fastest core type too
  const auto best = python_description_->openblas.empty() ? std::nullopt : fastest(probes_, python_description_->openblas);
  return PythonPeer(settings_.python, best ? best->core_type : "");
}

PythonPeer& Context::python() {
  need_python();
  if (!python_) python_.reset(new PythonPeer(new_python()));
  return *python_;
}

Figures Context::with_python(const std::function<Figures(PythonPeer&)>& measure) {
  try {
    return measure(python());
  } catch (const RefusedRequest& error) {
    throw Skipped(refusal(error));
  } catch (const ChildError& error) {
    python_.reset();
    python_trouble_ = refusal(error);
    throw Skipped(python_trouble_);
  }
}

Figures Context::with_python_package(const std::function<Figures(PythonPeer&)>& measure) {
  need_python_package();
  return with_python(measure);
}

Figures Context::with_fresh_python_package(const std::function<Figures(PythonPeer&)>& measure) {
  need_python_package();
  try {
    PythonPeer fresh = new_python();
    return measure(fresh);
  } catch (const ChildError& error) {
    throw Skipped(refusal(error));
  }
}

namespace {

Figures with_times(const Pairs& pairs) {
  Figures figures;
  figures.ours_ms = 1e3 * spread_of(pairs.ours).median;
  figures.theirs_ms = 1e3 * spread_of(pairs.theirs).median;
  return figures;
}

}  // namespace

Figures speed_ratios(const Pairs& pairs, double work) {
  Figures figures = with_times(pairs);
  for (std::size_t i = 0; i < pairs.ours.size(); ++i) figures.values.push_back(work * pairs.theirs[i] / pairs.ours[i]);
  return figures;
}

Figures time_ratios(const Pairs& pairs) {
  Figures figures = with_times(pairs);
  for (std::size_t i = 0; i < pairs.ours.size(); ++i) figures.values.push_back(pairs.ours[i] / pairs.theirs[i]);
  return figures;
}

std::vector<Benchmark> all_rows(const Sizes& sizes) {
  std::vector<Benchmark> rows;
  for (auto* topic : {transform_rows, structured_rows, sklearn_rows, operator_rows, sampling_rows, dense_rows, expression_rows, parse_rows,
                      model_rows, python_rows}) {
    auto some = topic(sizes);
    rows.insert(rows.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return rows;
}

}  // namespace askrff::bench
