// The one place that runs gnuplot.
#pragma once

#include <chrono>
#include <string>

namespace askrff::experiments {

/// What the commands write to standard output. `what` starts the message of an error: "fig1.svg". Throws std::runtime_error, quoting what
/// gnuplot said, if it is missing, fails, writes nothing or takes longer.
std::string run_gnuplot(const std::string& what, const std::string& commands, std::chrono::milliseconds time_out = std::chrono::minutes(1));

/// Text as a gnuplot string, cleaned (text.hpp); nothing in it is acted upon.
std::string gnuplot_string(const std::string& text);

}  // namespace askrff::experiments
