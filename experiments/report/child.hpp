// Runs another program to its end, without a shell and with a time-out.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::experiments {

/// The first executable file of that name in the folders of PATH. Empty entries, which would mean the current folder, are passed over.
std::optional<std::filesystem::path> find_program(const std::string& name);

struct ChildOutcome {
  int exit_code = -1;  ///< -signal if one ended it
  bool timed_out = false;
  std::string out, err;
};

/// Gives it `input` on standard input; kills it if it takes longer. Throws std::runtime_error if it cannot be started.
ChildOutcome run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments, std::string_view input,
                       std::chrono::milliseconds time_out);

}  // namespace askrff::experiments
