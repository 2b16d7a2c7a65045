// The program askrff-paper: the paper's experiments and the data sets they use.
#include "experiments/command/commands.hpp"

namespace {

constexpr const char* description =
    "askrff-paper: the experiments of the paper on random Fourier features for asymmetric kernels, run anew, and their data sets.\n";

constexpr const char* examples =
    "Examples:\n"
    "  askrff-paper reproduce all --quick\n"
    "  askrff-paper datasets get all\n"
    "  askrff-paper reproduce all --out report";

}  // namespace

int main(int argc, char** argv) {
  using namespace askrff::experiments;
  return askrff::cli::run_program({"askrff-paper", description, examples, {add_reproduce, add_datasets}}, argc, argv);
}
