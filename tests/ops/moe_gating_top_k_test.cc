// SPDX-License-Identifier: Apache-2.0
// The experts of tokens by groups, with a bias and from a table, against the documents' steps in
// double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_gating_top_k.h"
#include "aclnnop/aclnn_moe_gating_top_k_v2.h"
#include "ops/moe_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Choice {
  int64_t rows = 7, experts = 24, k = 3;
  int64_t chosen = 2, groups = 4;
  int64_t mode = 1;
  int64_t renorm = 0;
  int64_t norm = 1;
  aclDataType type = ACL_FLOAT;
  bool biased = true;
  bool out = true;
  double factor = 2.5, eps = 1e-20;
  bool strided = false;
  aclDataType ids_type = ACL_INT32, table_type = ACL_INT32;
  Numbers x = {}, bias = {};     // drawn if empty
  Numbers ids = {}, table = {};  // none if empty
};

class MoeGatingTopKTest : public MoeTest {
 protected:
  struct Tensors {
    Tensor x, bias, ids, table, y, expert, out;
  };
  static Tensors TensorsOf(const Choice& c) {
    const auto keys = static_cast<int64_t>(c.table.size()) / c.k;
    return {Holding({c.rows, c.experts}, c.type, c.x, c.strided),
            Holding({c.experts}, c.type, c.bias, c.strided),
            Holding({static_cast<int64_t>(c.ids.size())}, c.ids_type, c.ids, c.strided),
            Holding({keys, c.k}, c.table_type, c.table, c.strided),
            Made({c.rows, c.k}, c.type, c.strided),
            Made({c.rows, c.k}, ACL_INT32, c.strided),
            Made({c.rows, c.experts}, ACL_FLOAT, c.strided)};
  }
  static Phase1 First(const Choice& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKGetWorkspaceSize(t.x.handle(), c.biased ? t.bias.handle() : nullptr,
                                                c.k, c.chosen, c.groups, c.mode, c.renorm, c.norm,
                                                c.out, c.factor, c.eps, t.y.handle(),
                                                t.expert.handle(), t.out.handle(), s, e);
    };
  }
  static Phase1 Second(const Choice& c, const Tensors& t) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKV2GetWorkspaceSize(
          t.x.handle(), c.biased ? t.bias.handle() : nullptr,
          c.ids.empty() ? nullptr : t.ids.handle(), c.table.empty() ? nullptr : t.table.handle(),
          c.k, c.chosen, c.groups, c.mode, c.renorm, c.norm, c.out, c.factor, c.eps, t.y.handle(),
          t.expert.handle(), t.out.handle(), s, e);
    };
  }
  void Draw(Choice* c) {
    if (c->x.empty()) {
      c->x = Drawn(c->type, static_cast<size_t>(c->rows * c->experts), -4, 4);
    }
    if (c->bias.empty()) c->bias = Drawn(c->type, static_cast<size_t>(c->experts), -1, 1);
  }

  // What the document makes of a row. Numbers in fp32 may order two otherwise that are closer than
  // their roundings: such a row is not `clear`.
  struct Row {
    Numbers norm, y;
    std::vector<size_t> chosen;
    bool clear = true;
  };
  static std::vector<size_t> Sorted(const Numbers& of, size_t k, bool* clear) {
    std::vector<size_t> order(of.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return of[a] > of[b]; });
    for (size_t i = 0; i < std::min(k, of.size() - 1); ++i) {
      const double a = of[order[i]], b = of[order[i + 1]];
      if (a != b && a - b < 0x1p-19 * std::max(std::abs(a), std::abs(b))) *clear = false;
    }
    order.resize(k);
    return order;
  }
  static Row Expected(const Choice& c, size_t r) {
    Row row;
    const auto experts = static_cast<size_t>(c.experts), k = static_cast<size_t>(c.k);
    const double* const x = c.x.data() + r * experts;
    const double max = *std::max_element(x, x + experts);
    double sum = 0;
    for (size_t i = 0; i < experts; ++i) sum += std::exp(x[i] - max);
    for (size_t i = 0; i < experts; ++i) {
      row.norm.push_back(c.norm == 1 ? 1 / (1 + std::exp(-x[i])) : std::exp(x[i] - max) / sum);
    }
    if (!c.ids.empty() && !c.table.empty()) {
      for (size_t i = 0; i < k; ++i) {
        row.chosen.push_back(static_cast<size_t>(c.table[static_cast<size_t>(c.ids[r]) * k + i]));
      }
    } else {
      Numbers numbers = row.norm;
      for (size_t i = 0; c.biased && i < experts; ++i) numbers[i] += c.bias[i];
      const auto groups = static_cast<size_t>(c.groups), size = experts / groups;
      Numbers scores;
      for (size_t g = 0; g < groups; ++g) {
        Numbers of(numbers.begin() + static_cast<std::ptrdiff_t>(g * size),
                   numbers.begin() + static_cast<std::ptrdiff_t>((g + 1) * size));
        std::sort(of.begin(), of.end(), std::greater<>());
        scores.push_back(c.mode == 1 ? of[0] + of[1] : of[0]);
      }
      bool clear = true;
      const auto best = Sorted(scores, static_cast<size_t>(c.chosen), &clear);
      if (c.chosen < c.groups) row.clear = clear;
      Numbers masked(experts, -INFINITY);
      for (size_t g : best) {
        for (size_t i = g * size; i < (g + 1) * size; ++i) masked[i] = numbers[i];
      }
      row.chosen = Sorted(masked, k, &row.clear);
    }
    double total = 0;
    for (size_t e : row.chosen) total += row.norm[e];
    for (size_t e : row.chosen) {
      const bool of_sum = c.norm == 1 || c.renorm == 1;
      row.y.push_back((of_sum ? row.norm[e] / (total + c.eps) : row.norm[e]) * c.factor);
    }
    return row;
  }
  static void Near(aclDataType type, double actual, double expected) {
    ASSERT_NEAR(actual, expected,
                std::abs(expected) * 0x1p-20 + 1.01 * HalfUnitOf(type, std::abs(expected)));
  }

  void Check(Choice c, bool second) {
    SCOPED_TRACE(::testing::Message()
                 << "rows " << c.rows << " experts " << c.experts << " k " << c.k << " groups "
                 << c.chosen << "/" << c.groups << " mode " << c.mode << " norm " << c.norm
                 << " renorm " << c.renorm << " type " << c.type << " V2 " << second);
    Draw(&c);
    const Tensors t = TensorsOf(c);
    RunTwoPhase(second ? Second(c, t) : First(c, t),
                second ? aclnnMoeGatingTopKV2 : aclnnMoeGatingTopK);
    const Numbers y = ReadAs(t.y), out = ReadAs(t.out);
    const Integers expert = t.expert.Read<int32_t>();
    int64_t unclear = 0;
    for (size_t r = 0; r < static_cast<size_t>(c.rows); ++r) {
      const Row row = Expected(c, r);
      const auto k = static_cast<size_t>(c.k), experts = static_cast<size_t>(c.experts);
      for (size_t i = 0; c.out && i < experts; ++i) {
        Near(ACL_FLOAT, out[r * experts + i], row.norm[i]);
      }
      if (!row.clear) {
        ++unclear;
        continue;
      }
      for (size_t i = 0; i < k; ++i) {
        ASSERT_EQ(expert[r * k + i], static_cast<int32_t>(row.chosen[i])) << r << " " << i;
        Near(c.type, y[r * k + i], row.y[i]);
      }
    }
    EXPECT_LE(unclear, c.rows / 4);
    for (const Tensor* tensor : {&t.y, &t.expert, &t.out}) EXPECT_TRUE(tensor->GuardsIntact());
    if (!c.out) {
      EXPECT_EQ(t.out.Bytes(), Made({c.rows, c.experts}, ACL_FLOAT, c.strided).Bytes());
    }
  }
};

TEST_F(MoeGatingTopKTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t norm : {0, 1}) {
      for (int64_t renorm : {0, 1}) {
        for (int64_t mode : {0, 1}) {
          for (bool second : {false, true}) {
            Check({.mode = mode,
                   .renorm = renorm,
                   .norm = norm,
                   .type = type,
                   .biased = mode == 1,
                   .out = renorm == 1,
                   .strided = second},
                  second);
          }
        }
      }
    }
    Check({.rows = 40, .experts = 256, .k = 8, .chosen = 4, .groups = 8, .type = type}, false);
  }
  Check({.rows = 33, .experts = 2048, .k = 4, .chosen = 1, .groups = 1}, false);
  Check({.rows = 9, .experts = 2048, .k = 4, .chosen = 3, .groups = 64}, false);
  Check({.rows = 9, .experts = 130, .k = 12, .chosen = 1, .groups = 10, .mode = 0}, true);
  Check({.experts = 24, .k = 5, .chosen = 6, .groups = 24, .mode = 0}, false);  // groups of one
  Check({.experts = 24, .k = 5, .chosen = 4, .groups = 4}, false);              // all groups
  Check({.rows = 1, .experts = 1, .k = 1, .chosen = 1, .groups = 1, .mode = 0}, false);
  // Nothing is padded where no group is left out.
  Check({.experts = 130, .k = 3, .chosen = 129, .groups = 130, .mode = 0}, false);
  Check({.experts = 330, .k = 3, .chosen = 66, .groups = 66}, false);
  Check({.factor = 0}, false);
  Check({.factor = -1, .eps = 0.5}, false);
  Check({.rows = 0}, true);
}

TEST_F(MoeGatingTopKTest, TableSaysWhichExperts) {
  for (aclDataType ids : {ACL_INT32, ACL_INT64}) {
    for (aclDataType table : {ACL_INT32, ACL_INT64}) {
      for (bool strided : {false, true}) {
        for (int64_t norm : {0, 1}) {
          Check({.rows = 3,
                 .k = 2,
                 .chosen = 1,
                 .groups = 1,
                 .norm = norm,
                 .strided = strided,
                 .ids_type = ids,
                 .table_type = table,
                 .ids = {3, 0, 3},
                 .table = {23, 0, 1, 1, 2, 3, 9, 8}},
                true);
        }
      }
    }
  }
  // One of the two has no effect, of whatever shape.
  Check({.ids = {9}}, true);
  Check({.table = {99, 98, 97}}, true);
  Choice c;
  Draw(&c);
  const Tensors t = TensorsOf(c);
  const Tensor wide = Holding({2, 5}, ACL_INT32, Numbers(10, 99));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeGatingTopKV2GetWorkspaceSize(t.x.handle(), nullptr, nullptr, wide.handle(),
                                                    c.k, c.chosen, c.groups, c.mode, c.renorm,
                                                    c.norm, c.out, c.factor, c.eps, t.y.handle(),
                                                    t.expert.handle(), t.out.handle(), s, e);
      },
      aclnnMoeGatingTopKV2);
}

// The lower of equal experts and of equal groups comes first.
TEST_F(MoeGatingTopKTest, EqualOnesKeepTheirOrder) {
  const Choice c = {.rows = 1, .experts = 8, .k = 4, .biased = false};
  for (const Numbers& x : {Numbers{1, 1, 2, 2, 2, 2, 1, 1}, Numbers(8, 0.5)}) {
    Choice equal = c;
    equal.x = x;
    Check(equal, false);
  }
  // What the bias takes to minus infinity is behind all of its groups, before all others.
  Choice minus = c;
  minus.biased = true;
  minus.x = {1, 2, 3, 4, 1, 2, 1, 2};
  minus.bias = {0, 0, 5, -INFINITY, 0, 0, 0, 0};
  minus.chosen = 2;
  minus.mode = 0;
  Check(minus, false);
}

TEST_F(MoeGatingTopKTest, NanIsTheLargest) {
  Choice c = {.rows = 1, .experts = 8, .k = 2, .chosen = 1, .biased = false};
  c.x = {9, 9, 1, 1, 1, NAN, 9, 9};
  c.bias = Numbers(8, 0);
  const Tensors t = TensorsOf(c);
  RunTwoPhase(First(c, t), aclnnMoeGatingTopK);
  EXPECT_EQ(t.expert.Read<int32_t>(), (Integers{5, 4}));
  for (double y : ReadAs(t.y)) EXPECT_TRUE(std::isnan(y));
}

TEST_F(MoeGatingTopKTest, BitsArePinned) {
  for (int64_t norm : {0, 1}) {
    Choice c = {.rows = 300, .experts = 128, .k = 9, .chosen = 3, .groups = 8, .norm = norm};
    c.x = FixedNumbers(c.rows * c.experts);
    c.bias = FixedNumbers(c.experts, 2);
    const Tensors t = TensorsOf(c);
    RunTwoPhase(First(c, t), aclnnMoeGatingTopK);
    EXPECT_EQ(Fingerprint(t.y.ElementBytes()),
              norm == 0 ? 0x44394e147550f7b2u : 0x796b3545b99c2c1au);
    EXPECT_EQ(Fingerprint(t.expert.ElementBytes()),
              norm == 0 ? 0x758f3ab7a3aa1365u : 0x9f046862c10898b0u);
    EXPECT_EQ(Fingerprint(t.out.ElementBytes()),
              norm == 0 ? 0xe468af2600785936u : 0x2d873e8e1730ae07u);
  }
}

TEST_F(MoeGatingTopKTest, RefusesWhatDoesNotFit) {
  const struct {
    Choice choice;
    std::initializer_list<std::string_view> words;
  } wrong[] = {
      {{.k = 0}, {"k is 0", "1 to 2048"}},
      {{.k = 13}, {"k is 13", "1 to 12", "kGroup = 2"}},
      {{.chosen = 0}, {"kGroup is 0"}},
      {{.chosen = 5}, {"kGroup is 5", "1 to 4"}},
      {{.groups = 0}, {"groupCount is 0"}},
      {{.groups = 5}, {"groupCount is 5", "divisor of x.shape[1] = 24"}},
      {{.groups = 24}, {"groupCount is 24", "more than 1 experts", "groupSelectMode is 1"}},
      {{.mode = 2}, {"groupSelectMode is 2", "0 to 1"}},
      {{.renorm = 2}, {"renorm is 2", "0 to 1"}},
      {{.norm = 2}, {"normType is 2", "0 to 1"}},
      {{.rows = 1, .experts = 2049, .chosen = 1, .groups = 1}, {"x.shape[1] = 2049", "2048"}},
      {{.rows = 1, .experts = 330, .chosen = 1, .groups = 66},
       {"groupCount is 66", "at most 64", "5 experts count as 32"}},
  };
  for (const auto& [choice, words] : wrong) {
    // Tensors of sizes that can be had.
    Choice shaped = choice;
    shaped.k = std::max<int64_t>(1, choice.k);
    Draw(&shaped);
    const Tensors t = TensorsOf(shaped);
    ExpectRefused(First(choice, t), ACLNN_ERR_INNER_TILING_ERROR, words);
    ExpectRefused(Second(choice, t), ACLNN_ERR_INNER_TILING_ERROR, words);
  }
  Choice c;
  Draw(&c);
  c.bias.resize(23);
  const Tensors t = TensorsOf({.experts = 24, .x = c.x, .bias = Numbers(24)});
  const Tensor short_bias = Holding({23}, c.type, c.bias), other = Made({24}, ACL_BF16);
  const auto with_bias = [&](const Tensor& bias) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeGatingTopKGetWorkspaceSize(t.x.handle(), bias.handle(), 3, 2, 4, 1, 0, 1,
                                                false, 1, 0, t.y.handle(), t.expert.handle(),
                                                t.out.handle(), s, e);
    };
  };
  ExpectRefused(with_bias(short_bias), ACLNN_ERR_INNER_TILING_ERROR, {"biasOptional", "23", "24"});
  ExpectRefused(with_bias(other), ACLNN_ERR_PARAM_INVALID, {"biasOptional"});
}

TEST_F(MoeGatingTopKTest, RefusesTablesThatDoNotFit) {
  Choice c = {.rows = 2, .k = 2, .chosen = 1, .groups = 1, .ids = {0, 1}, .table = {1, 2, 3, 4}};
  Draw(&c);
  const auto refused = [&](const Choice& wrong, std::initializer_list<std::string_view> words) {
    const Tensors t = TensorsOf(wrong);
    ExpectRefused(Second(wrong, t), ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  Choice wrong = c;
  wrong.groups = 4;
  refused(wrong, {"kGroup is 1", "groupCount = 4", "tid2eidOptional"});
  wrong = c;
  wrong.ids = {0, 1, 0};
  refused(wrong, {"inputIdsOptional", "3", "2"});
  wrong = c;
  wrong.experts = 100;
  wrong.k = 65;
  wrong.table = Numbers(65, 1);
  wrong.x = wrong.bias = {};
  Draw(&wrong);
  refused(wrong, {"k is 65", "1 to 64"});
  const auto fails = [&](const Choice& bad, std::string_view word) {
    const Tensors t = TensorsOf(bad), fresh = TensorsOf(bad);
    ExpectTaskFails(Second(bad, t), aclnnMoeGatingTopKV2, word);
    EXPECT_EQ(t.y.Bytes(), fresh.y.Bytes());
    EXPECT_EQ(t.expert.Bytes(), fresh.expert.Bytes());
  };
  for (double id : {-1.0, 2.0}) {
    wrong = c;
    wrong.ids = {0, id};
    fails(wrong, "inputIdsOptional[1]");
  }
  for (double expert : {-1.0, 24.0}) {
    wrong = c;
    wrong.table = {1, 2, 3, expert};
    fails(wrong, "tid2eidOptional[1][1]");
  }
}

}  // namespace
}  // namespace anyacl::test
