// The report's files: complete, parseable, safe, whatever is in the results.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "experiments/hostile_results.hpp"
#include "experiments/report/child.hpp"
#include "experiments/report/gnuplot.hpp"
#include "experiments/report/report.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using namespace experiments;
namespace fs = std::filesystem;

/// PATH for the length of a test.
class SearchPath {
 public:
  explicit SearchPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~SearchPath() { setenv("PATH", before_.c_str(), 1); }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;

 private:
  std::string before_;
};

/// The values of attributes that lead somewhere. By hand: std::regex recurses, and pictures are long.
std::vector<std::string> references(const std::string& page) {
  std::vector<std::string> found;
  for (const std::string attribute : {" src=\"", " srcset=\"", " href=\"", " action=\"", " data=\"", " poster=\""})
    for (std::size_t at = 0; (at = page.find(attribute, at)) != std::string::npos;) {
      at += attribute.size();
      found.push_back(page.substr(at, page.find('"', at) - at));
    }
  return found;
}

std::string without_data(std::string page) {
  for (std::size_t at = 0; (at = page.find("\"data:", at)) != std::string::npos;) page.erase(at, page.find('"', at + 1) + 1 - at);
  return page;
}

class Report : public TemporaryFiles {
 protected:
  void SetUp() override {
    if (!find_program("gnuplot")) GTEST_SKIP() << "gnuplot is not installed (Debian: gnuplot-nox)";
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder())) found.insert(entry.path().filename().string());
    return found;
  }
};

TEST_F(Report, HasEveryFileAndEachIsWhatItsNameSays) {
  write_report(sample_results(), folder());
  std::set<std::string> expected{"index.html", "run.json"};
  for (const std::string name : {"fig1", "fig2", "fig3", "table1"}) expected.insert({name + ".csv", name + ".json"});
  for (const std::string name : {"fig1", "fig2-spambase", "fig2-ijcnn1", "fig2-letter", "fig2-cod-rna", "fig3-accuracy", "fig3-time"})
    expected.insert({name + ".svg", name + ".png"});
  EXPECT_EQ(names(), expected);
  for (const std::string& name : expected) {
    const std::string bytes = content(name);
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(bytes.starts_with("<?xml") && bytes.find("</svg>") != std::string::npos) << name;
    } else if (name.ends_with(".png")) {
      EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n\x1a\n") && bytes.find("IEND") != std::string::npos) << name;
    } else if (name.ends_with(".json")) {
      EXPECT_FALSE(Json::parse(bytes, nullptr, false).is_discarded()) << name;
    }
  }
}

TEST_F(Report, IsWholeWhateverTheResults) {
  for (const auto& [name, results] : result_variants()) {
    SCOPED_TRACE(name);
    ASSERT_NO_THROW(write_report(results, folder() / name));
    const std::string page = content(name + "/index.html");
    EXPECT_TRUE(page.ends_with("</html>\n"));
    const std::string text = without_data(page);
    for (const char* none : {">nan", ">-nan", ">inf", ">-inf", " nan", " inf<", " inf ", "(nan"})
      EXPECT_EQ(text.find(none), std::string::npos) << none;
    EXPECT_EQ(text.find("<script"), std::string::npos);
    for (const auto& entry : fs::directory_iterator(folder() / name))
      EXPECT_EQ(entry.path().string().find(".tmp-"), std::string::npos) << entry;
  }
}

TEST_F(Report, FetchesNothing) {
  write_report(hostile_results(), folder());
  const std::string page = content("index.html");
  std::size_t n_images = 0;
  for (const std::string& target : references(page)) {
    const bool image = target.starts_with("data:");
    n_images += image ? 1 : 0;
    EXPECT_TRUE(image || target.starts_with("#") || std::regex_match(target, std::regex("[a-z0-9-]+\\.(csv|json|svg|png)")))
        << target.substr(0, 100);
  }
  EXPECT_GE(n_images, 2u * 5u);
  EXPECT_TRUE(contains(page.substr(0, 1000), "default-src 'none'"));
  EXPECT_EQ(page.find("url("), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
}

TEST_F(Report, SaysWhatHasNotBeenRun) {
  Results results = sample_results();
  results.fig2.reset();
  results.table1.reset();
  write_report(results, folder(), {.figures = false});
  const std::string page = content("index.html");
  EXPECT_TRUE(contains(page, "askrff-paper reproduce fig2"));
  EXPECT_TRUE(contains(page, "askrff-paper reproduce table1"));
  EXPECT_EQ(page.find("askrff-paper reproduce fig1"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder() / "fig2.csv"));
}

TEST_F(Report, HasOneColumnForEachPowerThoughMIsRounded) {
  Results results = sample_results();
  write_report(results, folder(), {.figures = false});
  std::string page = content("index.html");
  page = page.substr(page.find("Test accuracy in percent, mean;"));
  page.resize(page.find("</table>"));
  std::size_t n_columns = 0;
  for (std::size_t at = 0; (at = page.find("scope=\"col\"", at)) != std::string::npos; ++at) ++n_columns;
  EXPECT_EQ(n_columns, 1 + 10u) << page.substr(0, 1000);
  EXPECT_EQ(page.find("<td>–"), std::string::npos) << "and no hole";
}

TEST_F(Report, SaysOnWhichSideALinearRowMissesThePublishedNumber) {
  Results results = sample_results();
  for (Cell& cell : results.table1->cells) {
    cell.paper = {90, 0.5};
    cell.allowed_deviation = 0.5;
    cell.accuracy.mean = 92;
    cell.pass = false;
  }
  write_report(results, folder(), {.figures = false});
  EXPECT_TRUE(contains(content("index.html"), "✗ lies above"));
  EXPECT_EQ(content("index.html").find("✗ falls short"), std::string::npos);
}

TEST_F(Report, LeavesWhatIsNotItsOwn) {
  write("notes.txt", "mine");
  write_report(sample_results({.n_multiples = 1}), folder(), {.figures = false});
  EXPECT_EQ(content("notes.txt"), "mine");
}

TEST_F(Report, TellsTwoDataSetsApartWhoseFileNamesWouldBeTheSame) {
  write_report(sample_results({.datasets = {"cod-RNA", "cod RNA", "…"}, .n_multiples = 1}), folder());
  for (const char* name : {"fig2-cod-rna.svg", "fig2-cod-rna-2.svg", "fig2-x.svg"}) EXPECT_TRUE(names().contains(name)) << name;
}

TEST_F(Report, RunsNoCommandOutOfAName) {
  write_report(sample_results({.datasets = {"`touch " + path("ran") + "`", "' \n!touch " + path("ran") + "\n'"}, .n_multiples = 1}),
               folder());
  EXPECT_FALSE(fs::exists(path("ran")));
}

TEST_F(Report, WithoutGnuplotSaysWhatIsMissingAndKeepsTheNumbers) {
  const SearchPath nothing("");
  const std::string message = message_of<std::runtime_error>([] { require_gnuplot(); });
  EXPECT_TRUE(contains(message, "gnuplot"));
  EXPECT_TRUE(contains(message, "gnuplot-nox"));
  EXPECT_TRUE(contains(message, "--no-figures"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_THROW(write_report(sample_results(), folder()), std::runtime_error);
  EXPECT_TRUE(fs::exists(path("fig2.csv")));
  EXPECT_FALSE(fs::exists(path("index.html")));
}

TEST_F(Report, IntoAFolderThatCannotBe) {
  const std::string file = write("file", "");
  EXPECT_TRUE(contains(message_of<WriteError>([&] { write_report({}, fs::path(file) / "report"); }), file));
}

/// A program called gnuplot that does what the text says.
class FalseGnuplot : public TemporaryFiles {
 protected:
  void make(const std::string& body) {
    write("gnuplot", "#!/bin/sh\n" + body + "\n");
    ::chmod(path("gnuplot").c_str(), 0755);
  }
  std::string error(std::chrono::milliseconds time_out = std::chrono::minutes(1)) {
    const SearchPath here(folder().string());
    return message_of<std::runtime_error>([&] { run_gnuplot("picture", "plot x\n", time_out); });
  }
};

TEST_F(FalseGnuplot, IsQuotedWhenItFails) {
  make("echo 'gnuplot> plot x' >&2; echo '   ^' >&2; echo '  line 0: undefined variable' >&2; exit 3");
  EXPECT_TRUE(ends_with(error(), "failed with exit code 3 and said \"line 0: undefined variable\""));
}

TEST_F(FalseGnuplot, IsEndedWhenItHangs) {
  make("echo waiting >&2; exec /bin/sleep 60");
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(contains(error(std::chrono::milliseconds(300)), "did not end within 0.3 s and said \"waiting\""));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST_F(FalseGnuplot, IsNoneOfOurGroup) {
  make("kill -INT 0");
  EXPECT_TRUE(contains(error(), "was ended by signal 2")) << "and we were not";
}

TEST_F(FalseGnuplot, IsNotBelievedWhenItWritesNothing) {
  make("exit 0");
  EXPECT_TRUE(contains(error(), "wrote nothing"));
}

TEST_F(FalseGnuplot, MayEndWithoutReading) {
  make("echo picture");
  EXPECT_EQ(error(), "accepted");
}

}  // namespace
}  // namespace askrff::test
