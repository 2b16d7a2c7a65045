// askrff-paper datasets: the paper's data sets, listed, fetched and verified.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "experiments/command/commands.hpp"
#include "interrupt.hpp"
#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/fetch.hpp"
#include "experiments/datasets/places.hpp"
#include "experiments/datasets/verify.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "plural.hpp"
#include "askrff/errors.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;
using namespace cli;

struct Options {
  std::vector<std::string> names;
  std::string data_dir, mirror;
  Execution execution;
};

/// Errors in the name of the subcommand: "datasets get: …".
template <class Work>
Report in_name_of(const char* who, const Work& work) {
  const auto named = [who](const std::exception& error) { return fmt::format("datasets {}: {}", who, error.what()); };
  try {
    return work();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(named(error));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(named(error));
  }
}

/// The entries of these names, each once; all for "all" or no name.
std::vector<const CatalogueEntry*> entries_of(const std::vector<std::string>& names) {
  std::vector<const CatalogueEntry*> entries;
  const auto add = [&entries](const CatalogueEntry& entry) {
    if (std::find(entries.begin(), entries.end(), &entry) == entries.end()) entries.push_back(&entry);
  };
  const auto is_all = [](const std::string& name) { return CLI::detail::to_lower(name) == "all"; };
  for (const std::string& name : names.empty() ? std::vector<std::string>{"all"} : names) {
    if (!is_all(name)) {
      add(catalogue_entry(name));
      continue;
    }
    for (const CatalogueEntry& entry : catalogue()) add(entry);
  }
  return entries;
}

std::string megabytes(std::uint64_t bytes) { return fmt::format("{:.1f} MB", 1e-6 * static_cast<double>(bytes)); }

std::string searched_text(const std::vector<fs::path>& folders) {
  std::string text;
  for (const fs::path& folder : folders) text += (text.empty() ? "" : ", ") + printable(folder.string(), 300);
  return text.empty() ? "nowhere (neither --data-dir nor ASKRFF_DATA, XDG_CACHE_HOME or HOME is set)" : text;
}

Json folders_json(const std::vector<fs::path>& folders) {
  Json json = Json::array();
  for (const fs::path& folder : folders) json.push_back(folder.string());
  return json;
}

Json paths_json(const std::vector<fs::path>& paths) {
  Json json = Json::array();
  for (const fs::path& path : paths) json.push_back(path.string());
  return json;
}

// --- list -----------------------------------------------------------------------------------------------------------------------

/// What the published files hold together.
struct Totals {
  std::size_t n_rows = 0, n_columns = 0, n_positive = 0;
  std::uint64_t n_bytes = 0;  ///< 0: not all are known
};

Totals totals_of(const CatalogueEntry& entry) {
  Totals totals;
  bool all_known = true;
  for (const CatalogueFile& file : entry.published().files()) {
    totals.n_rows += file.content.n_rows;
    totals.n_columns = file.content.n_columns;
    totals.n_positive += file.content.n_positive;
    totals.n_bytes += file.n_bytes;
    all_known = all_known && file.n_bytes > 0;
  }
  if (!all_known) totals.n_bytes = 0;
  return totals;
}

Json file_json(const CatalogueFile& file) {
  return {{"name", file.published_name()},
          {"address", file.address},
          {"bytes", file.n_bytes > 0 ? Json(file.n_bytes) : Json()},
          {"sha256", file.sha256.empty() ? Json() : Json(file.sha256)},
          {"rows", file.content.n_rows},
          {"columns", file.content.n_columns},
          {"positive", file.content.n_positive},
          {"content_sha256", file.content.sha256}};
}

Json entry_json(const CatalogueEntry& entry, const std::optional<FoundCopy>& found) {
  const Totals totals = totals_of(entry);
  Json json{{"name", entry.name},
            {"rows", totals.n_rows},
            {"columns", totals.n_columns},
            {"positive", totals.n_positive},
            {"negative", totals.n_rows - totals.n_positive},
            {"training", entry.n_training},
            {"test", entry.n_test},
            {"licence", entry.licence},
            {"published", Json::array()},
            {"here", nullptr}};
  for (const CatalogueFile& file : entry.published().files()) json["published"].push_back(file_json(file));
  if (found) json["here"] = {{"origin", found->copy->origin}, {"files", paths_json(found->paths())}};
  return json;
}

Report list(const Options& options) {
  const auto folders = searched_folders({options.data_dir});
  Json json{{"datasets", Json::array()}, {"searched", folders_json(folders)}};
  Table table({{"data set", Align::left},
               {"rows"},
               {"columns"},
               {"+1"},
               {"-1"},
               {"training"},
               {"test"},
               {"size"},
               {"licence", Align::left},
               {"where", Align::left}});
  for (const CatalogueEntry& entry : catalogue()) {
    const auto found = find_copy(entry, folders);
    json["datasets"].push_back(entry_json(entry, found));
    const Totals totals = totals_of(entry);
    table.add({entry.name, fmt::format("{}", totals.n_rows), fmt::format("{}", totals.n_columns), fmt::format("{}", totals.n_positive),
               fmt::format("{}", totals.n_rows - totals.n_positive), fmt::format("{}", entry.n_training), fmt::format("{}", entry.n_test),
               totals.n_bytes > 0 ? megabytes(totals.n_bytes) : "not known", entry.licence,
               found ? printable(found->paths().front().parent_path().string(), 200) : "not here"});
  }
  return {std::move(json), table.text() + "\nLooked in " + searched_text(folders) +
                               ".\nRows are those of the published files; training and test are the sizes of a trial, as in the paper.\n"};
}

// --- get ------------------------------------------------------------------------------------------------------------------------

std::string mirror_of(const Options& options) {
  if (!options.mirror.empty()) return options.mirror;
  const char* from_environment = std::getenv("ASKRFF_DATASETS_MIRROR");
  return from_environment ? from_environment : "";
}

Destination destination_of(const Options& options) {
  if (!options.data_dir.empty()) return {options.data_dir, false};
  const auto cache = cache_folder();
  if (!cache)
    throw std::invalid_argument("no folder to download to: neither HOME nor XDG_CACHE_HOME is set, expected one of them or --data-dir");
  return {*cache, true};
}

FetchOptions fetch_options(const Options& options, const std::string& dataset) {
  FetchOptions fetch{.mirror = mirror_of(options), .execution = options.execution};
  const auto progress = std::make_shared<ProgressBar>("fetching " + dataset, 1);
  fetch.download.progress = [progress, stop = options.execution.stop](std::uint64_t done, std::uint64_t total) {
    stop.check();
    if (total > 0)
      progress->reach(static_cast<double>(done) / static_cast<double>(total));
    else
      progress->show(megabytes(done));
  };
  fetch.download.notice = [](const std::string& sentence) { print_warning("datasets get: " + sentence); };
  return fetch;
}

Report get(const Options& options) {
  const auto entries = entries_of(options.names);
  const auto folders = searched_folders({options.data_dir});
  const Destination destination = destination_of(options);
  Json json{{"datasets", Json::array()}};
  Table table({{"data set", Align::left}, {"files"}, {"fetched"}, {"folder", Align::left}});
  for (const CatalogueEntry* entry : entries)  // a mirror that cannot be one is known before the first transfer
    for (const CatalogueFile& file : entry->published().files()) address_of(file, mirror_of(options));
  std::string problems;
  for (const CatalogueEntry* entry : entries) {
    try {
      const FetchedCopy fetched = fetch_dataset(*entry, folders, destination, fetch_options(options, entry->name));
      json["datasets"].push_back({{"name", entry->name}, {"fetched", fetched.n_fetched}, {"files", paths_json(fetched.paths)}});
      table.add({entry->name, fmt::format("{}", fetched.paths.size()), fmt::format("{}", fetched.n_fetched),
                 printable(fetched.paths.front().parent_path().string(), 200)});
    } catch (const Stopped&) {
      throw;
    } catch (const std::exception& error) {  // the others are fetched all the same
      problems += fmt::format("{}{}: {}", problems.empty() ? "" : "; ", entry->name, error.what());
    }
  }
  if (!problems.empty()) throw std::runtime_error(problems);
  return {std::move(json), table.text()};
}

// --- verify ---------------------------------------------------------------------------------------------------------------------

std::string bytes_text(Bytes bytes) {
  switch (bytes) {
    case Bytes::as_recorded:
      return "as recorded";
    case Bytes::others:
      return "others";
    case Bytes::not_recorded:
      break;
  }
  return "not recorded";
}

Json verdict_json(const DatasetVerdict& verdict) {
  Json json{{"name", verdict.name}, {"complete", verdict.is_complete}, {"lacking", verdict.lacking}, {"files", Json::array()}};
  for (const FileVerdict& file : verdict.files)
    json["files"].push_back({{"path", file.path.string()},
                             {"bytes", file.n_bytes},
                             {"sha256", file.sha256.empty() ? Json() : Json(file.sha256)},
                             {"as_recorded", file.bytes == Bytes::not_recorded ? Json() : Json(file.bytes == Bytes::as_recorded)},
                             {"ok", file.problem.empty()},
                             {"problem", file.problem.empty() ? Json() : Json(file.problem)}});
  return json;
}

void add_lines(Table& table, const DatasetVerdict& verdict) {
  for (const FileVerdict& file : verdict.files)
    table.add({verdict.name, printable(file.path.string(), 200), file.problem.empty() ? "ok" : "wrong", bytes_text(file.bytes)});
  for (const std::string& name : verdict.lacking) table.add({verdict.name, name, "missing", ""});
  if (verdict.files.empty()) table.add({verdict.name, "", "not here", ""});
}

Report verify(const Options& options) {
  const auto entries = entries_of(options.names);
  const auto folders = searched_folders({options.data_dir});
  Json json{{"ok", false}, {"datasets", Json::array()}, {"searched", folders_json(folders)}};
  Table table({{"data set", Align::left}, {"file", Align::left}, {"content", Align::left}, {"bytes", Align::left}});
  std::string problems;
  std::size_t n_complete = 0;
  for (const CatalogueEntry* entry : entries) {
    const DatasetVerdict verdict = verify_dataset(*entry, folders, options.execution);
    json["datasets"].push_back(verdict_json(verdict));
    add_lines(table, verdict);
    n_complete += verdict.is_complete ? 1 : 0;
    const auto add_problem = [&problems](const std::string& problem) { problems += (problems.empty() ? "" : "; ") + problem; };
    for (const FileVerdict& file : verdict.files)
      if (!file.problem.empty()) add_problem(file.problem);
    if (!options.names.empty() && !verdict.is_complete) add_problem(verdict.name + ": not here, or not all of it");
  }
  if (problems.empty() && n_complete == 0) problems = "no data set is here; looked in " + searched_text(folders);
  json["ok"] = problems.empty();
  if (!problems.empty()) print_error("datasets verify: " + problems);
  return {std::move(json), table.text(), problems.empty() ? 0 : 1};
}

// --- options --------------------------------------------------------------------------------------------------------------------

/// An empty value, as of a shell variable that is not set, must not silently mean the default.
CLI::Validator not_empty(const std::string& option, const std::string& expected) {
  return CLI::Validator(
      [=](const std::string& value) {
        if (value.empty()) throw std::invalid_argument(fmt::format("datasets: {}: got \"\", expected {}", option, expected));
        return std::string();
      },
      "");
}

void add_data_dir(CLI::App& app, Options& options, const std::string& help) {
  app.add_option("--data-dir", options.data_dir, help)->type_name("DIR")->check(not_empty("--data-dir", "a folder"));
}

}  // namespace

cli::Command add_datasets(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("datasets", "The paper's data sets: what they are, where they are, fetched and verified");
  parser->require_subcommand(1);
  parser->footer(
      "Files are looked for in --data-dir, then in the folder named by ASKRFF_DATA, then in the cache, which is\n"
      "XDG_CACHE_HOME/askrff/datasets or ~/.cache/askrff/datasets. Published files and LIBSVM text of the same content are known, plain "
      "or\n"
      "compressed; docs/datasets.md has the names. Nothing needs the network but get.\n"
      "Examples:\n"
      "  askrff-paper datasets list\n"
      "  askrff-paper datasets get all\n"
      "  askrff-paper datasets verify --data-dir /srv/data");
  auto options = std::make_shared<Options>();

  CLI::App* lister = parser->add_subcommand("list", "The data sets, their sizes and licences, and where their files are");
  add_data_dir(*lister, *options, "Folder to look in first");
  lister->footer("--json has the addresses and checksums of the published files as well.\nExample:\n  askrff-paper datasets list --json");

  CLI::App* getter = parser->add_subcommand("get", "Download data sets, verify them and keep them in the cache");
  getter->add_option("NAME", options->names, "spambase, ijcnn1, letter, cod-RNA; or all")->required();
  add_data_dir(*getter, *options, "Folder for the files instead of the cache");
  getter
      ->add_option("--mirror", options->mirror,
                   "Fetch URL/FILE instead of the file's own address; also from the\nenvironment: ASKRFF_DATASETS_MIRROR")
      ->type_name("URL")
      ->check(not_empty("--mirror", "an address"));
  add_threads(*getter, options->execution);
  getter->footer(
      "What is here already is verified and not fetched again. A transfer that was cut off is continued by the next call; a file appears "
      "under\n"
      "its name only when its checksum is right. Proxies are those of the environment (https_proxy, no_proxy).\n"
      "Examples:\n"
      "  askrff-paper datasets get spambase letter\n"
      "  askrff-paper datasets get all --mirror https://mirror.example.org/askrff");

  CLI::App* verifier = parser->add_subcommand("verify", "Compare the files that are here with what they should be");
  verifier->add_option("NAME", options->names, "Data sets that must be here and right; without: whatever is here");
  add_data_dir(*verifier, *options, "Folder to look in first");
  add_threads(*verifier, options->execution);
  verifier->footer(
      "Rows, columns, classes and the SHA-256 of all numbers decide (content); whether the bytes have the SHA-256 on record is told "
      "beside.\n"
      "Exit code 1 if a file is wrong, a data set that was named is not here, or none is.\n"
      "Examples:\n"
      "  askrff-paper datasets verify\n"
      "  askrff-paper datasets verify letter --data-dir /srv/data --json");

  return {parser, [=] {
            if (lister->parsed()) return in_name_of("list", [&] { return list(*options); });
            if (getter->parsed()) return in_name_of("get", [&] { return get(*options); });
            return in_name_of("verify", [&] { return verify(*options); });
          }};
}

}  // namespace askrff::experiments
