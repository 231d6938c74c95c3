// SPDX-License-Identifier: Apache-2.0
// RotateQuant against the document's formula in double precision.
#include "aclnnop/aclnn_rotate_quant.h"
#include "ops/row_quant_case.h"

namespace anyacl::test {
namespace {

using namespace row_quant;

class RotateQuantTest : public MoeTest {
 protected:
  struct Case {
    int64_t m = 3, n = 64, k = 32;
    aclDataType type = ACL_FLOAT16, out = ACL_INT8;
    bool strided = false;
    const char* mode = "rint";
  };
  // Of numbers whose products are exact.
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c.m << " x " << c.n << " by " << c.k << " type " << c.type
                                      << " out " << c.out << " strided " << c.strided);
    Numbers x, rotation;
    for (int64_t i = 0; i < c.m * c.n; ++i) x.push_back(static_cast<double>(random().Int(-3, 3)));
    for (int64_t i = 0; i < c.k * c.k; ++i) {
      rotation.push_back(i % c.k < 16 ? static_cast<double>(random().Int(-1, 1)) : 0);
      if (random().Int(0, 3) > 0) rotation.back() = 0;
    }
    const Tensor x_in = Holding({c.m, c.n}, c.type, x, c.strided);
    const Tensor rotation_in = Holding({c.k, c.k}, c.type, rotation, c.strided);
    const Tensor y = Made(StoredShape({c.m, c.n}, c.out), c.out, c.strided);
    const Tensor scale = Made({c.m}, ACL_FLOAT, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotateQuantGetWorkspaceSize(x_in.handle(), rotation_in.handle(), nullptr, -1,
                                                  const_cast<char*>(c.mode), 0, 0, false,
                                                  y.handle(), scale.handle(), s, e);
        },
        aclnnRotateQuant);
    const Numbers actual = IntegersOf(y), scales = ReadAs(scale);
    for (int64_t m = 0; m < c.m; ++m) {
      Numbers z(static_cast<size_t>(c.n));
      double most = 0;
      for (int64_t n = 0; n < c.n; ++n) {
        for (int64_t k = 0; k < c.k; ++k) {
          z[static_cast<size_t>(n)] += x[static_cast<size_t>(m * c.n + n / c.k * c.k + k)] *
                                       rotation[static_cast<size_t>(k * c.k + n % c.k)];
        }
        most = std::max(most, std::fabs(z[static_cast<size_t>(n)]));
      }
      const double step = most / (c.out == ACL_INT8 ? 127 : 7);
      ASSERT_NEAR(scales[static_cast<size_t>(m)], step, 1e-6 * step);
      for (int64_t n = 0; n < c.n; ++n) {
        ExpectQuantised(actual[static_cast<size_t>(m * c.n + n)], z[static_cast<size_t>(n)] / step,
                        BitsHeldBy(c.out));
      }
    }
    EXPECT_TRUE(y.GuardsIntact() && scale.GuardsIntact());
  }
};

TEST_F(RotateQuantTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType out : {ACL_INT8, ACL_INT32}) {
      for (bool strided : {false, true}) {
        Check({.type = type, .out = out, .strided = strided});
        Check({.m = 1, .n = 16, .k = 16, .type = type, .out = out, .strided = strided});
        Check({.m = 40, .n = 384, .k = 128, .type = type, .out = out, .mode = nullptr});
      }
    }
  }
}

TEST_F(RotateQuantTest, WhatDoesNotFitIsRefused) {
  const Tensor x = Made({2, 64}, ACL_BF16), rotation = Made({64, 64}, ACL_BF16);
  const Tensor other = Made({48, 48}, ACL_BF16), small = Made({8, 8}, ACL_BF16);
  const Tensor alpha = Made({1}, ACL_BF16), y = Made({2, 64}, ACL_INT8);
  const Tensor scale = Made({2}, ACL_FLOAT);
  struct Arguments {
    const Tensor* rotation = nullptr;
    const Tensor* alpha = nullptr;
    int64_t axis = -1, algorithm = 0;
    const char* mode = nullptr;
    double most = 0;
    bool trans = false;
  };
  const auto refused = [&](const Arguments& a, std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotateQuantGetWorkspaceSize(
              x.handle(), (a.rotation == nullptr ? rotation : *a.rotation).handle(),
              a.alpha == nullptr ? nullptr : a.alpha->handle(), a.axis, const_cast<char*>(a.mode),
              a.algorithm, a.most, a.trans, y.handle(), scale.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.rotation = &other}, {"x.shape[1] = 64", "rotation.shape[0] = 48"});
  refused({.rotation = &small}, {"rotation.shape[0] = 8", "16 to 1024"});
  refused({.alpha = &alpha}, {"alpha is given"});
  refused({.axis = 0}, {"axis = 0"});
  refused({.axis = 2}, {"axis is 2"});
  refused({.algorithm = 1}, {"scaleAlg is 1"});
  refused({.mode = "trunc"}, {"roundMode"});
  refused({.most = 6}, {"dstTypeMax = 6"});
  refused({.trans = true}, {"trans = true"});
}

}  // namespace
}  // namespace anyacl::test
