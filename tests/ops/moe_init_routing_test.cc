// SPDX-License-Identifier: Apache-2.0
// Rows in the order of their experts against the documents' formulas.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_init_routing.h"
#include "aclnnop/aclnn_moe_init_routing_v2.h"
#include "ops/moe_case.h"
#include "support/fixed.h"

namespace anyacl::test::moe_init_routing {
namespace {

using namespace moe;

// A stable sort, as keyValueSort: the places of `keys` in their order.
std::vector<size_t> PlacesInOrder(const Integers& keys) {
  std::vector<size_t> places(keys.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  return places;
}

class MoeInitRoutingTest : public MoeTest {
 protected:
  Integers DrawnExperts(int64_t count, int64_t low, int64_t high) {
    Integers experts;
    for (int64_t i = 0; i < count; ++i) {
      experts.push_back(static_cast<int32_t>(random().Int(low, high)));
    }
    return experts;
  }
  static Numbers RowOf(const Numbers& x, size_t row, int64_t length) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(row) * length;
    return {begin, begin + length};
  }
};

struct Routing {
  int64_t tokens = 9, length = 20, per_token = 3, active = 1000;
  aclDataType type = ACL_FLOAT;
  bool strided = false;
  int32_t lowest = 0, highest = 5;
};

class MoeInitRoutingV1Test : public MoeInitRoutingTest {
 protected:
  void Check(const Routing& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " active "
                 << c.active << " type " << c.type << " strided " << c.strided);
    const int64_t chosen = c.tokens * c.per_token;
    const int64_t rows = std::min(c.tokens, c.active) * c.per_token;
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    const Integers expert = DrawnExperts(chosen, c.lowest, c.highest);
    Integers row;  // [tokens, per_token], along the first dimension
    for (int64_t i = 0; i < chosen; ++i) {
      row.push_back(static_cast<int32_t>(i % c.per_token * c.tokens + i / c.per_token));
    }
    const Tensor x_in = Holding({c.tokens, c.length}, c.type, x, c.strided);
    const Tensor row_in = Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(row), c.strided);
    const Tensor expert_in =
        Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(expert), c.strided);
    const Tensor expanded = Made({rows, c.length}, c.type, c.strided);
    const Tensor places = Made({chosen}, ACL_INT32, c.strided);
    const Tensor sorted = Made({chosen}, ACL_INT32, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeInitRoutingGetWorkspaceSize(
              x_in.handle(), row_in.handle(), expert_in.handle(), c.active, expanded.handle(),
              places.handle(), sorted.handle(), s, e);
        },
        aclnnMoeInitRouting);
    const std::vector<size_t> order = PlacesInOrder(expert);
    Integers expected_places(row.size()), expected_sorted;
    Numbers expected;
    for (size_t i = 0; i < order.size(); ++i) {
      const int32_t source = row[order[i]];
      expected_sorted.push_back(expert[order[i]]);
      expected_places[static_cast<size_t>(source)] = static_cast<int32_t>(i);
      if (static_cast<int64_t>(i) >= rows) continue;
      const Numbers part = RowOf(x, static_cast<size_t>(source % c.tokens), c.length);
      expected.insert(expected.end(), part.begin(), part.end());
    }
    EXPECT_EQ(ReadAs(expanded), expected);
    EXPECT_EQ(places.Read<int32_t>(), expected_places);
    EXPECT_EQ(sorted.Read<int32_t>(), expected_sorted);
    for (const Tensor* tensor : {&expanded, &places, &sorted}) EXPECT_TRUE(tensor->GuardsIntact());
  }
};

TEST_F(MoeInitRoutingV1Test, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t active : {0, 4, 9, 1000}) {
        Check({.active = active, .type = type, .strided = strided});
      }
    }
    Check({.tokens = 700, .length = 130, .per_token = 8, .type = type, .highest = 255});
    Check({.tokens = 1, .length = 1, .per_token = 1, .type = type});
  }
  // Numbers of experts that take several passes.
  Check({.tokens = 500, .length = 2, .highest = 5000});
  Check({.tokens = 500, .length = 2, .lowest = -(1 << 24), .highest = 1 << 24});
  Check({.tokens = 500, .length = 2, .lowest = INT32_MIN, .highest = INT32_MAX});
  // Nothing.
  Check({.tokens = 0});
  Check({.length = 0});
  Check({.per_token = 0});
}

TEST_F(MoeInitRoutingV1Test, RefusesWhatDoesNotFit) {
  const Tensor x = Made({4, 3}, ACL_FLOAT), half = Made({4, 3}, ACL_FLOAT16);
  Tensor row = Made({4, 2}, ACL_INT32);
  const Tensor expert = Made({4, 2}, ACL_INT32), few = Made({2, 3}, ACL_FLOAT);
  const Tensor expanded = Made({8, 3}, ACL_FLOAT), expanded_half = Made({8, 3}, ACL_FLOAT16);
  const Tensor places = Made({8}, ACL_INT32), other = Made({7}, ACL_INT32);
  const auto call = [&](int64_t active, const Tensor& to, const Tensor& place) {
    return [&, active](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeInitRoutingGetWorkspaceSize(x.handle(), row.handle(), expert.handle(), active,
                                                 to.handle(), place.handle(), places.handle(), s,
                                                 e);
    };
  };
  const int code = ACLNN_ERR_INNER_TILING_ERROR;
  ExpectRefused(call(-1, expanded, places), code, {"activeNum is -1"});
  ExpectRefused(call(2, expanded, places), code,
                {"expandedXOut.shape = [8, 3]", "expected [4, 3]"});
  ExpectRefused(call(4, few, places), code, {"expandedXOut.shape = [2, 3]", "expected [8, 3]"});
  ExpectRefused(call(4, expanded_half, places), ACLNN_ERR_PARAM_INVALID, {"expandedXOut.dtype"});
  ExpectRefused(call(4, expanded, other), code, {"expandedExpertIdxOut.shape[0] = 8", "P = 7"});
  WriteAs(row, {0, 4, 1, 5, 2, 8, 3, 7});
  ExpectTaskFails(call(4, expanded, places), aclnnMoeInitRouting, "rowIdx[2, 1] = 8");
  WriteAs(row, {0, 4, 1, 5, 2, -1, 3, 7});
  ExpectTaskFails(call(4, expanded, places), aclnnMoeInitRouting, "rowIdx[2, 1] = -1");
}

struct RoutingV2 {
  int64_t tokens = 9, length = 20, per_token = 3, active = 0, capacity = 0, experts = 6;
  int64_t pads = 0, count_flag = 0;
  bool before_flag = false;
  aclDataType type = ACL_FLOAT;
  bool strided = false;
};

class MoeInitRoutingV2Test : public MoeInitRoutingTest {
 protected:
  struct Tensors {
    Tensor x, expert, expanded, places, counts, before;
  };
  static Phase1 CallOf(const RoutingV2& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeInitRoutingV2GetWorkspaceSize(
          t.x.handle(), t.expert.handle(), c.active, c.capacity, c.experts, c.pads, c.count_flag,
          c.before_flag, t.expanded.handle(), t.places.handle(), t.counts.handle(),
          t.before.handle(), s, e);
    };
  }
  static Shape ExpandedOf(const RoutingV2& c) {
    const int64_t chosen = c.tokens * c.per_token;
    if (c.pads == 1) return {c.experts, c.capacity, c.length};
    return {c.active > 0 ? std::min(c.active, chosen) : chosen, c.length};
  }
  static Tensors TensorsOf(const RoutingV2& c, const Numbers& x, const Integers& expert) {
    return {Holding({c.tokens, c.length}, c.type, x, c.strided),
            Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(expert), c.strided),
            Made(ExpandedOf(c), c.type, c.strided),
            Made({c.tokens * c.per_token}, ACL_INT32, c.strided),
            Made({c.experts}, ACL_INT32, c.strided),
            Made({c.experts}, ACL_INT32, c.strided)};
  }

  void Check(const RoutingV2& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " of "
                 << c.experts << " active " << c.active << " capacity " << c.capacity << " pads "
                 << c.pads << " counts " << c.count_flag << c.before_flag << " type " << c.type
                 << " strided " << c.strided);
    const int64_t chosen = c.tokens * c.per_token;
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    // The last expert but one has nothing.
    Integers expert = DrawnExperts(chosen, 0, c.experts - 1);
    for (int32_t& number : expert) number -= c.experts > 2 && number == c.experts - 2;
    const Tensors t = TensorsOf(c, x, expert);
    RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingV2);

    const auto length = static_cast<size_t>(c.length);
    Integers histogram(static_cast<size_t>(c.experts)), expected_places(expert.size());
    Numbers expected(static_cast<size_t>(t.expanded.count()), 0.0);
    const std::vector<size_t> order = PlacesInOrder(expert);
    for (size_t i = 0; i < order.size(); ++i) {
      const auto number = static_cast<size_t>(expert[order[i]]);
      const int32_t rank = histogram[number]++;
      auto to = static_cast<int32_t>(i);
      if (c.pads == 1) {
        to = rank < c.capacity
                 ? static_cast<int32_t>(number) * static_cast<int32_t>(c.capacity) + rank
                 : -1;
      }
      expected_places[order[i]] = to;
      if (to < 0 || static_cast<size_t>(to) * length >= expected.size()) continue;
      const Numbers row = RowOf(x, order[i] / static_cast<size_t>(c.per_token), c.length);
      std::copy(row.begin(), row.end(),
                expected.begin() + static_cast<std::ptrdiff_t>(static_cast<size_t>(to) * length));
    }
    EXPECT_EQ(ReadAs(t.expanded), expected);
    EXPECT_EQ(t.places.Read<int32_t>(), expected_places);
    const Tensor untouched = Made({c.experts}, ACL_INT32, c.strided);
    if (c.pads == 1 && c.before_flag) {
      EXPECT_EQ(t.before.Read<int32_t>(), histogram);
    } else {
      EXPECT_EQ(t.before.Bytes(), untouched.Bytes());
    }
    if (c.pads == 0 && c.count_flag > 0) {
      if (c.count_flag == 1) {
        std::partial_sum(histogram.begin(), histogram.end(), histogram.begin());
      }
      EXPECT_EQ(t.counts.Read<int32_t>(), histogram);
    } else {
      EXPECT_EQ(t.counts.Bytes(), untouched.Bytes());
    }
    for (const Tensor* tensor : {&t.expanded, &t.places, &t.counts, &t.before}) {
      EXPECT_TRUE(tensor->GuardsIntact());
    }
  }
};

TEST_F(MoeInitRoutingV2Test, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t flag : {0, 1, 2}) {
        for (int64_t active : {0, 1, 20, 27, 100}) {
          Check({.active = active, .count_flag = flag, .type = type, .strided = strided});
        }
        for (int64_t capacity : {1, 4, 9}) {
          Check({.capacity = capacity,
                 .pads = 1,
                 .count_flag = flag,
                 .before_flag = flag != 1,
                 .type = type,
                 .strided = strided});
        }
      }
    }
    Check({.tokens = 700,
           .length = 130,
           .per_token = 8,
           .experts = 256,
           .count_flag = 1,
           .type = type});
    Check({.tokens = 700,
           .length = 130,
           .per_token = 8,
           .capacity = 25,
           .experts = 256,
           .pads = 1,
           .before_flag = true,
           .type = type});
  }
  Check({.tokens = 300, .length = 3, .experts = 9000, .count_flag = 2});
  Check({.experts = 1, .count_flag = 1, .before_flag = true});
}

TEST_F(MoeInitRoutingV2Test, OfNothingIsNothing) {
  Check({.tokens = 0, .count_flag = 1});
  Check({.tokens = 0, .count_flag = 2});
  Check({.tokens = 0, .capacity = 2, .pads = 1, .before_flag = true});
  Check({.length = 0, .count_flag = 2});
  Check({.length = 0, .capacity = 2, .pads = 1, .before_flag = true});
  Check({.per_token = 0, .count_flag = 2});
  Check({.tokens = 0});
}

TEST_F(MoeInitRoutingV2Test, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_NULLPTR;
  const Numbers x(180);
  const Integers expert(27);
  const auto refused = [&](const RoutingV2& right, const auto& change,
                           std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(right, x, expert);
    RoutingV2 wrong = right;
    change(wrong);
    ExpectRefused(CallOf(wrong, t), code, words);
  };
  const RoutingV2 plain = {.count_flag = 1},
                  padded = {.capacity = 3, .pads = 1, .before_flag = true};
  using Wrong = RoutingV2&;
  refused(plain, [](Wrong c) { c.active = -1; }, {"activeNumOptional is -1"});
  refused(plain, [](Wrong c) { c.capacity = -1; }, {"expertCapacityOptional is -1"});
  refused(plain, [](Wrong c) { c.experts = -1; }, {"expertNumOptional is -1"});
  refused(plain, [](Wrong c) { c.pads = 2; }, {"dropPadModeOptional is 2", "0 to 1"});
  refused(plain, [](Wrong c) { c.count_flag = 3; },
          {"expertTokensCountOrCumsumFlagOptional is 3", "0 to 2"});
  refused(plain, [](Wrong c) { c.experts = 0; }, {"expertNumOptional is 0", "at least 1"});
  refused(plain, [](Wrong c) { c.experts = 7; },
          {"expertTokensCountOrCumsumOutOptional.shape = [6]", "expected [7]"});
  refused(plain, [](Wrong c) { c.active = 5; }, {"expandedXOut.shape", "expected [5, 20]"});
  refused(padded, [](Wrong c) { c.experts = 0; },
          {"expertNumOptional is 0", "dropPadModeOptional"});
  refused(padded, [](Wrong c) { c.capacity = 0; }, {"expertCapacityOptional is 0", "1 to 9"});
  refused(padded, [](Wrong c) { c.capacity = 10; }, {"expertCapacityOptional is 10", "1 to 9"});
  refused(padded, [](Wrong c) { c.experts = int64_t{1} << 40; }, {"2147483647"});
  refused(padded, [](Wrong c) { c.pads = 0; }, {"expandedXOut.shape", "expected [27, 20]"});
  // Counts that are asked for must be there; others need not.
  const Tensors t = TensorsOf(plain, x, expert);
  const auto without = [&](int64_t flag) {
    return [&, flag](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeInitRoutingV2GetWorkspaceSize(t.x.handle(), t.expert.handle(), 0, 0, 6, 0,
                                                   flag, true, t.expanded.handle(),
                                                   t.places.handle(), nullptr, nullptr, s, e);
    };
  };
  ExpectRefused(without(1), ACLNN_ERR_PARAM_NULLPTR,
                {"expertTokensCountOrCumsumOutOptional is null"});
  RunTwoPhase(without(0), aclnnMoeInitRoutingV2);
}

TEST_F(MoeInitRoutingV2Test, ExpertsThatAreNoneFail) {
  const Numbers x(180);
  for (int32_t number : {-1, 6, INT32_MAX, INT32_MIN}) {
    Integers expert(27);
    expert[13] = number;
    const std::string word = "expertIdx[4, 1] = " + std::to_string(number);
    for (const RoutingV2& c : {RoutingV2{.count_flag = 1}, RoutingV2{.capacity = 3, .pads = 1}}) {
      const Tensors t = TensorsOf(c, x, expert);
      ExpectTaskFails(CallOf(c, t), aclnnMoeInitRoutingV2, word);
    }
    // Where nothing is counted they are numbers like others.
    const RoutingV2 c;
    const Tensors t = TensorsOf(c, x, expert);
    RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingV2);
  }
}

}  // namespace
}  // namespace anyacl::test::moe_init_routing
