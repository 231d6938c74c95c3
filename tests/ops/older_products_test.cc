// SPDX-License-Identifier: Apache-2.0
// QuantMatmul and V2, and BatchMatmulQuant, against the documents' formulas.
#include <cmath>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_batchmatmul_quant.h"
#include "aclnnop/aclnn_quant_matmul.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

// The scale in the lower half, an offset in bits 37 to 45.
uint64_t ParameterOf(float scale, int64_t offset) {
  uint32_t bits = 0;
  std::memcpy(&bits, &scale, sizeof(bits));
  return bits | (static_cast<uint64_t>(offset) & 0x1FF) << 37;
}

struct Product {
  Shape batch = {};        // of x1
  Shape other_batch = {};  // of x2
  int64_t m = 5, k = 7, n = 19;
  bool turn_left = false, turn_right = false, bias = true, strided = false;
};

class OlderProductsTest : public MoeTest {
 protected:
  static Shape Shaped(Shape batch, int64_t rows, int64_t columns, bool turned = false) {
    if (turned) std::swap(rows, columns);
    batch.push_back(rows);
    batch.push_back(columns);
    return batch;
  }
  static size_t CountOf(const Shape& shape) {
    size_t count = 1;
    for (int64_t size : shape) count *= static_cast<size_t>(size);
    return count;
  }
  Numbers Whole(const Shape& shape, int64_t most) {
    Numbers values;
    for (size_t i = 0; i < CountOf(shape); ++i) {
      values.push_back(static_cast<double>(random().Int(-most, most)));
    }
    return values;
  }
  // x1 @ x2 + bias; a batch of x2 of one serves all.
  static Numbers ProductOf(const Product& c, const Numbers& x1, const Numbers& x2,
                           const Numbers& bias) {
    const auto m = static_cast<size_t>(c.m), k = static_cast<size_t>(c.k);
    const auto n = static_cast<size_t>(c.n), batches = CountOf(c.batch);
    Numbers out;
    for (size_t b = 0; b < batches; ++b) {
      const size_t other = CountOf(c.other_batch) == 1 ? 0 : b;
      for (size_t i = 0; i < m; ++i) {
        for (size_t j = 0; j < n; ++j) {
          double sum = c.bias ? bias[j] : 0;
          for (size_t l = 0; l < k; ++l) {
            sum += x1[b * m * k + (c.turn_left ? l * m + i : i * k + l)] *
                   x2[other * k * n + (c.turn_right ? j * k + l : l * n + j)];
          }
          out.push_back(sum);
        }
      }
    }
    return out;
  }

  void CheckQuant(const Product& c) {
    const Shape left = Shaped(c.batch, c.m, c.k, c.turn_left);
    const Shape right = Shaped(c.other_batch, c.k, c.n, c.turn_right);
    const Numbers x1 = Whole(left, 127), x2 = Whole(right, 127), bias = Whole({c.n}, 1000);
    const Tensor x1_in = Holding(left, ACL_INT8, x1, c.strided);
    const Tensor x2_in = Holding(right, ACL_INT8, x2, c.strided);
    const Tensor bias_in = Holding({c.n}, ACL_INT32, bias, c.strided);
    const Tensor out = Made(Shaped(c.batch, c.m, c.n), ACL_FLOAT16, c.strided);
    const Tensor parameters({.dims = {(c.n + 15) / 16 * 16}, .dtype = ACL_UINT64});
    std::vector<uint64_t> bits(static_cast<size_t>(parameters.count()), ~uint64_t{0});
    Numbers scales;
    for (size_t i = 0; i < static_cast<size_t>(c.n); ++i) {
      scales.push_back(std::ldexp(static_cast<double>(random().Int(512, 1023)), -19));
      bits[i] = ParameterOf(static_cast<float>(scales[i]), 0);
    }
    const_cast<Tensor&>(parameters).Write(bits);
    const Numbers sums = ProductOf(c, x1, x2, bias);
    const auto expect = [&](bool of_columns) {
      const Numbers actual = ReadAs(out);
      for (size_t i = 0; i < sums.size(); ++i) {
        const double expected =
            sums[i] * (of_columns ? scales[i % static_cast<size_t>(c.n)] : scales[0]);
        ASSERT_NEAR(actual[i], expected,
                    1e-6 * std::fabs(expected) + 1.01 * HalfUnitOf(ACL_FLOAT16, expected))
            << i;
      }
      EXPECT_TRUE(out.GuardsIntact());
    };
    const aclTensor* const added = c.bias ? bias_in.handle() : nullptr;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnQuantMatmulV2GetWorkspaceSize(x1_in.handle(), x2_in.handle(), added,
                                                    parameters.handle(), c.turn_left, c.turn_right,
                                                    out.handle(), s, e);
        },
        aclnnQuantMatmulV2);
    expect(true);
    if (c.turn_left || c.turn_right || c.batch != c.other_batch) return;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnQuantMatmulGetWorkspaceSize(x1_in.handle(), x2_in.handle(), added,
                                                  static_cast<float>(scales[0]), out.handle(), s,
                                                  e);
        },
        aclnnQuantMatmul);
    expect(false);
  }

  void CheckBatchQuant(const Product& c, bool one) {
    const Shape left = Shaped(c.batch, c.m, c.k, c.turn_left);
    const Shape right = Shaped(c.batch, c.k, c.n, c.turn_right);
    const Numbers x1 = Whole(left, 8), x2 = Whole(right, 8), bias = Whole({c.n}, 50);
    const Tensor x1_in = Holding(left, ACL_FLOAT16, x1, c.strided);
    const Tensor x2_in = Holding(right, ACL_FLOAT16, x2, c.strided);
    const Tensor bias_in = Holding({c.n}, ACL_FLOAT16, bias, c.strided);
    const Tensor out = Made(Shaped(c.batch, c.m, c.n), ACL_INT8, c.strided);
    Tensor parameters({.dims = {one ? 1 : (c.n + 15) / 16 * 16}, .dtype = ACL_UINT64});
    std::vector<uint64_t> bits(static_cast<size_t>(parameters.count()));
    Numbers scales, offsets;
    for (uint64_t& parameter : bits) {
      scales.push_back(std::ldexp(static_cast<double>(random().Int(1, 1023)), -10));
      offsets.push_back(static_cast<double>(random().Int(-100, 100)));
      parameter =
          ParameterOf(static_cast<float>(scales.back()), static_cast<int64_t>(offsets.back()));
    }
    parameters.Write(bits);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnBatchMatmulQuantGetWorkspaceSize(
              x1_in.handle(), x2_in.handle(), parameters.handle(),
              c.bias ? bias_in.handle() : nullptr, c.turn_left, c.turn_right, out.handle(), s, e);
        },
        aclnnBatchMatmulQuant);
    Product product = c;
    product.other_batch = c.batch;
    const Numbers sums = ProductOf(product, x1, x2, bias), actual = ReadAs(out);
    for (size_t i = 0; i < sums.size(); ++i) {
      const size_t column = one ? 0 : i % static_cast<size_t>(c.n);
      const double exact = sums[i] * scales[column] + offsets[column];
      ASSERT_EQ(actual[i], std::fmin(std::fmax(std::nearbyint(exact), -128), 127)) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(OlderProductsTest, QuantMatmul) {
  for (bool strided : {false, true}) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      Product c = {.strided = strided};
      c.turn_left = (bits & 1) != 0, c.turn_right = (bits & 2) != 0, c.bias = (bits & 4) != 0;
      CheckQuant(c);
      c.batch = c.other_batch = {3};
      CheckQuant(c);
      c.other_batch = {1};
      c.n = 32;
      CheckQuant(c);
    }
  }
}

TEST_F(OlderProductsTest, QuantMatmulWithoutElements) {
  const Tensor x1 = Made({2, 0}, ACL_INT8), x2 = Made({0, 3}, ACL_INT8);
  const Tensor bias = Made({3}, ACL_INT32), out = Holding({2, 3}, ACL_FLOAT16, Numbers(6, 7));
  const Tensor rows = Made({0, 4}, ACL_INT8), matrix = Made({4, 3}, ACL_INT8);
  const Tensor empty = Made({0, 3}, ACL_FLOAT16);
  const auto call = [&](const Tensor& left, const Tensor& right, const Tensor* added,
                        const Tensor& to) {
    return [&, added](uint64_t* s, aclOpExecutor** e) {
      return aclnnQuantMatmulGetWorkspaceSize(left.handle(), right.handle(),
                                              added == nullptr ? nullptr : added->handle(), 0.5f,
                                              to.handle(), s, e);
    };
  };
  RunTwoPhase(call(x1, x2, nullptr, out), aclnnQuantMatmul);
  EXPECT_EQ(ReadAs(out), Numbers(6, 0));
  RunTwoPhase(call(rows, matrix, &bias, empty), aclnnQuantMatmul);
  ExpectRefused(call(x1, x2, &bias, out), ACLNN_ERR_PARAM_INVALID, {"x1.shape = [2, 0]", "bias"});
}

TEST_F(OlderProductsTest, BatchMatmulQuant) {
  for (bool strided : {false, true}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      Product c = {.strided = strided};
      c.turn_left = (bits & 1) != 0, c.turn_right = (bits & 2) != 0, c.bias = (bits & 4) != 0;
      const bool one = (bits & 8) != 0;
      CheckBatchQuant(c, one);
      c.batch = {2, 1, 3};
      CheckBatchQuant(c, one);
      c.batch = {1, 2, 3, 1};
      c.n = 1;
      CheckBatchQuant(c, one);
    }
  }
}

TEST_F(OlderProductsTest, WhatDoesNotFitIsRefused) {
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Tensor x = Made({5, 4}, ACL_INT8), y = Made({4, 20}, ACL_INT8);
  const Tensor bias = Made({20}, ACL_INT32), out = Made({5, 20}, ACL_FLOAT16);
  const Tensor parameters = Made({32}, ACL_UINT64), few = Made({20}, ACL_UINT64);
  const auto quant = [&](const Tensor& left, const Tensor& scales, bool turn) {
    return [&, turn](uint64_t* s, aclOpExecutor** e) {
      return aclnnQuantMatmulV2GetWorkspaceSize(left.handle(), y.handle(), bias.handle(),
                                                scales.handle(), turn, false, out.handle(), s, e);
    };
  };
  const Tensor vector = Made({4}, ACL_INT8);
  ExpectRefused(quant(x, few, false), code, {"deqScale.shape = [20]", "N = 20"});
  ExpectRefused(quant(x, parameters, true), code, {"x1.shape = [5, 4]", "K"});
  ExpectRefused(quant(vector, parameters, false), code, {"x1.shape = [4]", "2 dimensions"});
  const Tensor a = Made({5, 4}, ACL_FLOAT16), b = Made({4, 20}, ACL_FLOAT16);
  const Tensor to = Made({5, 20}, ACL_INT8), two = Made({2, 4, 20}, ACL_FLOAT16);
  const Tensor none = Made({0, 4}, ACL_FLOAT16), no_rows = Made({0, 20}, ACL_INT8);
  const auto batch = [&](const Tensor& left, const Tensor& right, const Tensor& scales,
                         const Tensor& result) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnBatchMatmulQuantGetWorkspaceSize(left.handle(), right.handle(), scales.handle(),
                                                   nullptr, false, false, result.handle(), s, e);
    };
  };
  ExpectRefused(batch(a, b, few, to), code, {"quantParam.shape = [20]", "[1] or"});
  ExpectRefused(batch(a, two, parameters, to), code, {"leading sizes"});
  ExpectRefused(batch(none, b, parameters, no_rows), code, {"elements"});
}

}  // namespace
}  // namespace anyacl::test
