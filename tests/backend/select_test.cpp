// Which backend runs: the caller's choice before the environment's, and unknown names refused.
#include <gtest/gtest.h>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

TEST(SelectBackend, AutomaticNamesWhatRuns) {
  for (const char* name : {static_cast<const char*>(nullptr), "", "automatic"}) {
    const BackendEnvironment environment(name);
    const FeatureMap map(random_atoms(3, 2, 1));
    EXPECT_EQ(map.backend_name(), backend::simd_primitives().front()->name);
    EXPECT_EQ(map.backend_name(), FeatureMap(random_atoms(3, 2, 1), Backend::simd).backend_name());
  }
}

TEST(SelectBackend, UnknownNamesAreRefused) {
  for (const char* name : {"fastest", "Reference", "reference ", "cuda9", "0", "simd:", "simd:mmx", "SIMD"}) {
    const BackendEnvironment environment(name);
    EXPECT_THROW(backend::select(Backend::automatic), std::invalid_argument) << name;
    try {
      const FeatureMap map(random_atoms(3, 2, 1));
      FAIL() << "accepted " << name;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("reference"), std::string::npos) << error.what();
    }
    EXPECT_THROW(ClassifierFeatures{approximate(*gaussian(), 2, {.n_frequencies = 2})}, std::invalid_argument) << name;
  }
}

TEST(SelectBackend, TheCallersChoiceWinsOverTheEnvironment) {
  const BackendEnvironment environment("no-such-backend");
  const FeatureMap map(random_atoms(3, 2, 1), Backend::reference);
  EXPECT_EQ(map.backend_name(), "reference");
  const auto X = random_matrix(4, 2, 2);
  EXPECT_NO_THROW(approximate_gram(map, X, X));
}

/// A map keeps the backend it was made with, also inside the operators.
TEST(SelectBackend, IsDecidedWhenTheMapIsMade) {
  const FeatureMap map(random_atoms(3, 2, 1));
  const auto X = random_matrix(4, 2, 2);
  const BackendEnvironment environment("no-such-backend");
  EXPECT_NO_THROW(map.left(X));
  EXPECT_NO_THROW(approximate_gram(map, X, X));
  EXPECT_NO_THROW(approximation_error(*gaussian(), map, X, X));
}

}  // namespace
}  // namespace askrff::test
