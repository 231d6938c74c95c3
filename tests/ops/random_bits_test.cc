// SPDX-License-Identifier: Apache-2.0
// The bits of random numbers, pinned: run with different ANYACL_THREADS and ANYACL_ISA, they must
// not change, nor from one release to the next.
#include "aclnnop/aclnn_bernoulli.h"
#include "aclnnop/aclnn_dropout_gen_mask.h"
#include "aclnnop/aclnn_normal.h"
#include "aclnnop/aclnn_random.h"
#include "aclnnop/aclnn_randperm.h"
#include "aclnnop/aclnn_uniform.h"
#include "ops/random_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

class RandomBitsTest : public RandomOpsTest {
 protected:
  static constexpr int64_t kCount = 300'003;

  uint64_t FingerprintOf(aclDataType type, const Phase1& phase1, Phase2 phase2, const Tensor& out) {
    RunTwoPhase(phase1, phase2);
    EXPECT_EQ(out.layout().dtype, type);
    return Fingerprint(out.ElementBytes());
  }
};

TEST_F(RandomBitsTest, Uniform) {
  for (const auto& [type, pinned] : {std::pair{ACL_FLOAT, 0x6ad5686e1b277ed4u},
                                     {ACL_FLOAT16, 0x285a18a71bf6a4d4u},
                                     {ACL_BF16, 0x25253b9ac7e9b8b2u},
                                     {ACL_INT32, 0xa31a3784c1a9e84au}}) {
    const Tensor out({.dims = {kCount}, .dtype = type});
    const auto phase1 = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceUniformGetWorkspaceSize(out.handle(), -7.3, 19.1, 42, 4, size, executor);
    };
    EXPECT_EQ(FingerprintOf(type, phase1, aclnnInplaceUniform, out), pinned) << type;
  }
}

TEST_F(RandomBitsTest, Normal) {
  for (const auto& [type, pinned] : {std::pair{ACL_FLOAT, 0xa64d7db880fe8325u},
                                     {ACL_FLOAT16, 0x9503fa2abe5212b6u},
                                     {ACL_BF16, 0x5c93332e169c6973u},
                                     {ACL_DOUBLE, 0xccc9b62972a37580u}}) {
    const Tensor out({.dims = {kCount}, .dtype = type});
    const auto phase1 = [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceNormalGetWorkspaceSize(out.handle(), 0.3f, 1.7f, 42, 4, size, executor);
    };
    EXPECT_EQ(FingerprintOf(type, phase1, aclnnInplaceNormal, out), pinned) << type;
  }
}

TEST_F(RandomBitsTest, Choices) {
  const Tensor whole({.dims = {kCount}, .dtype = ACL_INT64}),
      yes({.dims = {kCount}, .dtype = ACL_BOOL});
  const Tensor order({.dims = {kCount}, .dtype = ACL_INT64}),
      mask({.dims = {37'504}, .dtype = ACL_UINT8});
  for (const auto& [to, pinned] :
       {std::pair{int64_t{1000}, 0x82557017f11e812eu}, {INT64_MAX, 0xf08ff02cc692abc2u}}) {
    const auto integers = [&, to = to](uint64_t* size, aclOpExecutor** executor) {
      return aclnnInplaceRandomGetWorkspaceSize(whole.handle(), -3, to, 42, 4, size, executor);
    };
    EXPECT_EQ(FingerprintOf(ACL_INT64, integers, aclnnInplaceRandom, whole), pinned) << to;
  }
  const auto bernoulli = [&](uint64_t* size, aclOpExecutor** executor) {
    float prob = 0.3f;
    aclScalar* scalar = aclCreateScalar(&prob, ACL_FLOAT);
    const aclnnStatus code =
        aclnnInplaceBernoulliGetWorkspaceSize(yes.handle(), scalar, 42, 4, size, executor);
    aclDestroyScalar(scalar);
    return code;
  };
  EXPECT_EQ(FingerprintOf(ACL_BOOL, bernoulli, aclnnInplaceBernoulli, yes), 0x71e52fc1673e8f19u);
  const auto bits = [&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnDropoutGenMaskV2GetWorkspaceSize(IntArrayHandle({kCount}).get(), 0.3, 42, 4,
                                                 ACL_FLOAT, mask.handle(), size, executor);
  };
  EXPECT_EQ(FingerprintOf(ACL_UINT8, bits, aclnnDropoutGenMaskV2, mask), 0xf0bd35ed1a6f49c8u);
  const auto permutation = [&](uint64_t* size, aclOpExecutor** executor) {
    return aclnnRandpermGetWorkspaceSize(kCount, 42, 4, order.handle(), size, executor);
  };
  EXPECT_EQ(FingerprintOf(ACL_INT64, permutation, aclnnRandperm, order), 0xa9c445aa7e9dc86bu);
}

}  // namespace
}  // namespace anyacl::test
