// SPDX-License-Identifier: Apache-2.0
// InplaceUniform and InplaceNormal against their definitions, and as distributions.
#include <cmath>
#include <numbers>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_uniform.h"
#include "ops/random_case.h"

namespace anyacl::test {
namespace {

constexpr int64_t kMany = 200'000;
constexpr aclDataType kUniformTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                         ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
constexpr aclDataType kReals[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

Filling Uniform(double from, double to) {
  return [=](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceUniformGetWorkspaceSize(out.handle(), from, to, source.seed, source.offset,
                                                 size, executor);
    };
  };
}

Filling Normal(float mean, float deviation) {
  return [=](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceNormalGetWorkspaceSize(
          out.handle(), mean, deviation, static_cast<int64_t>(source.seed),
          static_cast<int64_t>(source.offset), size, executor);
    };
  };
}

class UniformTest : public RandomOpsTest {
 protected:
  std::vector<double> Of(aclDataType type, double from, double to,
                         const RandomSource& source = {.seed = 11, .offset = 8},
                         int64_t count = kMany) {
    return Made(count, type, Uniform(from, to), aclnnInplaceUniform, source);
  }
};

TEST_F(UniformTest, ElementsAreThoseOfTheDefinition) {
  for (aclDataType type : kUniformTypes) {
    const bool is_signed = type != ACL_UINT8;
    for (const auto& [from, to] : {std::pair{2.4, 4.4}, std::pair{is_signed ? -100.0 : 3.0, 77.0},
                                   std::pair{0.0, 1.0}, std::pair{5.0, 5.0}}) {
      CheckElements(type, Uniform(from, to), aclnnInplaceUniform, ReferenceUniform(type, from, to));
    }
  }
}

// Block 0 of seed 0 and offset 0 has the words 6627e8d5 e169c58d bc57ac4c 9b00dbd8, as Random123
// publishes it.
TEST_F(UniformTest, APublishedBlockBecomesNumbers) {
  const std::vector<double> made = Of(ACL_FLOAT, 0, 1, {0, 0}, 4);
  const int64_t lowest[] = {0x27e8d5, 0x69c58d, 0x57ac4c, 0x00dbd8};
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(made[i], static_cast<double>(lowest[i]) * 0x1p-23);
}

TEST_F(UniformTest, NumbersAreEvenlyDistributed) {
  for (aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    const std::vector<double> made = Of(type, -3, 5);
    EXPECT_LT(KolmogorovSmirnov(made, [](double x) { return (x + 3) / 8; }), 1.95);
  }
  for (aclDataType type : kReals) {
    const std::vector<double> made = Of(type, 0, 64);
    int64_t counts[64] = {};
    for (double x : made) ++counts[static_cast<size_t>(x)];
    EXPECT_LT(ChiSquaredDeviations(counts), 4) << type;
    const Moments moments = MomentsOf(made);
    // The numbers of bf16 are multiples of 1/2: half of that below the mean of the interval.
    const double grid = type == ACL_BF16 ? 0.25 : type == ACL_FLOAT16 ? 1.0 / 32 : 0;
    EXPECT_NEAR(moments.mean, 32 - grid, 5 * 64 / std::sqrt(12.0 * kMany));
    EXPECT_NEAR(moments.deviation, 64 / std::sqrt(12.0), 0.1);
  }
  for (aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    int64_t counts[20] = {};
    for (double x : Of(type, -10, 10)) ++counts[static_cast<size_t>(x + 10)];
    EXPECT_LT(ChiSquaredDeviations(counts), 4) << type;
  }
}

TEST_F(UniformTest, TheEndIsNeverReached) {
  // Each has products that rounding would carry to the end or beyond it.
  const std::pair<double, double> ranges[] = {{0, 1},     {2.4, 4.4},   {-1, -0.5},
                                              {0.1, 0.3}, {1000, 1001}, {-2.7, 0.3}};
  for (aclDataType type : kReals) {
    for (const auto& [from, to] : ranges) {
      for (double x : Of(type, from, to, {3, 4}, 50'000)) {
        ASSERT_LT(x, to) << type << " from " << from;
        ASSERT_GE(x, from) << type << " to " << to;
      }
    }
  }
  for (double x : Of(ACL_INT32, -7, -2, {3, 4}, 50'000)) {
    ASSERT_GE(x, -7);
    ASSERT_LT(x, -2);
  }
}

TEST_F(UniformTest, AnIntervalWithoutANumberOfTheTypeGivesOneNearIt) {
  for (double x : Of(ACL_BF16, 1.001, 1.002, {3, 4}, 100)) EXPECT_EQ(x, 1.0);
  for (double x : Of(ACL_BF16, 0.999, 1.0, {3, 4}, 100)) EXPECT_EQ(x, 0.99609375);
  for (double x : Of(ACL_FLOAT, 7, 7, {3, 4}, 100)) EXPECT_EQ(x, 7.0);
  for (double x : Of(ACL_DOUBLE, 7, 7, {3, 4}, 100)) EXPECT_EQ(x, 7.0);
}

TEST_F(UniformTest, ALongerTensorBeginsAsAShorterOne) {
  const std::vector<double> all = Of(ACL_FLOAT, 0, 1);
  for (int64_t count : {1, 63, 64, 65, 1000, 1024, 16384, 16385, 100'001}) {
    const std::vector<double> some = Of(ACL_FLOAT, 0, 1, {.seed = 11, .offset = 8}, count);
    ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin())) << count;
  }
}

double Correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return sum * 12 / static_cast<double>(a.size());
}

TEST_F(UniformTest, SeedsAndOffsetsChooseSequences) {
  const std::vector<double> one = Of(ACL_FLOAT, 0, 1, {1, 4});
  EXPECT_EQ(one, Of(ACL_FLOAT, 0, 1, {1, 4}));
  const double bound = 5 / std::sqrt(static_cast<double>(kMany));
  for (const RandomSource& other :
       {RandomSource{1, 8}, RandomSource{1, 5}, RandomSource{2, 4}, RandomSource{1ull << 32 | 1, 4},
        RandomSource{1, 1ull << 32 | 4}}) {
    const std::vector<double> two = Of(ACL_FLOAT, 0, 1, other);
    EXPECT_LT(std::abs(Correlation(one, two)), bound) << other.seed << ", " << other.offset;
  }
  std::vector<double> shifted(one.begin() + 1, one.end());
  EXPECT_LT(std::abs(Correlation(shifted, one)), bound);
}

TEST_F(UniformTest, SeedAndOffsetFromTensorsAreReadWhenTheTaskRuns) {
  for (aclDataType type : {ACL_INT64, ACL_UINT64}) {
    const Tensor seed = WordTensor(type, 11), offset = WordTensor(type, 5);
    const auto filling = [&](const Tensor& out, const RandomSource&) -> Phase1 {
      return [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnInplaceUniformTensorGetWorkspaceSize(out.handle(), 0, 1, seed.handle(),
                                                         offset.handle(), 3, size, executor);
      };
    };
    EXPECT_EQ(Made(5000, ACL_FLOAT, filling, aclnnInplaceUniformTensor, {}),
              Of(ACL_FLOAT, 0, 1, {.seed = 11, .offset = 8}, 5000));
  }
}

TEST_F(UniformTest, RefusesWrongRanges) {
  const Tensor fp32({.dims = {3}}), fp16({.dims = {3}, .dtype = ACL_FLOAT16});
  const Tensor bytes({.dims = {3}, .dtype = ACL_UINT8});
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  const auto call = [](const Tensor& out, double from, double to) {
    return Uniform(from, to)(out, {});
  };
  ExpectRefused(call(fp32, 2, 1), kInvalid, {"from", "2", "1"});
  ExpectRefused(call(fp32, NAN, 1), kInvalid, {"from", "nan"});
  ExpectRefused(call(fp32, 0, NAN), kInvalid, {"to", "nan"});
  ExpectRefused(call(fp32, 0, INFINITY), kInvalid, {"to", "inf"});
  ExpectRefused(call(fp32, -3e38, 3e38), kInvalid, {"to - from"});
  ExpectRefused(call(fp16, 0, 70000), kInvalid, {"to", "70000", "65504"});
  ExpectRefused(call(fp16, -60000, 60000), kInvalid, {"to - from", "120000"});
  ExpectRefused(call(bytes, -1, 5), kInvalid, {"from", "-1"});
  ExpectRefused(call(bytes, 0, 300), kInvalid, {"to", "300"});
  ExpectRefused(call(Tensor({.dims = {0}}), 2, 1), kInvalid, {"from"});
}

class NormalTest : public RandomOpsTest {
 protected:
  std::vector<double> Of(aclDataType type, float mean, float deviation,
                         const RandomSource& source = {.seed = 12, .offset = 16},
                         int64_t count = kMany) {
    return Made(count, type, Normal(mean, deviation), aclnnInplaceNormal, source);
  }
};

// The kernel promises 2^-21 (1 + |z|); each of up to three roundings to the type adds half a unit.
TEST_F(NormalTest, ElementsAreThoseOfTheDefinition) {
  const RandomSource source{.seed = 77, .offset = 1ull << 40};
  for (aclDataType type : kReals) {
    for (const auto& [mean, deviation] : {std::pair{0.0f, 1.0f}, std::pair{-5.5f, 0.375f}}) {
      const std::vector<double> made = Of(type, mean, deviation, source, 60'000);
      for (size_t i = 0; i < made.size(); ++i) {
        const double z = ReferenceNormal(source, static_cast<int64_t>(i));
        const double exact = z * deviation + mean;
        const double bound = 0x1p-21 * (1 + std::abs(z)) * deviation +
                             HalfUnitOf(type, z) * deviation + HalfUnitOf(type, z * deviation) +
                             2 * HalfUnitOf(type, exact);
        ASSERT_NEAR(made[i], exact, bound) << "element " << i << ", type " << type;
      }
    }
  }
}

// Whatever the layout, the elements are those of a dense tensor.
TEST_F(NormalTest, LayoutsDoNotShow) {
  std::map<uint64_t, std::vector<double>> dense;
  for (aclDataType type : kReals) {
    dense.clear();
    CheckElements(type, Normal(1, 2), aclnnInplaceNormal,
                  [&](const RandomSource& source, int64_t i) {
                    auto& all = dense[source.seed];
                    if (all.empty()) all = Of(type, 1, 2, source, 17'000);
                    return all[static_cast<size_t>(i)];
                  });
  }
}

TEST_F(NormalTest, NumbersAreNormallyDistributed) {
  const auto cdf = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  for (aclDataType type : kReals) {
    const std::vector<double> made = Of(type, 3, 2);
    const Moments moments = MomentsOf(made);
    EXPECT_NEAR(moments.mean, 3, 5 * 2 / std::sqrt(static_cast<double>(kMany))) << type;
    EXPECT_NEAR(moments.deviation, 2, 5 * 2 / std::sqrt(2.0 * kMany)) << type;
    double third = 0, fourth = 0;
    for (double x : made) {
      third += std::pow((x - 3) / 2, 3) / kMany;
      fourth += std::pow((x - 3) / 2, 4) / kMany;
    }
    EXPECT_NEAR(third, 0, 5 * std::sqrt(15.0 / kMany)) << type;
    EXPECT_NEAR(fourth, 3, 5 * std::sqrt(96.0 / kMany)) << type;
    if (type == ACL_FLOAT16 || type == ACL_BF16) continue;
    const auto scaled = [&](double x) { return cdf((x - 3) / 2); };
    EXPECT_LT(KolmogorovSmirnov(made, scaled), 1.95) << type;
  }
}

TEST_F(NormalTest, NothingButTheMeanWithoutDeviation) {
  for (aclDataType type : kReals) {
    for (double x : Of(type, 0.75f, 0, {5, 0}, 1000)) ASSERT_EQ(x, 0.75);
  }
}

TEST_F(NormalTest, IntegersAreTheNumbersCutTowardsZero) {
  const std::vector<double> numbers = Of(ACL_FLOAT, 20, 100, {5, 0}, 3000);
  const std::pair<aclDataType, std::pair<double, double>> types[] = {{ACL_INT8, {-128, 127}},
                                                                     {ACL_UINT8, {0, 255}},
                                                                     {ACL_INT16, {-32768, 32767}},
                                                                     {ACL_INT32, {-1e9, 1e9}},
                                                                     {ACL_INT64, {-1e18, 1e18}}};
  for (const auto& [type, range] : types) {
    const std::vector<double> made = Of(type, 20, 100, {5, 0}, 3000);
    for (size_t i = 0; i < made.size(); ++i) {
      const double expected = std::trunc(std::clamp(numbers[i], range.first, range.second));
      ASSERT_EQ(made[i], expected) << "element " << i << ", type " << type;
    }
  }
  for (double x : Of(ACL_BOOL, 20, 0, {5, 0}, 100)) ASSERT_EQ(x, 1);
  for (double x : Of(ACL_BOOL, 0, 0, {5, 0}, 100)) ASSERT_EQ(x, 0);
}

TEST_F(NormalTest, SeedAndOffsetFromTensors) {
  const Tensor seed = WordTensor(ACL_INT64, 12), offset = WordTensor(ACL_INT64, UINT64_MAX);
  const auto filling = [&](const Tensor& out, const RandomSource&) -> Phase1 {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceNormalTensorGetWorkspaceSize(out.handle(), 1, 2, seed.handle(),
                                                      offset.handle(), 17, size, executor);
    };
  };
  EXPECT_EQ(Made(5000, ACL_FLOAT, filling, aclnnInplaceNormalTensor, {}),
            Of(ACL_FLOAT, 1, 2, {.seed = 12, .offset = 16}, 5000));
}

TEST_F(NormalTest, RefusesNegativeDeviations) {
  const Tensor out({.dims = {3}});
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Normal(0, -1)(out, {}), kInvalid, {"std", "-1"});
  ExpectRefused(Normal(0, NAN)(out, {}), kInvalid, {"std", "nan"});
  const Tensor complex({.dims = {3}, .dtype = ACL_COMPLEX64});
  ExpectRefused(Normal(0, 1)(complex, {}), kInvalid, {"selfRef", "COMPLEX64"});
}

}  // namespace
}  // namespace anyacl::test
