// The readers, one per format; read_data chooses between them. All throw DataError.
#pragma once

#include <string>
#include <string_view>

#include "askrff/data.hpp"
#include "io/input.hpp"

namespace askrff::io {

Dataset read_libsvm(Input& input, const ReadOptions& options);
Dataset read_csv(Input& input, const ReadOptions& options);
Dataset read_npy(Input& input, const ReadOptions& options);

/// `description` is what follows "builtin:".
Dataset make_builtin(std::string_view description, const ReadOptions& options);

}  // namespace askrff::io
