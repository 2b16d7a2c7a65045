// Passes of the SVM over rows in parts: what models/svm_pass.hpp computes, as bytes.
#pragma once

#include "models/svm_pass.hpp"
#include "parts/pass.hpp"

namespace askrff::parts {

void write_svm_task(io::RecordWriter& file, const models::SvmPassTask& task);
models::SvmPassSums svm_sums_in(const io::Records& file);

}  // namespace askrff::parts
