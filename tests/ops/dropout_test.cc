// SPDX-License-Identifier: Apache-2.0
// Dropout: masks and what they leave, and the normal numbers of tensors of means and deviations.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dropout.h"
#include "aclnnop/aclnn_dropout_backward.h"
#include "aclnnop/aclnn_dropout_do_mask.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_normal_out.h"
#include "aclnnop/aclnn_rrelu_with_noise.h"
#include "ops/random_case.h"

namespace anyacl::test::dropout {
namespace {

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

using DropoutTest = RandomOpsTest;

int64_t MaskBytes(int64_t count) { return (count + 127) / 128 * 16; }

Phase1 GenMask(const Shape& shape, double prob, const RandomSource& source, const Tensor& out,
               aclDataType type = ACL_FLOAT) {
  return [=, &out](uint64_t* size, aclOpExecutor** executor) {
    return aclnnDropoutGenMaskV2GetWorkspaceSize(
        IntArrayHandle(shape).get(), prob, static_cast<int64_t>(source.seed),
        static_cast<int64_t>(source.offset), type, out.handle(), size, executor);
  };
}

bool Kept(const RandomSource& source, int64_t i, double prob) {
  if (prob == 0) return true;
  const float unit = static_cast<float>(source.Word(i)) * 0x1p-32f + 0x1p-33f;
  return unit < static_cast<float>(1 - prob);
}

bool BitOf(const std::vector<uint8_t>& mask, int64_t i) {
  return (mask[static_cast<size_t>(i / 8)] >> i % 8 & 1) != 0;
}

TEST_F(DropoutTest, MasksAreThoseOfTheDefinition) {
  const RandomSource source{.seed = 0x987654321, .offset = 24};
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{127}, Shape{128}, Shape{7, 1000}, Shape{0}, Shape{40'000}}) {
    int64_t count = 1;
    for (int64_t size : shape) count *= size;
    for (double prob : {0.0, 0.1, 0.5, 1.0}) {
      for (Lie lie : kOutputLies) {
        const Tensor mask(Lying({MaskBytes(count)}, ACL_UINT8, lie));
        RunTwoPhase(GenMask(shape, prob, source, mask), aclnnDropoutGenMaskV2);
        EXPECT_TRUE(mask.GuardsIntact());
        const std::vector<uint8_t> bytes = mask.Read<uint8_t>();
        for (int64_t i = 0; i < 8 * mask.count(); ++i) {
          ASSERT_EQ(BitOf(bytes, i), Kept(source, i, prob)) << i << " of " << count;
        }
      }
    }
  }
}

TEST_F(DropoutTest, AllFormsMakeTheSameMask) {
  const RandomSource source{.seed = 3, .offset = 24};
  const Tensor one({.dims = {160}, .dtype = ACL_UINT8}), two({.dims = {160}, .dtype = ACL_UINT8});
  const Tensor three({.dims = {160}, .dtype = ACL_UINT8});
  RunTwoPhase(GenMask({1280}, 0.3, source, one), aclnnDropoutGenMaskV2);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnDropoutGenMaskGetWorkspaceSize(IntArrayHandle({1280}).get(), 0.3, 3, 24,
                                                   two.handle(), size, executor);
      },
      aclnnDropoutGenMask);
  const Tensor seed = WordTensor(ACL_INT64, 3), offset = WordTensor(ACL_INT64, 20);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnDropoutGenMaskV2TensorGetWorkspaceSize(
            IntArrayHandle({1280}).get(), 0.3, seed.handle(), offset.handle(), 4, ACL_BF16,
            three.handle(), size, executor);
      },
      aclnnDropoutGenMaskV2Tensor);
  EXPECT_EQ(one.Read<uint8_t>(), two.Read<uint8_t>());
  EXPECT_EQ(one.Read<uint8_t>(), three.Read<uint8_t>());
}

TEST_F(DropoutTest, AMaskHasItsShareOfOnes) {
  const Tensor mask({.dims = {40'000}, .dtype = ACL_UINT8});
  for (double prob : {0.01, 0.1, 0.5, 0.9}) {
    RunTwoPhase(GenMask({320'000}, prob, {5, 40}, mask), aclnnDropoutGenMaskV2);
    int64_t ones = 0;
    for (uint8_t byte : mask.Read<uint8_t>()) ones += __builtin_popcount(byte);
    EXPECT_NEAR(static_cast<double>(ones) / 320'000, 1 - prob,
                4 * std::sqrt(prob * (1 - prob) / 320'000));
  }
}

double Dropped(aclDataType from, aclDataType to, double x, bool kept, double prob) {
  if (prob == 1 || (prob != 0 && !kept)) return 0;
  if (prob == 0) return AsHeld(to, x);
  const auto share = static_cast<float>(AsHeld(from, static_cast<float>(1 - prob)));
  const float scaled = static_cast<float>(x) * (1.0f / share);
  return AsHeld(to, AsHeld(from, scaled));
}

TEST_F(DropoutTest, ElementsAreKeptOrDropped) {
  for (aclDataType from : kTypes) {
    for (aclDataType to : kTypes) {
      for (const Shape& shape : {Shape{}, Shape{5}, Shape{3, 1000}, Shape{2, 77, 31}}) {
        for (Lie lie : {Lie::kDense, Lie::kColumns, Lie::kBackwards}) {
          for (double prob : {0.0, 0.2, 1.0}) {
            Tensor self(Lying(shape, from, lie));
            const Tensor out(Lying(shape, to, lie));
            Tensor mask(Lying({MaskBytes(self.count())}, ACL_UINT8, lie));
            std::vector<double> values;
            std::vector<uint8_t> bytes;
            for (int64_t i = 0; i < self.count(); ++i) {
              values.push_back(AsHeld(from, random().Normal(0, 3)));
            }
            for (int64_t i = 0; i < mask.count(); ++i) {
              bytes.push_back(static_cast<uint8_t>(random().Int(0, 255)));
            }
            WriteAs(self, values);
            mask.Write(bytes);
            RunTwoPhase(
                [&](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnDropoutDoMaskGetWorkspaceSize(self.handle(), mask.handle(), prob,
                                                            out.handle(), size, executor);
                },
                aclnnDropoutDoMask);
            EXPECT_TRUE(out.GuardsIntact());
            const std::vector<double> made = ReadAs(out);
            for (int64_t i = 0; i < self.count(); ++i) {
              const auto k = static_cast<size_t>(i);
              ASSERT_EQ(made[k], Dropped(from, to, values[k], BitOf(bytes, i), prob))
                  << i << ", prob " << prob << ", " << from << " to " << to;
            }
          }
        }
      }
    }
  }
}

TEST_F(DropoutTest, InOneCallAsInTwo) {
  Tensor input({.dims = {5000}});
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) values.push_back(AsHeld(ACL_FLOAT, random().Normal(0, 1)));
  WriteAs(input, values);
  const RandomSource source{.seed = 8, .offset = 44};
  for (double prob : {0.0, 0.4, 1.0}) {
    for (bool train : {false, true}) {
      const Tensor out({.dims = {5000}}), grad({.dims = {5000}});
      const Tensor mask({.dims = {640}, .dtype = ACL_UINT8});
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnDropoutGetWorkspaceSize(input.handle(), prob, train, 8, 44, out.handle(),
                                                mask.handle(), size, executor);
          },
          aclnnDropout);
      const bool chooses = train && prob == 0.4;
      const std::vector<uint8_t> bytes = mask.Read<uint8_t>();
      if (!chooses) {
        EXPECT_EQ(bytes, std::vector<uint8_t>(640, Tensor::kCanary));
      }
      const std::vector<double> made = ReadAs(out);
      for (size_t i = 0; i < made.size(); ++i) {
        const bool kept = Kept(source, static_cast<int64_t>(i), prob);
        ASSERT_EQ(made[i], Dropped(ACL_FLOAT, ACL_FLOAT, values[i], kept, train ? prob : 0));
      }
      if (!chooses) continue;
      const double scale = 1 / (1 - prob);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnDropoutBackwardGetWorkspaceSize(input.handle(), mask.handle(), scale,
                                                        grad.handle(), size, executor);
          },
          aclnnDropoutBackward);
      const std::vector<double> back = ReadAs(grad);
      for (size_t i = 0; i < back.size(); ++i) {
        ASSERT_NEAR(back[i], made[i], std::abs(made[i]) * 0x1p-22) << i;
      }
    }
  }
}

TEST_F(DropoutTest, RefusesWrongArguments) {
  const Tensor mask({.dims = {16}, .dtype = ACL_UINT8}),
      long_mask({.dims = {32}, .dtype = ACL_UINT8});
  const Tensor self({.dims = {100}}), out({.dims = {100}}), many({.dims = {129}});
  ExpectRefused(GenMask({100}, 1.5, {}, mask), kInvalid, {"prob", "1.5"});
  ExpectRefused(GenMask({100}, NAN, {}, mask), kInvalid, {"prob", "nan"});
  ExpectRefused(GenMask({129}, 0.5, {}, mask), kInvalid, {"out", "16", "32"});
  ExpectRefused(GenMask({100}, 0.5, {}, long_mask), kInvalid, {"out", "32", "16"});
  ExpectRefused(GenMask({-1}, 0.5, {}, mask), kInvalid, {"shape", "-1"});
  ExpectRefused(GenMask({INT64_MAX, 3}, 0.5, {}, mask), kInvalid, {"shape"});
  ExpectRefused(GenMask({100}, 0.5, {}, mask, ACL_DOUBLE), kInvalid, {"probDataType", "DOUBLE"});
  const auto apply = [](const Tensor& from, const Tensor& bits, double prob, const Tensor& to) {
    return [&, prob](uint64_t* size, aclOpExecutor** executor) {
      return aclnnDropoutDoMaskGetWorkspaceSize(from.handle(), bits.handle(), prob, to.handle(),
                                                size, executor);
    };
  };
  const auto backward = [](const Tensor& from, const Tensor& bits, double scale, const Tensor& to) {
    return [&, scale](uint64_t* size, aclOpExecutor** executor) {
      return aclnnDropoutBackwardGetWorkspaceSize(from.handle(), bits.handle(), scale, to.handle(),
                                                  size, executor);
    };
  };
  ExpectRefused(apply(self, mask, -0.5, out), kInvalid, {"prob", "-0.5"});
  ExpectRefused(apply(many, mask, 0.5, many), kInvalid, {"mask", "16", "32"});
  ExpectRefused(apply(self, mask, 0.5, many), kInvalid, {"out"});
  ExpectRefused(backward(self, mask, 0.5, out), kInvalid, {"scale", "0.5"});
  ExpectRefused(backward(self, long_mask, 2, out), kInvalid, {"mask", "32", "16"});
}

using NormalOutTest = RandomOpsTest;

// Each element has the mean and the deviation that broadcasting gives it.
TEST_F(NormalOutTest, MeansAndDeviationsOfTensors) {
  const RandomSource source{.seed = 6, .offset = 12};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    Tensor mean({.dims = {3, 1, 700}, .dtype = type}), deviation({.dims = {5, 1}, .dtype = type});
    Tensor each({.dims = {3, 5, 700}, .dtype = type});
    std::vector<double> means, deviations, all;
    for (int i = 0; i < 2100; ++i) means.push_back(AsHeld(type, random().Normal(0, 10)));
    for (int i = 0; i < 5; ++i) deviations.push_back(AsHeld(type, random().Uniform(0, 4)));
    for (int i = 0; i < 10'500; ++i) all.push_back(AsHeld(type, random().Uniform(0, 4)));
    WriteAs(mean, means);
    WriteAs(deviation, deviations);
    WriteAs(each, all);
    const Tensor both({.dims = {3, 5, 700}, .dtype = type}),
        left({.dims = {3, 5, 700}, .dtype = type});
    const Tensor right({.dims = {3, 5, 700}, .dtype = type}),
        none({.dims = {3, 5, 700}, .dtype = type});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnNormalTensorTensorGetWorkspaceSize(mean.handle(), deviation.handle(), 6, 12,
                                                         both.handle(), size, executor);
        },
        aclnnNormalTensorTensor);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnNormalTensorFloatGetWorkspaceSize(mean.handle(), 0.5f, 6, 12, left.handle(),
                                                        size, executor);
        },
        aclnnNormalTensorFloat);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnNormalFloatTensorGetWorkspaceSize(2.0f, each.handle(), 6, 12, right.handle(),
                                                        size, executor);
        },
        aclnnNormalFloatTensor);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnNormalFloatFloatGetWorkspaceSize(2.0f, 0.5f, 6, 12, none.handle(), size,
                                                       executor);
        },
        aclnnNormalFloatFloat);
    const auto check = [&](const Tensor& out, int64_t i, double m, double s) {
      const double z = ReferenceNormal(source, i), exact = z * s + m;
      const double bound = 0x1p-21 * (1 + std::abs(z)) * s + HalfUnitOf(type, z) * s +
                           HalfUnitOf(type, z * s) + 2 * HalfUnitOf(type, exact);
      return std::abs(ReadAs(out)[static_cast<size_t>(i)] - exact) <= bound;
    };
    for (int64_t i = 0; i < 10'500; i += 97) {
      const double m = means[static_cast<size_t>(i / 3500 * 700 + i % 700)];
      ASSERT_TRUE(check(both, i, m, deviations[static_cast<size_t>(i / 700 % 5)])) << i;
      ASSERT_TRUE(check(left, i, m, 0.5)) << i;
      ASSERT_TRUE(check(right, i, 2, all[static_cast<size_t>(i)])) << i;
      ASSERT_TRUE(check(none, i, 2, 0.5)) << i;
    }
  }
}

TEST_F(NormalOutTest, RefusesShapesThatDoNotFit) {
  const Tensor mean({.dims = {3, 4}}), deviation({.dims = {5}}), out({.dims = {3, 4}});
  const Tensor row({.dims = {4}}), other({.dims = {4, 4}});
  const auto call = [](const Tensor& m, const Tensor& s, const Tensor& to) {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnNormalTensorTensorGetWorkspaceSize(m.handle(), s.handle(), 0, 0, to.handle(),
                                                     size, executor);
    };
  };
  ExpectRefused(call(mean, deviation, out), kInvalid, {"mean", "[3, 4]", "[5]"});
  ExpectRefused(call(mean, row, other), kInvalid, {"out", "[4, 4]", "[3, 4]"});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnNormalTensorFloatGetWorkspaceSize(deviation.handle(), 1, 0, 0, out.handle(),
                                                      size, executor);
      },
      kInvalid, {"mean", "[5]", "[3, 4]"});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnNormalFloatFloatGetWorkspaceSize(0, -1, 0, 0, out.handle(), size, executor);
      },
      kInvalid, {"std", "-1"});
}

using RandomReluTest = RandomOpsTest;

TEST_F(RandomReluTest, SlopesAreTheNoise) {
  constexpr int64_t kCount = 20'000;
  const float lower = 0.125f, upper = 0.5f;
  const aclScalar* const bounds[] = {aclCreateScalar(const_cast<float*>(&lower), ACL_FLOAT),
                                     aclCreateScalar(const_cast<float*>(&upper), ACL_FLOAT)};
  Tensor self({.dims = {kCount}}), noise({.dims = {kCount}}), out({.dims = {kCount}});
  std::vector<float> x(kCount);
  for (size_t i = 0; i < x.size(); ++i) x[i] = i % 3 == 0 ? 2.0f : -1.0f - static_cast<float>(i);
  self.Write(x);
  const auto run = [&](bool training, int64_t seed) {
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnRReluWithNoiseGetWorkspaceSize(self.handle(), noise.handle(), bounds[0],
                                                     bounds[1], training, seed, 4, out.handle(),
                                                     size, executor);
        },
        aclnnRReluWithNoise);
  };
  run(true, 5);
  const std::vector<float> slopes = noise.Read<float>(), y = out.Read<float>();
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(y[i], x[i] * slopes[i]);
    if (x[i] > 0) {
      ASSERT_EQ(slopes[i], 1.0f);
      continue;
    }
    ASSERT_GE(slopes[i], lower);
    ASSERT_LE(slopes[i], upper);
    sum += slopes[i];
  }
  // Of 13,333 numbers of deviation 0.108.
  EXPECT_NEAR(sum / (2 * kCount / 3), 0.3125, 0.005);
  run(true, 5);
  EXPECT_EQ(noise.Read<float>(), slopes);
  run(true, 6);
  EXPECT_NE(noise.Read<float>(), slopes);
  // In place, the slopes are found before self is written.
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnInplaceRReluWithNoiseGetWorkspaceSize(self.handle(), noise.handle(), bounds[0],
                                                          bounds[1], true, 5, 4, size, executor);
      },
      aclnnInplaceRReluWithNoise);
  EXPECT_EQ(noise.Read<float>(), slopes);
  EXPECT_EQ(self.Read<float>(), y);
  self.Write(x);
  noise.Write(std::vector<float>(kCount, 7));
  run(false, 5);
  EXPECT_EQ(noise.Read<float>(), std::vector<float>(kCount, 7));
  const std::vector<float> mean = out.Read<float>();
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(mean[i], x[i] > 0 ? x[i] : x[i] * 0.3125f);
  for (const aclScalar* bound : bounds) aclDestroyScalar(bound);
}

}  // namespace
}  // namespace anyacl::test::dropout
