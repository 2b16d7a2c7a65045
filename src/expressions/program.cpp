// Running a program: one call of a primitive for each instruction.
#include "expressions/program.hpp"

#include <algorithm>

namespace askrff::expressions {

void Program::run(const backend::Primitives& primitives, std::span<const double* const> inputs, std::size_t n, double* registers,
                  std::span<double* const> outputs) const {
  const auto operand = [&](const Source& source) -> backend::Operand {
    switch (source.kind) {
      case Source::Kind::constant:
        return {&constants_[source.place], true};
      case Source::Kind::input:
        return {inputs[source.place], false};
      case Source::Kind::reg:
        break;
    }
    return {registers + source.place * block_size, false};
  };
  for (const Instruction& instruction : instructions_) {
    double* const target = instruction.is_output ? outputs[instruction.target] : registers + instruction.target * block_size;
    if (instruction.is_table) {
      tables_[instruction.table]->values(operand(instruction.sources[0]).values, target, n);
      continue;
    }
    backend::Operand operands[3];
    for (std::size_t o = 0; o < backend::n_operands(instruction.function); ++o) operands[o] = operand(instruction.sources[o]);
    primitives.elementwise(instruction.function, operands, target, n);
  }
  for (std::size_t k = 0; k < copied_.size(); ++k) {
    if (!copied_[k]) continue;
    const backend::Operand value = operand(*copied_[k]);
    if (value.is_constant) std::fill_n(outputs[k], n, *value.values);
    if (!value.is_constant && value.values != outputs[k]) std::copy_n(value.values, n, outputs[k]);
  }
}

}  // namespace askrff::expressions
