// SPDX-License-Identifier: Apache-2.0
// What the document's formulas say about values: vectors worked out by hand or in double precision,
// properties, rows without a quotient, and equal results for equal weights however they are given.
#include <bit>
#include <cmath>
#include <limits>

#include "ops/grouped_matmul_case.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

class NumericsTest : public GroupedMatmulTest {
 protected:
  // All x, all weights, all scales alike.
  GroupedProblem Uniform(Storage storage, const Sizes& sizes, int x, int weight, float x_scale,
                         float scale) {
    GroupedProblem problem = RandomProblem(storage, sizes, random());
    GroupedMatmulInput& in = problem.in;
    in.x.assign(in.x.size(), static_cast<int8_t>(x));
    in.weight.assign(in.weight.size(), static_cast<int8_t>(weight));
    in.x_scale.assign(in.x_scale.size(), x_scale);
    in.scale.assign(in.scale.size(), scale);
    in.bias.assign(in.bias.size(), 0.0f);
    return problem;
  }

  // Scales of one half of the columns.
  static void SetHalf(GroupedProblem& problem, int half, float scale) {
    const int64_t n = problem.in.columns;
    for (size_t i = 0; i < problem.in.scale.size(); ++i) {
      if (static_cast<int64_t>(i) % n / (n / 2) == half) problem.in.scale[i] = scale;
    }
  }

  void ExpectZeroRows(const GroupedProblem& problem) {
    const GroupedOutput output = Run(problem);
    for (float scale : output.scale) EXPECT_EQ(std::bit_cast<uint32_t>(scale), 0u);
    for (int8_t q : output.q) EXPECT_EQ(q, 0);
  }
};

void ExpectRow(const GroupedOutput& output, int64_t row, int64_t half, double scale,
               const std::vector<int>& first, int sum) {
  EXPECT_NEAR(output.scale[static_cast<size_t>(row)], scale, 1e-6 * scale) << "row " << row;
  const int8_t* q = &output.q[static_cast<size_t>(row * half)];
  int total = 0;
  for (int64_t j = 0; j < half; ++j) total += q[j];
  EXPECT_EQ(std::vector<int>(q, q + first.size()), first) << "row " << row;
  if (sum != INT_MIN) {
    EXPECT_EQ(total, sum) << "row " << row;
  }
}

// Idea 1: C = 16 * 0.5 * 0.25 = 2, S = 2 * swish(2).
TEST_F(NumericsTest, OnesInInt8) {
  const GroupedOutput output =
      Run(Uniform(Storage::kInt8Nz, {.k = 16, .n = 32, .bounds = {1}}, 1, 1, 0.5f, 0.25f));
  EXPECT_NEAR(output.scale[0], 0.027741641, 1e-8);
  for (int8_t q : output.q) EXPECT_EQ(q, 127);
}

// Idea 5: the bias is added as it is given.
TEST_F(NumericsTest, OnesInInt4) {
  for (Storage storage : kInt4Storages) {
    GroupedProblem problem = Uniform(storage, {.k = 16, .n = 64, .bounds = {1}}, 1, 1, 1.0f, 0.5f);
    GroupedOutput output = Run(problem);  // C = -56
    EXPECT_NEAR(output.scale[0], 1.18054e-23, 1e-28);
    for (int8_t q : output.q) EXPECT_EQ(q, 127);
    problem.in.bias.assign(64, 64.0f);  // C = 8
    output = Run(problem);
    EXPECT_NEAR(output.scale[0], 0.50376801, 1e-7);
    for (int8_t q : output.q) EXPECT_EQ(q, 127);
  }
}

// Vectors from generators, worked out in double precision.
int Generated(int64_t value, int64_t modulus, int64_t offset) {
  return static_cast<int>(value % modulus - offset);
}

void GenerateRows(GroupedMatmulInput& in) {
  for (int64_t m = 0; m < in.rows; ++m) {
    for (int64_t k = 0; k < in.depth; ++k) {
      in.x[static_cast<size_t>(m * in.depth + k)] =
          static_cast<int8_t>(Generated(7 * m + 3 * k, 255, 127));
    }
    in.x_scale[static_cast<size_t>(m)] = static_cast<float>(0.01 * static_cast<double>(1 + m));
  }
}

// Idea 2.
TEST_F(NumericsTest, GoldenVectorInt8) {
  GroupedProblem problem = RandomProblem(
      Storage::kInt8Nz, {.m = 5, .k = 32, .n = 64, .e = 2, .bounds = {2, 4}}, random());
  GroupedMatmulInput& in = problem.in;
  GenerateRows(in);
  for (int64_t i = 0; i < 2 * 32 * 64; ++i) {
    const int64_t e = i / 2048, k = i / 64 % 32, n = i % 64;
    in.weight[static_cast<size_t>(i)] =
        static_cast<int8_t>(Generated(5 * e + 11 * k + 13 * n, 255, 127));
  }
  for (int64_t i = 0; i < 128; ++i) {
    in.scale[static_cast<size_t>(i)] =
        static_cast<float>(0.0005 * static_cast<double>((1 + i % 64 % 7) * (1 + i / 64)));
  }
  const GroupedOutput output = Run(problem);  // also checks that row 4 is not written
  ExpectRow(output, 0, 32, 0.02036217, {-11, -27, -33, -1, 1, 0, -5, -1, -7, -11, -2, -3}, -339);
  ExpectRow(output, 1, 32, 0.072597704, {-11, -29, -37, -1, 1, 0, -4, -1, -6, -9, -1, -1}, -332);
  ExpectRow(output, 2, 32, 0.27360588, {-38, -35, -24, -1, -1, 1, -5, -7, -9, -4, 0, 0}, -427);
  ExpectRow(output, 3, 32, 0.39143179, {-40, -34, -25, -1, -1, 1, -4, -7, -7, -2, 0, 0}, -416);
}

// Ideas 3, 4 and 6.
TEST_F(NumericsTest, GoldenVectorInt4) {
  for (Storage storage : kInt4Storages) {
    SCOPED_TRACE(NameOf(storage));
    GroupedProblem problem = RandomProblem(
        storage, {.m = 4, .k = 64, .n = 64, .e = 2, .g = 2, .bounds = {1, 3}}, random());
    GroupedMatmulInput& in = problem.in;
    GenerateRows(in);
    for (int64_t i = 0; i < 2 * 64 * 64; ++i) {
      const int64_t e = i / 4096, k = i / 64 % 64, n = i % 64;
      in.weight[static_cast<size_t>(i)] =
          static_cast<int8_t>(Generated(3 * e + 5 * k + 7 * n, 16, 8));
    }
    for (int64_t i = 0; i < 256; ++i) {
      in.scale[static_cast<size_t>(i)] =
          static_cast<float>(0.01 * static_cast<double>((1 + i / 64 % 2) * (1 + i % 64 % 3)));
    }
    in.bias = AuxiliaryBias(in);
    EXPECT_NEAR(in.bias[0], -3.84, 1e-6);
    EXPECT_NEAR(in.bias[2], -11.52, 1e-6);
    GroupedOutput output = Run(problem);
    ExpectRow(output, 0, 32, 0.0027567279, {8, 7, 4, 5, 5, 88, 15, 27, 17, 5, 1, 22}, 604);
    ExpectRow(output, 1, 32, 0.0065771288, {49, 16, 127, 7, 8, 1, 9, 5, 1, 74, 0, 15}, 611);
    ExpectRow(output, 2, 32, 0.011155577, {48, 18, 127, 3, 12, 0, 5, 2, 5, 78, 2, 7}, 598);
    in.bias.assign(in.bias.size(), 0.0f);
    output = Run(problem);
    ExpectRow(output, 0, 32, 0.0036589123, {10, 9, 9, 2, 7, 92, 7, 28}, INT_MIN);
    ExpectRow(output, 1, 32, 0.0096212973, {48, 8, 127, 10, 3, 6, 13, 7}, INT_MIN);
    ExpectRow(output, 2, 32, 0.017354087, {48, 10, 127, 7, 5, 1, 9, 5}, INT_MIN);
  }
}

// Idea 6: the four ways to store INT4 hold the same weights, so results agree to the bit.
TEST_F(NumericsTest, AllInt4StoragesAgree) {
  GroupedProblem problem =
      RandomProblem(Storage::kInt4Nz, {.m = 21, .k = 96, .n = 192, .e = 3, .g = 3}, random());
  const GroupedOutput expected = Run(problem);
  for (Storage storage : kInt4Storages) {
    problem.storage = storage;
    EXPECT_TRUE(Run(problem) == expected) << NameOf(storage);
  }
}

// Idea 7.
TEST_F(NumericsTest, GroupsOfEqualScalesAreOneGroup) {
  GroupedProblem problem =
      RandomProblem(Storage::kInt4Nz, {.m = 9, .k = 128, .n = 64, .e = 2}, random());
  const GroupedOutput per_channel = Run(problem);
  problem.scale_has_groups = true;
  EXPECT_TRUE(Run(problem) == per_channel) << "[E, 1, N] differs from [E, N]";
  GroupedProblem repeated = problem;
  repeated.in.groups = 4;
  repeated.in.scale.clear();
  for (int64_t e = 0; e < 2; ++e) {
    for (int g = 0; g < 4; ++g) {
      const auto first = problem.in.scale.begin() + e * 64;
      repeated.in.scale.insert(repeated.in.scale.end(), first, first + 64);
    }
  }
  const GroupedOutput grouped = Run(repeated);
  for (size_t r = 0; r < grouped.scale.size(); ++r) {
    EXPECT_NEAR(grouped.scale[r], per_channel.scale[r], 1e-5f * per_channel.scale[r]);
  }
  for (size_t i = 0; i < grouped.q.size(); ++i) EXPECT_NEAR(grouped.q[i], per_channel.q[i], 1);
}

// Ideas 8 and 9: a scale is the low half of its word, which may be called INT64.
TEST_F(NumericsTest, UpperHalvesOfScalesDoNotCount) {
  GroupedProblem problem =
      RandomProblem(Storage::kInt4Nz, {.m = 7, .k = 64, .n = 128, .g = 2}, random());
  const GroupedOutput expected = Run(problem);
  for (uint64_t upper : {uint64_t{1} << 14, uint64_t{0xFFFFFFFF}, uint64_t{0x12345678}}) {
    problem.scale_upper = upper;
    EXPECT_TRUE(Run(problem) == expected) << std::hex << upper;
    GroupedLayouts strided = LayoutsOf(problem);  // read without the vector path
    strided.scale.strides = {4 * 128, 2 * 128, 2};
    EXPECT_TRUE(Run(problem, strided) == expected) << std::hex << upper;
  }
  problem.scale_type = ACL_INT64;
  EXPECT_TRUE(Run(problem) == expected);
}

// Idea 10.
TEST_F(NumericsTest, HalfScalesAreTheirFloats) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    GroupedProblem problem =
        RandomProblem(Storage::kInt8Nz, {.m = 6, .k = 64, .n = 96, .e = 2}, random());
    for (float& scale : problem.in.scale) {
      scale = type == ACL_BF16 ? DecodeBf16(EncodeBf16(scale)) : DecodeFp16(EncodeFp16(scale));
    }
    const GroupedOutput expected = Run(problem);
    problem.scale_type = type;
    EXPECT_TRUE(Run(problem) == expected);
    ExpectMatchesReference(problem);
  }
}

// Ideas 11, 12, 13 and 16.
TEST_F(NumericsTest, RowsWithoutMagnitudeHaveScaleZero) {
  const Sizes sizes{.m = 3, .k = 16, .n = 64, .bounds = {3}};
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    // INT4 with x = 8: the document subtracts 8 from every x.
    const int zero = IsInt4(storage) ? 8 : 0;
    ExpectZeroRows(Uniform(storage, sizes, zero, 3, 1.0f, 1.0f));
    ExpectZeroRows(Uniform(storage, sizes, 3, 3, 0.0f, 1.0f));
    ExpectZeroRows(Uniform(storage, sizes, 3, 3, 1.0f, 0.0f));
    GroupedProblem problem = Uniform(storage, sizes, 127, 7, 1.0f, 1.0f);
    SetHalf(problem, 0, -1.0f);  // swish(-10000) = 0
    ExpectZeroRows(problem);
    SetHalf(problem, 0, 1.0f);
    SetHalf(problem, 1, 0.0f);
    ExpectZeroRows(problem);
  }
}

// Idea 14.
TEST_F(NumericsTest, NanStaysInItsExpert) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    GroupedProblem problem =
        RandomProblem(storage, {.m = 9, .k = 32, .n = 64, .e = 3, .bounds = {3, 6, 9}}, random());
    const GroupedOutput before = Run(problem);
    problem.in.scale[64 + 5] = std::nanf("");
    const GroupedOutput after = Run(problem);
    for (size_t r = 0; r < 9; ++r) {
      const bool hit = r >= 3 && r < 6;
      EXPECT_EQ(std::isnan(after.scale[r]), hit) << "row " << r;
      if (!hit) {
        EXPECT_EQ(after.scale[r], before.scale[r]) << "row " << r;
      }
      for (size_t j = r * 32; j < (r + 1) * 32; ++j) EXPECT_EQ(after.q[j], hit ? 0 : before.q[j]);
    }
  }
}

// Idea 15, and sums beyond the range of fp32.
TEST_F(NumericsTest, InfiniteRowsHaveNoQuotients) {
  GroupedProblem problem =
      Uniform(Storage::kInt8Nz, {.m = 4, .k = 16, .n = 64, .bounds = {4}}, 1, 1, 1.0f, 1.0f);
  problem.in.x_scale = {1.0f, kInfinity, -kInfinity, 3e38f};
  const GroupedOutput output = Run(problem);
  EXPECT_TRUE(std::isfinite(output.scale[0]));
  EXPECT_EQ(output.scale[1], kInfinity);
  EXPECT_TRUE(std::isnan(output.scale[2]));  // -inf / (1 + inf)
  EXPECT_EQ(output.scale[3], kInfinity);
  for (size_t i = 32; i < 128; ++i) EXPECT_EQ(output.q[i], 0);
  ExpectMatchesReference(problem);
  problem.in.x_scale.assign(4, 1.0f);
  SetHalf(problem, 0, -kInfinity);  // the quotient inf / inf, whatever the gate
  for (float scale : Run(problem).scale) EXPECT_TRUE(std::isnan(scale));
}

// Idea 17: no sum overflows.
TEST_F(NumericsTest, LargestSums) {
  for (int sign : {1, -1}) {
    GroupedProblem problem = Uniform(Storage::kInt8Nz, {.m = 2, .k = 65520, .n = 32, .bounds = {2}},
                                     -128, sign > 0 ? -128 : 127, 1.0f, 1e-9f);
    ExpectMatchesReference(problem);
  }
  for (int weight : {-8, 7}) {
    for (int x : {-128, 127}) {
      GroupedProblem problem = Uniform(
          Storage::kInt4Nz, {.m = 2, .k = 19984, .n = 64, .bounds = {2}}, x, weight, 1.0f, 1e-7f);
      ExpectMatchesReference(problem);
    }
  }
}

// Idea 18: C is 1 on the left, so S is swish(1) times the right half, and the scale is swish(1).
// All quotients but the first would be ties.
TEST_F(NumericsTest, TiesGoToEven) {
  GroupedProblem problem =
      Uniform(Storage::kInt8Nz, {.m = 1, .k = 16, .n = 64, .bounds = {1}}, 0, 0, 1.0f, 1.0f);
  problem.in.x[0] = 2;
  const std::vector<int> twice = {254, 1, 3, 5, -1, -3, -5, 7, 253, -253};
  for (size_t j = 0; j < 32; ++j) {
    problem.in.weight[j] = 1;
    const int value = twice[j % twice.size()];
    problem.in.weight[32 + j] = static_cast<int8_t>(value > 127 ? value / 2 : value);
  }
  // Columns whose values do not fit take them from the scale.
  for (size_t j = 0; j < 32; ++j) {
    const int value = twice[j % twice.size()];
    problem.in.scale[j] = 0.5f;
    problem.in.scale[32 + j] = 0.25f;
    if (std::abs(value) > 127) {
      problem.in.weight[32 + j] = static_cast<int8_t>(value > 0 ? 1 : -1);
      problem.in.scale[32 + j] = static_cast<float>(std::abs(value)) * 0.25f;
    }
  }
  const GroupedOutput output = Run(problem);
  const std::vector<int> even = {127, 0, 2, 2, 0, -2, -2, 4, 126, -126};
  for (size_t j = 0; j < 32; ++j) {
    EXPECT_EQ(output.q[j], even[j % even.size()]) << twice[j % twice.size()] << " / 2";
  }
}

// One product per column, and on the left 32, which swish leaves as it is: S is 32 times the scales
// on the right, exactly. Close to a tie, a multiplication by the reciprocal would often round to
// another integer than the quotient.
TEST_F(NumericsTest, QuotientsCloseToTies) {
  constexpr size_t kHalf = 2048;
  for (int i = 0; i < 20; ++i) {
    GroupedProblem problem = Uniform(
        Storage::kInt8Nz, {.m = 1, .k = 16, .n = 2 * kHalf, .bounds = {1}}, 0, 1, 1.0f, 32.0f);
    problem.in.x[0] = 1;
    float* const right = &problem.in.scale[kHalf];
    const auto largest = static_cast<float>(random().Uniform(1, 2));
    const float scale = 32 * largest / 127;
    right[0] = largest;
    for (size_t j = 1; j < kHalf; ++j) {
      const double tie = static_cast<double>(random().Int(-127, 126)) + 0.5;
      right[j] = static_cast<float>(tie * static_cast<double>(scale) / 32);
      for (int64_t steps = random().Int(0, 2); steps > 0; --steps) {
        right[j] = std::nextafter(right[j], random().Chance(0.5) ? 2.0f : -2.0f);
      }
    }
    const GroupedOutput output = Run(problem);
    ASSERT_EQ(output.scale[0], scale);
    for (size_t j = 0; j < kHalf; ++j) {
      ASSERT_EQ(output.q[j], std::nearbyint(32 * right[j] / scale)) << "S = " << 32 * right[j];
    }
  }
}

// Idea 19.
TEST_F(NumericsTest, EveryRowReachesTheEndOfTheRange) {
  for (Storage storage : kAllStorages) {
    const GroupedOutput output =
        Run(RandomProblem(storage, {.m = 64, .k = 64, .n = 192, .e = 2}, random()));
    for (size_t r = 0; r < 64; ++r) {
      int largest = 0;
      for (size_t j = r * 96; j < (r + 1) * 96; ++j) {
        EXPECT_NE(output.q[j], -128);
        largest = std::max(largest, std::abs(output.q[j]));
      }
      EXPECT_EQ(largest, 127) << "row " << r;
    }
  }
}

// Idea 20: the left half is activated. swish(-20) * 1 is nearly 0, swish(1) * -20 is not.
TEST_F(NumericsTest, LeftHalfIsActivated) {
  GroupedProblem problem =
      Uniform(Storage::kInt8Nz, {.m = 1, .k = 16, .n = 64, .bounds = {1}}, 1, 1, 1.0f, 1 / 16.0f);
  SetHalf(problem, 0, -20 / 16.0f);
  EXPECT_LT(Run(problem).scale[0], 1e-8f);
  SetHalf(problem, 0, 1 / 16.0f);
  SetHalf(problem, 1, -20 / 16.0f);
  EXPECT_GT(Run(problem).scale[0], 0.1f);
}

// Idea 21.
TEST_F(NumericsTest, NegativeScales) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nd}) {
    GroupedProblem problem = RandomProblem(storage, {.m = 8, .k = 32, .n = 64}, random());
    for (float& scale : problem.in.x_scale) scale = -scale;
    ExpectMatchesReference(problem);
    for (size_t i = 0; i < problem.in.scale.size(); i += 3) problem.in.scale[i] *= -1;
    ExpectMatchesReference(problem);
  }
}

// Ideas 22 and 23: every value of x with every weight in every position of a word.
TEST_F(NumericsTest, EveryProduct) {
  for (Storage storage : kAllStorages) {
    GroupedProblem problem =
        RandomProblem(storage, {.m = 256, .k = 16, .n = 128, .bounds = {256}}, random());
    GroupedMatmulInput& in = problem.in;
    for (int64_t m = 0; m < 256; ++m) {
      for (int64_t k = 0; k < 16; ++k) {
        in.x[static_cast<size_t>(m * 16 + k)] = static_cast<int8_t>(k == m % 16 ? m - 128 : 0);
      }
    }
    for (int64_t i = 0; i < 16 * 128; ++i) {
      const int64_t value = i / 128 + i % 128 * (in.int4 ? 1 : 3);
      in.weight[static_cast<size_t>(i)] =
          static_cast<int8_t>(in.int4 ? value % 16 - 8 : value % 256 - 128);
    }
    ExpectMatchesReference(problem);
  }
}

// Idea 52.
TEST_F(NumericsTest, RowsOfAnExpertCanChangePlaces) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    GroupedProblem problem =
        RandomProblem(storage, {.m = 17, .k = 48, .n = 64, .bounds = {17}}, random());
    const GroupedOutput forward = Run(problem);
    GroupedProblem reversed = problem;
    for (size_t r = 0; r < 17; ++r) {
      std::copy_n(&problem.in.x[r * 48], 48, &reversed.in.x[(16 - r) * 48]);
      reversed.in.x_scale[16 - r] = problem.in.x_scale[r];
    }
    const GroupedOutput backward = Run(reversed);
    for (size_t r = 0; r < 17; ++r) {
      EXPECT_EQ(forward.scale[r], backward.scale[16 - r]);
      EXPECT_TRUE(
          std::equal(&forward.q[r * 32], &forward.q[r * 32] + 32, &backward.q[(16 - r) * 32]));
    }
  }
}

// Idea 52: the gate is linear, and powers of two are exact.
TEST_F(NumericsTest, ScalingTheGateScalesTheScale) {
  GroupedProblem problem = RandomProblem(Storage::kInt8Nz, {.m = 5, .k = 32, .n = 64}, random());
  const GroupedOutput before = Run(problem);
  for (size_t j = 32; j < 64; ++j) problem.in.scale[j] *= 8;
  const GroupedOutput after = Run(problem);
  EXPECT_EQ(before.q, after.q);
  for (size_t r = 0; r < 5; ++r) EXPECT_EQ(after.scale[r], 8 * before.scale[r]);
}

}  // namespace
}  // namespace anyacl::test
