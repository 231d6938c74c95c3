// SPDX-License-Identifier: Apache-2.0
// Convolutions and their gradients against sums in double precision.
#include "reference/convolution.h"

#include <cmath>
#include <numeric>

#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "ops/image_case.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

// The arrays of a case.
struct Arrays {
  explicit Arrays(const ConvolutionCase& c)
      : stride(c.stride),
        padding(c.padding),
        dilation(c.dilation),
        output_padding(c.output_padding),
        bias({c.out_channels()}) {}
  IntArrayHandle stride, padding, dilation, output_padding, bias;
};

// The rest of a case: of no stride, padding and dilation.
ConvolutionCase Filled(ConvolutionCase c) {
  const size_t n = c.spatial();
  if (c.stride.empty()) c.stride.assign(n, 1);
  if (c.padding.empty()) c.padding.assign(n, 0);
  if (c.dilation.empty()) c.dilation.assign(n, 1);
  if (c.output_padding.empty()) c.output_padding.assign(n, 0);
  return c;
}

const std::vector<ConvolutionCase>& Cases() {
  static const std::vector<ConvolutionCase> kCases = [] {
    std::vector<ConvolutionCase> cases = {
        // One dimension.
        {.input = {2, 3, 9}, .weight = {4, 3, 3}},
        {.input = {2, 4, 17},
         .weight = {6, 2, 5},
         .stride = {2},
         .padding = {1, 3},
         .dilation = {2},
         .groups = 2},
        {.input = {2, 4, 7},
         .weight = {4, 3, 4},
         .stride = {3},
         .padding = {2},
         .transposed = true,
         .output_padding = {1}},
        // Two.
        {.input = {2, 3, 5, 7}, .weight = {5, 3, 3, 3}, .padding = {1, 1}},
        {.input = {3, 5, 4, 6}, .weight = {7, 5, 1, 1}},
        {.input = {3, 5, 5, 6}, .weight = {7, 5, 1, 1}, .stride = {2, 2}},
        {.input = {1, 3, 19, 23}, .weight = {4, 3, 7, 7}, .stride = {2, 2}, .padding = {3, 3}},
        {.input = {2, 4, 8, 9},
         .weight = {6, 2, 3, 2},
         .stride = {2, 3},
         .padding = {0, 1, 2, 1},
         .dilation = {2, 1},
         .groups = 2},
        {.input = {1, 2, 3, 3}, .weight = {3, 2, 2, 2}, .stride = {5, 5}, .padding = {4, 4}},
        {.input = {2, 6, 10, 11}, .weight = {6, 1, 3, 3}, .padding = {1, 1}, .groups = 6},
        {.input = {2, 3, 13, 37},
         .weight = {6, 1, 3, 5},
         .stride = {2, 3},
         .padding = {1, 2},
         .dilation = {2, 1},
         .groups = 3},
        {.input = {2, 4, 5, 4}, .weight = {4, 3, 3, 3}, .transposed = true},
        {.input = {2, 4, 5, 4},
         .weight = {4, 3, 3, 3},
         .stride = {2, 3},
         .padding = {1, 0},
         .dilation = {1, 2},
         .transposed = true,
         .output_padding = {1, 2},
         .groups = 2},
        {.input = {2, 4, 5, 4},
         .weight = {4, 1, 3, 2},
         .stride = {4, 4},
         .transposed = true,
         .output_padding = {3, 1},
         .groups = 4},
        {.input = {2, 4, 6, 5},
         .weight = {4, 1, 3, 3},
         .padding = {1, 1},
         .transposed = true,
         .groups = 4},
        // Three.
        {.input = {2, 2, 4, 5, 6}, .weight = {3, 2, 2, 3, 2}, .padding = {1, 0, 1}},
        {.input = {1, 4, 5, 4, 7},
         .weight = {4, 1, 2, 3, 3},
         .stride = {2, 1, 2},
         .padding = {1, 1, 1},
         .groups = 4},
        {.input = {1, 2, 3, 2, 3},
         .weight = {2, 2, 2, 2, 3},
         .stride = {2, 1, 2},
         .transposed = true,
         .output_padding = {1, 0, 1}},
        // Nothing to sum up, nothing to compute.
        {.input = {0, 3, 5, 5}, .weight = {2, 3, 3, 3}},
        {.input = {2, 3, 5, 5}, .weight = {0, 3, 3, 3}},
    };
    for (ConvolutionCase& c : cases) c = Filled(c);
    return cases;
  }();
  return kCases;
}

// Sums that reach over several blocks of rows, columns and depth.
const std::vector<ConvolutionCase>& LargeCases() {
  static const std::vector<ConvolutionCase> kCases = {
      Filled({.input = {3, 50, 9, 11}, .weight = {33, 50, 3, 3}, .padding = {1, 1}}),
      // Pairs of rows of which the last one of a block is alone.
      Filled({.input = {2, 93, 7, 6}, .weight = {17, 93, 3, 3}, .padding = {1, 1}}),
      // Lines of several vectors for each residue of the stride.
      Filled(
          {.input = {2, 20, 9, 75}, .weight = {6, 20, 3, 3}, .stride = {1, 2}, .padding = {1, 1}}),
      Filled({.input = {2, 5, 7, 9}, .weight = {530, 5, 3, 2}, .stride = {1, 2}}),
      Filled({.input = {6, 410, 5, 5}, .weight = {33, 410, 1, 1}}),
      // 450 runs of one position each.
      Filled({.input = {5, 3, 90, 1}, .weight = {4, 3, 3, 1}, .padding = {1, 0}}),
      // Lines of more positions than a unit of work has, so that some units end in the next line.
      Filled({.input = {2, 5, 6, 150}, .weight = {6, 5, 3, 3}, .padding = {1, 1}}),
      Filled({.input = {1, 4, 13, 331},
              .weight = {5, 4, 5, 7},
              .stride = {2, 3},
              .padding = {2, 0, 3, 5},
              .dilation = {1, 2}}),
      Filled({.input = {2, 7, 4, 6, 23}, .weight = {5, 7, 2, 3, 3}, .padding = {1, 0, 1}}),
      // More taps than a block of k has: 384 are whole channels yet.
      Filled({.input = {1, 2, 400}, .weight = {3, 2, 384}}),
      Filled({.input = {1, 2, 400}, .weight = {3, 2, 385}}),
      Filled({.input = {1, 3, 24, 23}, .weight = {4, 3, 20, 20}, .padding = {1, 2}}),
      Filled({.input = {1, 3, 6, 6}, .weight = {300, 3, 20, 20}, .padding = {9, 9}}),
      // A line that residues of the stride make longer than what is brought together.
      Filled({.input = {1, 2, 1020}, .weight = {3, 2, 70}, .stride = {50}}),
      // Taps that hardly overlap, and lines that are longer than what is brought together.
      Filled({.input = {1, 3, 2, 1500}, .weight = {3, 3, 1, 9}, .stride = {1, 20}}),
      Filled({.input = {2, 40, 8, 9},
              .weight = {40, 35, 3, 3},
              .stride = {2, 2},
              .padding = {1, 1},
              .transposed = true,
              .output_padding = {1, 1}}),
      Filled({.input = {2, 3, 70, 50},
              .weight = {3, 1, 3, 3},
              .stride = {2, 1},
              .padding = {1, 1},
              .groups = 3}),
  };
  return kCases;
}

std::string NameOf(const ConvolutionCase& c) {
  return ::testing::PrintToString(c.input) + ::testing::PrintToString(c.weight) +
         (c.transposed ? " transposed" : "");
}

class ConvolutionTest : public DeviceTest {
 protected:
  // Errors of a sum of n terms in fp32 are at most n * 2^-24 of their sizes; products of bf16 by
  // instruction have twice that.
  void ExpectSums(const Tensor& out, const Sums& expected, int64_t terms) {
    const std::vector<double> results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.values.size());
    const aclDataType type = out.layout().dtype;
    for (size_t i = 0; i < results.size(); ++i) {
      const double bound = (2.0 * static_cast<double>(terms) + 4) * 0x1p-24 * expected.sizes[i] +
                           1.01 * LastPlace(type) * std::fabs(expected.values[i]) + 1e-30 +
                           (type == ACL_FLOAT16 ? 0x1p-25 : 0);
      ASSERT_NEAR(results[i], expected.values[i], bound) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }

  struct Kind {
    aclDataType input = ACL_FLOAT, weight = ACL_FLOAT, output = ACL_FLOAT;
    Lie lie = Lie::kDense;
    bool bias = true;
  };

  void CheckForward(const ConvolutionCase& c, const Kind& kind) {
    SCOPED_TRACE(NameOf(c));
    Tensor input(Lying(c.input, kind.input, kind.lie));
    Tensor weight(Lying(c.weight, kind.weight, kind.lie));
    Tensor bias(Lying({c.out_channels()}, kind.weight, kind.lie));
    Tensor out(Lying(c.OutputShape(), kind.output, kind.lie));
    const std::vector<double> x = FillRandomly(input, random());
    const std::vector<double> w = FillRandomly(weight, random());
    std::vector<double> b = FillRandomly(bias, random());
    if (!kind.bias) b.clear();
    const Arrays arrays(c);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnConvolutionGetWorkspaceSize(
              input.handle(), weight.handle(), kind.bias ? bias.handle() : nullptr,
              arrays.stride.get(), arrays.padding.get(), arrays.dilation.get(), c.transposed,
              arrays.output_padding.get(), c.groups, out.handle(), 3, size, executor);
        },
        aclnnConvolution);
    ExpectSums(out, ConvolutionOf(c, x, w, b), CountOf(c.weight));
  }

  void CheckBackward(const ConvolutionCase& c, const Kind& kind,
                     const std::vector<uint8_t>& mask = {1, 1, 1}) {
    SCOPED_TRACE(NameOf(c));
    Tensor gradient(Lying(c.OutputShape(), kind.output, kind.lie));
    Tensor input(Lying(c.input, kind.input, kind.lie));
    Tensor weight(Lying(c.weight, kind.weight, kind.lie));
    const std::vector<double> g = FillRandomly(gradient, random());
    const std::vector<double> x = FillRandomly(input, random());
    const std::vector<double> w = FillRandomly(weight, random());
    Tensor dx(Lying(c.input, kind.input, kind.lie)), dw(Lying(c.weight, kind.weight, kind.lie));
    Tensor db(Lying({c.out_channels()}, kind.output, kind.lie));
    const Arrays arrays(c);
    const bool wanted[] = {mask[0] != 0, mask[1] != 0, mask[2] != 0};
    aclBoolArray* bools = aclCreateBoolArray(wanted, 3);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnConvolutionBackwardGetWorkspaceSize(
              gradient.handle(), input.handle(), weight.handle(), arrays.bias.get(),
              arrays.stride.get(), arrays.padding.get(), arrays.dilation.get(), c.transposed,
              arrays.output_padding.get(), static_cast<int>(c.groups), bools, 0, dx.handle(),
              dw.handle(), db.handle(), size, executor);
        },
        aclnnConvolutionBackward);
    aclDestroyBoolArray(bools);
    const ConvolutionGradients expected = GradientsOf(c, g, x, w);
    const int64_t positions = CountOf(c.OutputShape());
    const std::vector<uint8_t> untouched = Tensor(dx.layout()).Bytes();
    if (wanted[0]) ExpectSums(dx, expected.input, CountOf(c.weight));
    if (wanted[1]) ExpectSums(dw, expected.weight, positions);
    if (wanted[2]) ExpectSums(db, expected.bias, positions);
    if (!wanted[0]) {
      EXPECT_EQ(dx.Bytes(), untouched);
    }
  }

  static int64_t CountOf(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  }
};

TEST_F(ConvolutionTest, AllTypesAndLayouts) {
  for (const ConvolutionCase& c : Cases()) {
    for (aclDataType type : kFloatTypes) {
      for (Lie lie : kLies) CheckForward(c, {type, type, type, lie, true});
    }
    CheckForward(c, {.bias = false});
  }
}

TEST_F(ConvolutionTest, MixedTypes) {
  for (const ConvolutionCase& c : Cases()) {
    CheckForward(c, {.input = ACL_FLOAT16, .weight = ACL_FLOAT, .output = ACL_FLOAT});
    CheckForward(c, {.input = ACL_FLOAT, .weight = ACL_BF16, .output = ACL_FLOAT16});
  }
}

TEST_F(ConvolutionTest, Large) {
  for (const ConvolutionCase& c : LargeCases()) {
    CheckForward(c, {});
    CheckForward(c, {ACL_BF16, ACL_BF16, ACL_BF16, Lie::kDense, false});
    CheckForward(c, {ACL_BF16, ACL_BF16, ACL_BF16, Lie::kChannelsLast, true});
    CheckForward(c, {ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, Lie::kChannelsLast, true});
  }
}

TEST_F(ConvolutionTest, Gradients) {
  for (const ConvolutionCase& c : Cases()) {
    for (aclDataType type : kFloatTypes) {
      for (Lie lie : kLies) CheckBackward(c, {type, type, type, lie, true});
    }
  }
}

TEST_F(ConvolutionTest, LargeGradients) {
  for (const ConvolutionCase& c : LargeCases()) {
    CheckBackward(c, {});
    CheckBackward(c, {ACL_BF16, ACL_BF16, ACL_BF16, Lie::kDense, false});
    CheckBackward(c, {ACL_BF16, ACL_BF16, ACL_BF16, Lie::kChannelsLast, false});
  }
}

// Units of work have other rows then, as with other numbers of threads, whose bits are not pinned
// where they depend on the tier.
TEST_F(ConvolutionTest, ChannelsAloneHaveTheSameBits) {
  constexpr int64_t kAll = 530, kSome = 18;
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    const ConvolutionCase all = Filled({.input = {2, 95, 7, 9}, .weight = {kAll, 95, 3, 3}});
    const ConvolutionCase some = Filled({.input = all.input, .weight = {kSome, 95, 3, 3}});
    Tensor input({.dims = all.input, .dtype = type}), weight({.dims = all.weight, .dtype = type});
    Tensor last({.dims = some.weight, .dtype = type});
    Tensor out({.dims = all.OutputShape()}), own({.dims = some.OutputShape()});
    FillRandomly(input, random());
    std::vector<double> weights = FillRandomly(weight, random());
    weights.erase(weights.begin(), weights.end() - CountOf(some.weight));
    WriteAs(last, weights);
    const auto run = [&](const ConvolutionCase& c, const Tensor& w, const Tensor& y) {
      const Arrays arrays(c);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnConvolutionGetWorkspaceSize(
                input.handle(), w.handle(), nullptr, arrays.stride.get(), arrays.padding.get(),
                arrays.dilation.get(), false, arrays.output_padding.get(), 1, y.handle(), 0, size,
                executor);
          },
          aclnnConvolution);
      return ReadAs(y);
    };
    const std::vector<double> whole = run(all, weight, out), alone = run(some, last, own);
    const int64_t area = CountOf(some.OutputShape()) / (2 * kSome);
    for (int64_t n = 0; n < 2; ++n) {
      const auto expected = whole.begin() + ((n + 1) * kAll - kSome) * area;
      const auto got = alone.begin() + n * kSome * area;
      EXPECT_TRUE(std::equal(got, got + kSome * area, expected)) << type << ", image " << n;
    }
  }
}

TEST_F(ConvolutionTest, GradientsThatAreNotWantedAreLeftAlone) {
  const ConvolutionCase c = Filled({.input = {2, 3, 5, 7}, .weight = {5, 3, 3, 3}});
  for (int bits = 0; bits < 8; ++bits) {
    CheckBackward(c, {},
                  {static_cast<uint8_t>(bits & 1), static_cast<uint8_t>(bits >> 1 & 1),
                   static_cast<uint8_t>(bits >> 2)});
  }
}

// torch's sum() has a gradient of ones that is one element in memory.
TEST_F(ConvolutionTest, ExpandedGradient) {
  const ConvolutionCase c = Filled({.input = {2, 3, 5, 7}, .weight = {5, 3, 3, 3}});
  const Shape shape = c.OutputShape();
  Tensor gradient({.dims = shape, .strides = Shape(shape.size(), 0)});
  WriteAs(gradient, std::vector<double>(static_cast<size_t>(gradient.count()), 1.0));
  Tensor input({.dims = c.input}), weight({.dims = c.weight});
  const std::vector<double> x = FillRandomly(input, random()), w = FillRandomly(weight, random());
  Tensor dx({.dims = c.input}), dw({.dims = c.weight}), db({.dims = {5}});
  const Arrays arrays(c);
  const bool wanted[] = {true, true, true};
  aclBoolArray* bools = aclCreateBoolArray(wanted, 3);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnConvolutionBackwardGetWorkspaceSize(
            gradient.handle(), input.handle(), weight.handle(), nullptr, arrays.stride.get(),
            arrays.padding.get(), arrays.dilation.get(), false, arrays.output_padding.get(), 1,
            bools, 3, dx.handle(), dw.handle(), db.handle(), size, executor);
      },
      aclnnConvolutionBackward);
  aclDestroyBoolArray(bools);
  const std::vector<double> ones(static_cast<size_t>(gradient.count()), 1.0);
  const ConvolutionGradients expected = GradientsOf(c, ones, x, w);
  ExpectSums(dx, expected.input, 45);
  ExpectSums(dw, expected.weight, 30);
  ExpectSums(db, expected.bias, 30);
}

TEST_F(ConvolutionTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const ConvolutionCase& c, const Shape& out, int64_t bias,
                           std::initializer_list<std::string_view> words,
                           aclFormat format = ACL_FORMAT_ND) {
    Tensor input({.dims = c.input}), weight({.dims = c.weight}), output({.dims = out});
    Tensor offsets({.dims = {bias}, .format = format});
    const Arrays arrays(c);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnConvolutionGetWorkspaceSize(
              input.handle(), weight.handle(), bias < 0 ? nullptr : offsets.handle(),
              arrays.stride.get(), arrays.padding.get(), arrays.dilation.get(), c.transposed,
              arrays.output_padding.get(), c.groups, output.handle(), 0, size, executor);
        },
        161002, words);
  };
  const ConvolutionCase good = Filled({.input = {2, 4, 5, 7}, .weight = {6, 4, 3, 3}});
  refused(good, {2, 6, 3, 4}, -1, {"output", "[2, 6, 3, 4]", "5"});
  refused(good, {2, 5, 3, 5}, -1, {"output", "channels", "6"});
  refused(good, {2, 6, 3, 5}, 5, {"bias", "[5]", "[6]"});
  refused(good, {2, 6, 15}, -1, {"output", "rank", "4"});
  ConvolutionCase bad = good;
  bad.groups = 3;
  refused(bad, {2, 6, 3, 5}, -1, {"input", "channels", "12"});
  bad.groups = 4;
  refused(bad, {2, 6, 3, 5}, -1, {"weight", "groups", "4"});
  bad = good;
  bad.stride = {1, 0};
  refused(bad, {2, 6, 3, 5}, -1, {"stride", "0"});
  bad = good;
  bad.padding = {1, -1};
  refused(bad, {2, 6, 5, 3}, -1, {"padding"});
  bad = good;
  bad.padding = {1, 1, 1};
  refused(bad, {2, 6, 5, 7}, -1, {"padding", "3"});
  bad = good;
  bad.dilation = {3, 1};
  refused(bad, {2, 6, 1, 5}, -1, {"nothing", "dimension", "2"});
  bad = Filled({.input = {2, 4, 5, 7},
                .weight = {4, 6, 3, 3},
                .stride = {2, 2},
                .transposed = true,
                .output_padding = {2, 0}});
  refused(bad, {2, 6, 13, 15}, -1, {"outputPadding", "2"});
  // Sums of nothing, of channels or of padding.
  refused(Filled({.input = {2, 0, 5, 5}, .weight = {2, 0, 3, 3}}), {2, 2, 3, 3}, -1,
          {"output.shape = [2, 2, 3, 3]", "input.shape = [2, 0, 5, 5]"});
  refused(Filled({.input = {2, 3, 0, 5}, .weight = {2, 3, 3, 3}, .padding = {2, 1}}), {2, 2, 2, 5},
          -1, {"output.shape = [2, 2, 2, 5]", "input.shape = [2, 3, 0, 5]"});
  refused(Filled({.input = {2, 0, 5, 5}, .weight = {0, 2, 3, 3}, .transposed = true}), {2, 2, 7, 7},
          -1, {"input.shape = [2, 0, 5, 5]", "channels"});
  // What 64 bits cannot hold is not computed with.
  bad = good;
  bad.stride = {INT64_MAX, 1};
  refused(bad, {2, 6, 1, 5}, -1, {"stride"});
  refused(good, {2, 6, 3, 5}, 6, {"bias.format = NHWC"}, ACL_FORMAT_NHWC);
}

TEST_F(ConvolutionTest, GradientsThatADeviceDoesNotHaveAreRefused) {
  const auto first = [&](const ConvolutionCase& c, aclDataType type,
                         std::vector<int64_t> bias_sizes, int8_t math) {
    return [=, this](uint64_t* size, aclOpExecutor** executor) {
      const Arrays arrays(c);
      const IntArrayHandle bias(bias_sizes);
      Tensor gradient({.dims = c.OutputShape(), .dtype = type});
      Tensor input({.dims = c.input, .dtype = type}), weight({.dims = c.weight, .dtype = type});
      Tensor dx({.dims = c.input, .dtype = type}), dw({.dims = c.weight});
      Tensor db({.dims = {c.out_channels()}, .dtype = type});
      const bool wanted[] = {true, true, true};
      aclBoolArray* bools = aclCreateBoolArray(wanted, 3);
      const aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
          gradient.handle(), input.handle(), weight.handle(), bias.get(), arrays.stride.get(),
          arrays.padding.get(), arrays.dilation.get(), false, arrays.output_padding.get(),
          static_cast<int>(c.groups), bools, math, dx.handle(), dw.handle(), db.handle(), size,
          executor);
      aclDestroyBoolArray(bools);
      return status;
    };
  };
  const auto taken = [&](const Phase1& call) {
    const Prepared prepared = Prepare(call);
    ASSERT_EQ(prepared.code, ACL_SUCCESS);
    aclDestroyAclOpExecutor(prepared.executor);
  };
  const ConvolutionCase volume =
      Filled({.input = {1, 4, 3, 3, 3}, .weight = {4, 2, 2, 2, 2}, .groups = 2});
  ExpectRefused(first(volume, ACL_BF16, {4}, 0), 161002, {"gradWeight.dtype", "BF16"});
  ExpectRefused(first(volume, ACL_FLOAT, {4}, 2), 161002, {"cubeMathType = 2", "groups = 2"});
  taken(first(volume, ACL_FLOAT, {4}, 0));
  // biasSizes count where there is nothing to compute.
  taken(first(Filled({.input = {1, 3, 5, 5}, .weight = {2, 3, 3, 3}}), ACL_FLOAT, {1}, 0));
  const ConvolutionCase empty = Filled({.input = {0, 3, 5, 5}, .weight = {2, 3, 3, 3}});
  ExpectRefused(first(empty, ACL_FLOAT, {1}, 0), 161002, {"biasSizes = [1]", "[2]"});
  taken(first(empty, ACL_FLOAT, {2}, 0));
}

}  // namespace
}  // namespace anyacl::test
