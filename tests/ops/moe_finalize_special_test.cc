// SPDX-License-Identifier: Apache-2.0
// MoeFinalizeRoutingV3 and V4, with experts that no row belongs to, against the document's formula
// in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_finalize_routing_v3.h"
#include "aclnnop/aclnn_moe_finalize_routing_v4.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

// An array of the call; null if it is not given.
class Range {
 public:
  explicit Range(const std::optional<std::vector<int64_t>>& ends)
      : handle_(ends ? aclCreateIntArray(ends->data(), ends->size()) : nullptr) {}
  ~Range() { aclDestroyIntArray(handle_); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  const aclIntArray* handle() const { return handle_; }

 private:
  aclIntArray* handle_;
};

using Ends = std::optional<std::vector<int64_t>>;

// Experts 0 to 3 have rows.
struct Special {
  int64_t tokens = 7, length = 20, per_token = 3, experts = 10, capacity = 6, mode = 2, k = 1;
  aclDataType type = ACL_FLOAT;
  Ends zero = {{4, 6}}, copy = {{6, 7}}, constant = {{7, 10}};
  bool x1 = true, bias = true, scales = true, expert = true, x = true, alphas = true;
  bool strided = false, v4 = true;

  static bool Has(const Ends& ends, int64_t expert) {
    return ends && ends->size() == 2 && expert >= (*ends)[0] && expert < (*ends)[1];
  }
  bool special(int64_t e) const { return Has(zero, e) || Has(copy, e) || Has(constant, e); }
  int64_t constants() const {
    return constant && constant->size() == 2 ? std::max<int64_t>(0, (*constant)[1] - (*constant)[0])
                                             : 0;
  }
};

class MoeFinalizeSpecialTest : public MoeTest {
 protected:
  struct Data {
    Numbers expanded, x1, bias, scales, x, alpha1, alpha2, v;
    Integers place, expert;
  };
  struct Tensors {
    Tensor expanded, place, x1, bias, scales, expert, x, alpha1, alpha2, v, out;
  };

  Data Draw(const Special& c) {
    const auto some = [&](int64_t rows, int64_t columns) {
      return Drawn(c.type, static_cast<size_t>(rows * columns), -1, 1);
    };
    const int64_t chosen = c.tokens * c.per_token;
    const int64_t rows = c.mode % 2 == 1 ? c.experts * c.capacity : chosen;
    Data d = {some(rows, c.length),
              some(c.tokens, c.length),
              some(c.experts, c.length),
              some(chosen, 1),
              some(c.tokens, c.length),
              some(c.constants(), c.length),
              some(c.constants(), c.length),
              some(c.constants(), c.length),
              Integers(static_cast<size_t>(chosen)),
              {}};
    for (int64_t i = 0; i < c.tokens; ++i) {
      for (int64_t k = 0; k < c.per_token; ++k) {
        const int64_t expert = random().Int(0, c.experts - 1);
        d.expert.push_back(static_cast<int32_t>(expert));
        // Nobody looks for the row of an expert that has none.
        const bool none = c.special(expert);
        d.place[PlaceOf(c, i, k)] = static_cast<int32_t>(none ? -7 : random().Int(0, rows - 1));
      }
    }
    return d;
  }

  static size_t PlaceOf(const Special& c, int64_t token, int64_t k) {
    return static_cast<size_t>(c.mode >= 2 ? token * c.per_token + k : k * c.tokens + token);
  }

  static Tensors TensorsOf(const Special& c, const Data& d) {
    const auto held = [&](int64_t rows, int64_t columns, const Numbers& numbers) {
      return Holding({rows, columns}, c.type, numbers, c.strided);
    };
    const int64_t chosen = c.tokens * c.per_token;
    return {c.mode % 2 == 1
                ? Holding({c.experts, c.capacity, c.length}, c.type, d.expanded, c.strided)
                : held(chosen, c.length, d.expanded),
            Holding({chosen}, ACL_INT32, AsNumbers(d.place), c.strided),
            held(c.tokens, c.length, d.x1),
            held(c.experts, c.length, d.bias),
            held(c.tokens, c.per_token, d.scales),
            Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(d.expert), c.strided),
            held(c.tokens, c.length, d.x),
            held(c.constants(), c.length, d.alpha1),
            held(c.constants(), c.length, d.alpha2),
            held(c.constants(), c.length, d.v),
            Made({c.tokens, c.length}, c.type, c.strided)};
  }

  static Phase1 CallOf(const Special& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      const auto given = [](bool is, const Tensor& tensor) {
        return is ? tensor.handle() : nullptr;
      };
      const Range zero(c.zero), copy(c.copy), constant(c.constant);
      if (!c.v4) {
        return aclnnMoeFinalizeRoutingV3GetWorkspaceSize(
            t.expanded.handle(), t.place.handle(), given(c.x1, t.x1), nullptr,
            given(c.bias, t.bias), given(c.scales, t.scales), given(c.expert, t.expert),
            given(c.x, t.x), given(c.alphas, t.alpha1), given(c.alphas, t.alpha2),
            given(c.alphas, t.v), c.mode, zero.handle(), copy.handle(), constant.handle(),
            t.out.handle(), s, e);
      }
      return aclnnMoeFinalizeRoutingV4GetWorkspaceSize(
          t.expanded.handle(), t.place.handle(), given(c.x1, t.x1), nullptr, given(c.bias, t.bias),
          given(c.scales, t.scales), given(c.expert, t.expert), given(c.x, t.x),
          given(c.alphas, t.alpha1), given(c.alphas, t.alpha2), given(c.alphas, t.v), c.mode,
          zero.handle(), copy.handle(), constant.handle(), c.k, t.out.handle(), s, e);
    };
  }

  // What a token's k-th expert made of column j.
  static double ResultOf(const Special& c, const Data& d, int64_t token, int64_t k, int64_t j) {
    const auto at = [&](const Numbers& of, int64_t row) {
      return of[static_cast<size_t>(row * c.length + j)];
    };
    const int64_t expert = d.expert[static_cast<size_t>(token * c.per_token + k)];
    if (Special::Has(c.copy, expert)) return at(d.x, token);
    if (Special::Has(c.constant, expert)) {
      const int64_t row = expert - (*c.constant)[0];
      return at(d.alpha1, row) * at(d.x, token) + at(d.alpha2, row) * at(d.v, row);
    }
    return at(d.expanded, d.place[PlaceOf(c, token, k)]);
  }

  void Check(const Special& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " mode "
                 << c.mode << " type " << c.type << " strided " << c.strided << " V4 " << c.v4);
    const Data d = Draw(c);
    const Tensors t = TensorsOf(c, d);
    RunTwoPhase(CallOf(c, t), c.v4 ? aclnnMoeFinalizeRoutingV4 : aclnnMoeFinalizeRoutingV3);
    const Numbers out = ReadAs(t.out);
    for (int64_t i = 0; i < c.tokens; ++i) {
      for (int64_t j = 0; j < c.length; ++j) {
        const auto column = static_cast<size_t>(i * c.length + j);
        double expected = c.x1 ? d.x1[column] : 0;
        for (int64_t k = 0; k < c.per_token; ++k) {
          const auto chosen = static_cast<size_t>(i * c.per_token + k);
          if (Special::Has(c.zero, d.expert[chosen])) continue;
          double value = ResultOf(c, d, i, k, j);
          if (c.bias) value += d.bias[static_cast<size_t>(d.expert[chosen] * c.length + j)];
          expected += (c.scales ? d.scales[chosen] : 1) * value;
        }
        const auto terms = static_cast<double>(c.per_token + 2);
        ASSERT_NEAR(out[column], expected,
                    terms * terms * 4 * 0x1p-24 + 1.01 * HalfUnitOf(c.type, expected))
            << i << " " << j;
      }
    }
    EXPECT_TRUE(t.out.GuardsIntact());
  }
};

TEST_F(MoeFinalizeSpecialTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t mode : {0, 1, 2, 3}) {
        for (bool v4 : {false, true}) {
          Special c = {.mode = mode, .type = type, .strided = strided, .v4 = v4};
          Check(c);
          c.bias = c.x1 = false;
          Check(c);
          c.scales = false;
          c.k = 3;
          if (!v4) c.per_token = 1;
          Check(c);
        }
      }
    }
  }
  Check({.tokens = 33, .length = 2100, .per_token = 8, .k = 8});
  // Ranges that have nobody, and those that are alone.
  for (const Ends& none : {Ends{}, Ends{std::vector<int64_t>{}}, Ends{{-1, -1}}}) {
    Check({.zero = none, .copy = none, .constant = none, .x = false, .alphas = false});
    Check({.copy = none, .constant = none, .x = false, .alphas = false});
    Check({.zero = none, .constant = none, .alphas = false});
    Check({.zero = none, .copy = none});
  }
  Check({.per_token = 2,
         .k = 2,
         .zero = {},
         .copy = {},
         .constant = {},
         .bias = false,
         .scales = false,
         .expert = false});
}

TEST_F(MoeFinalizeSpecialTest, NumbersThatNameNothingFail) {
  const auto fails = [&](const Special& c, int64_t expert, int32_t place, std::string_view word) {
    Data d = Draw(c);
    d.expert[4] = static_cast<int32_t>(expert);
    d.place[PlaceOf(c, 1, 1)] = place;
    const Tensors t = TensorsOf(c, d);
    ExpectTaskFails(CallOf(c, t), aclnnMoeFinalizeRoutingV4, word);
  };
  fails({}, 0, -1, "expandedRowIdx[4] = -1");
  fails({.mode = 0}, 0, 21, "expandedRowIdx[8] = 21");
  fails({}, 10, 0, "expert 1 of token 1 is 10");
  fails({.zero = {{4, 5}}}, -1, 0, "expert 1 of token 1 is -1");
}

// Who read them again while others store would take results for numbers of rows.
TEST_F(MoeFinalizeSpecialTest, ResultsMayLieWhereTheIndicesDo) {
  const Special c = {.tokens = 2048, .length = 64, .per_token = 2, .k = 2};
  const Tensors t = TensorsOf(c, Draw(c));
  RunTwoPhase(CallOf(c, t), aclnnMoeFinalizeRoutingV4);
  const Numbers expected = ReadAs(t.out);
  for (const bool experts : {false, true}) {
    const Tensor& indices = experts ? t.expert : t.place;
    const Shape& dims = indices.layout().dims;
    const auto bytes = static_cast<size_t>(c.tokens * c.per_token) * sizeof(int32_t);
    ASSERT_OK(aclrtMemcpy(t.out.data(), bytes, indices.data(), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
    aclTensor* in_place = aclCreateTensor(dims.data(), dims.size(), ACL_INT32, nullptr, 0,
                                          ACL_FORMAT_ND, dims.data(), dims.size(), t.out.data());
    const Range zero(c.zero), copy(c.copy), constant(c.constant);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeFinalizeRoutingV4GetWorkspaceSize(
              t.expanded.handle(), experts ? t.place.handle() : in_place, t.x1.handle(), nullptr,
              t.bias.handle(), t.scales.handle(), experts ? in_place : t.expert.handle(),
              t.x.handle(), t.alpha1.handle(), t.alpha2.handle(), t.v.handle(), c.mode,
              zero.handle(), copy.handle(), constant.handle(), c.k, t.out.handle(), s, e);
        },
        aclnnMoeFinalizeRoutingV4);
    EXPECT_EQ(ReadAs(t.out), expected);
    aclDestroyTensor(in_place);
  }
}

TEST_F(MoeFinalizeSpecialTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const auto& change, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf({}, Draw({}));
    Special wrong;
    change(wrong);
    ExpectRefused(CallOf(wrong, t), ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  using Wrong = Special&;
  refused([](Wrong c) { c.k = 2; }, {"k = 2", "expected 3"});
  refused([](Wrong c) { c.scales = false, c.k = 0; }, {"k = 0", "at least 1"});
  refused([](Wrong c) { c.scales = c.bias = false, c.k = 2; },
          {"expertIdxOptional.shape", "[7, 2]"});
  refused([](Wrong c) { c.zero = {{4}}; }, {"zeroExpertRange has 1"});
  refused([](Wrong c) { c.copy = {{7, 6}}; }, {"copyExpertRange = {7, 6}"});
  refused([](Wrong c) { c.copy = {{-1, 6}}; }, {"copyExpertRange = {-1, 6}"});
  refused([](Wrong c) { c.constant = {{7, 11}}; }, {"constantExpertRange = {7, 11}", "<= 10"});
  refused([](Wrong c) { c.constant = {{7, 7}}; }, {"constantExpertRange = {7, 7}"});
  refused([](Wrong c) { c.copy = {{5, 7}}; }, {"zeroExpertRange", "copyExpertRange", "overlap"});
  refused([](Wrong c) { c.zero = {{9, 10}}; }, {"zeroExpertRange", "constantExpertRange"});
  refused(
      [](Wrong c) {
        c.copy = {{2, 8}}, c.zero = {};
      },
      {"copyExpertRange", "constantExpertRange"});
  refused([](Wrong c) { c.bias = c.expert = false; }, {"expertIdxOptional", "zeroExpertRange"});
  refused([](Wrong c) { c.x = false; }, {"xOptional", "copyExpertRange"});
  refused([](Wrong c) { c.alphas = false; }, {"alpha1Optional", "constantExpertRange"});
  refused([](Wrong c) { c.constant = {{7, 9}}; }, {"alpha1Optional.shape = [3, 20]", "[2, 20]"});
}

}  // namespace
}  // namespace anyacl::test
