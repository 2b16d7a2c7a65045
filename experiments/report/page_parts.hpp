// What the sections of the page are made of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/report/html.hpp"
#include "experiments/report/page.hpp"

namespace askrff::experiments {

/// What the section of an artefact says before there are numbers.
struct SectionText {
  std::string_view name;   ///< of files and anchors: "fig1"
  std::string_view title;  ///< "Figure 1: …"
  std::string_view paper;  ///< what the paper did
  std::string_view claim;  ///< what it says came out; for the figures in place of numbers
};

/// An erratum that concerns an artefact, and what follows from it there.
struct Concern {
  int number;
  std::string_view consequence;
};

/// Heading, what the paper did and claims, then `body`.
Html section(const SectionText& text, const Html& body);
Html not_run_yet(std::string_view name);
Html figures_part(const std::vector<DrawnPicture>& pictures);
Html findings_part(const std::vector<std::string>& findings);
/// With titles from docs/errata.md. Throws std::logic_error for a number that is not there.
Html errata_part(std::span<const Concern> concerns);
/// Where the numbers lie, and how long they took.
Html files_part(std::string_view name, double seconds);
Html details(std::string_view summary, const Html& content);
/// In colour, and in words for those who do not see it.
Html verdict(bool good, std::string_view yes, std::string_view no);

Html fig1_section(const std::optional<Figure1>& figure, const std::vector<DrawnPicture>& pictures);
Html fig2_section(const std::optional<Figure2>& figure, const std::vector<DrawnPicture>& pictures);
Html fig3_section(const std::optional<Figure3>& figure, const std::vector<DrawnPicture>& pictures);
Html table1_section(const std::optional<Table1>& table);
Html run_section(const Results& results);

}  // namespace askrff::experiments
