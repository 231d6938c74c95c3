// SPDX-License-Identifier: Apache-2.0
// Instances of experts and pruned ones against plain loops, all numbers whole 64ths: fp32 holds
// every sum and product of them, so that ties are ties.
#include <limits>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_update_expert.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Updating {
  int64_t tokens = 7, chosen = 3, experts = 6, columns = 5;
  int64_t rank = 3, ranks = 9, mode = 0;
  aclDataType type = ACL_INT32, scale_type = ACL_FLOAT;
  bool scales = true, threshold = true, mask = true;
  bool flat = true;  // threshold [K], else [1 K]
  bool strided = false;
};

class MoeUpdateExpertTest : public MoeTest {
 protected:
  struct Data {
    Integers ids, table, mask;
    Numbers scales, threshold;
  };
  struct Tensors {
    Tensor ids, table, scales, threshold, mask, out, out_mask;
  };
  Numbers Drawn64ths(int64_t count, int64_t most) {
    Numbers values;
    for (int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<double>(random().Int(0, most)) / 64);
    return values;
  }
  Data Draw(const Updating& c) {
    Data d;
    for (int64_t i = 0; i < c.tokens * c.chosen; ++i) {
      d.ids.push_back(static_cast<int32_t>(random().Int(0, c.experts - 1)));
    }
    const int64_t most = c.mode == 0 ? std::min(c.columns - 1, c.ranks) : c.columns - 1;
    for (int64_t e = 0; e < c.experts; ++e) {
      d.table.push_back(static_cast<int32_t>(e == 0 ? most : random().Int(1, most)));
      for (int64_t f = 1; f < c.columns; ++f) {
        d.table.push_back(static_cast<int32_t>(1000 * e + f));
      }
    }
    d.scales = Drawn64ths(c.tokens * c.chosen, 64);
    d.threshold = Drawn64ths(c.chosen, 32);
    for (int64_t t = 0; t < c.tokens; ++t) d.mask.push_back(t < c.tokens * 2 / 3 ? 1 : 0);
    return d;
  }
  static Tensors TensorsOf(const Updating& c, const Data& d) {
    const Shape pairs = {c.tokens, c.chosen};
    const bool s = c.strided;
    return {Holding(pairs, c.type, AsNumbers(d.ids), s),
            Holding({c.experts, c.columns}, ACL_INT32, AsNumbers(d.table), s),
            Holding(pairs, c.scale_type, d.scales, s),
            Holding(c.flat ? Shape{c.chosen} : Shape{1, c.chosen}, ACL_FLOAT, d.threshold, s),
            Holding({c.tokens}, ACL_BOOL, AsNumbers(d.mask), s),
            Made(pairs, c.type, s),
            Made(pairs, ACL_BOOL, s)};
  }
  static Phase1 First(const Updating& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeUpdateExpertGetWorkspaceSize(
          t.ids.handle(), t.table.handle(), c.scales ? t.scales.handle() : nullptr,
          c.threshold ? t.threshold.handle() : nullptr, c.mask ? t.mask.handle() : nullptr, c.rank,
          c.ranks, c.mode, t.out.handle(), t.out_mask.handle(), s, e);
    };
  }

  void Check(const Updating& c) {
    SCOPED_TRACE(::testing::Message() << c.tokens << " tokens, rank " << c.rank << " of " << c.ranks
                                      << ", mode " << c.mode << ", type " << c.type);
    const Data d = Draw(c);
    const Tensors t = TensorsOf(c, d);
    const Tensor untouched = Made({c.tokens, c.chosen}, ACL_BOOL, c.strided);
    RunTwoPhase(First(c, t), aclnnMoeUpdateExpert);
    std::vector<int64_t> expected;
    std::vector<uint8_t> mask;
    for (int64_t i = 0; i < c.tokens * c.chosen; ++i) {
      const int64_t token = i / c.chosen;
      const int64_t row = d.ids[static_cast<size_t>(i)] * c.columns;
      const int64_t count = d.table[static_cast<size_t>(row)];
      // Ranks to an instance, rounded up by counting.
      int64_t share = 0;
      while (share * count < c.ranks) ++share;
      const int64_t place = c.mode == 1 ? token % count : c.rank / share;
      expected.push_back(d.table[static_cast<size_t>(row + 1 + place)]);
      double sum = 0;
      for (int64_t k = 0; k < c.chosen; ++k) {
        sum += d.scales[static_cast<size_t>(token * c.chosen + k)];
      }
      const bool stays =
          d.scales[static_cast<size_t>(i)] >= d.threshold[static_cast<size_t>(i % c.chosen)] * sum;
      mask.push_back(stays && (!c.mask || d.mask[static_cast<size_t>(token)] != 0) ? 1 : 0);
    }
    if (c.type == ACL_INT64) {
      EXPECT_EQ(t.out.Read<int64_t>(), expected);
    } else {
      const auto out = t.out.Read<int32_t>();
      EXPECT_EQ(std::vector<int64_t>(out.begin(), out.end()), expected);
    }
    if (c.scales) {
      EXPECT_EQ(t.out_mask.Read<uint8_t>(), mask);
    } else {
      EXPECT_EQ(t.out_mask.Bytes(), untouched.Bytes());
    }
    EXPECT_TRUE(t.out.GuardsIntact() && t.out_mask.GuardsIntact());
  }
};

TEST_F(MoeUpdateExpertTest, IsThePlainComputation) {
  for (const bool strided : {false, true}) {
    for (int64_t rank = 0; rank < 9; ++rank) Check({.rank = rank, .strided = strided});
    Check({.tokens = 512, .chosen = 16, .experts = 1024, .mode = 1, .strided = strided});
    Check({.rank = -1, .ranks = -1, .mode = 1, .type = ACL_INT64, .strided = strided});
    Check({.columns = 769, .rank = 767, .ranks = 768, .type = ACL_INT64, .strided = strided});
    Check({.columns = 2, .rank = 1, .ranks = 2, .mask = false, .flat = false, .strided = strided});
    Check({.scale_type = ACL_FLOAT16, .strided = strided});
    Check({.scale_type = ACL_BF16, .flat = false, .strided = strided});
    Check({.scales = false, .threshold = false, .mask = false, .strided = strided});
  }
}

// What has exactly its share stays, and what is no number goes.
TEST_F(MoeUpdateExpertTest, TiesStay) {
  const Updating c = {.tokens = 1, .chosen = 4, .mask = false};
  Data d = Draw(c);
  d.scales = {0.5, 0.25, 0.25, 0};
  d.threshold = {0.5, 0.25, 0.265625, 0};
  const Tensors t = TensorsOf(c, d);
  RunTwoPhase(First(c, t), aclnnMoeUpdateExpert);
  EXPECT_EQ(t.out_mask.Read<uint8_t>(), (std::vector<uint8_t>{1, 1, 0, 1}));
  d.scales[3] = std::numeric_limits<double>::quiet_NaN();
  const Tensors none = TensorsOf(c, d);
  RunTwoPhase(First(c, none), aclnnMoeUpdateExpert);
  EXPECT_EQ(none.out_mask.Read<uint8_t>(), (std::vector<uint8_t>{0, 0, 0, 0}));
}

TEST_F(MoeUpdateExpertTest, NumbersThatNameNothingFail) {
  const auto fails = [&](const Updating& c, const auto& change, std::string_view word) {
    Data d = Draw(c);
    change(d);
    const Tensors t = TensorsOf(c, d);
    const Tensor untouched = Made({c.tokens, c.chosen}, c.type);
    ExpectTaskFails(First(c, t), aclnnMoeUpdateExpert, word);
    EXPECT_EQ(t.out.Bytes(), untouched.Bytes());
  };
  for (const aclDataType type : {ACL_INT32, ACL_INT64}) {
    const Updating c = {.type = type};
    fails(
        c, [](Data& d) { d.ids[4] = 6; }, "expertIds[1][1] = 6");
    fails(
        c, [](Data& d) { d.ids[20] = -1; }, "expertIds[6][2] = -1");
  }
  const auto count = [](int32_t value) {
    return [value](Data& d) {
      d.ids[0] = 2;
      d.table[10] = value;
    };
  };
  fails({}, count(0), "eplbTable[2][0] = 0, expected 1 to 4");
  fails({}, count(5), "eplbTable[2][0] = 5, expected 1 to 4");
  fails({.mode = 1}, count(5), "eplbTable[2][0] = 5, expected 1 to 4");
  fails({.mode = 1}, count(-1), "eplbTable[2][0] = -1, expected 1 to 4");
  fails(
      {.columns = 3, .rank = 0, .ranks = 2},
      [](Data& d) {
        d.ids[0] = 0;
        d.table[0] = 3;
      },
      "eplbTable[0][0] = 3, expected 1 to 2");
}

TEST_F(MoeUpdateExpertTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Updating& wrong, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(wrong, Draw(wrong));
    ExpectRefused(First(wrong, t), ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused({.mode = 2}, {"balanceMode is 2", "0 to 1"});
  refused({.rank = 9}, {"localRankId is 9", "0 to 8"});
  refused({.rank = -1}, {"localRankId is -1", "0 to 8"});
  refused({.columns = 2, .rank = 0, .ranks = 1}, {"worldSize is 1", "2 to 768"});
  refused({.ranks = 769}, {"worldSize is 769", "2 to 768"});
  refused({.columns = 11}, {"eplbTable.shape[1] is 11", "2 to 10"});
  refused({.columns = 770, .mode = 1}, {"eplbTable.shape[1] is 770", "2 to 769"});
  refused({.tokens = 513}, {"expertIds.shape[0] is 513", "1 to 512"});
  refused({.chosen = 17, .experts = 20}, {"expertIds.shape[1] is 17", "1 to 16"});
  refused({.chosen = 7}, {"expertIds.shape[1] is 7", "1 to 6"});
  refused({.experts = 1025}, {"eplbTable.shape[0] is 1025", "1 to 1024"});
  refused({.threshold = false},
          {"expertScalesOptional is given", "pruningThresholdOptional is null"});
  refused({.scales = false}, {"pruningThresholdOptional is given", "expertScalesOptional is null"});
  refused({.scales = false, .threshold = false}, {"activeMaskOptional is given"});
}

}  // namespace
}  // namespace anyacl::test
