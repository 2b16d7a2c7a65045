// Kernels from the registry, data sets from the library: nothing is listed here.
#include "option_words.hpp"

#include <algorithm>

#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "kernel_options.hpp"

namespace askrff::cli {
namespace {

std::vector<ValueWord> kernel_words(const std::string& help) {
  std::vector<ValueWord> words;
  for (const KernelInfo& kernel : kernel_registry()) {
    if (!kernel.wraps_another) words.push_back({kernel.name, kernel.formula});
    for (const KernelInfo& inner : kernel_registry())  // "shifted:KERNEL"
      if (kernel.wraps_another && inner.symmetric)
        words.push_back({kernel.name.substr(0, kernel.name.find(':') + 1) + inner.name, kernel.formula});
  }
  // What is no kernel is told of where it may be given.
  for (const std::string& name : {std::string(linear_kernel), std::string(matrix_kernel)})
    if (help.find("\n" + name + ": ") != std::string::npos) words.push_back({name, "no kernel of the list"});
  return words;
}

std::vector<ValueWord> parameter_words() {
  std::vector<ValueWord> words;
  for (const KernelInfo& kernel : kernel_registry())
    for (const ParameterInfo& parameter : kernel.parameters)
      if (std::ranges::find(words, parameter.name, &ValueWord::text) == words.end()) words.push_back({parameter.name, parameter.meaning});
  return words;
}

std::vector<ValueWord> data_words() {
  std::vector<ValueWord> words;
  for (const BuiltinInfo& data : builtin_datasets())  // "builtin:uniform:D[:ROWS]": what is the same for all of them
    words.push_back({data.usage.substr(0, data.usage.find_first_of("[ABCDEFGHIJKLMNOPQRSTUVWXYZ")), data.meaning});
  return words;
}

}  // namespace

std::vector<ValueWord> words_of_option(const std::string& option, const std::string& help) {
  if (option == "--kernel") return kernel_words(help);
  if (option == "--tune") return parameter_words();
  if (option == "--data") return data_words();
  return {};
}

}  // namespace askrff::cli
