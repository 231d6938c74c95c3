// SPDX-License-Identifier: Apache-2.0
// The experts of tokens against the documents' formulas in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax.h"
#include "aclnnop/aclnn_moe_gating_top_k_softmax_v2.h"
#include "ops/moe_case.h"
#include "support/fixed.h"

namespace anyacl::test::moe_gating {
namespace {

using namespace moe;

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

}  // namespace
}  // namespace anyacl::test::moe_gating
