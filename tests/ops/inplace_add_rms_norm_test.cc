// SPDX-License-Identifier: Apache-2.0
// aclnnInplaceAddRmsNorm against its document's formula and the bits of aclnnAddRmsNorm.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_inplace_add_rms_norm.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;

class InplaceAddRmsNormTest : public DeviceTest {
 protected:
  Tensor Drawn(const Layout& layout) {
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(layout.dtype, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  void Check(const Layout& layout, const std::vector<int64_t>& row) {
    SCOPED_TRACE(::testing::Message() << "type " << layout.dtype << " row of " << row.size());
    Tensor x1 = Drawn(layout), x2 = Drawn(layout);
    const Tensor gamma = Drawn({.dims = row, .dtype = layout.dtype});
    std::vector<int64_t> ones = layout.dims;
    std::fill(ones.end() - static_cast<std::ptrdiff_t>(row.size()), ones.end(), 1);
    const Tensor rstd({.dims = ones}), apart_rstd({.dims = ones});
    const Tensor apart({.dims = layout.dims, .dtype = layout.dtype});
    const Tensor apart_sum({.dims = layout.dims, .dtype = layout.dtype});
    const Numbers a = ReadAs(x1), b = ReadAs(x2), g = ReadAs(gamma);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddRmsNormGetWorkspaceSize(x1.handle(), x2.handle(), gamma.handle(), 1e-3,
                                                 apart.handle(), apart_rstd.handle(),
                                                 apart_sum.handle(), s, e);
        },
        aclnnAddRmsNorm);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceAddRmsNormGetWorkspaceSize(x1.handle(), x2.handle(), gamma.handle(),
                                                        1e-3, rstd.handle(), s, e);
        },
        aclnnInplaceAddRmsNorm);
    EXPECT_EQ(ReadBits(x1), ReadBits(apart));
    EXPECT_EQ(ReadBits(x2), ReadBits(apart_sum));
    EXPECT_EQ(ReadBits(rstd), ReadBits(apart_rstd));
    EXPECT_TRUE(x1.GuardsIntact());
    EXPECT_TRUE(x2.GuardsIntact());
    const Numbers norm = ReadAs(x1);
    for (size_t begin = 0; begin < a.size(); begin += g.size()) {
      double squares = 0;
      for (size_t i = 0; i < g.size(); ++i) {
        squares += (a[begin + i] + b[begin + i]) * (a[begin + i] + b[begin + i]);
      }
      const double scale = 1 / std::sqrt(squares / static_cast<double>(g.size()) + 1e-3);
      for (size_t i = 0; i < g.size(); ++i) {
        const double expected = (a[begin + i] + b[begin + i]) * scale * g[i];
        // The sum may be rounded before it is normalised.
        ASSERT_NEAR(norm[begin + i], expected,
                    1e-5 + 4 * HalfUnitOf(layout.dtype, 1 + std::fabs(expected)));
      }
    }
  }
};

TEST_F(InplaceAddRmsNormTest, IsAddRmsNorm) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    Check({.dims = {5, 40}, .dtype = type}, {40});
    Check({.dims = {2, 3, 4, 8}, .dtype = type}, {4, 8});
    Check({.dims = {2, 5000}, .dtype = type}, {5000});
    Check({.dims = {3, 40}, .dtype = type, .strides = {1, 4}}, {40});
  }
}

TEST_F(InplaceAddRmsNormTest, RefusesWhatDoesNotFit) {
  const Tensor x({.dims = {3, 4}}), rstd({.dims = {3, 1}});
  const auto refused = [&](const Layout& x2, const Layout& gamma,
                           std::initializer_list<std::string_view> words) {
    const Tensor other(x2), row(gamma);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceAddRmsNormGetWorkspaceSize(x.handle(), other.handle(), row.handle(),
                                                        1e-6, rstd.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.dims = {3, 5}}, {.dims = {4}}, {"x2Ref.shape = [3, 5]"});
  refused({.dims = {3, 4}, .dtype = ACL_FLOAT16}, {.dims = {4}}, {"x2Ref.dtype = FLOAT16"});
  refused({.dims = {3, 4}}, {.dims = {3}}, {"gamma.shape"});
}

}  // namespace
}  // namespace anyacl::test
