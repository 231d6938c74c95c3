// SPDX-License-Identifier: Apache-2.0
// FusedSgd and FusedAdamw against the documents' formulas in double precision.
#include <algorithm>
#include <cmath>
#include <functional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_adamw.h"
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

struct Adam {
  aclDataType type = ACL_FLOAT;
  std::vector<Shape> shapes = {{5000}, {}, {7, 13}, {0, 3}};
  bool strided = false, amsgrad = false, maximize = false;
  aclDataType step_type = ACL_FLOAT;
  std::optional<double> scale = {}, found = {};
  double lr = 0.125;
};

class FusedAdamwTest : public SgdTest {
 protected:
  // Parameters, gradients, both averages, the largest second one.
  struct State {
    Tensors lists[5], steps;
    std::vector<Numbers> before[5];
  };

  void Make(const Adam& c, State* state) {
    const Descent like = {.type = c.type, .shapes = c.shapes, .strided = c.strided};
    for (int k = 0; k < 5; ++k) Fill(like, &state->lists[k], &state->before[k]);
    for (int k : {3, 4}) {
      for (size_t t = 0; t < c.shapes.size(); ++t) {
        for (double& value : state->before[k][t]) value = std::fabs(value);
        WriteAs(*state->lists[k][t], state->before[k][t]);
      }
    }
    for (size_t t = 0; t < c.shapes.size(); ++t) {
      const double step = static_cast<double>(t) + 1;
      state->steps.push_back(std::make_unique<Tensor>(Holding({1}, c.step_type, {step})));
    }
  }

  static aclnnStatus CallAdam(const Adam& c, const State& state, const aclTensor* scale,
                              const aclTensor* found, uint64_t* size, aclOpExecutor** executor) {
    const TensorList params(state.lists[0]), grads(state.lists[1]), m(state.lists[2]);
    const TensorList v(state.lists[3]), most(state.lists[4]), steps(state.steps);
    return aclnnFusedAdamwGetWorkspaceSize(params.handle(), grads.handle(), m.handle(), v.handle(),
                                           c.amsgrad ? most.handle() : nullptr, steps.handle(),
                                           scale, found, c.lr, 0.875, 0.96875, 0.25, 0.0078125,
                                           c.amsgrad, c.maximize, size, executor);
  }

  void CheckAdam(const Adam& c) {
    SCOPED_TRACE(::testing::Message() << "type " << c.type << " strided " << c.strided
                                      << " amsgrad " << c.amsgrad << " maximize " << c.maximize);
    State state;
    Make(c, &state);
    const Tensor scale = Holding({1}, ACL_FLOAT, {c.scale.value_or(1)});
    const Tensor found = Holding({1}, ACL_FLOAT, {c.found.value_or(0)});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return CallAdam(c, state, c.scale ? scale.handle() : nullptr,
                          c.found ? found.handle() : nullptr, s, e);
        },
        aclnnFusedAdamw);
    for (size_t t = 0; t < c.shapes.size(); ++t) {
      Numbers after[5];
      for (int k = 0; k < 5; ++k) {
        after[k] = ReadAs(*state.lists[k][t]);
        EXPECT_TRUE(state.lists[k][t]->GuardsIntact());
        ASSERT_TRUE(c.found != 1 || after[k] == state.before[k][t]);
      }
      if (c.found == 1) continue;
      ASSERT_EQ(after[1], state.before[1][t]);
      const double count = static_cast<double>(t) + 2;  // with this step
      for (size_t i = 0; i < after[0].size(); ++i) {
        const auto old = [&](int k) { return state.before[k][t][i]; };
        const double g = (c.maximize ? -1 : 1) * old(1) / c.scale.value_or(1);
        const double m = old(2) * 0.875 + g * 0.125, v = old(3) * 0.96875 + g * g * 0.03125;
        const double most = c.amsgrad ? std::max(v, old(4)) : v;
        const double root = std::sqrt(most / (1 - std::pow(0.96875, count)));
        const double change = c.lr * m / (1 - std::pow(0.875, count)) / (root + 0.0078125);
        const double p = old(0) * (1 - c.lr * 0.25) - change;
        ASSERT_NO_FATAL_FAILURE(ExpectNear(after[2][i], m, c.type));
        ASSERT_NO_FATAL_FAILURE(ExpectNear(after[3][i], v, c.type));
        ASSERT_NEAR(after[0][i], p,
                    64 * 0x1p-24 * (4 + 8 * std::fabs(change)) + 1.01 * HalfUnitOf(c.type, p));
        ASSERT_NO_FATAL_FAILURE(ExpectNear(after[4][i], c.amsgrad ? most : old(4), c.type));
      }
    }
  }
};

TEST_F(FusedAdamwTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int bits = 0; bits < 8; ++bits) {
      Adam c = {.type = type,
                .strided = bits % 2 > 0,
                .amsgrad = bits / 2 % 2 > 0,
                .maximize = bits / 4 > 0,
                .step_type = bits % 2 > 0 ? ACL_INT64 : ACL_FLOAT};
      CheckAdam(c);
      c.scale = 4;
      c.found = 0;
      CheckAdam(c);
    }
    CheckAdam({.type = type, .scale = 2, .found = 1});
  }
}

TEST_F(FusedAdamwTest, RefusesWhatDoesNotFit) {
  const Adam two = {.shapes = {{3}, {4}}};
  const auto refused = [&](const Adam& c, const std::function<void(State&)>& change,
                           const Tensor* scale, std::initializer_list<std::string_view> words) {
    State state;
    Make(c, &state);
    change(state);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return CallAdam(c, state, scale == nullptr ? nullptr : scale->handle(), nullptr, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  const auto nothing = [](State&) {};
  refused({.shapes = two.shapes, .lr = -0.01}, nothing, nullptr, {"lr = -0.01", "0 or more"});
  refused(two, [](State& s) { s.lists[1].pop_back(); }, nullptr, {"grads has 1", "expected 2"});
  refused(two, [](State& s) { s.steps.pop_back(); }, nullptr, {"stateSteps has 1", "expected 2"});
  refused(two, [](State& s) { std::swap(s.lists[2][0], s.lists[2][1]); }, nullptr,
          {"expAvgsRef[0].shape = [4]", "[3]"});
  refused(two, [](State& s) { s.steps[1] = std::make_unique<Tensor>(Made({4}, ACL_FLOAT)); },
          nullptr, {"stateSteps[1].shape = [4]", "one element"});
  refused({.shapes = two.shapes, .step_type = ACL_FLOAT16}, nothing, nullptr,
          {"stateSteps", "FLOAT16"});
  const Tensor pair = Made({2}, ACL_FLOAT), none = Made({0}, ACL_FLOAT);
  refused(two, nothing, &pair, {"gradScaleOptional.shape = [2]"});
  State state;
  Make(two, &state);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return CallAdam(two, state, none.handle(), none.handle(), s, e);
      },
      aclnnFusedAdamw);
  const TensorList params(state.lists[0]), steps(state.steps);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFusedAdamwGetWorkspaceSize(params.handle(), params.handle(), params.handle(),
                                               params.handle(), nullptr, steps.handle(), nullptr,
                                               nullptr, 0.1, 0.9, 0.99, 0, 1e-8, true, false, s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"maxExpAvgSqsRef has 0", "expected 2"});
}

}  // namespace
}  // namespace anyacl::test
