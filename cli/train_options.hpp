// What is trained on which features: the options behind TrainOptions, of askrff train and askrff plan.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/train.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "matrix_options.hpp"
#include "options.hpp"

namespace askrff::cli {

struct TrainFlags {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  TrainOptions train;        ///< set the default of --model before adding options
  bool takes_matrix = true;  ///< likewise: --kernel may be precomputed
  std::string features, weight;

  /// Data, kernel, map and model. trainers: those --model may name; none: all.
  void add_to(CLI::App& app, std::vector<Trainer> trainers = {});
  /// Refuses options that have no effect in this call.
  void check() const;
  /// --c or --c-grid, or nothing if neither was given.
  std::optional<std::vector<double>> c_given() const;
  /// What was asked for, of these rows. Throws as load_map and make_map.
  TrainOptions assembled(const RowStream& rows) const;
  /// The same where they are those of a kernel matrix, whose map is made.
  TrainOptions assembled_of_matrix(const NamedMatrix& matrix) const;

  /// Calls work(); what the library says of numbers is said of the file they come from.
  template <class Work>
  auto in_words_of_data(const TrainOptions& of, const Work& work) const {
    const bool is_scaled = of.map || of.features.scale != Scaling::none;
    const std::string advice = std::string("look at the size of the numbers") + (is_scaled ? "" : ", --scale minmax makes them comparable");
    try {
      return work();
    } catch (const DataError&) {
      throw;
    } catch (const NumericalError& error) {
      throw NumericalError(data.source, fmt::format("{}; {}", error.message(), advice));
    } catch (const InvalidArgument& error) {
      if (error.where() == "choose_features") throw InvalidArgument(data.source, error.message());
      const bool is_of_numbers = error.where().find("::") != std::string_view::npos || error.where() == "Map";
      if (!is_of_numbers) throw;
      throw InvalidArgument(data.source, fmt::format("{}; {}", error.message(), advice));
    }
  }

 private:
  void check_matrix() const;
  void add_features(CLI::App& app);
  void add_penalties(CLI::App& app);
  void add_weights(CLI::App& app);
  void add_memory(CLI::App& app);
  void add_model(CLI::App& app, std::vector<Trainer> trainers);

  bool no_bias_ = false, c_is_number_ = false;
  CLI::Option *features_ = nullptr, *c_ = nullptr, *grid_ = nullptr, *folds_ = nullptr, *weight_ = nullptr, *memory_ = nullptr,
              *tune_ = nullptr;
};

}  // namespace askrff::cli
