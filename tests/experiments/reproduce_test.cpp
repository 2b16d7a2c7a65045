// The whole report on built-in data: interrupted and resumed it is the one of a run in one go.
#include "experiments/reproduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/temporary_folder.hpp"

namespace askrff::experiments {
namespace {

using test::TemporaryFolder;

Plan quick_plan() {
  Plan plan;
  plan.datasets = {built_in_data(400)};
  plan.kernels = paper_kernels();
  plan.n_trials = 2;
  plan.quick = true;
  plan.sizes = Sizes::quick();
  plan.sizes.bias_trials = 20;
  return plan;
}

/// Without what depends on the clock.
Json timeless(Json json) {
  if (json.is_object())
    for (auto it = json.begin(); it != json.end();) {
      const std::string& key = it.key();
      const bool is_time = key.find("seconds") != std::string::npos || key == "findings" || key == "date";
      it = is_time ? json.erase(it) : (*it = timeless(*it), std::next(it));
    }
  if (json.is_array())
    for (Json& element : json) element = timeless(element);
  return json;
}

TEST(Reproduction, InterruptedAfterAnyTrialItGoesOnAndEndsTheSame) {
  const TemporaryFolder whole_folder, folder;
  Reproduction whole(quick_plan(), {}, whole_folder.file(""), {.figures = false});
  const Json expected = timeless(json_of(whole.run(all_artefacts, {})));

  std::size_t n_left = 1000, n_stops = 0;
  while (n_left > 0) {
    Reproduction part(quick_plan(), {}, folder.file(""), {.figures = false});
    n_left = part.unfinished(all_artefacts).size();
    std::size_t n_done = 0;
    Observer observer;
    observer.is_done = [&](const Trial&) { ++n_done; };
    observer.should_stop = [&] { return n_done == 25; };
    try {
      EXPECT_EQ(timeless(json_of(part.run(all_artefacts, observer))), expected);
      break;
    } catch (const Interrupted&) {
      ++n_stops;
      EXPECT_EQ(n_done, 25u);
      EXPECT_EQ(part.unfinished(all_artefacts).size(), n_left - 25);
    }
  }
  EXPECT_GT(n_stops, 2u);
}

TEST(Reproduction, ShowsWhatEarlierRunsHaveFinished) {
  const TemporaryFolder folder;
  const Artefact first[]{Artefact::fig1}, second[]{Artefact::table1};
  {
    Reproduction run(quick_plan(), {}, folder.file(""), {.figures = false});
    const Results results = run.run(first, {});
    EXPECT_TRUE(results.fig1);
    EXPECT_FALSE(results.fig2 || results.fig3 || results.table1);
  }
  Reproduction run(quick_plan(), {}, folder.file(""), {.figures = false});
  EXPECT_TRUE(run.unfinished(first).empty());
  const Results results = run.run(second, {});
  EXPECT_TRUE(results.fig1 && results.table1);
  EXPECT_FALSE(results.fig2 || results.fig3);
}

TEST(Reproduction, MoreTrialsUseThoseThatAreThere) {
  const TemporaryFolder folder;
  const Artefact artefacts[]{Artefact::fig3};
  Plan plan = quick_plan();
  plan.n_trials = 1;
  Reproduction(plan, {}, folder.file(""), {.figures = false}).run(artefacts, {});
  plan.n_trials = 3;
  Reproduction more(plan, {}, folder.file(""), {.figures = false});
  Reproduction fresh(plan, {}, TemporaryFolder().file(""), {.figures = false});
  EXPECT_EQ(more.unfinished(artefacts).size() * 3, fresh.unfinished(artefacts).size() * 2);
}

TEST(Reproduction, AnotherSeedOrOtherDataAreOtherTrials) {
  const TemporaryFolder folder;
  const Artefact artefacts[]{Artefact::fig2};
  Plan plan = quick_plan();
  plan.kernels = {"shift-gaussian"};
  Reproduction(plan, {}, folder.file(""), {.figures = false}).run(artefacts, {});
  EXPECT_TRUE(Reproduction(plan, {}, folder.file(""), {.figures = false}).unfinished(artefacts).empty());
  Plan other = plan;
  other.seed = 1;
  EXPECT_EQ(Reproduction(other, {}, folder.file(""), {.figures = false}).unfinished(artefacts).size(), 8u);
  other = plan;
  other.datasets = {built_in_data(500)};
  EXPECT_EQ(Reproduction(other, {}, folder.file(""), {.figures = false}).unfinished(artefacts).size(), 8u);
}

TEST(Reproduction, FindsTheLawsOfThePaper) {
  const TemporaryFolder folder;
  Plan plan = quick_plan();
  plan.n_trials = 4;
  plan.sizes.largest_power = 8;
  const Artefact artefacts[]{Artefact::fig2};
  const Results results = Reproduction(plan, {}, folder.file(""), {.figures = false}).run(artefacts, {});
  for (const Slope& slope : results.fig2->slopes) {
    if (slope.method != "exact-masses") continue;
    EXPECT_NEAR(slope.slope, -0.5, 0.2) << slope.kernel;  // far above the noise of this seed
  }
  for (const Comparison& comparison : results.fig2->comparisons) {
    if (comparison.method != "calibrated") continue;
    EXPECT_TRUE(comparison.pass) << comparison.kernel;
  }
}

}  // namespace
}  // namespace askrff::experiments
