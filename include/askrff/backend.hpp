// Which implementation of the hot loops runs. The others are judged by the reference.
#pragma once

namespace askrff {

/// automatic obeys the environment variable ASKRFF_BACKEND (reference, simd, or simd:TARGET as `askrff doctor` lists them), else takes the
/// fastest there is. simd: the best instruction set of this machine, found at run time.
enum class Backend { automatic, reference, simd };

}  // namespace askrff
