// SPDX-License-Identifier: Apache-2.0
// Operators on parts of tensors: gated halves, projections of attention, diagonals.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_quantize.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "aclnnop/aclnn_transform_bias_rescale_qkv.h"
#include "aclnnop/aclnn_zero.h"
#include "ops/elementwise_case.h"

namespace anyacl::test::elementwise_parts {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

class ElementwisePartsTest : public DeviceTest {
 protected:
  std::vector<double> Fill(Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(
          AsHeld(tensor.layout().dtype, static_cast<double>(random().Int(-400, 400)) / 64));
    }
    WriteAs(tensor, values);
    return values;
  }
  // `magnitude`: of what cancels on the way, 1 - sigmoid among others.
  static void ExpectClose(const Tensor& tensor, const std::vector<double>& expected,
                          double magnitude = 0) {
    const aclDataType type = tensor.layout().dtype;
    const auto actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    const double epsilon = type == ACL_DOUBLE ? 0x1p-49 : 0x1p-20;
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_LE(std::fabs(actual[i] - expected[i]), epsilon * (std::fabs(expected[i]) + magnitude) +
                                                        1.01 * HalfUnitOf(type, expected[i]))
          << "element " << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
};

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// [3, 6, 5], halved along each dimension that is even, with steps of every kind.
TEST_F(ElementwisePartsTest, GatedHalvesAndTheirGradient) {
  const std::vector<int64_t> dims = {3, 6, 5}, half = {3, 3, 5};
  for (aclDataType type : kTypes) {
    for (const std::vector<int64_t>& strides :
         {std::vector<int64_t>{}, {1, 3, 18}, {40, 6, 1}, {60, 10, 2}}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " stride " << strides.size());
      Tensor self({.dims = dims, .dtype = type, .strides = strides});
      Tensor g({.dims = half, .dtype = type});
      const Tensor out({.dims = half, .dtype = type, .strides = {16, 5, 1}});
      const Tensor gradient({.dims = dims, .dtype = type, .strides = strides});
      const auto x = Fill(self), grad = Fill(g);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnGluGetWorkspaceSize(self.handle(), -2, out.handle(), s, e);
          },
          aclnnGlu);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnGluBackwardGetWorkspaceSize(g.handle(), self.handle(), 1, gradient.handle(),
                                                    s, e);
          },
          aclnnGluBackward);
      std::vector<double> values, gradients(x.size());
      for (size_t i = 0; i < 45; ++i) {
        const size_t a = i / 15 * 30 + i % 15, b = a + 15;
        const double s = Sigmoid(x[b]);
        values.push_back(x[a] * s);
        gradients[a] = grad[i] * s;
        gradients[b] = grad[i] * s * Sigmoid(-x[b]) * x[a];
      }
      ExpectClose(out, values);
      ExpectClose(gradient, gradients, 6.25 * 6.25 / 16);
      if (type == ACL_DOUBLE) continue;
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnSwiGluGradGetWorkspaceSize(g.handle(), self.handle(), 1, gradient.handle(),
                                                   s, e);
          },
          aclnnSwiGluGrad);
      for (size_t i = 0; i < 45; ++i) {
        const size_t a = i / 15 * 30 + i % 15, b = a + 15;
        const double s = Sigmoid(x[a]);
        gradients[a] = grad[i] * x[b] * (s + s * Sigmoid(-x[a]) * x[a]);
        gradients[b] = grad[i] * s * x[a];
      }
      ExpectClose(gradient, gradients, 6.25 * 6.25);
    }
  }
}

TEST_F(ElementwisePartsTest, HalvesThatDoNotFitAreRefused) {
  Tensor odd({.dims = {2, 3}}), scalar({.dims = {}}), even({.dims = {2, 4}});
  Tensor half({.dims = {2, 2}}), other({.dims = {2, 2}, .dtype = ACL_FLOAT16});
  const auto glu = [&](const Tensor& self, int64_t dim, const Tensor& out) {
    return [&, dim](uint64_t* s, aclOpExecutor** e) {
      return aclnnGluGetWorkspaceSize(self.handle(), dim, out.handle(), s, e);
    };
  };
  ExpectRefused(glu(odd, 1, half), ACLNN_ERR_PARAM_INVALID, {"self.shape[1] = 3", "even"});
  ExpectRefused(glu(scalar, 0, scalar), ACLNN_ERR_PARAM_INVALID, {"at least one dimension"});
  ExpectRefused(glu(even, 2, half), ACLNN_ERR_PARAM_INVALID, {"dim = 2", "-2 to 1"});
  ExpectRefused(glu(even, 0, half), ACLNN_ERR_PARAM_INVALID, {"out.shape = [2, 2]", "[1, 4]"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGluBackwardGetWorkspaceSize(other.handle(), even.handle(), 1, even.handle(), s,
                                                e);
      },
      ACLNN_ERR_PARAM_INVALID, {"FLOAT"});
}

TEST_F(ElementwisePartsTest, ProjectionsBecomeHeads) {
  constexpr int64_t kBatch = 2, kSteps = 3, kHeads = 2, kSize = 5, kColumns = 30;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::vector<int64_t>& strides :
         {std::vector<int64_t>{}, {1, kBatch, kBatch * kSteps}}) {
      Tensor qkv({.dims = {kBatch, kSteps, kColumns}, .dtype = type, .strides = strides});
      Tensor bias({.dims = {kColumns}, .dtype = type, .strides = {2}});
      const std::vector<int64_t> heads = {kBatch, kHeads, kSteps, kSize};
      std::vector<Tensor> outs;
      for (int i = 0; i < 3; ++i) outs.emplace_back(Layout{.dims = heads, .dtype = type});
      const auto x = Fill(qkv), b = Fill(bias);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnTransformBiasRescaleQkvGetWorkspaceSize(qkv.handle(), bias.handle(), kHeads,
                                                                outs[0].handle(), outs[1].handle(),
                                                                outs[2].handle(), s, e);
          },
          aclnnTransformBiasRescaleQkv);
      for (size_t part = 0; part < 3; ++part) {
        std::vector<double> expected;
        for (size_t i = 0; i < kBatch * kHeads * kSteps * kSize; ++i) {
          const size_t d = i % kSize, t = i / kSize % kSteps, h = i / kSize / kSteps % kHeads;
          const size_t n = i / kSize / kSteps / kHeads;
          const size_t column = part * kHeads * kSize + h * kSize + d;
          const double sum = x[(n * kSteps + t) * kColumns + column] + b[column];
          expected.push_back(part == 0 ? sum / std::sqrt(double{kSize}) : sum);
        }
        ExpectClose(outs[part], expected);
      }
    }
  }
  Tensor qkv({.dims = {1, 2, 12}}), bias({.dims = {12}}), out({.dims = {1, 5, 2, 1}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnTransformBiasRescaleQkvGetWorkspaceSize(
            qkv.handle(), bias.handle(), 5, out.handle(), out.handle(), out.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"qkv.shape[2] = 12", "numHeads = 5"});
}

TEST_F(ElementwisePartsTest, QuantizesWithOneScaleOrOneForEachIndex) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType to : {ACL_INT8, ACL_UINT8, ACL_INT32}) {
      for (int64_t scales : {1, 5}) {
        for (bool zeros : {false, true}) {
          SCOPED_TRACE(::testing::Message()
                       << type << " to " << to << " scales " << scales << zeros);
          Tensor x({.dims = {3, 5, 4}, .dtype = type, .strides = {1, 12, 3}});
          Tensor scale({.dims = {scales}, .dtype = type, .strides = {2}});
          Tensor zero({.dims = {scales}, .dtype = ACL_INT32});
          const Tensor out({.dims = {3, 5, 4}, .dtype = to});
          const auto values = Fill(x);
          std::vector<double> s, z;
          for (int64_t i = 0; i < scales; ++i) {
            s.push_back(std::ldexp(1, static_cast<int>(random().Int(-6, 0))));
            z.push_back(static_cast<double>(random().Int(-20, 20)));
          }
          WriteAs(scale, s);
          WriteAs(zero, z);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** e) {
                return aclnnQuantizeGetWorkspaceSize(x.handle(), scale.handle(),
                                                     zeros ? zero.handle() : nullptr, to, -2,
                                                     out.handle(), size, e);
              },
              aclnnQuantize);
          const auto actual = ReadAs(out);
          for (size_t i = 0; i < values.size(); ++i) {
            const size_t k = scales == 1 ? 0 : i / 4 % 5;
            double expected = std::nearbyint(values[i] / s[k] + (zeros ? z[k] : 0));
            if (to == ACL_INT8) expected = std::fmin(std::fmax(expected, -128), 127);
            if (to == ACL_UINT8) expected = std::fmin(std::fmax(expected, 0), 255);
            EXPECT_EQ(actual[i], expected) << i;
          }
        }
      }
    }
  }
  Tensor x({.dims = {2, 3}}), scale({.dims = {2}}), out({.dims = {2, 3}, .dtype = ACL_INT8});
  const auto quantize = [&](aclDataType type, int32_t axis) {
    return [&, type, axis](uint64_t* s, aclOpExecutor** e) {
      return aclnnQuantizeGetWorkspaceSize(x.handle(), scale.handle(), nullptr, type, axis,
                                           out.handle(), s, e);
    };
  };
  ExpectRefused(quantize(ACL_UINT8, 0), ACLNN_ERR_PARAM_INVALID, {"dtype = UINT8", "INT8"});
  ExpectRefused(quantize(ACL_INT8, 1), ACLNN_ERR_PARAM_INVALID, {"scales.shape = [2]", "[3]"});
  ExpectRefused(quantize(ACL_INT8, 2), ACLNN_ERR_PARAM_INVALID, {"axis = 2", "-2 to 1"});
}

TEST_F(ElementwisePartsTest, OneElementFillsATensor) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT64}) {
    for (const std::vector<int64_t>& dims : {std::vector<int64_t>{3, 4}, {}, {0, 2}}) {
      for (const std::vector<int64_t>& one : {std::vector<int64_t>{}, {1}}) {
        const Tensor self({.dims = dims, .dtype = type});
        Tensor value({.dims = one, .dtype = ACL_INT32});
        WriteAs(value, {7});
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnInplaceFillTensorGetWorkspaceSize(self.handle(), value.handle(), s, e);
            },
            aclnnInplaceFillTensor);
        for (double element : ReadAs(self)) EXPECT_EQ(element, 7);
        EXPECT_TRUE(self.GuardsIntact());
      }
    }
  }
  const Tensor self({.dims = {3}}), two({.dims = {2}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnInplaceFillTensorGetWorkspaceSize(self.handle(), two.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"value.shape = [2]"});
}

// A broadcast tensor takes the value once for all elements that share an address.
TEST_F(ElementwisePartsTest, RepeatedElementsAreFilled) {
  const ScalarHandle three(3, ACL_INT64);
  Tensor value({.dims = {1}, .dtype = ACL_INT32});
  WriteAs(value, {3});
  const Layout layouts[] = {{.dims = {4, 3, 2}, .strides = {10, 0, 3}},
                            {.dims = {3, 2}, .strides = {0, 0}},
                            {.dims = {2, 0}, .strides = {0, 1}}};
  for (const Layout& layout : layouts) {
    const Tensor self(layout);
    const auto expect = [&](double number) {
      for (double element : ReadAs(self)) EXPECT_EQ(element, number);
      EXPECT_TRUE(self.GuardsIntact());
    };
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceOneGetWorkspaceSize(self.handle(), s, e);
        },
        aclnnInplaceOne);
    expect(1);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceZeroGetWorkspaceSize(self.handle(), s, e);
        },
        aclnnInplaceZero);
    expect(0);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceFillTensorGetWorkspaceSize(self.handle(), value.handle(), s, e);
        },
        aclnnInplaceFillTensor);
    expect(3);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceZeroGetWorkspaceSize(self.handle(), s, e);
        },
        aclnnInplaceZero);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceFillScalarGetWorkspaceSize(self.handle(), three.get(), s, e);
        },
        aclnnInplaceFillScalar);
    expect(3);
  }
  const Tensor overlapping({.dims = {4, 3, 2}, .strides = {1, 0, 1}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnInplaceZeroGetWorkspaceSize(overlapping.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"selfRef.strides"});
}

class DiagonalTest : public ElementwisePartsTest {
 protected:
  // Which elements NumPy's fill_diagonal sets.
  static std::vector<bool> Filled(const std::vector<int64_t>& dims, bool wrap) {
    int64_t count = 1;
    for (int64_t size : dims) count *= size;
    std::vector<bool> filled(static_cast<size_t>(count));
    int64_t step = 0, least = dims[0];
    for (size_t i = 0; i < dims.size(); ++i) {
      step = step * dims[i] + 1;
      least = std::min(least, dims[i]);
    }
    const bool on = wrap && dims.size() == 2 && dims[0] > dims[1];
    for (int64_t i = 0; i * step < count && (on || i < least); ++i) {
      filled[static_cast<size_t>(i * step)] = true;
    }
    return filled;
  }
};

TEST_F(DiagonalTest, IsFilledAndNothingElse) {
  const std::vector<std::vector<int64_t>> shapes = {{3, 3}, {2, 5}, {5, 2},    {8, 3},
                                                    {9, 1}, {7, 2}, {3, 3, 3}, {0, 4}};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_UINT8,
                           ACL_INT16, ACL_INT32, ACL_INT64, ACL_BOOL}) {
    for (const auto& dims : shapes) {
      for (bool wrap : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " rows " << dims[0] << wrap);
        std::vector<int64_t> strides(dims.size());
        int64_t step = 1;  // columns after each other, with a gap
        for (size_t i = 0; i < dims.size(); ++i) {
          strides[i] = step;
          step *= dims[i] + 1;
        }
        Tensor self(
            {.dims = dims, .dtype = type, .strides = wrap ? strides : std::vector<int64_t>{}});
        WriteAs(self, std::vector<double>(static_cast<size_t>(self.count()), 0));
        const ScalarHandle value(1, ACL_DOUBLE);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnInplaceFillDiagonalGetWorkspaceSize(self.handle(), value.get(), wrap, s,
                                                              e);
            },
            aclnnInplaceFillDiagonal);
        const auto actual = ReadAs(self);
        const auto expected = Filled(dims, wrap);
        for (size_t i = 0; i < actual.size(); ++i) EXPECT_EQ(actual[i] == 1, expected[i]) << i;
        EXPECT_TRUE(self.GuardsIntact());
      }
    }
  }
}

TEST_F(DiagonalTest, RefusesShapesAndValues) {
  Tensor row({.dims = {4}}), box({.dims = {2, 2, 3}}), bytes({.dims = {2, 2}, .dtype = ACL_INT8});
  Tensor halves({.dims = {2, 2}, .dtype = ACL_FLOAT16});
  const ScalarHandle one(1, ACL_INT64), large(128, ACL_INT64), huge(70000, ACL_DOUBLE);
  const auto fill = [](const Tensor& self, const ScalarHandle& value) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnInplaceFillDiagonalGetWorkspaceSize(self.handle(), value.get(), false, s, e);
    };
  };
  ExpectRefused(fill(row, one), ACLNN_ERR_PARAM_INVALID, {"selfRef.shape = [4]", "2 dimensions"});
  ExpectRefused(fill(box, one), ACLNN_ERR_PARAM_INVALID, {"[2, 2, 3]", "equal sizes"});
  ExpectRefused(fill(bytes, large), ACLNN_ERR_PARAM_INVALID, {"fillValue = 128", "INT8"});
  ExpectRefused(fill(halves, huge), ACLNN_ERR_PARAM_INVALID, {"fillValue = 70000", "FLOAT16"});
}

}  // namespace
}  // namespace anyacl::test::elementwise_parts
