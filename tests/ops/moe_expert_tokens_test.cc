// SPDX-License-Identifier: Apache-2.0
// Where experts' rows end.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_compute_expert_tokens.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

class MoeExpertTokensTest : public MoeTest {
 protected:
  static Phase1 CallOf(const Tensor& experts, int64_t count, const Tensor& out) {
    return [&, count](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeComputeExpertTokensGetWorkspaceSize(experts.handle(), count, out.handle(), s,
                                                         e);
    };
  }
};

TEST_F(MoeExpertTokensTest, CountsWhatIsNotAbove) {
  for (int64_t rows : {0, 1, 2, 30, 1000}) {
    for (int64_t experts : {1, 2, 17, 2048}) {
      for (bool strided : {false, true}) {
        Integers sorted;
        for (int64_t i = 0; i < rows; ++i) {
          sorted.push_back(static_cast<int32_t>(random().Int(0, experts - 1)));
        }
        std::sort(sorted.begin(), sorted.end());
        const Tensor in = Holding({rows}, ACL_INT32, AsNumbers(sorted), strided);
        const Tensor out = Made({experts}, ACL_INT32, strided);
        RunTwoPhase(CallOf(in, experts, out), aclnnMoeComputeExpertTokens);
        Integers expected;
        for (int32_t e = 0; e < experts; ++e) {
          expected.push_back(static_cast<int32_t>(
              std::count_if(sorted.begin(), sorted.end(), [&](int32_t x) { return x <= e; })));
        }
        EXPECT_EQ(out.Read<int32_t>(), expected) << rows << " " << experts;
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

TEST_F(MoeExpertTokensTest, RefusesWhatDoesNotFit) {
  const int code = ACLNN_ERR_INNER_TILING_ERROR;
  const Tensor in = Made({5}, ACL_INT32), out = Made({3}, ACL_INT32);
  const Tensor flat = Made({5, 1}, ACL_INT32), floats = Made({5}, ACL_FLOAT);
  ExpectRefused(CallOf(in, 0, out), code, {"numExperts is 0", "1 to 2048"});
  ExpectRefused(CallOf(in, 2049, out), code, {"numExperts is 2049", "1 to 2048"});
  ExpectRefused(CallOf(in, 4, out), code, {"out.shape[0] = 3", "numExperts = 4"});
  ExpectRefused(CallOf(flat, 3, out), code, {"sortedExperts.shape"});
  ExpectRefused(CallOf(floats, 3, out), ACLNN_ERR_PARAM_INVALID, {"sortedExperts.dtype = FLOAT"});
}

}  // namespace
}  // namespace anyacl::test
