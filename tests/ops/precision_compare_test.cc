// SPDX-License-Identifier: Apache-2.0
// PrecisionCompare: 0 for equal elements, 503 for any that differ.
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_precision_compare.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class PrecisionCompareTest : public MoeTest {
 protected:
  static Phase1 Call(const Tensor& golden, const Tensor& real, const Tensor& out) {
    return [&](uint64_t* size, aclOpExecutor** e) {
      return aclnnPrecisionCompareGetWorkspaceSize(golden.handle(), real.handle(), out.handle(),
                                                   size, e);
    };
  }
  uint32_t CodeOf(const Tensor& golden, const Tensor& real) {
    const Tensor out({.dims = {}, .dtype = ACL_UINT32});
    RunTwoPhase(Call(golden, real, out), aclnnPrecisionCompare);
    EXPECT_TRUE(out.GuardsIntact());
    return out.Read<uint32_t>()[0];
  }
};

TEST_F(PrecisionCompareTest, CodesOfEqualAndOtherElements) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      Numbers x = Drawn(type, 9000, -2, 2);
      const Tensor golden = Holding({90, 100}, type, x, strided);
      EXPECT_EQ(CodeOf(golden, Holding({90, 100}, type, x)), 0u);
      x[8999] += 1;
      EXPECT_EQ(CodeOf(golden, Holding({90, 100}, type, x, strided)), 503u);
    }
    EXPECT_EQ(CodeOf(Made({2, 0}, type), Made({2, 0}, type)), 0u);
    EXPECT_EQ(CodeOf(Holding({}, type, {1}), Holding({}, type, {2})), 503u);
  }
}

TEST_F(PrecisionCompareTest, WhatDoesNotFitIsRefused) {
  const Tensor x = Made({2, 3}, ACL_FLOAT), y = Made({3, 2}, ACL_FLOAT);
  const Tensor halves = Made({2, 3}, ACL_FLOAT16), out({.dims = {}, .dtype = ACL_UINT32});
  const Tensor row({.dims = {1}, .dtype = ACL_UINT32});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Call(x, y, out), code, {"realdata.shape"});
  ExpectRefused(Call(x, halves, out), code, {"realdata.dtype"});
  ExpectRefused(Call(x, x, row), code, {"out.shape = [1]"});
}

}  // namespace
}  // namespace anyacl::test
