// SPDX-License-Identifier: Apache-2.0
// FusedSgd against the document's formulas in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_sgd.h"
#include "ops/moe_case.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Descent {
  aclDataType type = ACL_FLOAT;
  std::vector<Shape> shapes = {{5000}, {}, {7, 13}, {0, 3}, {2, 1, 3}};
  bool buffers = true, strided = false, nesterov = false, maximize = false, first = false;
  std::optional<double> scale = {};
  aclDataType scale_type = ACL_FLOAT;
  float weight_decay = 0.25f, momentum = 0.875f, lr = 0.125f, dampening = 0.5f;
};

class SgdTest : public MoeTest {
 protected:
  struct Lists {
    Tensors params, grads, buffers;
  };

  void Fill(const Descent& c, Tensors* tensors, std::vector<Numbers>* numbers) {
    for (const Shape& shape : c.shapes) {
      int64_t count = 1;
      for (int64_t size : shape) count *= size;
      numbers->push_back(Drawn(c.type, static_cast<size_t>(count), -2, 2));
      tensors->push_back(
          std::make_unique<Tensor>(Holding(shape, c.type, numbers->back(), c.strided)));
    }
  }

  static aclnnStatus Call(const Descent& c, const Lists& lists, const aclTensor* scale,
                          uint64_t* size, aclOpExecutor** executor) {
    const TensorList params(lists.params), grads(lists.grads), buffers(lists.buffers);
    return aclnnFusedSgdGetWorkspaceSize(params.handle(), grads.handle(),
                                         c.buffers ? buffers.handle() : nullptr, scale,
                                         c.weight_decay, c.momentum, c.lr, c.dampening, c.nesterov,
                                         c.maximize, c.first, size, executor);
  }

  static void ExpectNear(double actual, double expected, aclDataType type) {
    ASSERT_NEAR(actual, expected,
                16 * 0x1p-24 * (std::fabs(expected) + 4) + 1.01 * HalfUnitOf(type, expected));
  }

  void Check(const Descent& c) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << c.type << " buffers " << c.buffers << " strided " << c.strided
                 << " nesterov " << c.nesterov << " maximize " << c.maximize << " first " << c.first
                 << " scale " << c.scale.value_or(0) << " weight decay " << c.weight_decay);
    Lists lists;
    std::vector<Numbers> params, grads, buffers;
    Fill(c, &lists.params, &params);
    Fill(c, &lists.grads, &grads);
    Fill(c, &lists.buffers, &buffers);
    const Tensor scale = Holding({1}, c.scale_type, {c.scale.value_or(1)});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return Call(c, lists, c.scale ? scale.handle() : nullptr, s, e);
        },
        aclnnFusedSgd);
    for (size_t t = 0; t < params.size(); ++t) {
      const Numbers new_params = ReadAs(*lists.params[t]), new_grads = ReadAs(*lists.grads[t]);
      const Numbers new_buffers = ReadAs(*lists.buffers[t]);
      for (size_t i = 0; i < params[t].size(); ++i) {
        const double g = grads[t][i] / c.scale.value_or(1);
        double d = (c.maximize ? -g : g) + double{c.weight_decay} * params[t][i];
        const double v =
            c.first ? d : double{c.momentum} * buffers[t][i] + (1 - double{c.dampening}) * d;
        if (c.buffers) d = c.nesterov ? d + double{c.momentum} * v : v;
        ASSERT_NO_FATAL_FAILURE(ExpectNear(new_grads[i], g, c.type));
        ASSERT_NO_FATAL_FAILURE(ExpectNear(new_buffers[i], c.buffers ? v : buffers[t][i], c.type));
        ASSERT_NO_FATAL_FAILURE(ExpectNear(new_params[i], params[t][i] - double{c.lr} * d, c.type));
      }
      EXPECT_TRUE(lists.params[t]->GuardsIntact() && lists.grads[t]->GuardsIntact() &&
                  lists.buffers[t]->GuardsIntact());
    }
  }
};

TEST_F(SgdTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int bits = 0; bits < 32; ++bits) {
      Descent c = {.type = type,
                   .strided = bits % 2 > 0,
                   .nesterov = bits / 2 % 2 > 0,
                   .maximize = bits / 4 % 2 > 0,
                   .first = bits / 8 % 2 > 0};
      if (c.nesterov) c.dampening = 0;
      if (bits / 16 > 0) c.scale = 4;
      Check(c);
    }
    Check({.type = type, .buffers = false, .momentum = 0});
    Check({.type = type, .buffers = false, .scale = 0.5, .scale_type = ACL_BF16, .momentum = 0});
    Check({.type = type, .buffers = false, .first = true, .weight_decay = 0, .momentum = 0});
    Check({.type = type, .momentum = 0});
    Check({.type = type, .shapes = {{100000}, {3}}});
  }
}

// Without decay a parameter's infinity does not reach its momentum.
TEST_F(SgdTest, NoDecayIsNoProduct) {
  Lists lists;
  for (auto* list : {&lists.params, &lists.grads, &lists.buffers}) {
    const double value = list == &lists.params ? INFINITY : 1;
    list->push_back(std::make_unique<Tensor>(Holding({1}, ACL_FLOAT, {value})));
  }
  const Descent c = {.weight_decay = 0, .momentum = 1, .dampening = 0};
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return Call(c, lists, nullptr, s, e); },
              aclnnFusedSgd);
  EXPECT_EQ(ReadAs(*lists.buffers[0])[0], 2);
  EXPECT_EQ(ReadAs(*lists.params[0])[0], INFINITY);
}

TEST_F(SgdTest, ListsOfNoneAndScalesOfNothingAreAbsent) {
  Descent c = {.shapes = {{9}}, .momentum = 0};
  Lists lists;
  std::vector<Numbers> params, grads;
  Fill(c, &lists.params, &params);
  Fill(c, &lists.grads, &grads);
  const Tensor scale = Made({0}, ACL_FLOAT);
  RunTwoPhase([&](uint64_t* s, aclOpExecutor** e) { return Call(c, lists, scale.handle(), s, e); },
              aclnnFusedSgd);
  EXPECT_EQ(ReadAs(*lists.grads[0]), grads[0]);
  for (size_t i = 0; i < 9; ++i) {
    ExpectNear(ReadAs(*lists.params[0])[i],
               params[0][i] - 0.125 * (grads[0][i] + 0.25 * params[0][i]), ACL_FLOAT);
  }
}

TEST_F(SgdTest, AScaleOfZeroFailsTheTask) {
  Descent c = {.shapes = {{3}}};
  Lists lists;
  std::vector<Numbers> before;
  for (auto* list : {&lists.params, &lists.grads, &lists.buffers}) Fill(c, list, &before);
  const Tensor zero = Holding({1}, ACL_FLOAT, {0});
  ExpectTaskFails(
      [&](uint64_t* s, aclOpExecutor** e) { return Call(c, lists, zero.handle(), s, e); },
      aclnnFusedSgd, "gradScaleOptional[0] = 0");
  EXPECT_EQ(ReadAs(*lists.params[0]), before[0]);
}

TEST_F(SgdTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Descent& c, const Descent& grads, const Descent& buffers,
                           const Tensor* scale, std::initializer_list<std::string_view> words) {
    Lists lists;
    std::vector<Numbers> before;
    Fill(c, &lists.params, &before);
    Fill(grads, &lists.grads, &before);
    Fill(buffers, &lists.buffers, &before);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return Call(c, lists, scale == nullptr ? nullptr : scale->handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  const Descent c = {.shapes = {{3}, {4}}}, fewer = {.shapes = {{3}}};
  const Descent longer = {.shapes = {{3}, {5}}}, half = {.type = ACL_FLOAT16, .shapes = c.shapes};
  const Tensor two = Made({2}, ACL_FLOAT);
  refused(c, fewer, c, nullptr, {"gradsRef has 1", "expected 2"});
  refused(c, c, fewer, nullptr, {"momentumBufferListOptionalRef has 1"});
  refused(c, longer, c, nullptr, {"gradsRef[1].shape = [5]", "[4]"});
  refused(c, c, longer, nullptr, {"momentumBufferListOptionalRef[1].shape = [5]"});
  refused(c, half, c, nullptr, {"gradsRef[0].dtype = FLOAT16", "FLOAT as paramsRef[0]"});
  refused(c, c, half, nullptr, {"momentumBufferListOptionalRef[0].dtype = FLOAT16"});
  refused(c, c, c, &two, {"gradScaleOptional.shape = [2]"});
  refused({.shapes = {}}, c, c, nullptr, {"paramsRef has 0"});
  for (float wrong : {-1.0f, NAN}) {
    refused({.shapes = c.shapes, .weight_decay = wrong}, c, c, nullptr, {"weightDecay"});
    refused({.shapes = c.shapes, .momentum = wrong}, c, c, nullptr, {"momentum"});
    refused({.shapes = c.shapes, .lr = wrong}, c, c, nullptr, {"lr"});
    refused({.shapes = c.shapes, .dampening = wrong}, c, c, nullptr, {"dampening"});
  }
  refused({.shapes = c.shapes, .buffers = false}, c, c, nullptr, {"momentum = 0.875", "without"});
  refused({.shapes = c.shapes, .nesterov = true}, c, c, nullptr,
          {"dampening = 0.5", "nesterov needs"});
  refused({.shapes = c.shapes, .nesterov = true, .momentum = 0, .dampening = 0}, c, c, nullptr,
          {"momentum = 0", "nesterov needs"});
  refused({.shapes = c.shapes, .buffers = false, .nesterov = true, .momentum = 0, .dampening = 0},
          c, c, nullptr, {"momentum = 0", "nesterov needs"});
}

}  // namespace
}  // namespace anyacl::test
