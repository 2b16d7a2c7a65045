// The command line askrff: its subcommands and its --help.
#include "command.hpp"
#include "option_words.hpp"

namespace {

constexpr const char* description =
    "askrff: random Fourier features for asymmetric, indefinite and ordinary kernels, K(X,Y) ≈ left(X)·right(Y)ᵀ.\n"
    "\n"
    "A shift-invariant kernel k(x-y) is the Fourier transform of a complex measure. askrff splits the measure into its Jordan parts,\n"
    "draws frequencies from each and turns rows of data into explicit features whose inner products approximate k, symmetric or not.\n";

constexpr const char* examples =
    "Examples:\n"
    "  askrff demo\n"
    "  askrff approx --data builtin:uniform:8 --kernel sinh-gaussian\n"
    "  askrff choose --data train.csv --kernel shift-gaussian --tolerance 1e-2 --out map.askrff\n"
    "  askrff transform --features map.askrff --data train.csv --side left --out left.npy\n"
    "  askrff train --data train.csv --label class --kernel sinh-gaussian --out m.askrff\n"
    "  askrff predict --model m.askrff --data test.csv --label class";

}  // namespace

int main(int argc, char** argv) {
  using namespace askrff::cli;
  return run_program({"askrff",
                      description,
                      examples,
                      {add_kernels, add_info, add_masses, add_bound, add_diagnose, add_approx, add_choose, add_transform, add_train,
                       add_plan, add_sums, add_merge, add_predict, add_inspect, add_demo, add_doctor},
                      askrff::cli::words_of_option},
                     argc, argv);
}
