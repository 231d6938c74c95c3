// SPDX-License-Identifier: Apache-2.0
// Gradients of initial and of final routing against the documents' formulas in double precision.
#include <algorithm>
#include <memory>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2_grad.h"
#include "aclnnop/aclnn_moe_init_routing_v2_grad.h"
#include "ops/moe_permuted.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Routing {
  int64_t tokens = 7, length = 20, per_token = 3, experts = 5, capacity = 6;
  int64_t active = 0;
  bool pads = false;
  aclDataType type = ACL_FLOAT;
  bool strided = false;
  // Of final routing.
  bool scales = true, bias = true;

  int64_t places() const { return tokens * per_token; }
  bool cut() const { return !pads && active > 0; }
  int64_t rows() const { return pads ? experts * capacity : cut() ? active : places(); }
  Shape dims() const { return pads ? Shape{experts, capacity, length} : Shape{rows(), length}; }
};

class MoeRoutingGradientTest : public PermutedTest {
 protected:
  static const aclTensor* If(bool given, const Tensor& tensor) {
    return given ? tensor.handle() : nullptr;
  }

  // The row of each place, no two alike; with padding some have none.
  Integers DrawRows(const Routing& c) {
    Integers rows(static_cast<size_t>(std::max(c.places(), c.pads ? c.rows() : 0)));
    std::iota(rows.begin(), rows.end(), 0);
    for (size_t i = rows.size(); i > 1; --i) {
      std::swap(rows[i - 1],
                rows[static_cast<size_t>(random().Int(0, static_cast<int64_t>(i) - 1))]);
    }
    rows.resize(static_cast<size_t>(c.places()));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (c.pads && (i % 4 == 1 || rows[i] >= c.rows())) rows[i] = -1;
    }
    return rows;
  }
  static std::vector<Linked> LinksOf(const Routing& c, const Integers& rows, const Numbers* factors,
                                     std::vector<int64_t>* at) {
    std::vector<Linked> links;
    for (int64_t i = 0; i < c.places(); ++i) {
      const int64_t row = rows[static_cast<size_t>(i)];
      if (row < 0 || row >= c.rows()) continue;
      links.push_back(
          {i / c.per_token, row, factors == nullptr ? 1 : (*factors)[static_cast<size_t>(i)]});
      if (at != nullptr) at->push_back(i);
    }
    return links;
  }

  void CheckInit(const Routing& c) {
    const Integers rows = DrawRows(c);
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Tensor gradient = Holding(c.dims(), c.type, x, c.strided);
    const Tensor places = Holding({c.places()}, ACL_INT32, AsNumbers(rows), c.strided);
    const Tensor out = Made({c.tokens, c.length}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeInitRoutingV2GradGetWorkspaceSize(gradient.handle(), places.handle(),
                                                           c.per_token, c.pads, c.active,
                                                           out.handle(), s, e);
        },
        aclnnMoeInitRoutingV2Grad);
    ExpectSums(out, x, LinksOf(c, rows, nullptr, nullptr), c.per_token);
  }

  void CheckFinalize(const Routing& c) {
    const auto count = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
    const Integers rows = DrawRows(c);
    const Numbers g = Drawn(c.type, count(c.tokens, c.length), -2, 2);
    Numbers x = Drawn(c.type, count(c.rows(), c.length), -1, 1);
    const Numbers s = Drawn(c.type, count(c.places(), 1), -2, 2);
    const Numbers b = Drawn(c.type, count(c.experts, c.length), -1, 1);
    Integers experts;
    for (int64_t i = 0; i < c.places(); ++i) {
      experts.push_back(static_cast<int32_t>(random().Int(0, c.experts - 1)));
    }
    const Tensor grad = Holding({c.tokens, c.length}, c.type, g, c.strided);
    const Tensor places = Holding({c.places()}, ACL_INT32, AsNumbers(rows), c.strided);
    const Tensor expanded = Holding(c.dims(), c.type, x, c.strided);
    const Tensor scales = Holding({c.tokens, c.per_token}, c.type, s, c.strided);
    const Tensor expert =
        Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(experts), c.strided);
    const Tensor bias = Holding({c.experts, c.length}, c.type, b, c.strided);
    const Tensor rows_out = Made(c.dims(), c.type, c.strided);
    const Tensor scales_out = Made({c.tokens, c.per_token}, c.type, c.strided);
    const Tensor untouched = Made({c.tokens, c.per_token}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
              grad.handle(), places.handle(), If(c.scales, expanded), If(c.scales, scales),
              If(c.bias, expert), If(c.bias, bias), c.pads, c.active, c.experts, c.capacity,
              rows_out.handle(), scales_out.handle(), size, e);
        },
        aclnnMoeFinalizeRoutingV2Grad);
    ExpectRows(rows_out, g, LinksOf(c, rows, c.scales ? &s : nullptr, nullptr));
    if (!c.scales) {
      EXPECT_EQ(scales_out.Bytes(), untouched.Bytes());
      return;
    }
    // Of each place what its factor was multiplied by, a row of its own: zeros without a row, and
    // the expert's bias.
    Numbers made(count(c.places(), c.length));
    std::vector<Linked> links;
    std::vector<int64_t> at;
    for (int64_t i = 0; i < c.places(); ++i) {
      const int64_t row = rows[static_cast<size_t>(i)];
      for (int64_t j = 0; j < c.length; ++j) {
        double& to = made[At(i, c.length, j)];
        if (row >= 0 && row < c.rows()) to = x[At(row, c.length, j)];
        if (c.bias) to += b[At(experts[static_cast<size_t>(i)], c.length, j)];
      }
      links.push_back({i / c.per_token, i, 1});
      at.push_back(i);
    }
    ExpectFactors(scales_out, g, made, c.length, links, at);
  }

  void Check(const Routing& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " active "
                 << c.active << " pads " << c.pads << " type " << c.type << " strided " << c.strided
                 << " scales " << c.scales << " bias " << c.bias);
    if (c.per_token > 0) CheckInit(c);
    CheckFinalize(c);
  }
};

TEST_F(MoeRoutingGradientTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (bool bias : {false, true}) {
        for (int64_t active : {0, 1, 13, 21}) {
          Check({.active = active, .type = type, .strided = strided, .bias = bias});
        }
        Check({.pads = true, .type = type, .strided = strided, .bias = bias});
        // Fewer rows than places, and many more.
        Check({.capacity = 2, .pads = true, .type = type, .strided = strided, .bias = bias});
        Check({.capacity = 40, .pads = true, .type = type, .strided = strided, .bias = bias});
        // Without factors neither rows nor biases have any effect.
        const Routing plain = {.tokens = 9,
                               .per_token = 1,
                               .type = type,
                               .strided = strided,
                               .scales = false,
                               .bias = bias};
        Check(plain);
        Routing padded = plain;
        padded.pads = true;
        Check(padded);
        Routing cut = plain;
        cut.active = 4;
        Check(cut);
      }
    }
    for (int64_t length : {1, 1023, 1024, 1025, 3000}) {
      Check({.tokens = 33, .length = length, .per_token = 8, .type = type});
      Check({.tokens = 33,
             .length = length,
             .per_token = 8,
             .capacity = 40,
             .pads = true,
             .type = type});
    }
  }
}

TEST_F(MoeRoutingGradientTest, OfNothingIsNothing) {
  for (bool pads : {false, true}) {
    Check({.tokens = 0, .pads = pads});
    Check({.length = 0, .pads = pads});
    Check({.per_token = 0, .pads = pads});
    Check({.tokens = 0, .per_token = 1, .pads = pads, .scales = false});
  }
}

// An activeNum beyond all rows cuts nothing off from final routing.
TEST_F(MoeRoutingGradientTest, ActiveRowsBeyondAll) {
  const Tensor grad = Holding({1, 2}, ACL_FLOAT, {1, 2}), places = Holding({1}, ACL_INT32, {0});
  const Tensor out = Made({1, 2}, ACL_FLOAT), scales_out = Made({1, 1}, ACL_FLOAT);
  for (int64_t active : {INT64_MIN, int64_t{-1}, int64_t{2}, INT64_MAX}) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
              grad.handle(), places.handle(), nullptr, nullptr, nullptr, nullptr, 0, active, 0, 0,
              out.handle(), scales_out.handle(), s, e);
        },
        aclnnMoeFinalizeRoutingV2Grad);
    EXPECT_EQ(ReadAs(out), (Numbers{1, 2}));
  }
}

TEST_F(MoeRoutingGradientTest, NumbersThatNameNothingFail) {
  const Tensor grad = Made({3, 4}, ACL_FLOAT), scales = Made({3, 2}, ACL_FLOAT);
  const Tensor bias = Made({5, 4}, ACL_FLOAT), scales_out = Made({3, 2}, ACL_FLOAT);
  const Tensor untouched = Made({3, 2}, ACL_FLOAT), out = Made({3, 4}, ACL_FLOAT);
  const auto fails = [&](bool pads, int64_t active, const Numbers& places, const Numbers& experts,
                         std::string_view word, bool init) {
    const Shape dims = pads ? Shape{5, 2, 4} : Shape{active > 0 ? active : 6, 4};
    const Tensor rows = Made(dims, ACL_FLOAT), rows_out = Made(dims, ACL_FLOAT);
    const Tensor place = Holding({6}, ACL_INT32, places),
                 expert = Holding({3, 2}, ACL_INT32, experts);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
              grad.handle(), place.handle(), rows.handle(), scales.handle(), expert.handle(),
              bias.handle(), pads, active, 5, 2, rows_out.handle(), scales_out.handle(), s, e);
        },
        aclnnMoeFinalizeRoutingV2Grad, word);
    EXPECT_EQ(scales_out.Bytes(), untouched.Bytes());
    if (!init) return;
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeInitRoutingV2GradGetWorkspaceSize(rows.handle(), place.handle(), 2, pads,
                                                           active, out.handle(), s, e);
        },
        aclnnMoeInitRoutingV2Grad, word);
  };
  const Numbers right = {0, 1, 2, 3, 4, 0};
  fails(false, 0, {0, 1, 2, 3, 4, 6}, right, "expandedRowIdx[5] = 6, expected 0 to 5", true);
  fails(false, 0, {0, 1, -1, 3, 4, 5}, right, "expandedRowIdx[2] = -1, expected 0 to 5", true);
  fails(false, 2, {0, 1, 2, 3, 4, 6}, right, "expandedRowIdx[5] = 6, expected 0 to 5", true);
  fails(true, 0, {0, 1, 2, 3, 4, 10}, right, "expandedRowIdx[5] = 10, expected -1 to 9", true);
  fails(true, 0, {0, -2, 2, 3, 4, 9}, right, "expandedRowIdx[1] = -2, expected -1 to 9", true);
  fails(true, 0, {0, 1, 2, 0, 4, 5}, right, "expandedRowIdx[3] = 0, expected a row of its own",
        false);
  fails(false, 0, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 5, 4, 0},
        "expert 1 of token 1 is 5, expected 0 to 4", false);
  fails(true, 0, {0, 1, 2, -1, 4, 5}, {0, 1, 2, -1, 4, 0},
        "expert 1 of token 1 is -1, expected 0 to 4", false);
}

TEST_F(MoeRoutingGradientTest, RefusesWhatDoesNotFit) {
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR, invalid = ACLNN_ERR_PARAM_INVALID;
  const Tensor rows = Made({6, 4}, ACL_FLOAT), padded = Made({3, 2, 4}, ACL_FLOAT);
  const Tensor places = Holding({6}, ACL_INT32, {0, 1, 2, 3, 4, 5}), out = Made({3, 4}, ACL_FLOAT);
  const Tensor wide = Made({3, 5}, ACL_FLOAT), half = Made({3, 4}, ACL_FLOAT16);
  const auto init = [&](const Tensor& of, int64_t k, int64_t mode, int64_t active,
                        const Tensor& to) {
    return [&, k, mode, active](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeInitRoutingV2GradGetWorkspaceSize(of.handle(), places.handle(), k, mode,
                                                       active, to.handle(), s, e);
    };
  };
  ExpectRefused(init(rows, 2, 2, 0, out), tiling, {"dropPadMode is 2, expected 0 to 1"});
  ExpectRefused(init(rows, 0, 0, 0, out), tiling, {"topK is 0"});
  ExpectRefused(init(rows, 2, 0, -1, out), tiling, {"activeNum is -1"});
  ExpectRefused(init(rows, 2, 1, 0, out), tiling, {"gradExpandedX.shape", "rank 3"});
  ExpectRefused(init(padded, 2, 0, 0, out), tiling, {"gradExpandedX.shape", "rank 2"});
  ExpectRefused(init(rows, 2, 0, 5, out), tiling,
                {"gradExpandedX.shape[0] = 6, expected 5: activeNum"});
  ExpectRefused(init(out, 2, 0, 0, out), tiling,
                {"gradExpandedX.shape[0] = 3, expected 6: expandedRowIdx.shape[0]"});
  ExpectRefused(init(rows, 4, 0, 0, out), tiling, {"expandedRowIdx.shape[0] = 6, expected 3 * 4"});
  ExpectRefused(init(rows, 2, 0, 0, wide), tiling, {"out.shape[1] = 5"});
  ExpectRefused(init(rows, 2, 0, 0, half), invalid, {"out.dtype"});

  const Tensor scales = Made({3, 2}, ACL_FLOAT), expert = Made({3, 2}, ACL_INT32);
  const Tensor bias = Made({3, 4}, ACL_FLOAT), more = Made({4, 4}, ACL_FLOAT);
  const Tensor half_scales = Made({3, 2}, ACL_FLOAT16), none = Made({0, 4}, ACL_FLOAT);
  struct Call {
    const Tensor *expanded, *scales, *expert, *bias, *rows, *scales_out;
    int64_t mode = 0, active = 0, experts = 0, capacity = 0;
  };
  const auto finalize = [&](const Call& c) {
    const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
    return [&, c, handle](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
          out.handle(), places.handle(), handle(c.expanded), handle(c.scales), handle(c.expert),
          handle(c.bias), c.mode, c.active, c.experts, c.capacity, handle(c.rows),
          handle(c.scales_out), s, e);
    };
  };
  const Call right = {&rows, &scales, &expert, &bias, &rows, &scales};
  const Call right_padded = {&padded, &scales, &expert, &bias, &padded, &scales, 1, 0, 3, 2};
  const auto refused = [&](Call call, const auto& change, int code,
                           std::initializer_list<std::string_view> words) {
    change(call);
    ExpectRefused(finalize(call), code, words);
  };
  refused(right, [](Call& c) { c.mode = 2; }, tiling, {"dropPadMode is 2"});
  refused(right, [](Call& c) { c.expanded = nullptr; }, tiling,
          {"expandedXOptional is null, expected a tensor as scalesOptional is given"});
  refused(right, [](Call& c) { c.expert = nullptr; }, tiling,
          {"expertIdxOptional is null, expected a tensor as biasOptional is given"});
  refused(right, [](Call& c) { c.scales_out = nullptr; }, ACLNN_ERR_PARAM_NULLPTR,
          {"gradScalesOut is null"});
  refused(right, [](Call& c) { c.scales = nullptr; }, tiling,
          {"expandedRowIdx.shape[0] = 6, expected 3 * 1"});
  refused(right, [&](Call& c) { c.scales = &half_scales; }, invalid, {"scalesOptional.dtype"});
  refused(right, [](Call& c) { c.active = 5; }, tiling,
          {"expandedXOptional.shape = [6, 4], expected [5, 4]"});
  refused(right, [&](Call& c) { c.rows = &out; }, tiling, {"gradExpandedXOut.shape"});
  refused(right_padded, [](Call& c) { c.experts = 0; }, tiling,
          {"expertNum is 0, expected at least 1"});
  refused(right_padded, [](Call& c) { c.capacity = -1; }, tiling,
          {"expertCapacity is -1, expected at least 1"});
  refused(right_padded, [](Call& c) { c.capacity = 3; }, tiling,
          {"expandedXOptional.shape = [3, 2, 4], expected [3, 3, 4]"});
  refused(right_padded, [](Call& c) { c.experts = c.capacity = int64_t{1} << 40; }, tiling,
          {"at most 2147483647 rows"});
  refused(right_padded, [&](Call& c) { c.bias = &more; }, tiling,
          {"biasOptional.shape = [4, 4], expected [3, 4]"});
  // No expert has a bias: whatever a number is, it names none.
  Call empty = right;
  empty.bias = &none;
  ExpectTaskFails(finalize(empty), aclnnMoeFinalizeRoutingV2Grad, "expected 0 to -1");
}

}  // namespace
}  // namespace anyacl::test
