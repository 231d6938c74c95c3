// SPDX-License-Identifier: Apache-2.0
// InplaceRandom, Bernoulli and Randperm against their definitions, and as distributions.
#include <algorithm>
#include <cmath>
#include <complex>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_random.h"
#include "aclnnop/aclnn_randperm.h"
#include "ops/random_case.h"

namespace anyacl::test::random_choice {
namespace {

constexpr int64_t kMany = 200'000;
constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};

using IntegersTest = RandomOpsTest;
using BernoulliTest = RandomOpsTest;
using RandpermTest = RandomOpsTest;

Filling Integers(int64_t from, int64_t to) {
  return [=](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceRandomGetWorkspaceSize(
          out.handle(), from, to, static_cast<int64_t>(source.seed),
          static_cast<int64_t>(source.offset), size, executor);
    };
  };
}

TEST_F(IntegersTest, NarrowRangesTakeOneWord) {
  for (aclDataType type : kTypes) {
    for (const auto& [from, to] : {std::pair<int64_t, int64_t>{0, 2}, {0, 1}, {-5, 100}, {3, 14}}) {
      if (from < 0 && (type == ACL_UINT8 || type == ACL_BOOL)) continue;
      if (to > 2 && type == ACL_BOOL) continue;
      CheckElements(type, Integers(from, to), aclnnInplaceRandom,
                    [from = from, to = to](const RandomSource& source, int64_t i) {
                      return static_cast<double>(from + source.Word(i) % (to - from));
                    });
    }
  }
  const int64_t most = (int64_t{1} << 28) - 1;
  CheckElements(ACL_INT32, Integers(-7, most - 7), aclnnInplaceRandom,
                [=](const RandomSource& source, int64_t i) {
                  return static_cast<double>(source.Word(i) % most - 7);
                });
}

TEST_F(IntegersTest, WideRangesTakeTwoWords) {
  const std::pair<int64_t, int64_t> ranges[] = {{0, int64_t{1} << 28},
                                                {INT32_MIN, int64_t{INT32_MAX} + 1},
                                                {0, INT64_MAX},
                                                {INT64_MIN, INT64_MAX}};
  for (const auto& [from, to] : ranges) {
    const Tensor out({.dims = {5000}, .dtype = ACL_INT64});
    const RandomSource source{9, 12};
    RunTwoPhase(Integers(from, to)(out, source), aclnnInplaceRandom);
    const std::vector<int64_t> made = out.Read<int64_t>();
    for (int64_t i = 0; i < 5000; ++i) {
      const uint64_t bits = uint64_t{source.Word(2 * i)} << 32 | source.Word(2 * i + 1);
      const uint64_t range = static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
      ASSERT_EQ(made[static_cast<size_t>(i)],
                static_cast<int64_t>(static_cast<uint64_t>(from) + bits % range));
    }
  }
}

TEST_F(IntegersTest, RoundingDoesNotLeaveTheRange) {
  struct Case {
    aclDataType type;
    int64_t from, to;
  };
  for (const Case& c : {Case{ACL_FLOAT16, 2049, 4100}, Case{ACL_BF16, 257, 1000},
                        Case{ACL_FLOAT, (1 << 24) + 1, (1 << 24) + 99},
                        Case{ACL_FLOAT, -(1 << 25) - 3, -(1 << 25) + 2},
                        Case{ACL_BF16, 0, INT64_MAX}, Case{ACL_DOUBLE, 0, INT64_MAX}}) {
    for (double x : Made(20'000, c.type, Integers(c.from, c.to), aclnnInplaceRandom, {1, 0})) {
      ASSERT_GE(x, static_cast<double>(c.from)) << c.type;
      ASSERT_LT(x, static_cast<double>(c.to)) << c.type;
      ASSERT_EQ(x, std::floor(x));
    }
  }
}

TEST_F(IntegersTest, EveryIntegerIsAsLikely) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT64}) {
    int64_t counts[101] = {};
    for (double x : Made(kMany, type, Integers(-50, 51), aclnnInplaceRandom, {21, 4})) {
      ++counts[static_cast<size_t>(x + 50)];
    }
    EXPECT_LT(ChiSquaredDeviations(counts), 4) << type;
  }
}

TEST_F(IntegersTest, ComplexNumbersHaveNoImaginaryPart) {
  const RandomSource source{4, 8};
  for (Lie lie : kOutputLies) {
    const Tensor narrow(Lying({3, 700}, ACL_COMPLEX64, lie));
    const Tensor wide(Lying({3, 700}, ACL_COMPLEX128, lie));
    for (const Tensor* out : {&narrow, &wide}) {
      RunTwoPhase(Integers(-9, 90)(*out, source), aclnnInplaceRandom);
      EXPECT_TRUE(out->GuardsIntact());
    }
    const auto floats = narrow.Read<std::complex<float>>();
    const auto doubles = wide.Read<std::complex<double>>();
    for (size_t i = 0; i < floats.size(); ++i) {
      const int64_t expected = source.Word(static_cast<int64_t>(i)) % 99 - int64_t{9};
      ASSERT_EQ(floats[i], std::complex<float>(static_cast<float>(expected), 0.0f));
      ASSERT_EQ(doubles[i], std::complex<double>(static_cast<double>(expected), 0.0));
    }
  }
}

TEST_F(IntegersTest, SeedAndOffsetFromTensors) {
  const Tensor seed = WordTensor(ACL_INT64, 7), offset = WordTensor(ACL_INT64, 30);
  const auto filling = [&](const Tensor& out, const RandomSource&) -> Phase1 {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceRandomTensorGetWorkspaceSize(out.handle(), 0, 1000, seed.handle(),
                                                      offset.handle(), 6, size, executor);
    };
  };
  EXPECT_EQ(Made(5000, ACL_INT64, filling, aclnnInplaceRandomTensor, {}),
            Made(5000, ACL_INT64, Integers(0, 1000), aclnnInplaceRandom, {7, 36}));
}

TEST_F(IntegersTest, RefusesWrongRanges) {
  const auto call = [](const Tensor& out, int64_t from, int64_t to) {
    return Integers(from, to)(out, {});
  };
  const Tensor bytes({.dims = {3}, .dtype = ACL_INT8}), fp16({.dims = {3}, .dtype = ACL_FLOAT16});
  const Tensor yes({.dims = {3}, .dtype = ACL_BOOL});
  ExpectRefused(call(bytes, 5, 5), kInvalid, {"from", "5"});
  ExpectRefused(call(bytes, 5, 4), kInvalid, {"from", "5"});
  ExpectRefused(call(bytes, -129, 4), kInvalid, {"from", "-129"});
  ExpectRefused(call(bytes, 0, 129), kInvalid, {"to - 1", "128"});
  ExpectRefused(call(fp16, 0, 65506), kInvalid, {"to - 1", "65505"});
  ExpectRefused(call(yes, 0, 3), kInvalid, {"to - 1", "2"});
}

Filling Bernoulli(double prob) {
  return [=](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      double value = prob;
      aclScalar* scalar = aclCreateScalar(&value, ACL_DOUBLE);
      const aclnnStatus code = aclnnInplaceBernoulliGetWorkspaceSize(
          out.handle(), scalar, static_cast<int64_t>(source.seed),
          static_cast<int64_t>(source.offset), size, executor);
      aclDestroyScalar(scalar);
      return code;
    };
  };
}

// (w + 1/2) 2^-32 in fp32.
float Unit(uint32_t word) { return static_cast<float>(word) * 0x1p-32f + 0x1p-33f; }

TEST_F(BernoulliTest, ElementsAreThoseOfTheDefinition) {
  for (aclDataType type : kTypes) {
    for (double prob : {0.0, 0.3, 1.0}) {
      CheckElements(type, Bernoulli(prob), aclnnInplaceBernoulli,
                    [=](const RandomSource& source, int64_t i) {
                      const float unit = Unit(source.WordRisingHigh(i));
                      return unit <= static_cast<float>(prob) ? 1.0 : 0.0;
                    });
    }
  }
}

TEST_F(BernoulliTest, ShareOfOnes) {
  for (double prob : {0.001, 0.1, 0.5, 0.9}) {
    const Moments moments =
        MomentsOf(Made(kMany, ACL_FLOAT, Bernoulli(prob), aclnnInplaceBernoulli, {31, 8}));
    EXPECT_NEAR(moments.mean, prob, 4 * std::sqrt(prob * (1 - prob) / kMany));
  }
}

TEST_F(BernoulliTest, OfAnotherTensor) {
  const Tensor self({.dims = {3, 1000}, .dtype = ACL_INT32});
  const auto filling = [&](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [&, source](uint64_t* size, aclOpExecutor** executor) {
      float value = 0.25f;
      aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
      const aclnnStatus code = aclnnBernoulliGetWorkspaceSize(
          self.handle(), scalar, static_cast<int64_t>(source.seed),
          static_cast<int64_t>(source.offset), out.handle(), size, executor);
      aclDestroyScalar(scalar);
      return code;
    };
  };
  EXPECT_EQ(
      Made({3, 1000}, ACL_INT32, Lie::kGaps, filling, aclnnBernoulli, {3, 8}),
      Made({3, 1000}, ACL_INT32, Lie::kDense, Bernoulli(0.25), aclnnInplaceBernoulli, {3, 8}));
}

TEST_F(BernoulliTest, ProbabilitiesOfATensor) {
  const RandomSource source{5, 16};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    for (int64_t given : {int64_t{1}, int64_t{3000}, int64_t{1500}, int64_t{5000}}) {
      Tensor probs({.dims = {given}, .dtype = type});
      std::vector<double> values;
      for (int64_t i = 0; i < given; ++i) {
        values.push_back(AsHeld(type, i % 17 == 3 ? 0 : i % 19 == 5 ? 1 : random().Uniform(0, 1)));
      }
      WriteAs(probs, values);
      const Tensor out({.dims = {3, 1000}}), self({.dims = {3, 1000}});
      Tensor target({.dims = {3, 1000}});
      const auto seed = static_cast<int64_t>(source.seed);
      const auto offset = static_cast<int64_t>(source.offset);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplaceBernoulliTensorGetWorkspaceSize(out.handle(), probs.handle(), seed,
                                                               offset, size, executor);
          },
          aclnnInplaceBernoulliTensor);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnBernoulliTensorGetWorkspaceSize(self.handle(), probs.handle(), seed, offset,
                                                        target.handle(), size, executor);
          },
          aclnnBernoulliTensor);
      EXPECT_EQ(ReadAs(out), ReadAs(target));
      const std::vector<double> made = ReadAs(out);
      for (int64_t i = 0; i < 3000; ++i) {
        const double prob = given == 1 ? values[0] : i < given ? values[static_cast<size_t>(i)] : 0;
        const double expected =
            Unit(source.WordRisingHigh(i)) <= static_cast<float>(prob) ? 1.0 : 0.0;
        ASSERT_EQ(made[static_cast<size_t>(i)], expected) << i << " of " << given;
      }
    }
  }
}

TEST_F(BernoulliTest, RefusesWrongArguments) {
  const Tensor out({.dims = {3}});
  ExpectRefused(Bernoulli(1.5)(out, {}), kInvalid, {"prob", "1.5"});
  ExpectRefused(Bernoulli(-0.5)(out, {}), kInvalid, {"prob", "-0.5"});
  ExpectRefused(Bernoulli(NAN)(out, {}), kInvalid, {"prob", "nan"});
  ExpectRefused(Bernoulli(0.5)(out, {1, 6}), kInvalid, {"offset", "6", "4"});
}

Filling Permutation(int64_t count) {
  return [=](const Tensor& out, const RandomSource& source) -> Phase1 {
    return [=, &out](uint64_t* size, aclOpExecutor** executor) {
      return aclnnRandpermGetWorkspaceSize(count, static_cast<int64_t>(source.seed),
                                           static_cast<int64_t>(source.offset), out.handle(), size,
                                           executor);
    };
  };
}

TEST_F(RandpermTest, EveryIntegerOnce) {
  for (int64_t count : {0, 1, 2, 5, 1000, 8192, 8193, 100'000, 300'001}) {
    for (Lie lie : kOutputLies) {
      std::vector<double> made =
          Made({count}, ACL_INT64, lie, Permutation(count), aclnnRandperm, {17, 4});
      EXPECT_TRUE(count < 5 || !std::is_sorted(made.begin(), made.end()));
      std::sort(made.begin(), made.end());
      for (size_t i = 0; i < made.size(); ++i) ASSERT_EQ(made[i], static_cast<double>(i));
    }
  }
}

TEST_F(RandpermTest, TypesAgree) {
  const auto whole = Made(100, ACL_INT64, Permutation(100), aclnnRandperm, {17, 4});
  for (aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_UINT8}) {
    EXPECT_EQ(Made(100, type, Permutation(100), aclnnRandperm, {17, 4}), whole) << type;
  }
}

TEST_F(RandpermTest, EveryPermutationIsAsLikely) {
  int64_t counts[24] = {};
  for (uint64_t seed = 0; seed < 4800; ++seed) {
    const auto made = Made(4, ACL_INT32, Permutation(4), aclnnRandperm, {seed, 0});
    size_t rank = 0;
    for (size_t i = 0; i < 4; ++i) {
      rank *= 4 - i;
      for (size_t k = i + 1; k < 4; ++k) rank += made[k] < made[i] ? 1 : 0;
    }
    ++counts[rank];
  }
  EXPECT_LT(ChiSquaredDeviations(counts), 4);
}

// Of many buckets: where a number goes tells nothing of the number.
TEST_F(RandpermTest, PlacesAreEvenlyDistributed) {
  const int64_t count = 200'000;
  const auto made = Made(count, ACL_INT64, Permutation(count), aclnnRandperm, {5, 8});
  int64_t counts[256] = {};
  int64_t fixed = 0, rising = 0;
  for (size_t i = 0; i < made.size(); ++i) {
    const size_t row = i * 16 / made.size();
    ++counts[16 * row + static_cast<size_t>(made[i]) * 16 / made.size()];
    fixed += made[i] == static_cast<double>(i);
    rising += i > 0 && made[i] > made[i - 1];
  }
  EXPECT_LT(ChiSquaredDeviations(counts), 4);
  EXPECT_LT(fixed, 10);
  EXPECT_NEAR(static_cast<double>(rising), 100'000, 5 * std::sqrt(count / 12.0));
}

TEST_F(RandpermTest, RefusesOtherSizes) {
  const Tensor out({.dims = {3}, .dtype = ACL_INT64});
  ExpectRefused(Permutation(4)(out, {}), kInvalid, {"out", "3", "4"});
  ExpectRefused(Permutation(-1)(out, {}), kInvalid, {"n", "-1"});
}

}  // namespace
}  // namespace anyacl::test::random_choice
