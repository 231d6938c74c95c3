// SPDX-License-Identifier: Apache-2.0
// aclnnMoeReRouting: tokens of ranks in the order of experts, against the document's two sums.
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_re_routing.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class MoeReRoutingTest : public MoeTest {
 protected:
  struct Case {
    int64_t ranks = 3, experts = 4, length = 5, most = 6;  // most tokens of a rank and an expert
    aclDataType type = ACL_FLOAT16, count_type = ACL_INT64;
    bool scales = true, strided = false;
  };
  struct Tensors {
    Tensor tokens, counts, scales, rows, row_scales, places, totals;
  };
  static Tensors TensorsOf(const Case& c, const std::vector<int64_t>& counts, int64_t tokens,
                           const Numbers& x, const Numbers& scales) {
    Tensors t = {Holding({tokens, c.length}, c.type, x, c.strided),
                 Made({c.ranks, c.experts}, c.count_type, c.strided),
                 Holding({tokens}, ACL_FLOAT, scales, c.strided),
                 Made({tokens, c.length}, c.type, c.strided),
                 Made({tokens}, ACL_FLOAT, c.strided),
                 Made({tokens}, ACL_INT32, c.strided),
                 Made({c.experts}, c.count_type, c.strided)};
    std::vector<Int128> bits(counts.begin(), counts.end());
    WriteBits(t.counts, bits);
    return t;
  }
  static Phase1 CallOf(const Case& c, const Tensors& t, int64_t counted = 1, int64_t index = 0) {
    return [&c, &t, counted, index](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeReRoutingGetWorkspaceSize(t.tokens.handle(), t.counts.handle(),
                                               c.scales ? t.scales.handle() : nullptr, counted,
                                               index, t.rows.handle(), t.row_scales.handle(),
                                               t.places.handle(), t.totals.handle(), s, e);
    };
  }
  static std::vector<int64_t> TotalsOf(const Tensor& totals) {
    std::vector<int64_t> values;
    for (double value : ReadAs(totals)) values.push_back(static_cast<int64_t>(value));
    return values;
  }

  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.ranks << " ranks, " << c.experts << " experts, " << c.length
                 << " numbers, type " << c.type << ", counts " << c.count_type << " strided "
                 << c.strided << " scales " << c.scales);
    std::vector<int64_t> counts;
    int64_t tokens = 0;
    for (int64_t i = 0; i < c.ranks * c.experts; ++i) {
      counts.push_back(random().Int(0, c.most));
      tokens += counts.back();
    }
    const Numbers x = Drawn(c.type, static_cast<size_t>(tokens * c.length), -99, 99);
    const Numbers scales = Drawn(ACL_FLOAT, static_cast<size_t>(tokens), 0, 1);
    const Tensors t = TensorsOf(c, counts, tokens, x, scales);
    RunTwoPhase(CallOf(c, t), aclnnMoeReRouting);

    const auto count = [&](int64_t rank, int64_t expert) {
      return counts[static_cast<size_t>(rank * c.experts + expert)];
    };
    Numbers rows(x.size()), row_scales(scales.size());
    Integers places(static_cast<size_t>(tokens));
    std::vector<int64_t> totals;
    for (int64_t expert = 0; expert < c.experts; ++expert) {
      totals.push_back(0);
      for (int64_t rank = 0; rank < c.ranks; ++rank) {
        totals.back() += count(rank, expert);
        int64_t source = 0, target = 0;
        for (int64_t r = 0; r < c.ranks; ++r) {
          for (int64_t e = 0; e < c.experts; ++e) {
            if (r < rank || (r == rank && e < expert)) source += count(r, e);
            if (e < expert || (e == expert && r < rank)) target += count(r, e);
          }
        }
        for (int64_t k = 0; k < count(rank, expert); ++k) {
          const auto from = static_cast<size_t>(source + k), to = static_cast<size_t>(target + k);
          const auto length = static_cast<size_t>(c.length);
          std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(from * length), length,
                      rows.begin() + static_cast<std::ptrdiff_t>(to * length));
          row_scales[to] = scales[from];
          places[to] = static_cast<int32_t>(from);
        }
      }
    }
    EXPECT_EQ(ReadAs(t.rows), rows);
    EXPECT_EQ(t.places.Read<int32_t>(), places);
    EXPECT_EQ(TotalsOf(t.totals), totals);
    if (c.scales) {
      EXPECT_EQ(ReadAs(t.row_scales), row_scales);
    } else {
      EXPECT_EQ(t.row_scales.Bytes(), Made({tokens}, ACL_FLOAT, c.strided).Bytes());
    }
    for (const Tensor* tensor : {&t.rows, &t.row_scales, &t.places, &t.totals}) {
      EXPECT_TRUE(tensor->GuardsIntact());
    }
  }
};

TEST_F(MoeReRoutingTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_INT8}) {
    for (aclDataType count_type : {ACL_INT32, ACL_INT64}) {
      for (bool scales : {false, true}) {
        for (bool strided : {false, true}) {
          Check({.type = type, .count_type = count_type, .scales = scales, .strided = strided});
        }
      }
      Check({.ranks = 16, .experts = 32, .length = 700, .type = type, .count_type = count_type});
    }
  }
  Check({.ranks = 1});
  Check({.experts = 1});
  Check({.most = 0});
  Check({.ranks = 0});
}

// Counts below 0 or beyond the tokens are cut off; rows that are left over are not written.
TEST_F(MoeReRoutingTest, CountsOfOtherTokens) {
  const Case c = {.ranks = 2, .experts = 2, .length = 1, .type = ACL_INT8};
  const Numbers x = {1, 2, 3, 4, 5}, scales = {.5, 1.5, 2.5, 3.5, 4.5};
  struct Told {
    std::vector<int64_t> counts, totals;
    Numbers rows;
  };
  const double untouched = static_cast<int8_t>(Tensor::kCanary);
  for (const Told& told :
       {Told{{1, 2, 3, 4}, {3, 2}, {1, 4, 5, 2, 3}}, Told{{9, 1, 1, 1}, {5, 0}, {1, 2, 3, 4, 5}},
        Told{{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, {5, 0}, {1, 2, 3, 4, 5}},
        Told{{-7, 2, INT64_MIN, 1}, {0, 3}, {1, 2, 3, untouched, untouched}},
        Told{{1, 0, 1, 1}, {2, 1}, {1, 2, 3, untouched, untouched}}}) {
    const Tensors t = TensorsOf(c, told.counts, 5, x, scales);
    RunTwoPhase(CallOf(c, t), aclnnMoeReRouting);
    EXPECT_EQ(TotalsOf(t.totals), told.totals);
    EXPECT_EQ(ReadAs(t.rows), told.rows);
  }
}

TEST_F(MoeReRoutingTest, RefusesWhatDoesNotFit) {
  struct Arguments {
    Layout tokens = {.dims = {6, 5}, .dtype = ACL_INT8},
           counts = {.dims = {2, 3}, .dtype = ACL_INT32}, scales = {.dims = {6}},
           rows = {.dims = {6, 5}, .dtype = ACL_INT8}, row_scales = {.dims = {6}},
           places = {.dims = {6}, .dtype = ACL_INT32}, totals = {.dims = {3}, .dtype = ACL_INT32};
    int64_t counted = 1, index = 0;
  };
  const auto refused = [](const Arguments& a, int code,
                          std::initializer_list<std::string_view> words, int absent = -1) {
    const Tensor tensors[] = {Tensor(a.tokens), Tensor(a.counts),     Tensor(a.scales),
                              Tensor(a.rows),   Tensor(a.row_scales), Tensor(a.places),
                              Tensor(a.totals)};
    const auto handle = [&](int i) { return i == absent ? nullptr : tensors[i].handle(); };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeReRoutingGetWorkspaceSize(handle(0), handle(1), handle(2), a.counted,
                                                   a.index, handle(3), handle(4), handle(5),
                                                   handle(6), s, e);
        },
        code, words);
  };
  constexpr int kShape = ACLNN_ERR_INNER_TILING_ERROR, kType = ACLNN_ERR_PARAM_INVALID;
  const char* const names[] = {"tokens",           "expertTokenNumPerRank",    "",
                               "permuteTokensOut", "permutePerTokenScalesOut", "permuteTokenIdxOut",
                               "expertTokenNumOut"};
  for (int i : {0, 1, 3, 4, 5, 6}) {
    refused({}, ACLNN_ERR_PARAM_NULLPTR, {names[i], "null"}, i);
  }
  refused({.tokens = {.dims = {6, 5}}}, kType, {"tokens.dtype = FLOAT"});
  refused({.counts = {.dims = {2, 3}}}, kType, {"expertTokenNumPerRank.dtype = FLOAT"});
  refused({.scales = {.dims = {6}, .dtype = ACL_FLOAT16}}, kType, {"perTokenScalesOptional.dtype"});
  refused({.rows = {.dims = {6, 5}, .dtype = ACL_BF16}}, kType, {"permuteTokensOut.dtype", "INT8"});
  refused({.totals = {.dims = {3}, .dtype = ACL_INT64}}, kType,
          {"expertTokenNumOut.dtype", "INT32"});
  refused({.tokens = {.dims = {6, 5, 1}, .dtype = ACL_INT8}}, kShape, {"tokens", "rank 3"});
  refused({.counts = {.dims = {6}, .dtype = ACL_INT32}}, kShape,
          {"expertTokenNumPerRank", "rank 1"});
  refused({.scales = {.dims = {5}}}, kShape, {"perTokenScalesOptional.shape[0] = 5", "6"});
  refused({.rows = {.dims = {5, 5}, .dtype = ACL_INT8}}, kShape, {"permuteTokensOut.shape[0] = 5"});
  refused({.row_scales = {.dims = {6, 1}}}, kShape, {"permutePerTokenScalesOut", "rank 2"});
  refused({.places = {.dims = {7}, .dtype = ACL_INT32}}, kShape,
          {"permuteTokenIdxOut.shape[0] = 7"});
  refused({.totals = {.dims = {2}, .dtype = ACL_INT32}}, kShape,
          {"expertTokenNumOut.shape[0] = 2"});
  refused({.counted = 0}, kShape, {"expertTokenNumTypeOptional is 0", "1"});
  refused({.index = 1}, kShape, {"idxTypeOptional is 1", "0"});
  refused(
      {.tokens = {.dims = {6, 0}, .dtype = ACL_INT8}, .rows = {.dims = {6, 0}, .dtype = ACL_INT8}},
      kShape, {"tokens.shape[1] = 0", "1 to 16384"});
  refused({.tokens = {.dims = {6, 16385}, .dtype = ACL_INT8},
           .rows = {.dims = {6, 16385}, .dtype = ACL_INT8}},
          kShape, {"tokens.shape[1] = 16385", "1 to 16384"});
  // Strides of 0 let one number be those of any ranks.
  refused({.counts = {.dims = {int64_t{1} << 61, 1}, .dtype = ACL_INT32, .strides = {0, 1}},
           .totals = {.dims = {1}, .dtype = ACL_INT32}},
          kShape, {"expertTokenNumPerRank.shape", "2^56"});
}

}  // namespace
}  // namespace anyacl::test
