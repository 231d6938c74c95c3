// SPDX-License-Identifier: Apache-2.0
// Products with quantised weights, and weights that are prepared for products, against sums in
// double precision.
#include <cmath>
#include <complex>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v3.h"
#include "reference/product.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::weight_quant {
namespace {

using Shape = std::vector<int64_t>;

// Of weights in matrix registers, which have 16 bits.
constexpr double kRounding = 0x1p-17;

double LastPlace(aclDataType dtype) { return dtype == ACL_FLOAT16 ? 0x1p-11 : 0x1p-8; }

// One call: sizes, how the weight is held and which factors it has.
struct Call {
  int64_t m, k, n, group;
  aclDataType weight;  // INT8, INT4 or INT32
  bool transposed;
  Shape scale;
  bool offset, bias;
  // Of INT8 results: the shape of their scale, and whether their offset is a tensor.
  Shape quant = {};
  bool quant_offset = false;
};

// A scale as aclnnTransQuantParamV2 makes it.
uint64_t QuantParameter(float scale, int64_t offset) {
  uint32_t bits = 0;
  std::memcpy(&bits, &scale, sizeof(bits));
  return (bits & 0xFFFFE000) | (static_cast<uint64_t>(offset) & 0x1FF) << 37 | uint64_t{1} << 46;
}

class WeightQuantTest : public DeviceTest {
 protected:
  void Check(const Call& c, aclDataType type) {
    SCOPED_TRACE(::testing::Message() << c.m << " x " << c.k << " x " << c.n << " group " << c.group
                                      << " weight " << c.weight << " transposed " << c.transposed
                                      << " offset " << c.offset << " x " << type);
    const bool int4 = c.weight != ACL_INT8;
    Tensor x({.dims = {c.m, c.k}, .dtype = type});
    std::vector<double> a, factors, offsets, biases, weights(static_cast<size_t>(c.k * c.n));
    for (int64_t i = 0; i < c.m * c.k; ++i) a.push_back(AsHeld(type, random().Uniform(-1, 1)));
    for (double& w : weights) {
      w = static_cast<double>(int4 ? random().Int(-8, 7) : random().Int(-128, 127));
    }
    WriteAs(x, a);
    const Tensor weight = WeightOf(c, weights);
    Layout factor{.dims = c.scale, .dtype = type};
    // As they lie beside a transposed weight.
    if (c.transposed && c.scale.size() == 2) factor.strides = {1, c.scale[0]};
    Tensor scale(factor), offset(factor);
    Tensor bias({.dims = {c.n}, .dtype = type});
    const bool quantised = !c.quant.empty();
    const Tensor y({.dims = {c.m, c.n}, .dtype = quantised ? ACL_INT8 : type});
    // PyTorch has no other integers of 64 bits.
    Tensor quant(
        {.dims = quantised ? c.quant : Shape{1}, .dtype = c.quant_offset ? ACL_INT64 : ACL_UINT64}),
        quant_offset({.dims = quantised ? c.quant : Shape{1}});
    std::vector<uint64_t> quants;
    std::vector<double> quant_scales, quant_offsets;
    for (int64_t i = 0; i < quant.count(); ++i) {
      const double places = static_cast<double>(random().Int(2, 900));
      quant_scales.push_back(places / 16);  // no bits that the parameter drops
      quant_offsets.push_back(static_cast<double>(random().Int(-256, 255)) +
                              (c.quant_offset ? 0.25 : 0));
      quants.push_back(
          QuantParameter(static_cast<float>(quant_scales.back()),
                         c.quant_offset ? 7 : static_cast<int64_t>(quant_offsets.back())));
    }
    quant.Write(quants);
    WriteAs(quant_offset, quant_offsets);
    for (int64_t i = 0; i < scale.count(); ++i) {
      factors.push_back(AsHeld(type, random().Uniform(0.001, 0.02)));
      offsets.push_back(AsHeld(type, static_cast<double>(random().Int(-4, 4))));
    }
    for (int64_t i = 0; i < c.n; ++i) biases.push_back(AsHeld(type, random().Uniform(-1, 1)));
    WriteAs(scale, factors);
    WriteAs(offset, offsets);
    WriteAs(bias, biases);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
              x.handle(), weight.handle(), scale.handle(), c.offset ? offset.handle() : nullptr,
              quantised ? quant.handle() : nullptr,
              c.quant_offset ? quant_offset.handle() : nullptr, c.bias ? bias.handle() : nullptr,
              static_cast<int>(c.group), y.handle(), s, e);
        },
        aclnnWeightQuantBatchMatmulV2);
    for (int precise : {0, 1}) {  // of the next version: the same bits
      const Tensor again(y.layout());
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(
                x.handle(), weight.handle(), scale.handle(), c.offset ? offset.handle() : nullptr,
                quantised ? quant.handle() : nullptr,
                c.quant_offset ? quant_offset.handle() : nullptr, c.bias ? bias.handle() : nullptr,
                static_cast<int>(c.group), precise, again.handle(), s, e);
          },
          aclnnWeightQuantBatchMatmulV3);
      ASSERT_EQ(again.Bytes(), y.Bytes());
    }
    for (int64_t i = 0; i < c.k * c.n; ++i) {
      const int64_t row = c.group == 0 ? 0 : i / c.n / c.group;
      const auto at = static_cast<size_t>(scale.count() == 1 ? 0 : row * c.n + i % c.n);
      double& w = weights[static_cast<size_t>(i)];
      w = (w + (c.offset ? offsets[at] : 0)) * factors[at];
    }
    const ProductSums product = ProductOf(a, weights, c.m, c.k, c.n);
    const std::vector<double> results = ReadAs(y);
    for (int64_t m = 0; m < c.m; ++m) {
      for (int64_t n = 0; n < c.n; ++n) {
        double sum = product.sums[static_cast<size_t>(m * c.n + n)];
        const double size = product.sizes[static_cast<size_t>(m * c.n + n)];
        if (c.bias) sum += biases[static_cast<size_t>(n)];
        if (quantised) {
          const auto column = static_cast<size_t>(quant.count() == 1 ? 0 : n);
          const double exact = sum * quant_scales[column] + quant_offsets[column];
          const double bound = 0.5 + ((static_cast<double>(c.k) + 8) * 0x1p-24 + kRounding) *
                                         ((size + 1) * quant_scales[column] + 256);
          ASSERT_NEAR(results[static_cast<size_t>(m * c.n + n)],
                      std::fmin(std::fmax(exact, -128), 127), bound)
              << m << ", " << n;
          continue;
        }
        const double bound = ((static_cast<double>(c.k) + 4) * 0x1p-24 + kRounding) * (size + 1) +
                             1.01 * LastPlace(type) * std::fabs(sum) + 0x1p-25;
        ASSERT_NEAR(results[static_cast<size_t>(m * c.n + n)], sum, bound) << m << ", " << n;
      }
    }
    EXPECT_TRUE(y.GuardsIntact());
  }

 private:
  static Tensor WeightOf(const Call& c, const std::vector<double>& weights) {
    // Lines of the contiguous dimension, one after the other.
    std::vector<int8_t> lines;
    for (int64_t i = 0; i < c.k * c.n; ++i) {
      const int64_t k = c.transposed ? i % c.k : i / c.n, n = c.transposed ? i / c.k : i % c.n;
      lines.push_back(static_cast<int8_t>(weights[static_cast<size_t>(k * c.n + n)]));
    }
    if (c.weight != ACL_INT32) {
      Tensor tensor({.dims = c.transposed ? Shape{c.n, c.k} : Shape{c.k, c.n}, .dtype = c.weight});
      tensor.Write(lines);
      if (!c.transposed) return tensor;
      return Seen(std::move(tensor), {c.k, c.n}, {1, c.k}, c.weight);
    }
    std::vector<int32_t> packed(lines.size() / 8);
    for (size_t i = 0; i < lines.size(); ++i) {
      packed[i / 8] = static_cast<int32_t>(static_cast<uint32_t>(packed[i / 8]) |
                                           (static_cast<uint32_t>(lines[i]) & 15) << (4 * (i % 8)));
    }
    Layout layout{.dims = {c.k, c.n / 8}, .dtype = ACL_INT32};
    if (c.transposed)
      layout = {.dims = {c.k / 8, c.n}, .dtype = ACL_INT32, .strides = {1, c.k / 8}};
    Tensor tensor({.dims = {static_cast<int64_t>(packed.size())}, .dtype = ACL_INT32});
    tensor.Write(packed);
    return Seen(std::move(tensor), layout.dims,
                layout.strides.empty() ? ContiguousStrides(layout.dims) : layout.strides,
                ACL_INT32);
  }
  // The same memory, which `tensor` keeps, under a handle of its own.
  static Tensor Seen(Tensor tensor, const Shape& dims, const Shape& strides, aclDataType type) {
    const int64_t storage[] = {dims[0] * dims[1]};
    aclInitTensor(tensor.handle(), dims.data(), dims.size(), type, strides.data(), 0, ACL_FORMAT_ND,
                  storage, 1, tensor.data());
    return tensor;
  }
};

// Few rows and many, columns and k around vectors, panels and blocks; of the tensor, of columns and
// of groups.
TEST_F(WeightQuantTest, EveryKindOfFactor) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType weight : {ACL_INT8, ACL_INT4, ACL_INT32}) {
      for (bool transposed : {false, true}) {
        for (int64_t m : {1, 3, 4, 5, 40}) {
          const bool extra = m % 2 == 0;
          Check({m, 64, 48, 0, weight, transposed, {1}, extra, !extra}, type);
          Check({m, 96, 40, 0, weight, transposed, {1, 40}, extra, extra}, type);
          Check({m, 416, 72, 32, weight, transposed, {13, 72}, extra, extra}, type);
          Check({m, 424, 24, 64, weight, transposed, {7, 24}, !extra, extra}, type);
        }
      }
    }
    // Sizes that vectors do not divide.
    Check({2, 37, 19, 0, ACL_INT8, true, {19}, true, true}, type);
    Check({2, 37, 19, 32, ACL_INT8, true, {2, 19}, true, false}, type);
    Check({9, 101, 33, 64, ACL_INT8, false, {2, 33}, true, false}, type);
    Check({3, 70, 19, 32, ACL_INT4, true, {3, 19}, false, false}, type);
    Check({3, 33, 18, 0, ACL_INT4, false, {1, 18}, false, false}, type);
    Check({3, 64, 1, 32, ACL_INT4, true, {2, 1}, false, false}, type);
    Check({2, 1, 18, 0, ACL_INT4, false, {1}, true, false}, type);
    Check({300, 1056, 520, 32, ACL_INT4, true, {33, 520}, false, false}, type);
    Check({3, 1056, 24, 32, ACL_INT4, true, {33, 24}, true, false}, type);  // more than 16 groups
  }
}

TEST_F(WeightQuantTest, ResultsOfInt8) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool tensor : {false, true}) {
      for (int64_t m : {1, 5, 40}) {
        Check({m, 64, 48, 0, ACL_INT8, false, {1}, true, true, {1}, tensor}, type);
        Check({m, 96, 40, 0, ACL_INT4, true, {1, 40}, true, tensor, {1, 40}, tensor}, type);
        Check({m, 416, 72, 32, ACL_INT32, false, {13, 72}, false, tensor, {72}, tensor}, type);
        Check({m, 37, 19, 0, ACL_INT8, true, {19}, true, false, {1, 1}, tensor}, type);
      }
    }
    Check({300, 17, 17000, 0, ACL_INT8, false, {17000}, false, true, {17000}, false}, type);
  }
}

TEST_F(WeightQuantTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 64}, .dtype = ACL_FLOAT16}),
      y({.dims = {2, 16}, .dtype = ACL_FLOAT16}), weight({.dims = {64, 16}, .dtype = ACL_INT8}),
      one({.dims = {1}, .dtype = ACL_FLOAT16}), groups({.dims = {2, 16}, .dtype = ACL_FLOAT16}),
      columns({.dims = {16}, .dtype = ACL_FLOAT16}), bf16({.dims = {1}, .dtype = ACL_BF16}),
      quant({.dims = {1}, .dtype = ACL_UINT64}), two({.dims = {2}, .dtype = ACL_UINT64}),
      wrong_offset({.dims = {2}}), int8_y({.dims = {2, 16}, .dtype = ACL_INT8}),
      odd({.dims = {64, 15}, .dtype = ACL_INT4}), odd_y({.dims = {2, 15}, .dtype = ACL_FLOAT16}),
      short_weight({.dims = {32, 16}, .dtype = ACL_INT8}),
      wide({.dims = {2, 65536}, .dtype = ACL_FLOAT16}),
      tall({.dims = {65536, 16}, .dtype = ACL_INT8}),
      empty({.dims = {0, 64}, .dtype = ACL_FLOAT16}), no_y({.dims = {0, 16}, .dtype = ACL_FLOAT16}),
      panels({.dims = {64, 16},
              .dtype = ACL_INT8,
              .format = ACL_FORMAT_FRACTAL_NZ,
              .storage = {1, 5, 16, 32}});
  const int code = ACLNN_ERR_PARAM_INVALID;
  struct Arguments {
    const Tensor *x, *weight, *scale, *offset, *quant, *bias;
    int group;
    const Tensor* y;
    const Tensor* quant_offset = nullptr;
  };
  const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
  const auto later = [&](const Arguments& a, int precise) {
    return [=](uint64_t* s, aclOpExecutor** e) {
      return aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(
          handle(a.x), handle(a.weight), handle(a.scale), handle(a.offset), handle(a.quant),
          handle(a.quant_offset), handle(a.bias), a.group, precise, handle(a.y), s, e);
    };
  };
  const auto refused = [&](const Arguments& a, int expected,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
              handle(a.x), handle(a.weight), handle(a.scale), handle(a.offset), handle(a.quant),
              handle(a.quant_offset), handle(a.bias), a.group, handle(a.y), s, e);
        },
        expected, words);
    ExpectRefused(later(a, 1), expected, words);
  };
  for (int precise : {-1, 2}) {
    ExpectRefused(later({&x, &weight, &one, nullptr, nullptr, nullptr, 0, &y}, precise), code,
                  {"innerPrecise is " + std::to_string(precise), "0 to 1"});
  }
  refused({&x, &weight, nullptr, nullptr, nullptr, nullptr, 0, &y}, ACLNN_ERR_PARAM_NULLPTR,
          {"antiquantScale is null"});
  refused({&x, &weight, &bf16, nullptr, nullptr, nullptr, 0, &y}, code, {"antiquantScale.dtype"});
  refused({&x, &weight, &one, &columns, nullptr, nullptr, 0, &y}, code,
          {"antiquantOffsetOptional.shape = [16]"});
  refused({&x, &weight, &groups, nullptr, nullptr, nullptr, 0, &y}, code,
          {"antiquantScale.shape = [2, 16]"});
  refused({&x, &weight, &columns, nullptr, nullptr, nullptr, 32, &y}, code,
          {"antiquantScale.shape = [16]", "[2, 16]"});
  for (int group : {-32, 16, 48, 64}) {
    refused({&x, &weight, &groups, nullptr, nullptr, nullptr, group, &y}, code,
            {"antiquantGroupSize = " + std::to_string(group)});
  }
  refused({&x, &weight, &one, nullptr, &quant, nullptr, 0, &y}, code,
          {"y.dtype = FLOAT16", "INT8", "quantScaleOptional"});
  refused({&x, &weight, &one, nullptr, nullptr, nullptr, 0, &int8_y}, code,
          {"y.dtype = INT8", "FLOAT16", "null"});
  refused({&x, &weight, &one, nullptr, &two, nullptr, 0, &int8_y}, code,
          {"quantScaleOptional.shape = [2]", "[16]"});
  refused({&x, &weight, &one, nullptr, &quant, nullptr, 0, &int8_y, &wrong_offset}, code,
          {"quantOffsetOptional.shape = [2]"});
  refused({&x, &weight, &one, nullptr, nullptr, nullptr, 0, &int8_y, &wrong_offset}, code,
          {"quantScaleOptional is null"});
  refused({&x, &weight, &one, nullptr, nullptr, &one, 0, &y}, code, {"biasOptional.shape = [1]"});
  refused({&x, &short_weight, &one, nullptr, nullptr, nullptr, 0, &y}, code, {"weight.shape"});
  refused({&x, &odd, &one, nullptr, nullptr, nullptr, 0, &odd_y}, code, {"even"});
  refused({&wide, &tall, &one, nullptr, nullptr, nullptr, 0, &y}, code, {"K = 65536", "65535"});
  refused({&empty, &weight, &one, nullptr, nullptr, nullptr, 0, &no_y}, code, {"some elements"});
  refused({&x, &panels, &one, nullptr, nullptr, nullptr, 0, &y}, code,
          {"weight is FRACTAL_NZ", "[1, 5, 16, 32]", "[1, 4, 16, 32]"});
}

// Eight times such numbers, as INT4 has them, are 0 modulo 2^64.
TEST_F(WeightQuantTest, PackedWeightsBeyondAllMemoryAreRefused) {
  const Tensor x({.dims = {2, 64}, .dtype = ACL_FLOAT16}),
      y({.dims = {2, 16}, .dtype = ACL_FLOAT16}), one({.dims = {1}, .dtype = ACL_FLOAT16});
  const int64_t far = int64_t{1} << 61;
  const auto refuse = [&](const Layout& layout) {
    const Tensor weight(layout);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
              x.handle(), weight.handle(), one.handle(), nullptr, nullptr, nullptr, nullptr, 0,
              y.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, {"weight"});
  };
  for (int64_t sign : {-1, 1}) {
    refuse({.dims = {64, 2}, .dtype = ACL_INT32, .strides = {sign * far, 1}});
    refuse({.dims = {64, 2}, .dtype = ACL_INT32, .offset = sign * far});
  }
  refuse({.dims = {64, far}, .dtype = ACL_INT32});
}

uint64_t SizeOf(const Shape& shape, aclDataType type) {
  aclIntArray* array = aclCreateIntArray(shape.data(), shape.size());
  uint64_t size = 0;
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(array, type, &size), 0);
  aclDestroyIntArray(array);
  return size;
}

// The document's two examples among them.
TEST_F(WeightQuantTest, SizesOfPreparedWeights) {
  EXPECT_EQ(SizeOf({510, 510}, ACL_FLOAT16), 262144u);
  EXPECT_EQ(SizeOf({510, 270}, ACL_INT8), 147456u);
  EXPECT_EQ(SizeOf({16, 16}, ACL_BF16), 256u);
  EXPECT_EQ(SizeOf({3, 1, 17, 1}, ACL_FLOAT), 3u * 32 * 16);
  const Shape good = {16, 16}, flat = {16}, zero = {16, 0},
              huge = {int64_t{1} << 40, int64_t{1} << 40};
  uint64_t size = 7;
  const auto code = [&](const Shape& shape, aclDataType type) {
    aclIntArray* array = aclCreateIntArray(shape.data(), shape.size());
    const aclnnStatus status = aclnnCalculateMatmulWeightSizeV2(array, type, &size);
    aclDestroyIntArray(array);
    return status;
  };
  EXPECT_EQ(code(flat, ACL_FLOAT16), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(code(zero, ACL_FLOAT16), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(code(huge, ACL_FLOAT16), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(code(good, ACL_DOUBLE), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(size, 7u);
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_FLOAT16, &size), ACLNN_ERR_PARAM_NULLPTR);
  aclIntArray* array = aclCreateIntArray(good.data(), good.size());
  EXPECT_EQ(aclnnCalculateMatmulWeightSizeV2(array, ACL_FLOAT16, nullptr), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_EQ(aclnnCalculateMatmulWeightSize(array, &size), 0);
  EXPECT_EQ(size, 256u);
  aclDestroyIntArray(array);
}

// A prepared weight under the handle that a client makes of it: transposed, called FRACTAL_NZ, with
// one dimension of storage.
TEST_F(WeightQuantTest, PreparedWeightsAreMultiplied) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    constexpr int64_t kM = 5, kK = 37, kN = 21;
    Tensor weight({.dims = {kN, kK}, .dtype = type}), x({.dims = {kM, kK}, .dtype = type});
    const Tensor y({.dims = {kM, kN}, .dtype = type}),
        batch_y({.dims = {1, kM, kN}, .dtype = type});
    Tensor batch({.dims = {1, kM, kK}, .dtype = type});
    std::vector<double> w, a;
    for (int64_t i = 0; i < kN * kK; ++i) w.push_back(static_cast<double>(random().Int(-3, 3)));
    for (int64_t i = 0; i < kM * kK; ++i) a.push_back(static_cast<double>(random().Int(-3, 3)));
    WriteAs(weight, w);
    WriteAs(x, a);
    WriteAs(batch, a);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTransMatmulWeightGetWorkspaceSize(weight.handle(), s, e);
        },
        aclnnTransMatmulWeight);
    const int64_t dims[] = {kK, kN}, strides[] = {1, kK}, storage[] = {kN * kK};
    aclTensor* prepared = aclCreateTensor(dims, 2, type, strides, 0, ACL_FORMAT_FRACTAL_NZ, storage,
                                          1, weight.data());
    std::vector<double> expected;
    for (int64_t i = 0; i < kM * kN; ++i) {
      double sum = 0;
      for (int64_t k = 0; k < kK; ++k) {
        sum += a[static_cast<size_t>(i / kN * kK + k)] * w[static_cast<size_t>(i % kN * kK + k)];
      }
      expected.push_back(AsHeld(type, sum));
    }
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMmGetWorkspaceSize(x.handle(), prepared, y.handle(), 2, s, e);
        },
        aclnnMm);
    EXPECT_EQ(ReadAs(y), expected);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMatmulGetWorkspaceSize(batch.handle(), prepared, batch_y.handle(), 1, s, e);
        },
        aclnnMatmul);
    EXPECT_EQ(ReadAs(batch_y), expected);
    aclDestroyTensor(prepared);
  }
  const Tensor vector({.dims = {16}, .dtype = ACL_FLOAT16}),
      none({.dims = {0, 4}, .dtype = ACL_FLOAT16}), wide({.dims = {4, 4}, .dtype = ACL_DOUBLE});
  for (const Tensor* wrong : {&vector, &none, &wide}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTransMatmulWeightGetWorkspaceSize(wrong->handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, {"mmWeightRef"});
  }
}

TEST_F(WeightQuantTest, OuterProducts) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16,
                           ACL_INT32, ACL_INT64, ACL_UINT8, ACL_BOOL}) {
    Tensor a({.dims = {5}, .dtype = type, .strides = {2}}), b({.dims = {7}, .dtype = ACL_FLOAT16});
    const bool floats = type == ACL_FLOAT || type == ACL_DOUBLE || type == ACL_FLOAT16;
    const Tensor out({.dims = {5, 7}, .dtype = floats ? type : ACL_FLOAT, .strides = {1, 6}});
    std::vector<double> x, y, expected;
    for (int i = 0; i < 5; ++i) x.push_back(type == ACL_BOOL ? i % 2 : i);
    for (int i = 0; i < 7; ++i) y.push_back(i - 3);
    WriteAs(a, x);
    WriteAs(b, y);
    for (double left : x) {
      for (double right : y) expected.push_back(left * right);
    }
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGerGetWorkspaceSize(a.handle(), b.handle(), out.handle(), s, e);
        },
        aclnnGer);
    EXPECT_EQ(ReadAs(out), expected) << type;
  }
}

TEST_F(WeightQuantTest, OuterProductsOfComplexNumbers) {
  using Complex = std::complex<double>;
  const std::vector<Complex> x = {{1, 2}, {0, -1}}, y = {{3, 1}, {2, 0}, {0, 1}};
  Tensor a({.dims = {2}, .dtype = ACL_COMPLEX64, .strides = {2}});
  Tensor b({.dims = {3}, .dtype = ACL_COMPLEX128});
  const Tensor out({.dims = {2, 3}, .dtype = ACL_COMPLEX64, .strides = {1, 2}});
  WriteComplex(a, x);
  WriteComplex(b, y);
  RunTwoPhase(
      [&](auto s, auto e) {
        return aclnnGerGetWorkspaceSize(a.handle(), b.handle(), out.handle(), s, e);
      },
      aclnnGer);
  EXPECT_EQ(ReadComplex(out),
            (std::vector<Complex>{{1, 7}, {2, 4}, {-2, 1}, {1, -3}, {0, -2}, {1, 0}}));
}

}  // namespace
}  // namespace anyacl::test::weight_quant
