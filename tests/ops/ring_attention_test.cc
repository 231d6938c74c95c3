// SPDX-License-Identifier: Apache-2.0
// Attention over two parts of the keys joined by their largest scores and sums, against the
// document's formula in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_ring_attention_update.h"
#include "aclnnop/aclnn_ring_attention_update_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Ring {
  bool by_batch = true;  // SBH
  int64_t batch = 2, length = 5, heads = 3, columns = 8;
  std::vector<int64_t> begins = {};  // TND: of sequences, and the end
  const char* sum_layout = "";
  aclDataType type = ACL_FLOAT;
  bool strided = false;
  double spread = 3;
  bool first_version = false;  // which has no layout of sums

  int64_t tokens() const { return by_batch ? batch * length : begins.back(); }
  bool by_head() const { return !by_batch && std::string_view(sum_layout) != "TND"; }
};

class RingAttentionTest : public MoeTest {
 protected:
  // Where the eight of a head of token `t` begin, as the documents have it: tokens of SBH are by
  // place, then batch.
  static size_t SumAt(const Ring& c, int64_t t, int64_t head) {
    int64_t at = t * c.heads + head;
    if (c.by_batch) at = (t % c.batch * c.heads + head) * c.length + t / c.batch;
    if (c.by_head()) {
      size_t b = 0;
      while (t >= c.begins[b + 1]) ++b;
      const int64_t begin = c.begins[b], count = c.begins[b + 1] - begin;
      at = begin * c.heads + head * count + t - begin;
    }
    return static_cast<size_t>(at) * 8;
  }
  Numbers Eight(size_t count, double low, double high) {
    Numbers values;
    for (const double value : Drawn(ACL_FLOAT, count, low, high))
      values.insert(values.end(), 8, value);
    return values;
  }

  void Check(const Ring& c) {
    SCOPED_TRACE(::testing::Message()
                 << (c.by_batch ? "SBH" : "TND") << " sums " << c.sum_layout << " heads " << c.heads
                 << " type " << c.type << " strided " << c.strided);
    const int64_t tokens = c.tokens();
    const Shape dims = c.by_batch ? Shape{c.length, c.batch, c.heads * c.columns}
                                  : Shape{tokens, c.heads, c.columns};
    const Shape sum_dims =
        c.by_batch ? Shape{c.batch, c.heads, c.length, 8} : Shape{tokens, c.heads, 8};
    const auto rows = static_cast<size_t>(tokens * c.heads);
    const auto count = rows * static_cast<size_t>(c.columns);
    const Numbers outs[] = {Drawn(c.type, count, -2, 2), Drawn(c.type, count, -2, 2)};
    const Numbers maxes[] = {Eight(rows, -c.spread, c.spread), Eight(rows, -c.spread, c.spread)};
    const Numbers sums[] = {Eight(rows, 0.5, 9), Eight(rows, 0.5, 9)};
    const auto held = [&](const Shape& shape, aclDataType type, const Numbers& values) {
      return Holding(shape, type, values, c.strided);
    };
    const Tensor out0 = held(dims, c.type, outs[0]), out1 = held(dims, c.type, outs[1]);
    const Tensor max0 = held(sum_dims, ACL_FLOAT, maxes[0]),
                 max1 = held(sum_dims, ACL_FLOAT, maxes[1]);
    const Tensor sum0 = held(sum_dims, ACL_FLOAT, sums[0]),
                 sum1 = held(sum_dims, ACL_FLOAT, sums[1]);
    const Tensor out = Made(dims, c.type, c.strided), max = Made(sum_dims, ACL_FLOAT, c.strided);
    const Tensor sum = Made(sum_dims, ACL_FLOAT, c.strided);
    Tensor begins =
        Made({static_cast<int64_t>(std::max<size_t>(1, c.begins.size()))}, ACL_INT64, c.strided);
    if (!c.begins.empty()) begins.Write(c.begins);
    std::string layout = c.by_batch ? "SBH" : "TND", sum_layout = c.sum_layout;
    const aclTensor* ends = c.begins.empty() ? nullptr : begins.handle();
    if (c.first_version) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnRingAttentionUpdateGetWorkspaceSize(
                out0.handle(), max0.handle(), sum0.handle(), out1.handle(), max1.handle(),
                sum1.handle(), ends, layout.data(), out.handle(), max.handle(), sum.handle(), s, e);
          },
          aclnnRingAttentionUpdate);
    } else {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnRingAttentionUpdateV2GetWorkspaceSize(
                out0.handle(), max0.handle(), sum0.handle(), out1.handle(), max1.handle(),
                sum1.handle(), ends, layout.data(), sum_layout.data(), out.handle(), max.handle(),
                sum.handle(), s, e);
          },
          aclnnRingAttentionUpdateV2);
    }
    const Numbers actual = ReadAs(out), actual_max = ReadAs(max), actual_sum = ReadAs(sum);
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t h = 0; h < c.heads; ++h) {
        const size_t at = SumAt(c, t, h);
        const double most = std::max(maxes[0][at], maxes[1][at]);
        const double a = sums[0][at] * std::exp(maxes[0][at] - most);
        const double b = sums[1][at] * std::exp(maxes[1][at] - most);
        for (size_t i = at; i < at + 8; ++i) {
          ASSERT_EQ(actual_max[i], most) << "token " << t << ", head " << h;
          ASSERT_NEAR(actual_sum[i], a + b, (a + b) * 0x1p-20) << "token " << t << ", head " << h;
        }
        for (int64_t d = 0; d < c.columns; ++d) {
          const auto i = static_cast<size_t>((t * c.heads + h) * c.columns + d);
          const double first = outs[0][i] * a / (a + b), second = outs[1][i] * b / (a + b);
          const double expected = first + second;
          ASSERT_NEAR(actual[i], expected,
                      (std::fabs(first) + std::fabs(second)) * 0x1p-20 +
                          1.01 * HalfUnitOf(c.type, expected))
              << "token " << t << ", head " << h << ", column " << d;
        }
      }
    }
    EXPECT_TRUE(out.GuardsIntact() && max.GuardsIntact() && sum.GuardsIntact());
  }
};

TEST_F(RingAttentionTest, JoinsTwoParts) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool strided : {false, true}) {
      Check({.type = type, .strided = strided});
      for (const char* sums : {"", "SBH", "TND"}) {
        Check({.by_batch = false,
               .columns = 64,
               .begins = {0, 2, 2, 9, 10},
               .sum_layout = sums,
               .type = type,
               .strided = strided});
      }
    }
    Check({.batch = 3, .length = 130, .heads = 4, .columns = 128, .type = type});
    Check({.by_batch = false, .heads = 16, .columns = 128, .begins = {0, 70, 201}, .type = type});
  }
  Check({.spread = 60});
  Check({.first_version = true});
  Check({.by_batch = false,
         .columns = 64,
         .begins = {0, 2, 2, 9, 10},
         .type = ACL_BF16,
         .first_version = true});
  Check({.batch = 1, .length = 1, .heads = 1, .columns = 1});
  Check({.length = 0});
  Check({.by_batch = false, .begins = {0}});
}

// As MindSpeed passes it.
TEST_F(RingAttentionTest, PositionsBesideBatchesAreNotLookedAt) {
  const Tensor out = Made({4, 2, 24}, ACL_FLOAT), sums = Made({2, 3, 4, 8}, ACL_FLOAT);
  const Tensor number = Made({}, ACL_INT64);
  const auto prepared = Prepare([&](uint64_t* s, aclOpExecutor** e) {
    return aclnnRingAttentionUpdateGetWorkspaceSize(
        out.handle(), sums.handle(), sums.handle(), out.handle(), sums.handle(), sums.handle(),
        number.handle(), nullptr, out.handle(), sums.handle(), sums.handle(), s, e);
  });
  EXPECT_OK(prepared.code);
}

// As a ring does it: the results of all parts so far are the first inputs.
TEST_F(RingAttentionTest, MayJoinInPlace) {
  const Shape dims = {4, 2, 24}, sum_dims = {2, 3, 4, 8};
  const Numbers first = Drawn(ACL_BF16, 192, -2, 2), second = Drawn(ACL_BF16, 192, -2, 2);
  const Numbers maxes[] = {Eight(24, -3, 3), Eight(24, -3, 3)};
  const Numbers sums[] = {Eight(24, 1, 9), Eight(24, 1, 9)};
  const Tensor out1 = Holding(dims, ACL_BF16, second);
  const Tensor max1 = Holding(sum_dims, ACL_FLOAT, maxes[1]);
  const Tensor sum1 = Holding(sum_dims, ACL_FLOAT, sums[1]);
  Numbers results[2];
  for (const bool in_place : {false, true}) {
    const Tensor out0 = Holding(dims, ACL_BF16, first);
    const Tensor max0 = Holding(sum_dims, ACL_FLOAT, maxes[0]);
    const Tensor sum0 = Holding(sum_dims, ACL_FLOAT, sums[0]);
    const Tensor out = Made(dims, ACL_BF16), max = Made(sum_dims, ACL_FLOAT);
    const Tensor sum = Made(sum_dims, ACL_FLOAT);
    const auto to = [&](const Tensor& apart, const Tensor& own) {
      return in_place ? own.handle() : apart.handle();
    };
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRingAttentionUpdateV2GetWorkspaceSize(
              out0.handle(), max0.handle(), sum0.handle(), out1.handle(), max1.handle(),
              sum1.handle(), nullptr, nullptr, nullptr, to(out, out0), to(max, max0), to(sum, sum0),
              s, e);
        },
        aclnnRingAttentionUpdateV2);
    Numbers& all = results[in_place ? 1 : 0];
    for (const Tensor* tensor :
         {in_place ? &out0 : &out, in_place ? &max0 : &max, in_place ? &sum0 : &sum}) {
      const Numbers part = ReadAs(*tensor);
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(RingAttentionTest, RefusesWhatDoesNotFit) {
  const int value = ACLNN_ERR_INNER_TILING_ERROR, shape = ACLNN_ERR_PARAM_INVALID;
  struct Call {
    Shape out = {4, 2, 24}, next = {4, 2, 24}, sums = {2, 3, 4, 8}, joined = {2, 3, 4, 8};
    aclDataType next_type = ACL_FLOAT16;
    const char *layout = "SBH", *sum_layout = "";
    std::vector<int64_t> begins = {};
  };
  const auto prepare = [&](const Call& c, const auto& then) {
    const Tensor out = Made(c.out, ACL_FLOAT16), next = Made(c.next, c.next_type);
    const Tensor sums = Made(c.sums, ACL_FLOAT), joined = Made(c.joined, ACL_FLOAT);
    const Tensor result = Made(c.out, ACL_FLOAT16);
    Tensor begins = Made({static_cast<int64_t>(std::max<size_t>(1, c.begins.size()))}, ACL_INT64);
    if (!c.begins.empty()) begins.Write(c.begins);
    std::string layout = c.layout, sum_layout = c.sum_layout;
    then([&](uint64_t* s, aclOpExecutor** e) {
      return aclnnRingAttentionUpdateV2GetWorkspaceSize(
          out.handle(), sums.handle(), sums.handle(), next.handle(), sums.handle(), sums.handle(),
          c.begins.empty() ? nullptr : begins.handle(), layout.data(), sum_layout.data(),
          result.handle(), joined.handle(), joined.handle(), s, e);
    });
  };
  const auto refused = [&](const Call& c, int code, std::initializer_list<std::string_view> words) {
    prepare(c, [&](const Phase1& call) { ExpectRefused(call, code, words); });
  };
  refused({.layout = "BSH"}, value, {"inputLayoutOptional = \"BSH\"", "\"SBH\" or \"TND\""});
  refused({.sum_layout = "BNS"}, value, {"inputSoftmaxLayoutOptional = \"BNS\""});
  refused({.next = {4, 2, 25}}, shape, {"curAttnOut.shape"});
  refused({.next_type = ACL_BF16}, shape, {"curAttnOut.dtype = BF16"});
  refused({.sums = {2, 5, 4, 8}, .joined = {2, 5, 4, 8}}, shape,
          {"prevSoftmaxMax.shape = [2, 5, 4, 8]", "[4, 2, 24]"});
  refused({.sums = {4, 3, 2, 8}, .joined = {4, 3, 2, 8}}, shape, {"[B, N, S, 8] of [S, B, N D]"});
  refused({.joined = {2, 3, 5, 8}}, shape, {"softmaxMaxOut.shape"});
  refused({.sums = {2, 3, 4, 7}, .joined = {2, 3, 4, 7}}, shape, {"prevSoftmaxMax.shape"});
  const Call ragged = {.sums = {4, 2, 8}, .joined = {4, 2, 8}, .layout = "TND"};
  refused(ragged, value, {"actualSeqQlenOptional is null", "TND"});
  refused({.layout = "TND", .begins = {0, 4}}, shape, {"[T, N, 8] of [T, N, D]"});
  const auto fails = [&](std::vector<int64_t> begins, std::string_view words) {
    Call c = ragged;
    c.begins = std::move(begins);
    prepare(c,
            [&](const Phase1& call) { ExpectTaskFails(call, aclnnRingAttentionUpdateV2, words); });
  };
  fails({1, 4}, "actualSeqQlenOptional[0] = 1, expected 0");
  fails({0, 3}, "actualSeqQlenOptional[1] = 3");
  fails({0}, "actualSeqQlenOptional[0] = 0, expected 0, then ever more, at last 4 tokens");
  fails({0, 5}, "actualSeqQlenOptional[1] = 5");
  fails({0, 3, 2, 4}, "actualSeqQlenOptional[2] = 2");
  fails({0, -1, 4}, "actualSeqQlenOptional[1] = -1");
}

}  // namespace
}  // namespace anyacl::test
