// SPDX-License-Identifier: Apache-2.0
// The masked causal convolution and its gradients against the documents' sums in double precision;
// gradients also as what a change of the inputs does.
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_masked_causal_conv1d.h"
#include "aclnnop/aclnn_masked_causal_conv1d_backward.h"
#include "support/device_test.h"
#include "support/near.h"

namespace anyacl::test::masked_causal_conv {
namespace {

using Numbers = std::vector<double>;

constexpr double kUnit = 0x1p-22;

struct Case {
  int64_t tokens = 7, sequences = 2, columns = 70, taps = 3;
  aclDataType type = ACL_BF16;
  bool masked = true, strided = false;
};

class MaskedCausalConvTest : public DeviceTest {
 protected:
  struct Tensors {
    Tensor x, weight, mask, out, grad, grad_x, grad_weight;
  };

  Tensor Drawn(const Case& c, std::vector<int64_t> dims, aclDataType type) {
    Layout layout{.dims = dims, .dtype = type};
    if (c.strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.strides[0] += 3;
      layout.offset = 5;
    }
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(type == ACL_BOOL ? double(random().Chance(0.7))
                                        : AsHeld(type, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  Tensors TensorsOf(const Case& c) {
    const std::vector<int64_t> all = {c.tokens, c.sequences, c.columns};
    const std::vector<int64_t> weights = {c.taps, c.columns};
    return {Drawn(c, all, c.type),
            Drawn(c, weights, c.type),
            Drawn(c, {c.sequences, c.tokens}, ACL_BOOL),
            Drawn(c, all, c.type),
            Drawn(c, all, c.type),
            Drawn(c, all, c.type),
            Drawn(c, weights, c.type)};
  }

  static Phase1 ForwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMaskedCausalConv1dGetWorkspaceSize(t.x.handle(), t.weight.handle(),
                                                     c.masked ? t.mask.handle() : nullptr,
                                                     t.out.handle(), s, e);
    };
  }
  static Phase1 BackwardOf(const Case& c, const Tensors& t) {
    return [&c, &t](uint64_t* s, aclOpExecutor** e) {
      return aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
          t.grad.handle(), t.x.handle(), t.weight.handle(), c.masked ? t.mask.handle() : nullptr,
          t.grad_x.handle(), t.grad_weight.handle(), s, e);
    };
  }

  // Elements by their indices, zeros outside.
  struct Values {
    Values(const Case& sizes, const Tensors& t)
        : c(sizes),
          x(ReadAs(t.x)),
          weight(ReadAs(t.weight)),
          mask(ReadAs(t.mask)),
          grad(ReadAs(t.grad)) {}
    size_t At(int64_t i, int64_t j, int64_t h) const {
      return static_cast<size_t>((i * c.sequences + j) * c.columns + h);
    }
    double Mask(int64_t i, int64_t j) const {
      return c.masked ? mask[static_cast<size_t>(j * c.tokens + i)] : 1;
    }
    double X(int64_t i, int64_t j, int64_t h) const { return i < 0 ? 0 : x[At(i, j, h)]; }
    double Grad(int64_t i, int64_t j, int64_t h) const {
      return i >= c.tokens ? 0 : Mask(i, j) * grad[At(i, j, h)];
    }
    double Weight(int64_t k, int64_t h) const {
      return weight[static_cast<size_t>(k * c.columns + h)];
    }
    const Case& c;
    Numbers x, weight, mask, grad;
  };

  // Calls visit(i, j, h) for all elements of x in their order.
  template <class Visit>
  static void ForAll(const Case& c, const Visit& visit) {
    for (int64_t i = 0; i < c.tokens; ++i) {
      for (int64_t j = 0; j < c.sequences; ++j) {
        for (int64_t h = 0; h < c.columns; ++h) visit(i, j, h);
      }
    }
  }
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " " << c.sequences << " " << c.columns << " " << c.taps << " type "
                 << c.type << " masked " << c.masked << " strided " << c.strided);
    const Tensors t = TensorsOf(c);
    const Values v(c, t);
    RunTwoPhase(ForwardOf(c, t), aclnnMaskedCausalConv1d);
    Summed out, grad_x, grad_weight(static_cast<size_t>(c.taps * c.columns));
    ForAll(c, [&](int64_t i, int64_t j, int64_t h) {
      double sum = 0, size = 0;
      for (int64_t k = 0; k < c.taps; ++k) {
        const double term = v.X(i - k, j, h) * v.Weight(c.taps - 1 - k, h);
        sum += term;
        size += std::fabs(term);
      }
      out.values.push_back(v.Mask(i, j) * sum);
      out.sizes.push_back(size);
    });
    ExpectNear(t.out, out, kUnit, "output");

    RunTwoPhase(BackwardOf(c, t), aclnnMaskedCausalConv1dBackward);
    ForAll(c, [&](int64_t i, int64_t j, int64_t h) {
      double sum = 0, size = 0;
      for (int64_t k = 0; k < c.taps; ++k) {
        const double term = v.Grad(i + k, j, h) * v.Weight(c.taps - 1 - k, h);
        sum += term;
        size += std::fabs(term);
        grad_weight.Add(static_cast<size_t>(k * c.columns + h),
                        v.Grad(i + c.taps - 1 - k, j, h) * v.X(i, j, h));
      }
      grad_x.values.push_back(sum);
      grad_x.sizes.push_back(size);
    });
    ExpectNear(t.grad_x, grad_x, kUnit, "gradX");
    // Terms of a part are added one after the other.
    ExpectNear(t.grad_weight, grad_weight, 256 * kUnit, "gradWeight");
  }
};

TEST_F(MaskedCausalConvTest, IsTheFormula) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    for (bool masked : {false, true}) {
      for (bool strided : {false, true})
        Check({.type = type, .masked = masked, .strided = strided});
    }
  }
  for (int64_t taps : {1, 2, 3, 4, 9}) Check({.taps = taps});
  // Around tiles of columns, and runs and parts of tokens.
  for (int64_t columns : {1, 63, 64, 65, 1300}) Check({.tokens = 3, .columns = columns});
  for (int64_t tokens : {1, 2, 255, 256, 257, 1023, 1024, 1025, 1027, 2050}) {
    Check({.tokens = tokens, .sequences = 1, .columns = 5});
  }
}

// What is masked is zero whatever x holds there, and reaches no gradient.
TEST_F(MaskedCausalConvTest, WhatIsMaskedIsNotSeen) {
  const Case c = {.tokens = 4, .sequences = 1, .columns = 1};
  const Tensors t = TensorsOf(c);
  Tensor x(t.x.layout()), grad(t.grad.layout()), mask(t.mask.layout());
  WriteAs(x, {1, INFINITY, NAN, 2});
  WriteAs(grad, {1, NAN, INFINITY, 1});
  WriteAs(mask, {1, 0, 0, 0});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaskedCausalConv1dGetWorkspaceSize(x.handle(), t.weight.handle(), mask.handle(),
                                                       t.out.handle(), s, e);
      },
      aclnnMaskedCausalConv1d);
  const Numbers out = ReadAs(t.out), weight = ReadAs(t.weight);
  EXPECT_EQ(out, (Numbers{weight[2], 0, 0, 0}));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
            grad.handle(), t.x.handle(), t.weight.handle(), mask.handle(), t.grad_x.handle(),
            t.grad_weight.handle(), s, e);
      },
      aclnnMaskedCausalConv1dBackward);
  EXPECT_EQ(ReadAs(t.grad_x), (Numbers{weight[2], 0, 0, 0}));
}

// <gradient, conv(x)> is linear in x and in weight: it is <gradX, x> and <gradWeight, weight>.
TEST_F(MaskedCausalConvTest, GradientsAreThoseOfTheConvolution) {
  const Case c = {.tokens = 33, .sequences = 3, .columns = 20, .type = ACL_FLOAT16};
  const Tensors t = TensorsOf(c);
  RunTwoPhase(ForwardOf(c, t), aclnnMaskedCausalConv1d);
  RunTwoPhase(BackwardOf(c, t), aclnnMaskedCausalConv1dBackward);
  const auto product = [](const Tensor& a, const Tensor& b) {
    const Numbers x = ReadAs(a), y = ReadAs(b);
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  };
  const double expected = product(t.grad, t.out);
  EXPECT_NEAR(product(t.grad_x, t.x), expected, 0.5);
  EXPECT_NEAR(product(t.grad_weight, t.weight), expected, 0.5);
}

// Runs of 1,024 tokens share tokens; parts of a gradient do.
TEST_F(MaskedCausalConvTest, ResultsMayBeInputs) {
  const Case c = {.tokens = 5000, .sequences = 2, .columns = 70};
  Tensors t = TensorsOf(c);
  const Numbers x = ReadAs(t.x), grad = ReadAs(t.grad);
  RunTwoPhase(ForwardOf(c, t), aclnnMaskedCausalConv1d);
  RunTwoPhase(BackwardOf(c, t), aclnnMaskedCausalConv1dBackward);
  const Numbers out = ReadAs(t.out), grad_x = ReadAs(t.grad_x), weight = ReadAs(t.grad_weight);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaskedCausalConv1dGetWorkspaceSize(t.x.handle(), t.weight.handle(),
                                                       t.mask.handle(), t.x.handle(), s, e);
      },
      aclnnMaskedCausalConv1d);
  EXPECT_EQ(ReadAs(t.x), out);
  for (const Tensor* over : {&t.x, &t.grad}) {
    WriteAs(t.x, x);
    WriteAs(t.grad, grad);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMaskedCausalConv1dBackwardGetWorkspaceSize(
              t.grad.handle(), t.x.handle(), t.weight.handle(), t.mask.handle(), over->handle(),
              t.grad_weight.handle(), s, e);
        },
        aclnnMaskedCausalConv1dBackward);
    EXPECT_EQ(ReadAs(*over), grad_x);
    EXPECT_EQ(ReadAs(t.grad_weight), weight);
  }
}

TEST_F(MaskedCausalConvTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Case& c, int code, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(c);
    ExpectRefused(ForwardOf(c, t), code, words);
    ExpectRefused(BackwardOf(c, t), code, {});
  };
  refused({.tokens = 0}, ACLNN_ERR_INNER_TILING_ERROR, {"x.shape", "some elements"});
  refused({.taps = 0}, ACLNN_ERR_INNER_TILING_ERROR, {"weight.shape", "some elements"});
  refused({.taps = 65}, ACLNN_ERR_INNER_TILING_ERROR, {"weight.shape[0] = 65", "64"});
  refused({.type = ACL_FLOAT}, ACLNN_ERR_PARAM_INVALID, {"dtype = FLOAT"});
}

}  // namespace
}  // namespace anyacl::test::masked_causal_conv
