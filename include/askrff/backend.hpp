// Which implementation of the hot loops runs. The others are judged by the reference.
#pragma once

namespace askrff {

/// automatic obeys the environment variable ASKRFF_BACKEND, else takes the fastest there is.
enum class Backend { automatic, reference };

}  // namespace askrff
