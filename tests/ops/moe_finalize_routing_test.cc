// SPDX-License-Identifier: Apache-2.0
// Sums of experts' rows against the documents' formulas in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_finalize_routing.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2.h"
#include "ops/moe_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Finalizing {
  int64_t tokens = 7, length = 20, per_token = 3, experts = 5;
  int64_t capacity = 6;
  int64_t mode = 0;
  aclDataType type = ACL_FLOAT, scale_type = ACL_FLOAT;
  bool x1 = true, x2 = true, bias = true, scales = true, expert = true;
  bool strided = false;
};

class MoeFinalizeRoutingTest : public MoeTest {
 protected:
  struct Tensors {
    Tensor expanded, place, x1, x2, bias, scales, expert, out;
  };
  struct Data {
    Numbers expanded, x1, x2, bias, scales;
    Integers place, expert;
  };
  static Shape ExpandedOf(const Finalizing& c) {
    if (c.mode % 2 == 1) return {c.experts, c.capacity, c.length};
    return {c.tokens * c.per_token, c.length};
  }
  Data Draw(const Finalizing& c) {
    const auto size = [](int64_t a, int64_t b) { return static_cast<size_t>(a * b); };
    const bool pads = c.mode % 2 == 1;
    const int64_t chosen = c.tokens * c.per_token;
    const int64_t rows = pads ? c.experts * c.capacity : chosen;
    Data d = {Drawn(c.type, size(rows, c.length), -2, 2),
              Drawn(c.type, size(c.tokens, c.length), -2, 2),
              Drawn(c.type, size(c.tokens, c.length), -2, 2),
              Drawn(c.type, size(c.experts, c.length), -2, 2),
              Drawn(c.scale_type, size(chosen, 1), -1, 1),
              {},
              {}};
    for (int64_t i = 0; i < chosen; ++i) {
      d.place.push_back(static_cast<int32_t>(random().Int(pads ? -1 : 0, rows - 1)));
      d.expert.push_back(static_cast<int32_t>(random().Int(0, c.experts - 1)));
    }
    if (pads && chosen > 0) d.place[0] = -1;
    return d;
  }
  static Tensors TensorsOf(const Finalizing& c, const Data& d) {
    const int64_t chosen = c.tokens * c.per_token;
    const bool s = c.strided;
    return {Holding(ExpandedOf(c), c.type, d.expanded, s),
            Holding({chosen}, ACL_INT32, AsNumbers(d.place), s),
            Holding({c.tokens, c.length}, c.type, d.x1, s),
            Holding({c.tokens, c.length}, c.type, d.x2, s),
            Holding({c.experts, c.length}, c.type, d.bias, s),
            Holding({c.tokens, c.per_token}, c.scale_type, d.scales, s),
            Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(d.expert), s),
            Made({c.tokens, c.length}, c.type, s)};
  }
  static Phase1 First(const Finalizing& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeFinalizeRoutingGetWorkspaceSize(
          t.expanded.handle(), t.x1.handle(), c.x2 ? t.x2.handle() : nullptr, t.bias.handle(),
          t.scales.handle(), t.place.handle(), t.expert.handle(), t.out.handle(), s, e);
    };
  }
  static Phase1 Second(const Finalizing& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeFinalizeRoutingV2GetWorkspaceSize(
          t.expanded.handle(), t.place.handle(), c.x1 ? t.x1.handle() : nullptr,
          c.x2 ? t.x2.handle() : nullptr, c.bias ? t.bias.handle() : nullptr,
          c.scales ? t.scales.handle() : nullptr, c.expert ? t.expert.handle() : nullptr, c.mode,
          t.out.handle(), s, e);
    };
  }

  void Check(const Finalizing& c, bool second) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " mode "
                 << c.mode << " type " << c.type << " scales " << c.scale_type << " given " << c.x1
                 << c.x2 << c.bias << c.scales << c.expert << " strided " << c.strided << " V2 "
                 << second);
    const Data d = Draw(c);
    const Tensors t = TensorsOf(c, d);
    RunTwoPhase(second ? Second(c, t) : First(c, t),
                second ? aclnnMoeFinalizeRoutingV2 : aclnnMoeFinalizeRouting);
    const Numbers out = ReadAs(t.out);
    for (int64_t i = 0; i < c.tokens; ++i) {
      for (int64_t j = 0; j < c.length; ++j) {
        const auto at = [&](const Numbers& of, int64_t row) {
          return of[static_cast<size_t>(row * c.length + j)];
        };
        double expected = (c.x1 ? at(d.x1, i) : 0) + (c.x2 ? at(d.x2, i) : 0);
        for (int64_t k = 0; k < c.per_token; ++k) {
          const auto chosen = static_cast<size_t>(i * c.per_token + k);
          const int32_t place =
              d.place[c.mode < 2 ? static_cast<size_t>(i + k * c.tokens) : chosen];
          double value = place < 0 ? 0 : at(d.expanded, place);
          if (c.bias) value += at(d.bias, d.expert[chosen]);
          expected += (c.scales ? d.scales[chosen] : 1) * value;
        }
        // Terms are at most 4 in size.
        const auto terms = static_cast<double>(c.per_token + 2);
        ASSERT_NEAR(out[static_cast<size_t>(i * c.length + j)], expected,
                    terms * terms * 4 * 0x1p-24 + 1.01 * HalfUnitOf(c.type, expected))
            << i << " " << j;
      }
    }
    EXPECT_TRUE(t.out.GuardsIntact());
  }
};

TEST_F(MoeFinalizeRoutingTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      const Finalizing c = {.type = type, .scale_type = type, .strided = strided};
      for (bool x2 : {false, true}) {
        Finalizing first = c;
        first.x2 = x2;
        Check(first, false);
      }
      for (int64_t mode : {0, 1, 2, 3}) {
        for (int given = 0; given < 16; ++given) {
          Finalizing second = c;
          second.mode = mode;
          second.x1 = given % 2 > 0;
          second.x2 = second.x1 && given / 2 % 2 > 0;
          second.bias = given / 4 % 2 > 0;
          second.expert = second.bias || given == 8;
          second.scales = given / 8 > 0;
          if (!second.scales) second.per_token = 1;
          Check(second, true);
          second.scale_type = type == ACL_BF16 ? ACL_FLOAT : type;
          Check(second, true);
        }
      }
    }
    // Around vectors and blocks of columns.
    for (int64_t length : {1, 15, 17, 1023, 1024, 1025, 3000}) {
      Check({.tokens = 33, .length = length, .per_token = 8, .type = type, .scale_type = type},
            false);
      Check({.tokens = 33,
             .length = length,
             .per_token = 8,
             .mode = 3,
             .type = type,
             .scale_type = type},
            true);
    }
    Check({.tokens = 5, .length = 3000, .type = type, .scale_type = type, .strided = true}, true);
  }
}

TEST_F(MoeFinalizeRoutingTest, OfNothingIsNothing) {
  Check({.tokens = 0}, false);
  Check({.tokens = 0, .mode = 3}, true);
  Check({.length = 0}, false);
  Check({.per_token = 0}, false);
  Check({.per_token = 0, .mode = 2}, true);
}

// Neither the number of threads nor the tier may show in any bit.
TEST_F(MoeFinalizeRoutingTest, BitsArePinned) {
  const Finalizing c = {.tokens = 60, .length = 1100, .per_token = 5, .type = ACL_FLOAT};
  Data d = Draw(c);
  d.expanded = FixedNumbers(static_cast<int64_t>(d.expanded.size()), 1);
  d.x1 = FixedNumbers(static_cast<int64_t>(d.x1.size()), 2);
  d.x2 = FixedNumbers(static_cast<int64_t>(d.x2.size()), 3);
  d.bias = FixedNumbers(static_cast<int64_t>(d.bias.size()), 4);
  d.scales = FixedNumbers(static_cast<int64_t>(d.scales.size()), 5);
  for (size_t i = 0; i < d.place.size(); ++i) {
    d.place[i] = static_cast<int32_t>(i * 7 % d.place.size());
    d.expert[i] = static_cast<int32_t>(i % 5);
  }
  const Tensors t = TensorsOf(c, d);
  RunTwoPhase(Second(c, t), aclnnMoeFinalizeRoutingV2);
  EXPECT_EQ(Fingerprint(t.out.ElementBytes()), 0x641ddc9179edab38u);
}

TEST_F(MoeFinalizeRoutingTest, NumbersThatNameNothingFail) {
  const auto fails = [&](const Finalizing& c, const auto& change, std::string_view word) {
    Data d = Draw(c);
    change(d);
    const Tensors t = TensorsOf(c, d);
    const Tensor untouched = Made({c.tokens, c.length}, c.type);
    ExpectTaskFails(Second(c, t), aclnnMoeFinalizeRoutingV2, word);
    EXPECT_EQ(t.out.Bytes(), untouched.Bytes());
    if (c.mode == 0) ExpectTaskFails(First(c, t), aclnnMoeFinalizeRouting, word);
  };
  fails(
      {}, [](Data& d) { d.place[4] = 21; }, "expandedRowIdx[4] = 21");
  fails(
      {}, [](Data& d) { d.place[4] = -1; }, "expandedRowIdx[4] = -1");
  fails(
      {.mode = 2}, [](Data& d) { d.place[20] = -1; }, "expandedRowIdx[20] = -1");
  fails(
      {.mode = 1}, [](Data& d) { d.place[4] = 30; }, "expandedRowIdx[4] = 30");
  fails(
      {.mode = 3}, [](Data& d) { d.place[4] = -2; }, "expandedRowIdx[4] = -2");
  fails(
      {}, [](Data& d) { d.expert[5] = 5; }, "expert 2 of token 1 is 5");
  fails(
      {.mode = 3}, [](Data& d) { d.expert[5] = -1; }, "expert 2 of token 1 is -1");
}

TEST_F(MoeFinalizeRoutingTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_NULLPTR;
  const auto refused = [&](const Finalizing& right, const auto& change, int expected,
                           std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(right, Draw(right));
    Finalizing wrong = right;
    change(wrong);
    ExpectRefused(Second(wrong, t), expected, words);
  };
  using Wrong = Finalizing&;
  refused({}, [](Wrong c) { c.mode = 4; }, code, {"dropPadMode is 4", "0 to 3"});
  refused({}, [](Wrong c) { c.mode = -1; }, code, {"dropPadMode is -1", "0 to 3"});
  refused({}, [](Wrong c) { c.mode = 3; }, code, {"expandedX.shape", "rank 3"});
  refused({.mode = 3}, [](Wrong c) { c.mode = 2; }, code, {"expandedX.shape", "rank 2"});
  refused({}, [](Wrong c) { c.x1 = false; }, code, {"x2Optional is given", "x1Optional is null"});
  refused({}, [](Wrong c) { c.expert = false; }, code,
          {"biasOptional is given", "expertIdxOptional is null"});
  refused({}, [](Wrong c) { c.scales = false; }, code, {"expertIdxOptional.shape = [7, 3]"});
  refused({.bias = false, .expert = false}, [](Wrong c) { c.scales = false; }, code,
          {"expandedRowIdx.shape = [21]", "[7 * 1]"});
  const auto nothing = [](Wrong) {};
  refused({.type = ACL_FLOAT, .scale_type = ACL_FLOAT16}, nothing, ACLNN_ERR_PARAM_INVALID,
          {"scalesOptional.dtype = FLOAT16", "expected FLOAT"});
  refused({.type = ACL_FLOAT16, .scale_type = ACL_FLOAT}, nothing, ACLNN_ERR_PARAM_INVALID,
          {"scalesOptional.dtype = FLOAT", "expected FLOAT16"});
  refused({.type = ACL_BF16, .scale_type = ACL_FLOAT16}, nothing, ACLNN_ERR_PARAM_INVALID,
          {"scalesOptional.dtype = FLOAT16", "BF16 or FLOAT"});
  // Of V1 all factors have the type of the rows.
  const Finalizing c = {.type = ACL_BF16, .scale_type = ACL_FLOAT};
  const Tensors t = TensorsOf(c, Draw(c));
  ExpectRefused(First(c, t), ACLNN_ERR_PARAM_INVALID, {"scales.dtype = FLOAT"});
  Finalizing fewer;
  fewer.per_token = 2;
  const Tensors right = TensorsOf({}, Draw({})), wrong = TensorsOf(fewer, Draw(fewer));
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeFinalizeRoutingGetWorkspaceSize(
            right.expanded.handle(), right.x1.handle(), nullptr, right.bias.handle(),
            right.scales.handle(), wrong.place.handle(), right.expert.handle(), right.out.handle(),
            s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"expandedRowIdx.shape = [14]", "[7 * 3]"});
}

}  // namespace
}  // namespace anyacl::test
