// SPDX-License-Identifier: Apache-2.0
// Problems large enough to be shared among threads. The results must be those of the oracle, and
// their hash the same for every number of threads and every tier: the test programs of all of them
// are compared with the one value here.
#include <random>

#include "ops/grouped_matmul_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

uint64_t HashOf(const GroupedOutput& output) {
  return Fingerprint(output.scale.data(), output.scale.size() * sizeof(float),
                     Fingerprint(output.q.data(), output.q.size()));
}

// Values from a generator whose sequence the standard fixes.
GroupedProblem FixedProblem(Storage storage, const Sizes& sizes) {
  Random shapes(1);
  GroupedProblem problem = RandomProblem(storage, sizes, shapes);
  std::mt19937_64 engine(7);
  const auto next = [&](int modulus) {
    return static_cast<int>(engine() % static_cast<unsigned>(modulus));
  };
  GroupedMatmulInput& in = problem.in;
  for (int8_t& x : in.x) x = static_cast<int8_t>(next(256) - 128);
  for (int8_t& w : in.weight) w = static_cast<int8_t>(in.int4 ? next(16) - 8 : next(256) - 128);
  for (float& scale : in.scale) scale = static_cast<float>(1 + next(1000)) * 0x1p-20f;
  for (float& scale : in.x_scale) scale = static_cast<float>(1 + next(1000)) * 0x1p-14f;
  for (float& bias : in.bias) bias = static_cast<float>(next(1000) - 500) * 0x1p-6f;
  return problem;
}

class ThreadsTest : public GroupedMatmulTest {};

TEST_F(ThreadsTest, ResultsDoNotDependOnThem) {
  for (Storage storage : kAllStorages) {
    for (const Sizes& sizes :
         {Sizes{.m = 70, .k = 512, .n = 448, .e = 5, .bounds = {3, 40, 40, 41, 69}},
          Sizes{.m = 3, .k = 1024, .n = 1024, .e = 3, .bounds = {1, 2, 3}},
          Sizes{.m = 301, .k = 128, .n = 64, .bounds = {301}}}) {
      SCOPED_TRACE(NameOf(storage));
      ExpectMatchesReference(RandomProblem(storage, sizes, random()));
    }
  }
}

TEST_F(ThreadsTest, ResultsAreTheSameBitsEverywhere) {
  const Sizes sizes{.m = 70, .k = 768, .n = 448, .e = 5, .bounds = {3, 40, 40, 41, 70}};
  EXPECT_EQ(HashOf(Run(FixedProblem(Storage::kInt8Nz, sizes))), 15840418250562372128u);
  Sizes grouped = sizes;
  grouped.g = 6;
  for (Storage storage : kInt4Storages) {
    EXPECT_EQ(HashOf(Run(FixedProblem(storage, grouped))), 6987459516775610090u);
  }
}

}  // namespace
}  // namespace anyacl::test
