// SPDX-License-Identifier: Apache-2.0
// Operators that route tokens to experts against their documents' formulas in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_finalize_routing.h"
#include "aclnnop/aclnn_moe_finalize_routing_v2.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax_v2.h"
#include "aclnnop/aclnn_moe_init_routing.h"
#include "aclnnop/aclnn_moe_init_routing_v2.h"
#include "support/device_test.h"
#include "support/fixed.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;
using Integers = std::vector<int32_t>;
using Shape = std::vector<int64_t>;

class MoeTest : public DeviceTest {
 protected:
  // Strides: three times those of contiguous elements, and seven more in the first dimension.
  static Tensor Made(const Shape& dims, aclDataType type, bool strided = false) {
    Layout layout{.dims = dims, .dtype = type};
    if (strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 3;
      layout.strides[0] += 7;
      layout.offset = 5;
    }
    return Tensor(layout);
  }
  static Tensor Holding(const Shape& dims, aclDataType type, const Numbers& values,
                        bool strided = false) {
    Tensor tensor = Made(dims, type, strided);
    WriteAs(tensor, values);
    return tensor;
  }
  Numbers Drawn(aclDataType type, size_t count, double low, double high) {
    Numbers values;
    for (size_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Uniform(low, high)));
    return values;
  }
  static Numbers AsNumbers(const Integers& from) { return {from.begin(), from.end()}; }

  // The task fails, phase 1 does not.
  void ExpectTaskFails(const Phase1& phase1, Phase2 phase2, std::string_view word) {
    TakeMessages();
    const Prepared prepared = Prepare(phase1);
    ASSERT_OK(prepared.code);
    const DeviceBuffer workspace(std::max<uint64_t>(1, prepared.workspace_size));
    ASSERT_OK(phase2(workspace.data(), prepared.workspace_size, prepared.executor, stream()));
    ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION, {word});
  }
};

struct Gating {
  Shape rows = {7};
  int64_t experts = 20, k = 3;
  aclDataType type = ACL_FLOAT;
  bool finished = true;
  int64_t renorm = 0;
  bool softmax = true;
  bool strided = false;
  Numbers x = {};  // drawn if empty

  int64_t count() const {
    return std::accumulate(rows.begin(), rows.end(), int64_t{1}, std::multiplies<>());
  }
  Shape With(int64_t last) const {
    Shape dims = rows;
    dims.push_back(last);
    return dims;
  }
};

class MoeGatingTest : public MoeTest {
 protected:
  struct Tensors {
    Tensor x, finished, y, expert, row, softmax;
  };
  Tensors TensorsOf(const Gating& c) {
    const auto count = static_cast<size_t>(c.count());
    Numbers finished(count);
    for (size_t i = 0; i < count; ++i) finished[i] = i % 3 == 1;
    return {Holding(c.With(c.experts), c.type, c.x, c.strided),
            Holding(c.rows, ACL_BOOL, finished, c.strided),
            Made(c.With(c.k), c.type, c.strided),
            Made(c.With(c.k), ACL_INT32, c.strided),
            Made(c.With(c.k), ACL_INT32, c.strided),
            Made(c.With(c.experts), ACL_FLOAT, c.strided)};
  }
  static Phase1 First(const Gating& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(
          t.x.handle(), c.finished ? t.finished.handle() : nullptr, c.k, t.y.handle(),
          t.expert.handle(), t.row.handle(), s, e);
    };
  }
  static Phase1 Second(const Gating& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize(
          t.x.handle(), c.finished ? t.finished.handle() : nullptr, c.k, c.renorm, c.softmax,
          t.y.handle(), t.expert.handle(), t.softmax.handle(), s, e);
    };
  }

  static Numbers SoftmaxOf(const Numbers& x) {
    Numbers e;
    if (x.empty()) return e;
    const double max = *std::max_element(x.begin(), x.end());
    for (double v : x) e.push_back(std::exp(v - max));
    const double sum = std::accumulate(e.begin(), e.end(), 0.0);
    for (double& v : e) v /= sum;
    return e;
  }
  static void Near(aclDataType type, double actual, double expected) {
    ASSERT_NEAR(actual, expected, expected * 0x1p-21 + 1.01 * HalfUnitOf(type, expected));
  }

  void Check(Gating c, bool second) {
    SCOPED_TRACE(::testing::Message() << "rows " << c.count() << " experts " << c.experts << " k "
                                      << c.k << " type " << c.type << " renorm " << c.renorm
                                      << " strided " << c.strided << " V2 " << second);
    const auto count = static_cast<size_t>(c.count()), experts = static_cast<size_t>(c.experts),
               k = static_cast<size_t>(c.k);
    if (c.x.empty()) c.x = Drawn(c.type, count * experts, -4, 4);
    const Tensors t = TensorsOf(c);
    RunTwoPhase(second ? Second(c, t) : First(c, t),
                second ? aclnnMoeGatingTopKSoftmaxV2 : aclnnMoeGatingTopKSoftmax);
    const Numbers y = ReadAs(t.y), softmax = ReadAs(t.softmax);
    const Integers expert = t.expert.Read<int32_t>(), row = t.row.Read<int32_t>();
    for (size_t r = 0; r < count; ++r) {
      const Numbers x(c.x.begin() + static_cast<std::ptrdiff_t>(r * experts),
                      c.x.begin() + static_cast<std::ptrdiff_t>((r + 1) * experts));
      std::vector<size_t> order(experts);
      std::iota(order.begin(), order.end(), size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return x[a] > x[b]; });
      const Numbers all = SoftmaxOf(x);
      Numbers expected;
      for (size_t i = 0; i < k; ++i) {
        expected.push_back(second && c.renorm == 1 ? x[order[i]] : all[order[i]]);
      }
      if (second && c.renorm == 1) expected = SoftmaxOf(expected);
      for (size_t i = 0; i < k; ++i) {
        const size_t at = r * k + i;
        Near(c.type, y[at], expected[i]);
        const bool finished = c.finished && r % 3 == 1;
        ASSERT_EQ(expert[at], static_cast<int32_t>(finished ? experts : order[i])) << r << " " << i;
        if (!second) {
          ASSERT_EQ(row[at], static_cast<int32_t>(i * count + r));
        }
      }
      if (!second || c.renorm == 1 || !c.softmax) continue;
      for (size_t i = 0; i < experts; ++i) Near(ACL_FLOAT, softmax[r * experts + i], all[i]);
    }
    for (const Tensor* tensor : {&t.y, &t.expert, &t.row, &t.softmax}) {
      EXPECT_TRUE(tensor->GuardsIntact());
    }
    const Tensor untouched = Made(c.With(c.experts), ACL_FLOAT, c.strided);
    if (!second || c.renorm == 1 || !c.softmax) {
      EXPECT_EQ(t.softmax.Bytes(), untouched.Bytes());
    }
  }
};

TEST_F(MoeGatingTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (const Shape& rows : {Shape{1}, Shape{7}, Shape{3, 5}}) {
        const Gating c = {.rows = rows, .type = type, .strided = strided};
        Check(c, false);
        for (int64_t renorm : {0, 1}) {
          for (bool softmax : {false, true}) {
            Gating second = c;
            second.renorm = renorm;
            second.softmax = softmax;
            second.finished = softmax;
            Check(second, true);
          }
        }
      }
    }
    for (int64_t experts : {1, 15, 17, 256, 1027, 5000}) {
      for (int64_t k :
           {int64_t{1}, std::min<int64_t>(experts, 8), std::min<int64_t>(experts, 1024)}) {
        Check({.rows = {40}, .experts = experts, .k = k, .type = type}, false);
        Check({.rows = {40}, .experts = experts, .k = k, .type = type, .renorm = 1}, true);
      }
    }
  }
}

// The lower of equal experts comes first; zeros of either sign are equal.
TEST_F(MoeGatingTest, EqualExpertsKeepTheirOrder) {
  for (bool second : {false, true}) {
    Check({.rows = {1}, .experts = 6, .k = 4, .finished = false, .x = {1, 3, 0, 3, 1, 3}}, second);
    Check({.rows = {1}, .experts = 4, .k = 4, .finished = false, .x = {-0.0, 0, -0.0, 0}}, second);
    Check({.rows = {2}, .experts = 3, .k = 3, .x = {-1, 80, -90, -500, -400, -INFINITY}}, second);
  }
}

// NaN comes first, and makes all of its row NaN, as in a softmax.
TEST_F(MoeGatingTest, NanIsTheLargest) {
  Gating c = {.rows = {2}, .experts = 4, .k = 2, .finished = false};
  c.x = {1, NAN, 2, NAN, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (int64_t renorm : {0, 1}) {
    c.renorm = renorm;
    const Tensors t = TensorsOf(c);
    RunTwoPhase(Second(c, t), aclnnMoeGatingTopKSoftmaxV2);
    EXPECT_EQ(t.expert.Read<int32_t>(), (Integers{1, 3, 0, 1}));
    for (double y : ReadAs(t.y)) EXPECT_TRUE(std::isnan(y));
  }
}

// Neither the number of threads nor the tier may show in any bit.
TEST_F(MoeGatingTest, BitsArePinned) {
  Gating c = {.rows = {300}, .experts = 130, .k = 9, .finished = false};
  c.x = FixedNumbers(c.count() * c.experts);
  const Tensors t = TensorsOf(c);
  RunTwoPhase(Second(c, t), aclnnMoeGatingTopKSoftmaxV2);
  EXPECT_EQ(Fingerprint(t.y.ElementBytes()), 0xfd9d34f9bc75a677u);
  EXPECT_EQ(Fingerprint(t.expert.ElementBytes()), 0x34a513dce0f5988fu);
  EXPECT_EQ(Fingerprint(t.softmax.ElementBytes()), 0x84e7a51a6b53dd2cu);
}

TEST_F(MoeGatingTest, OfNothingIsNothing) {
  Check({.k = 0}, false);
  Check({.k = 0, .softmax = true}, true);
  Check({.k = 0, .renorm = 1}, true);
  Check({.rows = {0}}, false);
  Check({.rows = {3, 0}}, true);
  Check({.experts = 0, .k = 0}, true);
}

TEST_F(MoeGatingTest, RefusesWhatDoesNotFit) {
  Gating c;
  c.x = Drawn(c.type, static_cast<size_t>(c.count() * c.experts), -1, 1);
  const Tensors t = TensorsOf(c);
  const auto refused = [&](const Gating& wrong, const Tensors& tensors,
                           std::initializer_list<std::string_view> words, int code) {
    ExpectRefused(First(wrong, tensors), code, words);
    ExpectRefused(Second(wrong, tensors), code, words);
  };
  Gating more = c;
  more.k = 21;
  refused(more, TensorsOf(more), {"k is 21", "0 to 20"}, ACLNN_ERR_INNER_TILING_ERROR);
  more.k = 1025;
  refused(more, t, {"k is 1025", "0 to 1024"}, ACLNN_ERR_INNER_TILING_ERROR);
  more.k = 4;
  refused(more, t, {"yOut.shape", "4"}, ACLNN_ERR_INNER_TILING_ERROR);
  // x of two dimensions, what belongs to it of three.
  Gating deeper = c;
  deeper.rows = {1, 7};
  const Tensors other = TensorsOf(deeper);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(
            t.x.handle(), nullptr, c.k, other.y.handle(), t.expert.handle(), t.row.handle(), s, e);
      },
      ACLNN_ERR_INNER_TILING_ERROR, {"yOut.shape = [1, 7, 3]", "expected [7, 3]"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(t.x.handle(), other.finished.handle(), c.k,
                                                         t.y.handle(), t.expert.handle(),
                                                         t.row.handle(), s, e);
      },
      ACLNN_ERR_INNER_TILING_ERROR, {"finishedOptional.shape = [1, 7]", "expected [7]"});
  more = c;
  more.renorm = 2;
  ExpectRefused(Second(more, t), ACLNN_ERR_INNER_TILING_ERROR, {"renorm is 2", "0 to 1"});
  // A result that is not written may have any shape, or be null.
  const auto with_softmax = [&](const aclTensor* softmax, bool flag, int64_t renorm) {
    return [&, softmax, flag, renorm](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKSoftmaxV2GetWorkspaceSize(
          t.x.handle(), nullptr, c.k, renorm, flag, t.y.handle(), t.expert.handle(), softmax, s, e);
    };
  };
  const Tensor none = Made({0}, ACL_FLOAT);
  ExpectRefused(with_softmax(nullptr, true, 0), ACLNN_ERR_PARAM_NULLPTR,
                {"softmaxResultOutOptional is null"});
  ExpectRefused(with_softmax(none.handle(), true, 0), ACLNN_ERR_INNER_TILING_ERROR,
                {"softmaxResultOutOptional.shape = [0]", "expected [7, 20]"});
  RunTwoPhase(with_softmax(nullptr, false, 0), aclnnMoeGatingTopKSoftmaxV2);
  RunTwoPhase(with_softmax(none.handle(), true, 1), aclnnMoeGatingTopKSoftmaxV2);
}

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
