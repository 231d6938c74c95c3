// SPDX-License-Identifier: Apache-2.0
// Products of integers with factors of groups of k, against sums in double.
#include <cmath>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "ops/quant_matmul_calls.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::quant_matmul {
namespace {

using Shape = std::vector<int64_t>;

constexpr int64_t kTokenGroups = 256;
constexpr int64_t kBlocks = int64_t{1} << 32 | 128 << 16 | 128;
// INT4 with factors, in matrix registers.
constexpr double kRounding = 0x1p-17;

class QuantMatmulGroupTest : public DeviceTest {
 protected:
  std::vector<double> Drawn(int64_t count, int64_t least, int64_t most) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(least, most)));
    }
    return values;
  }
  std::vector<double> Filled(Tensor& tensor, double least, double most) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(tensor.layout().dtype, random().Uniform(least, most)));
    }
    WriteAs(tensor, values);
    return values;
  }

  // Rows of numbers, eight in an INT32.
  static std::vector<int32_t> Packed(const std::vector<double>& values) {
    std::vector<int32_t> packed(values.size() / 8);
    for (size_t i = 0; i < values.size(); ++i) {
      const auto bits = static_cast<uint32_t>(static_cast<int32_t>(values[i])) & 15;
      packed[i / 8] =
          static_cast<int32_t>(static_cast<uint32_t>(packed[i / 8]) | bits << (4 * (i % 8)));
    }
    return packed;
  }

  // [rows, columns] as it is, or its transpose.
  static std::vector<double> Turned(const std::vector<double>& values, int64_t rows,
                                    int64_t columns) {
    std::vector<double> turned;
    for (int64_t c = 0; c < columns; ++c) {
      for (int64_t r = 0; r < rows; ++r)
        turned.push_back(values[static_cast<size_t>(r * columns + c)]);
    }
    return turned;
  }

  void Run(const Arguments& arguments) {
    RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return V5(arguments, s, e); },
                aclnnQuantMatmulV5);
  }

  static double LastPlace(aclDataType type) { return type == ACL_FLOAT16 ? 0x1p-11 : 0x1p-8; }
};

// INT4: x1Scale * (x1 @ ((x2 - x2Offset) * x2Scale)).
TEST_F(QuantMatmulGroupTest, TokensByGroups) {
  for (aclDataType out_type : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t m : {1, 3, 40}) {
      for (bool flag : {false, true}) {
        constexpr int64_t kK = 1024, kN = 24, kGroups = kK / 256;
        const auto x = Drawn(m * kK, -8, 7), w = Drawn(kK * kN, -8, 7);
        Tensor left({.dims = {m, kK / 8}, .dtype = ACL_INT32});
        Tensor right({.dims = flag ? Shape{kN, kK / 8} : Shape{kK, kN / 8}, .dtype = ACL_INT32});
        left.Write(Packed(x));
        right.Write(Packed(flag ? Turned(w, kK, kN) : w));
        Tensor rows({.dims = flag ? Shape{m} : Shape{m, 1}}), scale({.dims = {kGroups, kN}}),
            offset({.dims = {kGroups, kN}, .dtype = ACL_FLOAT16});
        const auto factors = Filled(rows, 0.01, 0.1), scales = Filled(scale, 0.01, 0.1),
                   offsets = Filled(offset, -4, 4);
        const Tensor out({.dims = {m, kN}, .dtype = out_type});
        Run({.x = left.handle(),
             .weight = right.handle(),
             .scale = scale.handle(),
             .offset = offset.handle(),
             .row_scale = rows.handle(),
             .turn_weight = flag,
             .out = out.handle(),
             .group = flag ? kTokenGroups : int64_t{1} << 32 | 1 << 16 | 256});
        const auto results = ReadAs(out);
        for (int64_t i = 0; i < m * kN; ++i) {
          double sum = 0, size = 0;
          for (int64_t k = 0; k < kK; ++k) {
            const auto at = static_cast<size_t>(k / 256 * kN + i % kN);
            const double term = x[static_cast<size_t>(i / kN * kK + k)] *
                                (w[static_cast<size_t>(k * kN + i % kN)] - offsets[at]) *
                                scales[at];
            sum += term;
            size += std::fabs(term);
          }
          const double factor = factors[static_cast<size_t>(i / kN)];
          ASSERT_NEAR(results[static_cast<size_t>(i)], sum * factor,
                      (kK * 0x1p-24 + kRounding) * size * factor +
                          1.01 * LastPlace(out_type) * std::fabs(sum * factor))
              << i;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

// INT8 by INT4: ((x1 - 8) @ (x2 * x2Scale) + yOffset) * x1Scale; with the yOffset that the document
// wants, 8 times the sums of x2 * x2Scale, this is x1 @ (x2 * x2Scale) * x1Scale.
TEST_F(QuantMatmulGroupTest, ShiftedTokens) {
  for (aclDataType out_type : {ACL_FLOAT16, ACL_BF16}) {
    for (int64_t m : {1, 3, 40}) {
      for (int64_t groups : {0, 1, 3}) {
        const int64_t k = groups == 0 ? 96 : groups * 256, n = 40;
        const int64_t lines = std::max<int64_t>(groups, 1), depth = k / lines;
        const auto x = Drawn(m * k, -128, 127), w = Drawn(k * n, -8, 7);
        Tensor left({.dims = {m, k}, .dtype = ACL_INT8, .strides = {k + 3, 1}}),
            right({.dims = {k, n / 8}, .dtype = ACL_INT32});
        WriteAs(left, x);
        right.Write(Packed(w));
        Tensor rows({.dims = groups == 0 ? Shape{m} : Shape{m, 1}}), added({.dims = {n}}),
            scale({.dims = groups == 0 ? Shape{n} : Shape{groups, n}, .dtype = ACL_UINT64});
        std::vector<double> scales, sums;
        std::vector<uint64_t> coded;
        for (int64_t i = 0; i < scale.count(); ++i) {
          const auto value = static_cast<float>(random().Uniform(0.001, 0.01));
          uint32_t bits = 0;
          std::memcpy(&bits, &value, sizeof(bits));
          coded.push_back(bits | uint64_t{1} << 46 | uint64_t{3} << 37);
          scales.push_back(value);
        }
        scale.Write(coded);
        const auto weight = [&](int64_t row, int64_t column) {
          return w[static_cast<size_t>(row * n + column)] *
                 scales[static_cast<size_t>(row / depth * n + column)];
        };
        for (int64_t i = 0; i < n; ++i) {
          double sum = 0;
          for (int64_t row = 0; row < k; ++row) sum += 8 * weight(row, i);
          sums.push_back(AsHeld(ACL_FLOAT, sum));
        }
        WriteAs(added, sums);
        const auto factors = Filled(rows, 0.01, 0.1);
        const Tensor out({.dims = {m, n}, .dtype = out_type});
        Run({.x = left.handle(),
             .weight = right.handle(),
             .scale = scale.handle(),
             .row_scale = rows.handle(),
             .out = out.handle(),
             .out_offset = added.handle(),
             .group = groups == 0 ? 0 : kTokenGroups});
        const auto results = ReadAs(out);
        for (int64_t i = 0; i < m * n; ++i) {
          double sum = 0, size = 0;
          for (int64_t row = 0; row < k; ++row) {
            const double number = x[static_cast<size_t>(i / n * k + row)];
            sum += number * weight(row, i % n);
            size += (std::fabs(number) + 16) * std::fabs(weight(row, i % n));
          }
          const double factor = factors[static_cast<size_t>(i / n)];
          ASSERT_NEAR(results[static_cast<size_t>(i)], sum * factor,
                      ((static_cast<double>(k) + 8) * 0x1p-24 + kRounding) * size * factor +
                          1.01 * LastPlace(out_type) * std::fabs(sum * factor))
              << i;
        }
      }
    }
  }
}

// INT8: bias + sum over groups of (x1 @ x2) * x1Scale * x2Scale.
TEST_F(QuantMatmulGroupTest, GroupsByBlocks) {
  for (int64_t m : {1, 3, 40}) {
    for (int64_t groups : {1, 2, 4}) {
      for (bool with_bias : {false, true}) {
        const int64_t k = groups * 128, n = 200;
        const auto x = Drawn(m * k, -128, 127), w = Drawn(k * n, -128, 127);
        Tensor left({.dims = {m, k}, .dtype = ACL_INT8}),
            right({.dims = {n, k}, .dtype = ACL_INT8}), rows({.dims = {m, groups}}),
            scale({.dims = {2, groups}}), bias({.dims = {n}});
        WriteAs(left, x);
        WriteAs(right, Turned(w, k, n));
        const auto factors = Filled(rows, 0.001, 0.01), scales = Filled(scale, 0.001, 0.01),
                   biases = Filled(bias, -1, 1);
        const Tensor out({.dims = {m, n}, .dtype = ACL_BF16});
        Run({.x = left.handle(),
             .weight = right.handle(),
             .scale = scale.handle(),
             .row_scale = rows.handle(),
             .bias = with_bias ? bias.handle() : nullptr,
             .turn_weight = true,
             .out = out.handle(),
             .group = kBlocks});
        const auto results = ReadAs(out);
        for (int64_t i = 0; i < m * n; ++i) {
          double sum = with_bias ? biases[static_cast<size_t>(i % n)] : 0, size = std::fabs(sum);
          for (int64_t g = 0; g < groups; ++g) {
            double product = 0;
            for (int64_t row = g * 128; row < (g + 1) * 128; ++row) {
              product +=
                  x[static_cast<size_t>(i / n * k + row)] * w[static_cast<size_t>(row * n + i % n)];
            }
            product *= factors[static_cast<size_t>(i / n * groups + g)] *
                       scales[static_cast<size_t>(i % n / 128 * groups + g)];
            sum += product;
            size += std::fabs(product);
          }
          ASSERT_NEAR(results[static_cast<size_t>(i)], sum,
                      16 * 0x1p-24 * size + 1.01 * 0x1p-8 * std::fabs(sum))
              << i;
        }
      }
    }
  }
}

// More rows than wait at a time.
TEST_F(QuantMatmulGroupTest, RowsThatWait) {
  constexpr int64_t kM = 259, kK = 128, kN = 17000;
  Tensor left({.dims = {kM, kK}, .dtype = ACL_INT8}), right({.dims = {kN, kK}, .dtype = ACL_INT8}),
      rows({.dims = {kM, 1}}), scale({.dims = {133, 1}});
  WriteAs(left, std::vector<double>(kM * kK, 1));
  WriteAs(right, std::vector<double>(kN * kK, 2));
  WriteAs(scale, std::vector<double>(133, 0.5));
  std::vector<double> factors;
  for (int64_t i = 0; i < kM; ++i) factors.push_back(static_cast<double>(i % 16));
  WriteAs(rows, factors);
  const Tensor out({.dims = {kM, kN}, .dtype = ACL_BF16});
  Run({.x = left.handle(),
       .weight = right.handle(),
       .scale = scale.handle(),
       .row_scale = rows.handle(),
       .turn_weight = true,
       .out = out.handle(),
       .group = kBlocks});
  const auto results = ReadAs(out);
  for (int64_t i = 0; i < kM * kN; ++i) {
    ASSERT_EQ(results[static_cast<size_t>(i)], 128 * static_cast<double>(i / kN % 16)) << i;
  }
}

TEST_F(QuantMatmulGroupTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 256}, .dtype = ACL_INT8}),
      int4_x({.dims = {2, 256}, .dtype = ACL_INT4}), weight({.dims = {256, 16}, .dtype = ACL_INT8}),
      int4({.dims = {256, 16}, .dtype = ACL_INT4}), scale({.dims = {1, 16}}),
      offset({.dims = {1, 16}, .dtype = ACL_FLOAT16}), rows({.dims = {2}}),
      coded({.dims = {1, 16}, .dtype = ACL_INT64}), added({.dims = {16}}), wrong({.dims = {3}}),
      out({.dims = {2, 16}, .dtype = ACL_BF16}), half({.dims = {2, 16}, .dtype = ACL_FLOAT16}),
      blocks({.dims = {1, 2}}), tokens({.dims = {2, 2}}),
      odd_x({.dims = {2, 200}, .dtype = ACL_INT8}), odd({.dims = {200, 16}, .dtype = ACL_INT4});
  const auto refuse = [&](const Arguments& a, std::initializer_list<std::string_view> words) {
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return V5(a, s, e); },
                  ACLNN_ERR_PARAM_INVALID, words);
  };
  const Arguments token = {.x = int4_x.handle(),
                           .weight = int4.handle(),
                           .scale = scale.handle(),
                           .offset = offset.handle(),
                           .row_scale = rows.handle(),
                           .out = out.handle(),
                           .group = kTokenGroups};
  const Arguments shifted = {.x = x.handle(),
                             .weight = int4.handle(),
                             .scale = coded.handle(),
                             .row_scale = rows.handle(),
                             .out = out.handle(),
                             .out_offset = added.handle(),
                             .group = kTokenGroups};
  const Arguments block = {.x = x.handle(),
                           .weight = weight.handle(),
                           .scale = blocks.handle(),
                           .row_scale = tokens.handle(),
                           .out = out.handle(),
                           .group = kBlocks};
  const auto with = [](Arguments a, auto change) {
    change(a);
    return a;
  };
  using A = Arguments&;
  refuse(with(token, [&](A a) { a.offset = nullptr; }), {"x2Offset is null", "FLOAT16", "INT4"});
  refuse(with(token, [&](A a) { a.offset = scale.handle(); }),
         {"x2Offset.dtype = FLOAT", "FLOAT16"});
  refuse(with(token, [&](A a) { a.scale = coded.handle(); }), {"x2Scale.dtype = INT64"});
  refuse(with(token, [&](A a) { a.bias = added.handle(); }), {"bias is given"});
  refuse(with(token, [&](A a) { a.group = 128; }), {"groupSize = 128", "[0, 0, 256]"});
  refuse(with(token, [&](A a) { a.group = 2 << 16 | 256; }), {"[0, 2, 256]"});
  refuse(with(token, [&](A a) { a.row_scale = wrong.handle(); }),
         {"x1Scale.shape = [3]", "[2, 1]"});
  refuse(with(token, [&](A a) { a.scale = added.handle(); }), {"x2Scale.shape = [16]", "[1, 16]"});
  refuse(with(token, [&](A a) { a.turn_weight = true; }), {"K", "256", "16"});
  refuse(with(token, [&](A a) { a.turn_x = true; }), {"transposeX1"});
  refuse(with(shifted, [&](A a) { a.out_offset = nullptr; }), {"yOffset is null", "FLOAT"});
  refuse(with(shifted, [&](A a) { a.out_offset = wrong.handle(); }),
         {"yOffset.shape = [3]", "[16]"});
  refuse(with(shifted, [&](A a) { a.row_scale = nullptr; }), {"x1Scale is null"});
  refuse(with(shifted, [&](A a) { a.x = odd_x.handle(), a.weight = odd.handle(); }),
         {"x1.shape = [2, 200]", "multiple of 256"});
  refuse(with(block, [&](A a) { a.out = half.handle(); }), {"out.dtype = FLOAT16", "BF16"});
  refuse(with(block, [&](A a) { a.group = 128; }), {"[0, 0, 128]", "[1, 128, 128]"});
  refuse(with(block, [&](A a) { a.row_scale = rows.handle(); }), {"x1Scale.shape = [2]", "[2, 2]"});
  refuse(with(block, [&](A a) { a.scale = tokens.handle(); }),
         {"x2Scale.shape = [2, 2]", "[1, 2]"});
}

}  // namespace
}  // namespace anyacl::test::quant_matmul
