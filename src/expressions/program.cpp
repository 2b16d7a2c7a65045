// Running a program: one call of a primitive for each chain of instructions.
#include "expressions/program.hpp"

#include <algorithm>

namespace askrff::expressions {

void Program::run(const backend::Primitives& primitives, std::span<const backend::Operand> inputs, std::size_t n, double* registers,
                  std::span<double* const> outputs) const {
  const auto operand = [&](const Source& source) -> backend::Operand {
    if (source.kind == Source::Kind::constant) return {&constants_[source.place], true};
    if (source.kind == Source::Kind::input) return inputs[source.place];
    return {registers + source.place * block_size, false};
  };
  backend::Step steps[backend::max_steps];
  std::size_t n_steps = 0;
  for (const Instruction& instruction : instructions_) {
    double* const target = instruction.is_output ? outputs[instruction.target] : registers + instruction.target * block_size;
    if (instruction.is_table) {
      tables_[instruction.table]->values(operand(instruction.sources[0]).values, target, n);
      continue;
    }
    backend::Step& step = steps[n_steps++];
    step = {.function = instruction.function};
    for (std::size_t o = 0; o < backend::n_operands(instruction.function); ++o) {
      const Source& source = instruction.sources[o];
      if (source.kind == Source::Kind::carried)
        step.carried |= 1u << o;
      else
        step.operands[o] = operand(source);
    }
    if (instruction.goes_on) continue;
    primitives.elementwise(steps, n_steps, target, n);
    n_steps = 0;
  }
  for (std::size_t k = 0; k < copied_.size(); ++k) {
    if (!copied_[k]) continue;
    const backend::Operand value = operand(*copied_[k]);
    if (value.is_constant) std::fill_n(outputs[k], n, *value.values);
    if (!value.is_constant && value.values != outputs[k]) std::copy_n(value.values, n, outputs[k]);
  }
}

}  // namespace askrff::expressions
