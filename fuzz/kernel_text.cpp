// Kernels as text: sums and products of names with parameters. A text is refused with InvalidArgument, or a kernel whose values at a few
// differences and whose measure can be asked for.
#include "target.hpp"

#include <vector>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = askrff::fuzz::text_of(data, size);
  std::unique_ptr<askrff::Kernel> kernel;
  try {
    kernel = askrff::make_kernel(text);
  } catch (const askrff::InvalidArgument&) {
    return 0;
  }
  for (const std::size_t dim : {1, 3}) try {
      const std::vector<double> delta(dim, 0.25);
      (void)(*kernel)(delta);
      if (const auto measure = kernel->measure(dim); measure && measure->dim() != dim)
        askrff::fuzz::broken("a measure of another dimension");
    } catch (const askrff::Error&) {  // a vector of another length, a mass beyond the doubles
    }
  return 0;
}
