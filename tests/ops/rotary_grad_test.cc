// SPDX-License-Identifier: Apache-2.0
// The gradients of rotary position embeddings against the formulas of their document.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_rotary_position_embedding_grad.h"
#include "ops/elementwise_case.h"

namespace anyacl::test::rotary_grad {
namespace {

using Shape = std::vector<int64_t>;
using Values = std::vector<double>;

// Where the elements of pair i of d / 2 are in rows of x and of dy.
struct Pair {
  size_t x1, x2, y1, y2;
};
Pair PairOf(int64_t mode, size_t d, size_t i) {
  const size_t half = d / 2, quarter = d / 4;
  switch (mode) {
    case 0:
      return {i, half + i, i, half + i};
    case 1:
      return {2 * i, 2 * i + 1, 2 * i, 2 * i + 1};
    case 2: {
      const size_t first = i < quarter ? i : half + i - quarter;
      return {first, first + quarter, first, first + quarter};
    }
    default:
      return {2 * i, 2 * i + 1, i, half + i};
  }
}

struct Gradients {
  Values dx, dcos, dsin;
  Values sizes;  // of the terms of the sums
};

// The row of angles that a row of x has.
size_t AngleOf(const Shape& x, const Shape& angles, size_t row) {
  Shape index(x.size() - 1);
  for (size_t i = index.size(); i-- > 0;) {
    index[i] = static_cast<int64_t>(row) % x[i];
    row /= static_cast<size_t>(x[i]);
  }
  int64_t at = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    at = at * angles[i] + (angles[i] == 1 ? 0 : index[i]);
  }
  return static_cast<size_t>(at);
}

Gradients RotaryGrad(const Shape& shape, const Shape& angles, int64_t mode, const Values& dy,
                     const Values& x, const Values& cos, const Values& sin) {
  const auto d = static_cast<size_t>(shape.back());
  Gradients g{Values(dy.size()), Values(cos.size()), Values(cos.size()), Values(cos.size())};
  for (size_t row = 0; row * d < dy.size(); ++row) {
    const size_t a = AngleOf(shape, angles, row) * d, r = row * d;
    for (size_t i = 0; i < d / 2; ++i) {
      const Pair p = PairOf(mode, d, i);
      const double dy1 = dy[r + p.y1], dy2 = dy[r + p.y2];
      const double x1 = x[r + p.x1], x2 = x[r + p.x2];
      g.dx[r + p.x1] = cos[a + p.y1] * dy1 + sin[a + p.y2] * dy2;
      g.dx[r + p.x2] = cos[a + p.y2] * dy2 - sin[a + p.y1] * dy1;
      g.dcos[a + p.y1] += dy1 * x1;
      g.dcos[a + p.y2] += dy2 * x2;
      g.dsin[a + p.y1] -= dy1 * x2;
      g.dsin[a + p.y2] += dy2 * x1;
      g.sizes[a + p.y1] += std::fabs(dy1) * (std::fabs(x1) + std::fabs(x2));
      g.sizes[a + p.y2] += std::fabs(dy2) * (std::fabs(x1) + std::fabs(x2));
    }
  }
  return g;
}

class RotaryGradTest : public DeviceTest {
 protected:
  Values Fill(Tensor& tensor) {
    Values values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(tensor.layout().dtype, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return values;
  }

  // Sums of up to 64 terms in fp32: 2^-24 of the terms' sizes for each addition.
  static void ExpectClose(const Tensor& tensor, const Values& expected, const Values& sizes) {
    const aclDataType type = tensor.layout().dtype;
    const Values actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_LE(std::fabs(actual[i] - expected[i]),
                66 * 0x1p-24 * sizes[i] + 1.01 * HalfUnitOf(type, expected[i]))
          << "element " << i << ": " << actual[i] << " instead of " << expected[i];
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  void Check(const Shape& shape, const Shape& angles, int64_t mode, aclDataType type, bool gaps) {
    SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(shape) << " angles "
                                      << ::testing::PrintToString(angles) << " mode " << mode
                                      << " type " << type << " gaps " << gaps);
    Layout layout{.dims = shape, .dtype = type}, angle{.dims = angles, .dtype = type};
    if (gaps) {
      layout.strides = ContiguousStrides(shape);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.strides[0] += 6;
      layout.offset = 3;
      angle.strides = ContiguousStrides(angles);
      for (int64_t& stride : angle.strides) stride *= 3;
    }
    Tensor dy(layout), x(layout), cos(angle), sin(angle);
    const Tensor dx(layout), dcos(angle), dsin(angle);
    const Values dys = Fill(dy), xs = Fill(x), coss = Fill(cos), sins = Fill(sin);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
              dy.handle(), cos.handle(), sin.handle(), x.handle(), mode, dx.handle(), dcos.handle(),
              dsin.handle(), s, e);
        },
        aclnnRotaryPositionEmbeddingGrad);
    const Gradients expected = RotaryGrad(shape, angles, mode, dys, xs, coss, sins);
    ExpectClose(dx, expected.dx, Values(dys.size(), 1));
    ExpectClose(dcos, expected.dcos, expected.sizes);
    ExpectClose(dsin, expected.dsin, expected.sizes);
  }
};

// Angles of rows, of places, of one dimension and of all; sums of one term, of a few, of more than
// a block of them; rows wider than a tile.
TEST_F(RotaryGradTest, TurnsPairsBack) {
  struct Case {
    Shape x, angles;
  };
  for (const Case& c : {Case{{2, 5, 3, 8}, {1, 5, 1, 8}},
                        {{2, 5, 3, 8}, {2, 5, 3, 8}},
                        {{2, 3, 5, 8}, {2, 1, 5, 8}},
                        {{7, 3, 68}, {7, 1, 68}},
                        {{5, 40, 3, 4}, {1, 1, 3, 4}},
                        {{9, 30, 2, 4}, {1, 1, 1, 4}},
                        {{1, 300, 4, 64}, {1, 300, 1, 64}},
                        {{2, 70, 2, 2052}, {2, 1, 2, 2052}}}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      for (int64_t mode = 0; mode < 4; ++mode) {
        Check(c.x, c.angles, mode, type, false);
        if (c.x.back() < 100) Check(c.x, c.angles, mode, type, true);
      }
    }
  }
}

// Without x only dx is written; of no rows the sums are 0.
TEST_F(RotaryGradTest, WithoutXAndWithoutRows) {
  Tensor dy({.dims = {2, 3, 4}}), angle({.dims = {2, 1, 4}}), none({.dims = {2, 0, 4}});
  Fill(dy);
  Fill(angle);
  const Tensor dx({.dims = {2, 3, 4}}), dcos({.dims = {2, 1, 4}}), dsin({.dims = {2, 1, 4}});
  const auto run = [&](const Tensor& dy, const aclTensor* x, const Tensor& dx) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
              dy.handle(), angle.handle(), angle.handle(), x, 0, dx.handle(), dcos.handle(),
              dsin.handle(), s, e);
        },
        aclnnRotaryPositionEmbeddingGrad);
  };
  const std::vector<uint8_t> before = dcos.Bytes();
  run(dy, nullptr, dx);
  EXPECT_EQ(dcos.Bytes(), before);
  EXPECT_EQ(dsin.Bytes(), before);
  run(none, none.handle(), none);
  EXPECT_EQ(ReadAs(dcos), Values(8, 0));
  EXPECT_EQ(ReadAs(dsin), Values(8, 0));
}

// As the document's example and MindSpeed make what is not asked for.
TEST_F(RotaryGradTest, WithoutXTheirGradientsMayBeAnything) {
  Tensor dy({.dims = {2, 3, 1, 4}}), angle({.dims = {2, 1, 1, 4}});
  Fill(dy);
  Fill(angle);
  std::vector<std::vector<double>> results;
  const std::vector<std::vector<int64_t>> shapes = {{2, 1, 1, 4}, {1, 1, 1, 0}, {0}};
  for (const auto& dims : shapes) {
    const Tensor dx({.dims = {2, 3, 1, 4}});
    const Tensor unused({.dims = dims, .dtype = dims == shapes[0] ? ACL_FLOAT : ACL_BF16});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
              dy.handle(), angle.handle(), angle.handle(), nullptr, 0, dx.handle(), unused.handle(),
              unused.handle(), s, e);
        },
        aclnnRotaryPositionEmbeddingGrad);
    results.push_back(ReadAs(dx));
    EXPECT_TRUE(unused.GuardsIntact());
  }
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

TEST_F(RotaryGradTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 3, 6}}), angle({.dims = {2, 1, 6}}), wrong({.dims = {3, 1, 6}}),
      odd({.dims = {2, 3, 5}}), odd_angle({.dims = {2, 1, 5}}), matrix({.dims = {3, 6}}),
      half({.dims = {2, 3, 6}, .dtype = ACL_FLOAT16});
  const auto call = [](const Tensor& dy, const Tensor& cos, const Tensor& x, int64_t mode,
                       const Tensor& dcos) {
    return [&, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
          dy.handle(), cos.handle(), cos.handle(), x.handle(), mode, dy.handle(), dcos.handle(),
          dcos.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call(x, angle, x, 4, angle), code, {"mode is 4", "0 to 3"});
  ExpectRefused(call(x, angle, x, 2, angle), code, {"dy.shape[2] = 6", "multiple of 4"});
  ExpectRefused(call(odd, odd_angle, odd, 0, odd_angle), code, {"multiple of 2"});
  ExpectRefused(call(matrix, matrix, matrix, 0, matrix), code, {"rank 2", "3 or 4"});
  ExpectRefused(call(x, wrong, x, 0, wrong), code, {"cos.shape = [3, 1, 6]", "broadcasts"});
  ExpectRefused(call(x, angle, half, 0, angle), code, {"xOptional.dtype = FLOAT16"});
  ExpectRefused(call(x, angle, angle, 0, angle), code, {"xOptional.shape"});
  ExpectRefused(call(x, angle, x, 0, wrong), code, {"dcosOut.shape"});
}

}  // namespace
}  // namespace anyacl::test::rotary_grad
