// SPDX-License-Identifier: Apache-2.0
// aclnnMoeInitRoutingQuant and V2: rows in the order of their experts, as integers, against the
// documents' formulas.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_init_routing_quant.h"
#include "aclnnop/aclnn_moe_init_routing_quant_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

std::vector<size_t> PlacesInOrder(const Integers& keys) {
  std::vector<size_t> places(keys.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::stable_sort(places.begin(), places.end(),
                   [&](size_t a, size_t b) { return keys[a] < keys[b]; });
  return places;
}

class MoeInitRoutingQuantTest : public MoeTest {
 protected:
  Integers DrawnExperts(int64_t count, int64_t high) {
    Integers experts;
    for (int64_t i = 0; i < count; ++i) {
      experts.push_back(static_cast<int32_t>(random().Int(0, high)));
    }
    return experts;
  }
  static double At(const Numbers& numbers, int64_t i) { return numbers[static_cast<size_t>(i)]; }

  // The whole number next to `exact`, which fp32 may miss by `error`, held within the type.
  static void ExpectRounded(double result, double exact, double error, double most, int64_t at) {
    const double held = std::fmin(std::fmax(exact, -most - 1), most);
    ASSERT_EQ(result, std::nearbyint(result));
    ASSERT_NEAR(result, held, 0.5 + error) << at;
  }
  static constexpr double kError = 0x1p-22;  // of a few roundings
};

struct Case {
  int64_t tokens = 9, length = 20, per_token = 3, active = 1000;
  aclDataType type = ACL_FLOAT;
  double scale = 11.7, offset = -3.25;
  bool strided = false;
};

class MoeInitRoutingQuantV1Test : public MoeInitRoutingQuantTest {
 protected:
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " active "
                 << c.active << " type " << c.type << " strided " << c.strided);
    const int64_t chosen = c.tokens * c.per_token;
    const int64_t rows = std::min(c.tokens, c.active) * c.per_token;
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -14, 14);
    const Integers expert = DrawnExperts(chosen, 5);
    Integers row;
    for (int64_t i = 0; i < chosen; ++i) {
      row.push_back(static_cast<int32_t>(i % c.per_token * c.tokens + i / c.per_token));
    }
    const Tensor x_in = Holding({c.tokens, c.length}, c.type, x, c.strided);
    const Tensor row_in = Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(row), c.strided);
    const Tensor expert_in =
        Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(expert), c.strided);
    const Tensor expanded = Made({rows, c.length}, ACL_INT8, c.strided);
    const Tensor places = Made({chosen}, ACL_INT32, c.strided);
    const Tensor sorted = Made({chosen}, ACL_INT32, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeInitRoutingQuantGetWorkspaceSize(
              x_in.handle(), row_in.handle(), expert_in.handle(), c.active, c.scale, c.offset,
              expanded.handle(), places.handle(), sorted.handle(), s, e);
        },
        aclnnMoeInitRoutingQuant);
    const std::vector<size_t> order = PlacesInOrder(expert);
    const Numbers results = ReadAs(expanded);
    const double scale = static_cast<float>(c.scale), offset = static_cast<float>(c.offset);
    Integers expected_places(row.size()), expected_sorted;
    for (size_t i = 0; i < order.size(); ++i) {
      const int32_t source = row[order[i]];
      expected_sorted.push_back(expert[order[i]]);
      expected_places[static_cast<size_t>(source)] = static_cast<int32_t>(i);
      if (static_cast<int64_t>(i) >= rows || HasFatalFailure()) continue;
      for (int64_t k = 0; k < c.length; ++k) {
        const double v = At(x, source % c.tokens * c.length + k);
        const int64_t at = static_cast<int64_t>(i) * c.length + k;
        ExpectRounded(At(results, at), v * scale + offset,
                      kError * (std::fabs(v * scale) + std::fabs(offset)), 127, at);
      }
    }
    EXPECT_EQ(places.Read<int32_t>(), expected_places);
    EXPECT_EQ(sorted.Read<int32_t>(), expected_sorted);
    for (const Tensor* tensor : {&expanded, &places, &sorted}) EXPECT_TRUE(tensor->GuardsIntact());
  }
};

TEST_F(MoeInitRoutingQuantV1Test, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t active : {0, 4, 9, 1000}) {
        Check({.active = active, .type = type, .strided = strided});
      }
    }
    Check({.tokens = 300, .length = 2050, .per_token = 8, .type = type});
    Check({.tokens = 1, .length = 1, .per_token = 1, .type = type});
  }
  Check({.tokens = 0});
  Check({.length = 0});
  Check({.per_token = 0});
}

TEST_F(MoeInitRoutingQuantV1Test, RefusesWhatDoesNotFit) {
  const Tensor x = Made({4, 3}, ACL_FLOAT), row = Made({4, 2}, ACL_INT32),
               rows = Made({4, 3}, ACL_INT32), expert = Made({4, 2}, ACL_INT32),
               integers = Made({4, 3}, ACL_INT8), deep = Made({1, 4, 3}, ACL_FLOAT);
  const Tensor right = Made({8, 3}, ACL_INT8), few = Made({6, 3}, ACL_INT8),
               wide = Made({8, 3}, ACL_FLOAT), places = Made({8}, ACL_INT32),
               other = Made({7}, ACL_INT32);
  struct Arguments {
    const Tensor *x, *row, *expanded, *place;
    int64_t active = 4;
  };
  const auto refused = [&](const Arguments& a, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          const auto handle = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
          return aclnnMoeInitRoutingQuantGetWorkspaceSize(
              handle(a.x), handle(a.row), expert.handle(), a.active, 1, 0, handle(a.expanded),
              handle(a.place), places.handle(), s, e);
        },
        code, words);
  };
  constexpr int kShape = ACLNN_ERR_INNER_TILING_ERROR, kType = ACLNN_ERR_PARAM_INVALID;
  refused({nullptr, &row, &right, &places}, ACLNN_ERR_PARAM_NULLPTR, {"x", "null"});
  refused({&x, nullptr, &right, &places}, ACLNN_ERR_PARAM_NULLPTR, {"rowIdx", "null"});
  refused({&integers, &row, &right, &places}, kType, {"x.dtype = INT8"});
  refused({&x, &row, &wide, &places}, kType, {"expandedXOut.dtype = FLOAT", "INT8"});
  refused({&deep, &row, &right, &places}, kShape, {"x.shape", "rank 3"});
  refused({&x, &rows, &right, &places}, kShape, {"expertIdx.shape[1] = 2", "3"});
  refused({&x, &row, &right, &places, -1}, kShape, {"activeNum is -1"});
  refused({&x, &row, &few, &places}, kShape, {"expandedXOut.shape = [6, 3]", "[8, 3]"});
  refused({&x, &row, &right, &other}, kShape, {"expandedExpertIdxOut.shape[0] = 8"});
}

struct CaseV2 {
  int64_t tokens = 9, length = 20, per_token = 3, active = 0, capacity = 0, experts = 6;
  int64_t pads = 0, count_flag = 0;
  bool before_flag = false;
  int64_t mode = 1;        // 0: static
  int64_t scale_rows = 0;  // of the dynamic mode's scale; 0: null
  aclDataType type = ACL_FLOAT, result = ACL_INT8;
  bool strided = false;
};

class MoeInitRoutingQuantV2Test : public MoeInitRoutingQuantTest {
 protected:
  struct Tensors {
    std::unique_ptr<Tensor> x, expert, scale, offset, expanded, places, counts, before, row_scale;
  };
  static std::unique_ptr<Tensor> Own(Tensor tensor) {
    return std::make_unique<Tensor>(std::move(tensor));
  }
  static Phase1 CallOf(const CaseV2& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      const auto handle = [](const std::unique_ptr<Tensor>& tensor) {
        return tensor == nullptr ? nullptr : tensor->handle();
      };
      return aclnnMoeInitRoutingQuantV2GetWorkspaceSize(
          handle(t.x), handle(t.expert), handle(t.scale), handle(t.offset), c.active, c.capacity,
          c.experts, c.pads, c.count_flag, c.before_flag, c.mode, handle(t.expanded),
          handle(t.places), handle(t.counts), handle(t.before), handle(t.row_scale), s, e);
    };
  }
  static int64_t RowsOf(const CaseV2& c) {
    const int64_t chosen = c.tokens * c.per_token;
    if (c.pads == 1) return c.experts * c.capacity;
    return c.active > 0 ? std::min(c.active, chosen) : chosen;
  }
  static Tensors TensorsOf(const CaseV2& c, const Numbers& x, const Integers& expert,
                           const Numbers& scale, double offset) {
    Tensors t;
    t.x = Own(Holding({c.tokens, c.length}, c.type, x, c.strided));
    t.expert = Own(Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(expert), c.strided));
    if (c.mode == 0) {
      t.scale = Own(Holding({1}, ACL_FLOAT, scale));
      t.offset = Own(Holding({1}, ACL_FLOAT, {offset}));
    } else if (c.scale_rows > 0) {
      t.scale = Own(Holding({c.scale_rows, c.length}, ACL_FLOAT, scale, c.strided));
    }
    const Shape expanded =
        c.pads == 1 ? Shape{c.experts, c.capacity, c.length} : Shape{RowsOf(c), c.length};
    t.expanded = Own(Made(expanded, c.result, c.strided && c.result != ACL_INT4));
    t.places = Own(Made({c.tokens * c.per_token}, ACL_INT32, c.strided));
    t.counts = Own(Made({c.experts}, ACL_INT32, c.strided));
    t.before = Own(Made({c.experts}, ACL_INT32, c.strided));
    if (c.mode == 1) t.row_scale = Own(Made({RowsOf(c)}, ACL_FLOAT, c.strided));
    return t;
  }

  void Check(const CaseV2& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " of "
                 << c.experts << " active " << c.active << " capacity " << c.capacity << " pads "
                 << c.pads << " counts " << c.count_flag << c.before_flag << " mode " << c.mode
                 << " scales " << c.scale_rows << " type " << c.type << " to " << c.result
                 << " strided " << c.strided);
    const int64_t chosen = c.tokens * c.per_token;
    Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    if (c.tokens > 2) std::fill_n(x.begin() + c.length, c.length, 0.0);  // without a quotient
    Integers expert = DrawnExperts(chosen, c.experts - 1);
    for (int32_t& number : expert) number -= c.experts > 2 && number == c.experts - 2;
    const int64_t scales = c.mode == 0 ? 1 : c.scale_rows * c.length;
    const Numbers scale = Drawn(ACL_FLOAT, static_cast<size_t>(scales), 4, 20);
    const double offset = 2.5;
    const Tensors t = TensorsOf(c, x, expert, scale, offset);
    RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingQuantV2);

    const int64_t rows = RowsOf(c);
    Integers histogram(static_cast<size_t>(c.experts)), expected_places(expert.size());
    std::vector<int64_t> source(static_cast<size_t>(rows), -1);
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
      if (to >= 0 && to < rows) {
        source[static_cast<size_t>(to)] = static_cast<int64_t>(order[i]);
      }
    }
    const std::vector<int8_t> integers = t.expanded->Read<int8_t>();  // of INT4, too
    const Numbers results(integers.begin(), integers.end());
    const Numbers row_scales = c.mode == 1 ? ReadAs(*t.row_scale) : Numbers(source.size(), 0.0);
    const double most = c.result == ACL_INT4 ? 7 : 127;
    for (int64_t row = 0; row < rows && !HasFatalFailure(); ++row) {
      const int64_t from = source[static_cast<size_t>(row)];
      Numbers v(static_cast<size_t>(c.length), 0.0);
      double largest = 0;
      for (int64_t k = 0; k < c.length && from >= 0; ++k) {
        double& number = v[static_cast<size_t>(k)];
        number = At(x, from / c.per_token * c.length + k);
        if (c.mode == 1 && c.scale_rows > 0) {
          const int64_t expert_row = c.scale_rows == 1 ? 0 : expert[static_cast<size_t>(from)];
          number *= At(scale, expert_row * c.length + k);
        }
        largest = std::fmax(largest, std::fabs(number));
      }
      const double expected_scale = c.mode == 0 ? 0 : largest / most;
      ASSERT_NEAR(At(row_scales, row), expected_scale, 0x1p-22 * expected_scale) << row;
      for (int64_t k = 0; k < c.length; ++k) {
        const double number = At(v, k);
        const int64_t at = row * c.length + k;
        if (from < 0 || (c.mode == 1 && largest == 0)) {
          ASSERT_EQ(At(results, at), 0) << at;
        } else if (c.mode == 0) {
          ExpectRounded(At(results, at), number * scale[0] + offset,
                        kError * (std::fabs(number * scale[0]) + offset), most, at);
        } else {
          ExpectRounded(At(results, at), number / expected_scale, kError * most, most, at);
        }
      }
    }
    EXPECT_EQ(t.places->Read<int32_t>(), expected_places);
    const Tensor untouched = Made({c.experts}, ACL_INT32, c.strided);
    if (c.pads == 1 && c.before_flag) {
      EXPECT_EQ(t.before->Read<int32_t>(), histogram);
    } else {
      EXPECT_EQ(t.before->Bytes(), untouched.Bytes());
    }
    if (c.pads == 0 && c.count_flag > 0) {
      if (c.count_flag == 1) {
        std::partial_sum(histogram.begin(), histogram.end(), histogram.begin());
      }
      EXPECT_EQ(t.counts->Read<int32_t>(), histogram);
    } else {
      EXPECT_EQ(t.counts->Bytes(), untouched.Bytes());
    }
    for (const auto* tensor : {&t.expanded, &t.places, &t.counts, &t.before}) {
      EXPECT_TRUE((*tensor)->GuardsIntact());
    }
    if (c.mode == 1) {
      EXPECT_TRUE(t.row_scale->GuardsIntact());
    }
  }
};

TEST_F(MoeInitRoutingQuantV2Test, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (const auto& [mode, scale_rows] :
           {std::pair{0, 0}, std::pair{1, 0}, std::pair{1, 1}, std::pair{1, 6}}) {
        for (int64_t flag : {0, 1, 2}) {
          for (int64_t active : {0, 20, 100}) {
            Check({.active = active,
                   .count_flag = flag,
                   .mode = mode,
                   .scale_rows = scale_rows,
                   .type = type,
                   .strided = strided});
          }
          for (int64_t capacity : {1, 4, 9}) {
            Check({.capacity = capacity,
                   .pads = 1,
                   .count_flag = flag,
                   .before_flag = flag != 1,
                   .mode = mode,
                   .scale_rows = scale_rows,
                   .type = type,
                   .strided = strided});
          }
        }
      }
      for (int64_t scale_rows : {0, 1}) {
        Check({.count_flag = 2,
               .scale_rows = scale_rows,
               .type = type,
               .result = ACL_INT4,
               .strided = strided});
      }
    }
    for (aclDataType result : {ACL_INT8, ACL_INT4}) {
      Check({.tokens = 300,
             .length = 2050,
             .per_token = 8,
             .experts = 256,
             .count_flag = 1,
             .scale_rows = 1,
             .type = type,
             .result = result});
    }
  }
}

TEST_F(MoeInitRoutingQuantV2Test, OfNothingIsNothing) {
  for (int64_t mode : {0, 1}) {
    Check({.tokens = 0, .count_flag = 1, .mode = mode});
    Check({.length = 0, .count_flag = 2, .mode = mode});
    Check({.length = 0, .capacity = 2, .pads = 1, .before_flag = true, .mode = mode});
    Check({.tokens = 0, .capacity = 2, .pads = 1, .before_flag = true, .mode = mode});
    Check({.per_token = 0, .count_flag = 2, .mode = mode});
  }
}

// A row whose scale is no finite number has no quotients.
TEST_F(MoeInitRoutingQuantV2Test, RowsWithoutQuotients) {
  const CaseV2 c = {.tokens = 3, .length = 2, .per_token = 1};
  const Tensors t = TensorsOf(c, {INFINITY, 1, NAN, 1, 2, -4}, {0, 1, 2}, {}, 0);
  RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingQuantV2);
  EXPECT_EQ(ReadAs(*t.expanded), (Numbers{0, 0, 0, 0, 64, -127}));
  const Numbers scales = ReadAs(*t.row_scale);
  EXPECT_EQ(scales[0], INFINITY);
  EXPECT_TRUE(std::isnan(scales[1]));
}

TEST_F(MoeInitRoutingQuantV2Test, RefusesWhatDoesNotFit) {
  constexpr int kCode = ACLNN_ERR_INNER_TILING_ERROR;
  const Numbers x(180), scale(120);
  const Integers expert(27);
  using Change = std::function<void(CaseV2&, Tensors&)>;
  const auto refused = [&](const CaseV2& right, int code, const Change& change,
                           std::initializer_list<std::string_view> words) {
    CaseV2 c = right;
    Tensors t =
        TensorsOf(right, x, expert, Numbers(right.mode == 0 ? 1 : right.scale_rows * 20), 1);
    change(c, t);
    ExpectRefused(CallOf(c, t), code, words);
  };
  const CaseV2 plain = {.count_flag = 1}, fixed = {.mode = 0},
               padded = {.capacity = 3, .pads = 1, .before_flag = true},
               four = {.scale_rows = 1, .result = ACL_INT4};
  using C = CaseV2&;
  using T = Tensors&;
  refused(plain, ACLNN_ERR_PARAM_NULLPTR, [](C, T t) { t.x = nullptr; }, {"x", "null"});
  refused(plain, ACLNN_ERR_PARAM_NULLPTR, [](C, T t) { t.places = nullptr; },
          {"expandedRowIdxOut", "null"});
  refused(plain, ACLNN_ERR_PARAM_NULLPTR, [](C, T t) { t.counts = nullptr; },
          {"expertTokensCountOrCumsumOutOptional is null"});
  refused(plain, ACLNN_ERR_PARAM_NULLPTR, [](C, T t) { t.row_scale = nullptr; },
          {"dynamicQuantScaleOutOptional is null", "quantMode is 1"});
  refused(padded, ACLNN_ERR_PARAM_NULLPTR, [](C, T t) { t.before = nullptr; },
          {"expertTokensBeforeCapacityOutOptional is null"});
  refused(plain, ACLNN_ERR_PARAM_INVALID,
          [](C, T t) {
            t.x = Own(Made({9, 20}, ACL_INT8));
          },
          {"x.dtype = INT8"});
  refused(plain, ACLNN_ERR_PARAM_INVALID,
          [](C, T t) {
            t.expanded = Own(Made({27, 20}, ACL_FLOAT));
          },
          {"expandedXOut.dtype = FLOAT"});
  // The types of what is optional have another code.
  refused(fixed, kCode, [](C, T t) { t.scale = Own(Made({1}, ACL_FLOAT16)); },
          {"scaleOptional.dtype = FLOAT16", "FLOAT"});
  refused(fixed, kCode, [](C, T t) { t.offset = Own(Made({1}, ACL_INT8)); },
          {"offsetOptional.dtype = INT8", "FLOAT"});
  refused(plain, kCode, [](C, T t) { t.counts = Own(Made({6}, ACL_INT64)); },
          {"expertTokensCountOrCumsumOutOptional.dtype = INT64", "INT32"});
  refused(plain, kCode, [](C, T t) { t.row_scale = Own(Made({27}, ACL_FLOAT16)); },
          {"dynamicQuantScaleOutOptional.dtype = FLOAT16", "FLOAT"});
  refused(plain, kCode,
          [](C, T t) {
            t.x = Own(Made({9, 2, 10}, ACL_FLOAT));
          },
          {"x.shape", "rank 3"});
  refused(plain, kCode,
          [](C, T t) {
            t.expert = Own(Made({8, 3}, ACL_INT32));
          },
          {"expertIdx.shape[0] = 8", "9"});
  refused(plain, kCode, [](C c, T) { c.active = -1; }, {"activeNum is -1"});
  refused(plain, kCode, [](C c, T) { c.capacity = -1; }, {"expertCapacity is -1"});
  refused(plain, kCode, [](C c, T) { c.experts = -1; }, {"expertNum is -1"});
  refused(plain, kCode, [](C c, T) { c.pads = 2; }, {"dropPadMode is 2", "0 to 1"});
  refused(plain, kCode, [](C c, T) { c.count_flag = 3; },
          {"expertTokensCountOrCumsumFlag is 3", "0 to 2"});
  refused(plain, kCode, [](C c, T) { c.mode = 2; }, {"quantMode is 2", "0 to 1"});
  refused(plain, kCode, [](C c, T) { c.experts = 0; }, {"expertNum is 0", "at least 1"});
  refused(plain, kCode, [](C c, T) { c.active = 5; }, {"expandedXOut.shape", "expected [5, 20]"});
  refused(plain, kCode,
          [](C, T t) {
            t.row_scale = Own(Made({27, 1}, ACL_FLOAT));
          },
          {"dynamicQuantScaleOutOptional.shape = [27, 1]", "[27]"});
  refused(plain, kCode,
          [](C, T t) {
            t.scale = Own(Made({2, 20}, ACL_FLOAT));
          },
          {"scaleOptional.shape = [2, 20]", "[6, 20]"});
  refused(plain, kCode, [](C, T t) { t.scale = Own(Made({20}, ACL_FLOAT)); },
          {"scaleOptional.shape = [20]", "[6, 20]"});
  refused(plain, kCode,
          [](C, T t) {
            t.scale = Own(Made({1, 19}, ACL_FLOAT));
          },
          {"scaleOptional.shape = [1, 19]", "[1, 20]"});
  refused(padded, kCode, [](C c, T) { c.experts = 0; }, {"expertNum is 0", "dropPadMode"});
  refused(padded, kCode, [](C c, T) { c.capacity = 0; }, {"expertCapacity is 0", "1 to 9"});
  refused(padded, kCode, [](C c, T) { c.capacity = 10; }, {"expertCapacity is 10", "1 to 9"});
  refused(fixed, kCode, [](C, T t) { t.scale = nullptr; }, {"scaleOptional is null"});
  refused(fixed, kCode, [](C, T t) { t.offset = Own(Made({0}, ACL_FLOAT)); },
          {"offsetOptional is null"});
  refused(fixed, kCode, [](C, T t) { t.scale = Own(Made({20}, ACL_FLOAT)); },
          {"scaleOptional.shape = [20]", "[1]"});
  refused(four, kCode, [](C c, T) { c.mode = 0; }, {"quantMode is 0", "1", "INT4"});
  refused(four, kCode,
          [](C c, T t) {
            c.pads = 1, c.capacity = 3;
            t.expanded = Own(Made({6, 3, 20}, ACL_INT4));
          },
          {"dropPadMode is 1", "0", "INT4"});
  refused(four, kCode,
          [](C, T t) {
            t.scale = Own(Made({6, 20}, ACL_FLOAT));
          },
          {"scaleOptional.shape = [6, 20]", "[1, 20]"});
  refused({.length = 19, .result = ACL_INT4}, kCode, [](C, T) {},
          {"x.shape[1] = 19", "even number"});
}

TEST_F(MoeInitRoutingQuantV2Test, ExpertsThatAreNoneFail) {
  for (int32_t number : {-1, 6, INT32_MAX}) {
    Integers expert(27);
    expert[13] = number;
    const std::string word = "expertIdx[4, 1] = " + std::to_string(number);
    for (const CaseV2& c :
         {CaseV2{.count_flag = 1}, CaseV2{.capacity = 3, .pads = 1}, CaseV2{.scale_rows = 6}}) {
      const Tensors t = TensorsOf(c, Numbers(180), expert, Numbers(120), 0);
      ExpectTaskFails(CallOf(c, t), aclnnMoeInitRoutingQuantV2, word);
    }
    const CaseV2 c = {.scale_rows = 1};
    const Tensors t = TensorsOf(c, Numbers(180), expert, Numbers(20), 0);
    RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingQuantV2);
  }
}

TEST_F(MoeInitRoutingQuantV2Test, ExpertsAreNamedByInt32) {
  CaseV2 c = {.scale_rows = 1};
  Tensors t = TensorsOf(c, Numbers(180), Integers(27), Numbers(20), 0);
  c.experts = int64_t{1} << 40;
  t.scale = Own(Tensor({.dims = {c.experts, 20}, .strides = {0, 1}}));
  ExpectRefused(CallOf(c, t), ACLNN_ERR_INNER_TILING_ERROR, {"expertNum", "at most 2147483647"});
}

}  // namespace
}  // namespace anyacl::test
