// The simd backend: its source compiled once for every instruction set Highway knows here, and the tables of those this machine can run.
#include <hwy/base.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backend/simd/targets.cpp"
#define HWY_COMPILE_ALL_ATTAINABLE  // also the plain target every machine has
// Register tiles are arrays of vectors, which vectors of unknown length cannot be; such machines run NEON or the plain target. So do those
// of before 2009 that have SSSE3 and not SSE4: nobody measures on them, and everybody would compile for them.
#ifdef ASKRFF_FEW_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4 | HWY_AVX2)
#else
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "backend/simd/elementwise-inl.hpp"
#include "backend/simd/fourier-inl.hpp"
#include "backend/simd/grid-inl.hpp"
#include "backend/simd/product-inl.hpp"
#include "backend/simd/sparse-pairs-inl.hpp"
#include "backend/simd/waves-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

template <class T>
constexpr ScalarPrimitives<T> Table() {
  return {Waves<T>, WavesTimes<T>, WavesTransposedTimes<T>, RowsTimes<T>, RowsTransposedTimes<T>, Product<T>, TransposedProduct<T>};
}

template <class T>
constexpr GridPrimitives<T> GridTable() {
  return {Spread<T>, Interpolate<T>, TransformLines<T>};
}

// The name is stated by the code compiled for the target itself; projections are made the same way for all targets, by functions added
// below.
Primitives Functions() {
  return {hwy::TargetName(HWY_TARGET),
          nullptr,
          nullptr,
          Table<float>(),
          Table<double>(),
          Pairs,
          SparsePairs,
          SparseProduct,
          Exponentials,
          ForElements,
          Fill,
          GridTable<float>(),
          GridTable<double>()};
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cctype>
#include <string>

namespace askrff::backend {
namespace simd {
namespace {

HWY_EXPORT(Functions);

std::unique_ptr<const Projection> make_projection(MatrixView<const double> frequencies) {
  return std::make_unique<FrequencyPanels>(frequencies);
}

std::unique_ptr<const Projection> make_structured_projection(const HadamardBlocks& blocks) {
  blocks.check();
  return std::make_unique<HadamardProjection>(blocks);
}

struct Target {
  std::string name;
  Primitives primitives;
};

// Highway's table of a function has an entry per target, the best first, behind one for the first call; entry i+1 belongs to bit
// `lowest_bit + i` and the last one to the plain target.
std::vector<Target> supported_targets() {
  constexpr int lowest_bit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  std::vector<Target> targets;
  const auto add = [&](Primitives (*functions)()) {
    Primitives primitives = functions();
    std::string name = "simd:" + std::string(primitives.name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    primitives.make_projection = make_projection;
    primitives.make_structured_projection = make_structured_projection;
    targets.push_back({std::move(name), primitives});
  };
  const std::int64_t supported = hwy::SupportedTargets();
  for (int i = 0; i < HWY_MAX_DYNAMIC_TARGETS; ++i) {
    const auto functions = HWY_DISPATCH_TABLE(Functions)[i + 1];
    if (functions && (supported & std::int64_t{1} << (lowest_bit + i))) add(functions);
  }
  add(HWY_DISPATCH_TABLE(Functions)[HWY_MAX_DYNAMIC_TARGETS + 1]);
  for (Target& target : targets) target.primitives.name = target.name;
  return targets;
}

}  // namespace
}  // namespace simd

std::span<const Primitives* const> simd_primitives() {
  static const std::vector<simd::Target> targets = simd::supported_targets();
  static const std::vector<const Primitives*> pointers = [] {
    std::vector<const Primitives*> all;
    for (const simd::Target& target : targets) all.push_back(&target.primitives);
    return all;
  }();
  return pointers;
}

}  // namespace askrff::backend
#endif
