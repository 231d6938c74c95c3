// SPDX-License-Identifier: Apache-2.0
// Clipped gated units and their gradients, against the formulas of their documents.
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_clipped_swiglu.h"
#include "aclnnop/aclnn_clipped_swiglu_grad.h"
#include "ops/gated_units_case.h"

namespace anyacl::test {
namespace {

struct Clipped {
  std::vector<int64_t> dims;
  int64_t dim = -1;
  bool interleaved = true;
  double alpha = 1.702, limit = 7, bias = 1;
  std::vector<double> groups = {};
  aclDataType type = ACL_FLOAT;
  std::vector<int64_t> strides = {}, out_strides = {};
};

class ClippedSwigluTest : public GatedUnitsTest {
 protected:
  static std::vector<int64_t> HalfOf(const Clipped& c) {
    std::vector<int64_t> dims = c.dims;
    dims[static_cast<size_t>(c.dim < 0 ? c.dim + static_cast<int64_t>(dims.size()) : c.dim)] /= 2;
    return dims;
  }
  // How many rows are computed, and how long they are: [rows, cut], the dimensions behind `dim`
  // joined with it.
  static std::pair<size_t, size_t> RowsOf(const Clipped& c, bool grouped, size_t elements) {
    size_t all = 1, some = 0;
    const auto rank = static_cast<int64_t>(c.dims.size());
    for (int64_t i = 0; i < (c.dim < 0 ? c.dim + rank : c.dim); ++i) {
      all *= static_cast<size_t>(c.dims[static_cast<size_t>(i)]);
    }
    for (double group : c.groups) some += static_cast<size_t>(group);
    return {grouped ? some : all, elements / all};
  }
  static Phase1 CallOf(const Clipped& c, const Tensor& x, const Tensor* groups, const Tensor& out) {
    return [&c, &x, groups, &out](uint64_t* s, aclOpExecutor** e) {
      return aclnnClippedSwigluGetWorkspaceSize(
          x.handle(), groups == nullptr ? nullptr : groups->handle(), c.dim, c.alpha, c.limit,
          c.bias, c.interleaved, out.handle(), s, e);
    };
  }

  void Check(const Clipped& c, bool grouped) {
    SCOPED_TRACE(::testing::Message() << "dim " << c.dim << " interleaved " << c.interleaved
                                      << " type " << c.type << " grouped " << grouped);
    const Tensor x = Drawn({.dims = c.dims, .dtype = c.type, .strides = c.strides}, 9);
    Tensor groups({.dims = {static_cast<int64_t>(c.groups.size())}, .dtype = ACL_INT64});
    WriteAs(groups, c.groups);
    const Tensor out = Drawn({.dims = HalfOf(c), .dtype = c.type, .strides = c.out_strides});
    Numbers expected = ReadAs(out);
    const Numbers xs = ReadAs(x);
    RunTwoPhase(CallOf(c, x, grouped ? &groups : nullptr, out), aclnnClippedSwiglu);
    const auto [rows, cut] = RowsOf(c, grouped, xs.size());
    const size_t h = cut / 2;
    for (size_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < h; ++i) {
        double a = xs[r * cut + (c.interleaved ? 2 * i : i)];
        double b = xs[r * cut + (c.interleaved ? 2 * i + 1 : h + i)];
        a = std::min(a, c.limit);
        b = std::min(std::max(b, -c.limit), c.limit);
        expected[r * h + i] = a / (1 + std::exp(-c.alpha * a)) * (b + c.bias);
      }
    }
    ExpectClose(out, expected, 8);
  }
};

TEST_F(ClippedSwigluTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool interleaved : {false, true}) {
      Check({.dims = {5, 14}, .interleaved = interleaved, .type = type}, false);
      Check({.dims = {2, 3, 1400}, .dim = 2, .interleaved = interleaved, .type = type}, false);
      Check({.dims = {5, 14},
             .interleaved = interleaved,
             .alpha = 0.5,
             .limit = 2,
             .bias = -0.25,
             .type = type,
             .strides = {1, 6}},
            false);
    }
    Check({.dims = {4, 3, 5}, .dim = 0, .interleaved = false, .type = type}, false);
    Check({.dims = {3, 4, 5}, .dim = -2, .interleaved = false, .type = type}, false);
    Check({.dims = {6}, .dim = 0, .type = type}, false);
  }
}

// Rows behind those of the groups are not written.
TEST_F(ClippedSwigluTest, Groups) {
  Check({.dims = {9, 14}, .groups = {2, 0, 3}}, true);
  Check({.dims = {9, 1400}, .interleaved = false, .groups = {9}, .type = ACL_BF16}, true);
  Check({.dims = {9, 14}, .groups = {0, 0}}, true);
  Check({.dims = {9, 14}, .groups = {}}, true);
  Check({.dims = {3, 5, 6}, .groups = {7, 1}, .strides = {6, 18, 1}}, true);
  Check({.dims = {5, 4, 3}, .dim = 1, .interleaved = false, .groups = {2}}, true);
  Check({.dims = {9, 14}, .groups = {4}, .out_strides = {1, 10}}, true);
}

TEST_F(ClippedSwigluTest, GroupsThatDoNotFitFail) {
  for (const Numbers& values : {Numbers{5, 5}, Numbers{3, -1}}) {
    const Clipped c = {.dims = {9, 14}};
    const Tensor x = Drawn({.dims = c.dims}), out = Drawn({.dims = {9, 7}});
    Tensor groups({.dims = {2}, .dtype = ACL_INT64});
    WriteAs(groups, values);
    const Numbers before = ReadAs(out);
    TakeMessages();
    const Prepared prepared = Prepare(CallOf(c, x, &groups, out));
    ASSERT_OK(prepared.code);
    // Where launches block, the call itself fails.
    int code = aclnnClippedSwiglu(nullptr, 0, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION,
                  {values[1] == 5 ? "groupIndexOptional[1] = 5" : "groupIndexOptional[1] = -1"});
    EXPECT_EQ(ReadAs(out), before);
  }
}

TEST_F(ClippedSwigluTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Clipped& c, std::initializer_list<std::string_view> words) {
    const Tensor x = Drawn({.dims = c.dims});
    const Tensor out({.dims = c.dims.size() > 1 ? std::vector<int64_t>{5, 7} : c.dims});
    ExpectRefused(CallOf(c, x, nullptr, out), ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.dims = {5, 13}}, {"x.shape[1] = 13", "even"});
  refused({.dims = {5, 14}, .dim = 2}, {"dim = 2"});
  refused({.dims = {5, 14}, .limit = 0}, {"limit = 0"});
  refused({.dims = {5, 14}, .limit = NAN}, {"limit"});
  refused({.dims = {10, 7}, .dim = 0}, {"interleaved", "last dimension"});
  refused({.dims = {5, 16}}, {"out.shape = [5, 7]"});
}

class ClippedSwigluGradTest : public ClippedSwigluTest {
 protected:
  static Phase1 CallOf(const Clipped& c, const Tensor& gradient, const Tensor& x,
                       const Tensor* groups, const Tensor& out) {
    return [&c, &gradient, &x, groups, &out](uint64_t* s, aclOpExecutor** e) {
      return aclnnClippedSwigluGradGetWorkspaceSize(
          gradient.handle(), x.handle(), groups == nullptr ? nullptr : groups->handle(), c.dim,
          c.alpha, c.limit, c.bias, c.interleaved, out.handle(), s, e);
    };
  }

  // Some numbers equal the limit, which must be one that the type holds.
  void Check(const Clipped& c, bool grouped, bool in_place = false) {
    SCOPED_TRACE(::testing::Message()
                 << "dim " << c.dim << " interleaved " << c.interleaved << " type " << c.type
                 << " grouped " << grouped << " in place " << in_place);
    Tensor x = Drawn({.dims = c.dims, .dtype = c.type, .strides = c.strides}, 9);
    Numbers xs = ReadAs(x);
    for (size_t i = 0; i < xs.size(); ++i) {
      if (i % 5 == 0) xs[i] = i % 10 == 0 ? c.limit : -c.limit;
    }
    WriteAs(x, xs);
    Tensor groups({.dims = {static_cast<int64_t>(c.groups.size())}, .dtype = ACL_INT64});
    WriteAs(groups, c.groups);
    const Tensor gradient = Drawn({.dims = HalfOf(c), .dtype = c.type, .strides = c.out_strides});
    const Numbers gs = ReadAs(gradient);
    const Tensor apart = Drawn(x.layout()), &out = in_place ? x : apart;
    RunTwoPhase(CallOf(c, gradient, x, grouped ? &groups : nullptr, out), aclnnClippedSwigluGrad);
    const auto [rows, cut] = RowsOf(c, grouped, xs.size());
    const size_t h = cut / 2;
    Numbers expected(xs.size());
    for (size_t r = 0; r < rows; ++r) {
      for (size_t i = 0; i < h; ++i) {
        const size_t at_a = r * cut + (c.interleaved ? 2 * i : i);
        const size_t at_b = r * cut + (c.interleaved ? 2 * i + 1 : h + i);
        const double a = std::min(xs[at_a], c.limit);
        const double b = std::min(std::max(xs[at_b], -c.limit), c.limit);
        const double sigmoid = 1 / (1 + std::exp(-c.alpha * a)), g = gs[r * h + i];
        if (xs[at_a] <= c.limit) {
          expected[at_a] = g * (b + c.bias) * sigmoid * (1 + c.alpha * a * (1 - sigmoid));
        }
        if (std::fabs(xs[at_b]) <= c.limit) expected[at_b] = g * a * sigmoid;
      }
    }
    // Factors of up to 10, 4 and, of the slope, 15.
    ExpectClose(out, expected, 600, 0x1p-21);
  }
};

TEST_F(ClippedSwigluGradTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool interleaved : {false, true}) {
      for (bool in_place : {false, true}) {
        Check({.dims = {5, 14}, .interleaved = interleaved, .type = type}, false, in_place);
        Check({.dims = {2, 3, 2800}, .dim = 2, .interleaved = interleaved, .type = type}, false,
              in_place);
        Check({.dims = {9, 14}, .interleaved = interleaved, .groups = {2, 0, 3}, .type = type},
              true, in_place);
      }
      Check({.dims = {5, 14},
             .interleaved = interleaved,
             .alpha = 0.5,
             .limit = 2,
             .bias = -0.25,
             .type = type,
             .strides = {1, 6},
             .out_strides = {1, 5}},
            false);
    }
    Check({.dims = {4, 3, 5}, .dim = 0, .interleaved = false, .type = type}, false);
    Check({.dims = {3, 4, 5}, .dim = -2, .interleaved = false, .type = type}, false);
    Check({.dims = {6}, .dim = 0, .type = type}, false);
  }
}

// Rows behind those of the groups have the gradient 0.
TEST_F(ClippedSwigluGradTest, Groups) {
  Check({.dims = {9, 1400}, .interleaved = false, .groups = {9}, .type = ACL_BF16}, true);
  Check({.dims = {90, 1400}, .interleaved = false, .groups = {17}, .type = ACL_BF16}, true);
  Check({.dims = {9, 14}, .groups = {0, 0}}, true);
  Check({.dims = {9, 14}, .groups = {}}, true);
  Check({.dims = {3, 5, 6}, .groups = {7, 1}, .strides = {6, 18, 1}}, true);
  Check({.dims = {5, 4, 3}, .dim = 1, .interleaved = false, .groups = {2}}, true);
}

TEST_F(ClippedSwigluGradTest, GroupsThatDoNotFitFail) {
  for (const Numbers& values : {Numbers{5, 5}, Numbers{3, -1}}) {
    const Clipped c = {.dims = {9, 14}};
    const Tensor x = Drawn({.dims = c.dims}), out = Drawn({.dims = c.dims});
    const Tensor gradient = Drawn({.dims = {9, 7}});
    Tensor groups({.dims = {2}, .dtype = ACL_INT64});
    WriteAs(groups, values);
    const Numbers before = ReadAs(out);
    TakeMessages();
    const Prepared prepared = Prepare(CallOf(c, gradient, x, &groups, out));
    ASSERT_OK(prepared.code);
    int code = aclnnClippedSwigluGrad(nullptr, 0, prepared.executor, stream());
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream());
    ExpectFailure(code, ACL_ERROR_RT_AICORE_EXCEPTION,
                  {values[1] == 5 ? "groupIndexOptional[1] = 5" : "groupIndexOptional[1] = -1"});
    EXPECT_EQ(ReadAs(out), before);
  }
}

TEST_F(ClippedSwigluGradTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Clipped& c, const std::vector<int64_t>& half,
                           std::initializer_list<std::string_view> words) {
    const Tensor x = Drawn({.dims = c.dims}), out({.dims = c.dims}), gradient({.dims = half});
    ExpectRefused(CallOf(c, gradient, x, nullptr, out), ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused({.dims = {5, 13}}, {5, 6}, {"x.shape[1] = 13", "even"});
  refused({.dims = {5, 14}, .dim = 2}, {5, 7}, {"dim = 2"});
  refused({.dims = {5, 14}, .limit = 0}, {5, 7}, {"limit = 0"});
  refused({.dims = {10, 7}, .dim = 0}, {5, 7}, {"interleaved", "last dimension"});
  refused({.dims = {5, 16}}, {5, 7}, {"gradY.shape = [5, 7]"});
  const Clipped c = {.dims = {5, 14}};
  const Tensor x = Drawn({.dims = c.dims, .dtype = ACL_BF16}), gradient({.dims = {5, 7}});
  ExpectRefused(CallOf(c, gradient, x, nullptr, x), ACLNN_ERR_PARAM_INVALID, {"x.dtype = BF16"});
}

// Dimensions whose product has no 64 bits, of no elements.
TEST_F(ClippedSwigluGradTest, OfNothingIsNothing) {
  const int64_t large = int64_t{1} << 40;
  for (bool interleaved : {false, true}) {
    const Clipped c = {.dims = {0, large, large}, .interleaved = interleaved};
    const Tensor x({.dims = c.dims}), half({.dims = {0, large, large / 2}});
    RunTwoPhase(CallOf(c, half, x, nullptr, x), aclnnClippedSwigluGrad);
    RunTwoPhase(ClippedSwigluTest::CallOf(c, x, nullptr, half), aclnnClippedSwiglu);
  }
}

}  // namespace
}  // namespace anyacl::test
