// SPDX-License-Identifier: Apache-2.0
// Rows of a range of experts, copied or quantised, against the document's formulas.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_init_routing_v3.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct RoutingV3 {
  int64_t tokens = 9, length = 20, per_token = 3, active = 0, capacity = -1, experts = 6;
  int64_t pads = 0, type = 0;
  bool counts = true;
  int64_t quant = -1;
  std::vector<int64_t> range = {};
  int64_t row_type = 0;
  int64_t scales = 0;  // 0: none; of mode 1 so many rows
  aclDataType dtype = ACL_FLOAT;
  bool strided = false;

  int64_t first() const { return range.empty() ? 0 : range[0]; }
  int64_t last() const { return range.empty() ? experts : range[1]; }
  int64_t rows() const {
    if (pads == 1) return experts * capacity;
    return active > 0 ? std::min(active, tokens * per_token) : tokens * per_token;
  }
};

class MoeInitRoutingV3Test : public MoeTest {
 protected:
  struct Tensors {
    Tensor x, expert, scale, offset, expanded, places, counts, row_scale;
  };
  static Phase1 CallOf(const RoutingV3& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      const aclIntArray* range =
          c.range.empty() ? nullptr : aclCreateIntArray(c.range.data(), c.range.size());
      const aclnnStatus status = aclnnMoeInitRoutingV3GetWorkspaceSize(
          t.x.handle(), t.expert.handle(), c.scales > 0 ? t.scale.handle() : nullptr,
          c.quant == 0 ? t.offset.handle() : nullptr, c.active, c.capacity, c.experts, c.pads,
          c.type, c.counts, c.quant, range, c.row_type, t.expanded.handle(), t.places.handle(),
          t.counts.handle(), t.row_scale.handle(), s, e);
      if (range != nullptr) {
        EXPECT_OK(aclDestroyIntArray(range));
      }
      return status;
    };
  }
  static Shape ScaleOf(const RoutingV3& c) {
    if (c.quant < 0) return {c.tokens};
    return c.quant == 0 ? Shape{1} : Shape{std::max<int64_t>(1, c.scales), c.length};
  }
  Tensors TensorsOf(const RoutingV3& c, const Numbers& x, const Integers& expert,
                    const Numbers& scale) {
    const aclDataType to = c.quant < 0 ? c.dtype : ACL_INT8;
    const Shape expanded =
        c.pads == 1 ? Shape{c.experts, c.capacity, c.length} : Shape{c.rows(), c.length};
    return {
        Holding({c.tokens, c.length}, c.dtype, x, c.strided),
        Holding({c.tokens, c.per_token}, ACL_INT32, AsNumbers(expert), c.strided),
        Holding(ScaleOf(c), ACL_FLOAT, scale, c.strided),
        Holding({1}, ACL_FLOAT, {-3.25}),
        Made(expanded, to, c.strided),
        Made({c.tokens * c.per_token}, ACL_INT32, c.strided),
        Made(c.type == 2 ? Shape{c.experts, 2} : Shape{c.last() - c.first()}, ACL_INT64, c.strided),
        Made({c.rows()}, ACL_FLOAT, c.strided)};
  }

  // A quotient within 2^-20 of itself of a half may be rounded either way.
  static void Rounds(double actual, double exact) {
    exact = std::clamp(exact, -128.0, 127.0);
    ASSERT_LE(std::abs(actual - exact), 0.5 + std::abs(exact) * 0x1p-20 + 0x1p-18) << exact;
  }

  void CheckRow(const RoutingV3& c, const Numbers& x, size_t token, size_t expert,
                const Numbers& scale, const double* row, double row_scale) {
    const auto length = static_cast<size_t>(c.length);
    Numbers v(x.begin() + static_cast<std::ptrdiff_t>(token * length),
              x.begin() + static_cast<std::ptrdiff_t>((token + 1) * length));
    if (c.quant == 1 && c.scales > 0) {
      const size_t from = c.scales == 1 ? 0 : expert - static_cast<size_t>(c.first());
      for (size_t j = 0; j < length; ++j) v[j] *= scale[from * length + j];
    }
    double largest = 0;
    for (double number : v) largest = std::max(largest, std::abs(number));
    if (c.quant < 0 && c.scales > 0) {
      ASSERT_EQ(row_scale, scale[token]);
    }
    if (c.quant == 1) {
      ASSERT_NEAR(row_scale, largest / 127, largest * 0x1p-28);
    }
    for (size_t j = 0; j < length; ++j) {
      if (c.quant < 0) {
        ASSERT_EQ(row[j], v[j]);
      }
      if (c.quant == 0) Rounds(row[j], v[j] * scale[0] - 3.25);
      if (c.quant == 1) Rounds(row[j], largest == 0 ? 0 : v[j] / (largest / 127));
    }
  }

  void Check(const RoutingV3& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " of "
                 << c.first() << " to " << c.last() << " active " << c.active << " capacity "
                 << c.capacity << " pads " << c.pads << " counts " << c.type << " quant " << c.quant
                 << " scales " << c.scales << " row type " << c.row_type << " type " << c.dtype
                 << " strided " << c.strided);
    const int64_t chosen = c.tokens * c.per_token;
    Numbers x = Drawn(c.dtype, static_cast<size_t>(c.tokens * c.length), -90, 90);
    // A token of nothing but zeros.
    if (c.tokens > 4) std::fill_n(x.begin() + 3 * c.length, c.length, 0.0);
    const Shape scale_dims = ScaleOf(c);
    const Numbers scale =
        Drawn(ACL_FLOAT,
              static_cast<size_t>(std::accumulate(scale_dims.begin(), scale_dims.end(), int64_t{1},
                                                  std::multiplies<>())),
              -2, 2);
    // Some are none, and the last expert but one has nothing.
    Integers expert;
    for (int64_t i = 0; i < chosen; ++i) {
      expert.push_back(static_cast<int32_t>(random().Int(-1, c.experts)));
      if (c.experts > 2 && expert.back() == c.experts - 2) expert.back() = 0;
    }
    const Tensors t = TensorsOf(c, x, expert, scale);
    const Numbers before = ReadAs(t.expanded);
    RunTwoPhase(CallOf(c, t), aclnnMoeInitRoutingV3);

    // The order of the document: those before the range last.
    Integers keys = expert;
    for (int32_t& key : keys) key = key < c.first() ? INT32_MAX : key;
    std::vector<size_t> order(keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return keys[a] < keys[b]; });
    std::vector<int64_t> histogram(static_cast<size_t>(c.experts));
    Integers places(keys.size(), -1), sources;
    const Numbers expanded = ReadAs(t.expanded), scales = ReadAs(t.row_scale);
    const auto length = static_cast<size_t>(c.length);
    std::vector<bool> written(static_cast<size_t>(c.rows()));
    for (size_t i = 0; i < order.size(); ++i) {
      sources.push_back(static_cast<int32_t>(order[i]));
      const int32_t number = expert[order[i]];
      if (number < c.first() || number >= c.last()) continue;
      const int64_t rank = histogram[static_cast<size_t>(number)]++;
      int64_t to = static_cast<int64_t>(i);
      if (c.pads == 1) to = rank < c.capacity ? number * c.capacity + rank : -1;
      places[order[i]] = static_cast<int32_t>(to);
      if (to < 0 || to >= c.rows()) continue;
      const auto row = static_cast<size_t>(to);
      written[row] = true;
      CheckRow(c, x, order[i] / static_cast<size_t>(c.per_token), static_cast<size_t>(number),
               scale, expanded.data() + row * length, scales[row]);
    }
    for (size_t row = 0; row < written.size(); ++row) {
      if (written[row]) continue;
      for (size_t j = 0; j < length; ++j) {
        const size_t at = row * length + j;
        const double expected = c.pads == 1 ? 0 : before[at];
        ASSERT_TRUE(expanded[at] == expected || (std::isnan(expanded[at]) && std::isnan(expected)));
      }
      if (c.pads == 1 && (c.scales > 0 || c.quant == 1) && c.quant != 0) {
        ASSERT_EQ(scales[row], 0);
      }
    }
    EXPECT_EQ(t.places.Read<int32_t>(), c.row_type == 1 ? sources : places);
    std::vector<int64_t> counts(histogram.begin() + c.first(), histogram.begin() + c.last());
    if (c.type == 0) std::partial_sum(counts.begin(), counts.end(), counts.begin());
    if (c.type == 2) {
      counts.clear();
      for (int64_t e = c.first(); e < c.last(); ++e) {
        const int64_t count = histogram[static_cast<size_t>(e)];
        if (count > 0) counts.insert(counts.end(), {e, count});
      }
      counts.resize(static_cast<size_t>(2 * c.experts));
    }
    if (c.counts) {
      EXPECT_EQ(t.counts.Read<int64_t>(), counts);
    }
    for (const Tensor* tensor : {&t.expanded, &t.places, &t.counts, &t.row_scale}) {
      EXPECT_TRUE(tensor->GuardsIntact());
    }
  }
};

TEST_F(MoeInitRoutingV3Test, IsTheFormula) {
  for (aclDataType dtype : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    for (bool strided : {false, true}) {
      for (int64_t type : {0, 1, 2}) {
        for (int64_t active : {-1, 0, 5, 27, 100}) {
          for (int64_t row_type : {0, 1}) {
            Check({.active = active,
                   .type = type,
                   .row_type = row_type,
                   .scales = row_type,
                   .dtype = dtype,
                   .strided = strided});
            Check({.active = active,
                   .type = type,
                   .range = {1, 4},
                   .row_type = row_type,
                   .dtype = dtype,
                   .strided = strided});
          }
        }
      }
      for (int64_t capacity : {1, 4, 9}) {
        Check({.capacity = capacity,
               .pads = 1,
               .type = 1,
               .scales = capacity % 2,
               .dtype = dtype,
               .strided = strided});
      }
    }
    Check({.tokens = 700,
           .length = 130,
           .per_token = 8,
           .experts = 256,
           .type = 1,
           .range = {64, 128},
           .dtype = dtype});
  }
  Check({.tokens = 300, .length = 3, .experts = 9000, .type = 1});
}

TEST_F(MoeInitRoutingV3Test, Quantizes) {
  for (aclDataType dtype : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t length : {1, 20, 1027}) {
        RoutingV3 c = {
            .length = length, .type = 1, .range = {1, 5}, .dtype = dtype, .strided = strided};
        c.quant = 0;
        c.scales = 1;
        Check(c);
        c.quant = 1;
        for (int64_t scales : {0, 1, 4}) {
          c.scales = scales;
          Check(c);
        }
        c.range = {};
        c.pads = 1;
        c.capacity = 4;
        for (int64_t scales : {0, 1, 6}) {
          c.scales = scales;
          Check(c);
        }
        c.quant = 0;
        c.scales = 1;
        Check(c);
      }
    }
  }
}

TEST_F(MoeInitRoutingV3Test, OfNothingIsNothing) {
  for (int64_t type : {0, 1, 2}) {
    Check({.tokens = 0, .type = type});
    Check({.tokens = 0, .type = type, .quant = 1});
    Check({.length = 0, .type = type, .quant = 1});
    Check({.per_token = 0, .type = type});
  }
}

TEST_F(MoeInitRoutingV3Test, ScalesWithoutElementsAreNone) {
  for (int64_t quant : {-1, 1}) {
    RoutingV3 c = {.quant = quant};
    const Tensors t = TensorsOf(c, Numbers(180, 1.0), Integers(27), Numbers(quant < 0 ? 9 : 20));
    const Tensor none = Made({0}, ACL_FLOAT);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeInitRoutingV3GetWorkspaceSize(
              t.x.handle(), t.expert.handle(), none.handle(), nullptr, 0, 0, c.experts, 0, 0, true,
              quant, nullptr, 0, t.expanded.handle(), t.places.handle(), t.counts.handle(),
              t.row_scale.handle(), s, e);
        },
        aclnnMoeInitRoutingV3);
    EXPECT_EQ(ReadAs(t.expanded), Numbers(540, quant < 0 ? 1.0 : 127.0));
  }
}

TEST_F(MoeInitRoutingV3Test, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_TILING_ERROR;
  const RoutingV3 plain = {}, dynamic = {.quant = 1, .scales = 1},
                  padded = {.capacity = 3, .pads = 1, .type = 1};
  const auto refused = [&](const RoutingV3& right, const auto& change,
                           std::initializer_list<std::string_view> words, int status) {
    Numbers scale(20);
    scale.resize(right.quant < 0 ? 9 : right.quant == 0 ? 1 : 20);
    const Tensors t = TensorsOf(right, Numbers(180), Integers(27), scale);
    RoutingV3 wrong = right;
    change(wrong);
    ExpectRefused(CallOf(wrong, t), status, words);
  };
  using Wrong = RoutingV3&;
  refused(
      plain, [](Wrong c) { c.active = -2; }, {"activeNum is -2"}, code);
  refused(
      plain, [](Wrong c) { c.active = 5; }, {"expandedXOut.shape", "expected [5, 20]"}, code);
  refused(
      plain, [](Wrong c) { c.experts = 0; }, {"expertNum is 0", "1 to 10240"}, code);
  refused(
      plain, [](Wrong c) { c.type = 3; }, {"expertTokensNumType is 3"}, code);
  refused(
      plain, [](Wrong c) { c.quant = 2; }, {"quantMode is 2", "-1 to 1"}, code);
  refused(
      plain, [](Wrong c) { c.row_type = 2; }, {"rowIdxType is 2"}, code);
  refused(
      plain, [](Wrong c) { c.range = {1}; }, {"has 1 numbers", "expected 2"}, code);
  for (const std::vector<int64_t>& range : {std::vector<int64_t>{-1, 5}, {3, 3}, {0, 7}}) {
    refused(
        plain, [&](Wrong c) { c.range = range; }, {"activeExpertRangeOptional", "within [0, 6]"},
        code);
  }
  refused(
      plain,
      [](Wrong c) {
        c.range = {1, 3};
      },
      {"expertTokensCountOrCumsumOut.shape = [6]", "expected [2]"}, code);
  refused(
      plain, [](Wrong c) { c.quant = 1; }, {"expandedXOut.dtype = FLOAT", "expected INT8"},
      ACLNN_ERR_PARAM_INVALID);
  refused(
      dynamic, [](Wrong c) { c.quant = 0; }, {"scaleOptional.shape = [1, 20]"}, code);
  refused(
      dynamic,
      [](Wrong c) {
        c.quant = 0;
        c.scales = 0;
      },
      {"scaleOptional is null"}, code);
  refused(
      padded, [](Wrong c) { c.capacity = 0; }, {"expertCapacity is 0", "1 to 9"}, code);
  refused(
      padded, [](Wrong c) { c.capacity = 10; }, {"expertCapacity is 10", "1 to 9"}, code);
  refused(
      padded, [](Wrong c) { c.row_type = 1; }, {"rowIdxType is 1", "dropPadMode"}, code);
  refused(
      padded,
      [](Wrong c) {
        c.range = {0, 5};
      },
      {"[0, 5]", "dropPadMode"}, code);
  refused(
      padded, [](Wrong c) { c.type = 0; }, {"expertTokensNumType is 0"}, code);
  RoutingV3 bytes = dynamic;
  bytes.dtype = ACL_INT8;
  refused(
      bytes, [](Wrong) {}, {"x.dtype = INT8", "quantMode is 1"}, ACLNN_ERR_PARAM_INVALID);
}

}  // namespace
}  // namespace anyacl::test
