// SPDX-License-Identifier: Apache-2.0
// The exact types of the runtime functions that every program uses and, written from CANN's
// headers, of some operators': the list that operator_signatures.py holds against all of them is
// our own. A wider integer or another constness would still compile in most programs and break
// binaries.
#include <gtest/gtest.h>

#include <type_traits>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_attention_to_ffn.h"
#include "aclnnop/aclnn_attention_worker_combine.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_ffn_to_attention.h"
#include "aclnnop/aclnn_ffn_worker_batching.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"

namespace {

using In = const aclTensor*;
using Out = aclTensor*;
using List = const aclTensorList*;
using Ints = const aclIntArray*;

template <typename... Args>
using FirstPhase = aclnnStatus(Args..., uint64_t*, aclOpExecutor**);

template <typename Expected, typename Actual>
constexpr bool Same(Actual*) {
  return std::is_same_v<Expected, Actual>;
}

TEST(Signatures, FirstPhasesOfSomeOperators) {
  EXPECT_TRUE((Same<FirstPhase<In, In, In, In>>(&aclnnDynamicQuantGetWorkspaceSize)));
  EXPECT_TRUE(
      (Same<FirstPhase<Out, int32_t, int32_t>>(&aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize)));
  EXPECT_TRUE(Same<FirstPhase<Out>>(&aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize));
  using Shape = const aclIntArray*;
  EXPECT_TRUE((Same<FirstPhase<In, int64_t, Shape, int64_t, int64_t, int64_t, In, In, In, In, In,
                               In, In, In>>(&aclnnFfnWorkerBatchingGetWorkspaceSize)));
  EXPECT_TRUE((Same<FirstPhase<In, In, In, int64_t, int64_t, int64_t, In, In>>(
      &aclnnAttentionWorkerCombineGetWorkspaceSize)));
  EXPECT_TRUE(
      (Same<FirstPhase<In, In, In, In, In, In, In, In, const char*, int64_t, Shape, Shape, Shape,
                       int64_t, int64_t, int64_t, int64_t>>(&aclnnAttentionToFFNGetWorkspaceSize)));
  EXPECT_TRUE((Same<FirstPhase<In, In, In, In, In, In, In, const char*, int64_t, Shape, Shape>>(
      &aclnnFFNToAttentionGetWorkspaceSize)));
  EXPECT_TRUE((Same<FirstPhase<In, In, In, In, In, In, In, Out, Out, Out>>(
      &aclnnGroupedMatmulSwigluQuantGetWorkspaceSize)));
  EXPECT_TRUE((Same<FirstPhase<In, In, In, In, In, In, In, Out, Out, Out>>(
      &aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize)));
  EXPECT_TRUE(
      (Same<FirstPhase<In, In, In, int64_t, int64_t, int64_t, int64_t, double, Out, Out, Out>>(
          &aclnnGroupNormGetWorkspaceSize)));
  EXPECT_TRUE(
      (Same<FirstPhase<In, In, In, In, In, int64_t, int64_t, int64_t, int64_t, const aclBoolArray*,
                       Out, Out, Out>>(&aclnnGroupNormBackwardGetWorkspaceSize)));
  using Attention =
      FirstPhase<In, List, List, In, In, Ints, Ints, In, In, In, In, In, In, In, In, In, In, In, In,
                 In, In, In, In, Ints, int64_t, double, int64_t, int64_t, char*, int64_t, int64_t,
                 int64_t, int64_t, int64_t, bool, int64_t, int64_t, In, In>;
  EXPECT_TRUE(Same<Attention>(&aclnnFusedInferAttentionScoreV2GetWorkspaceSize));
  using Flash = FirstPhase<In, In, In, In, In, In, In, Ints, double, double, int64_t, int64_t,
                           int64_t, char*, int64_t, int64_t, In, In, In, In>;
  EXPECT_TRUE(Same<Flash>(&aclnnFlashAttentionScoreGetWorkspaceSize));
  using FlashGrad = FirstPhase<In, In, In, In, In, In, In, In, In, In, In, In, Ints, double, double,
                               int64_t, int64_t, int64_t, char*, int64_t, int64_t, In, In, In, In>;
  EXPECT_TRUE(Same<FlashGrad>(&aclnnFlashAttentionScoreGradGetWorkspaceSize));
}

// The library exports the nine-argument function; the other one exists in the header alone.
TEST(Signatures, DynamicQuantV2HasAnOverloadWithoutOffset) {
  using Exported = FirstPhase<In, In, In, int64_t, In, In, In>;
  using Inline = FirstPhase<In, In, In, int64_t, In, In>;
  Exported* exported = &aclnnDynamicQuantV2GetWorkspaceSize;
  Inline* overload = &aclnnDynamicQuantV2GetWorkspaceSize;
  EXPECT_NE(reinterpret_cast<void*>(exported), reinterpret_cast<void*>(overload));

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(
      overload(nullptr, nullptr, nullptr, ACL_INT8, nullptr, nullptr, &workspace_size, &executor),
      exported(nullptr, nullptr, nullptr, ACL_INT8, nullptr, nullptr, nullptr, &workspace_size,
               &executor));
}

TEST(Signatures, RuntimeFunctionsOfEveryProgram) {
  EXPECT_TRUE(Same<aclError(const char*)>(&aclInit));
  EXPECT_TRUE(Same<aclError()>(&aclFinalize));
  EXPECT_TRUE(Same<aclError(int32_t)>(&aclrtSetDevice));
  EXPECT_TRUE(Same<aclError(int32_t)>(&aclrtResetDevice));
  EXPECT_TRUE(Same<aclError(aclrtStream*)>(&aclrtCreateStream));
  EXPECT_TRUE(Same<aclError(aclrtStream)>(&aclrtDestroyStream));
  EXPECT_TRUE(Same<aclError(aclrtStream)>(&aclrtSynchronizeStream));
  EXPECT_TRUE((Same<aclError(void**, size_t, aclrtMemMallocPolicy)>(&aclrtMalloc)));
  EXPECT_TRUE(Same<aclError(void*)>(&aclrtFree));
  EXPECT_TRUE((Same<aclError(void*, size_t, const void*, size_t, aclrtMemcpyKind)>(&aclrtMemcpy)));
  EXPECT_TRUE(Same<aclFloat16(float)>(&aclFloatToFloat16));
  EXPECT_TRUE(Same<float(aclFloat16)>(&aclFloat16ToFloat));
  EXPECT_TRUE(Same<const char*()>(&aclGetRecentErrMsg));
}

TEST(Signatures, ObjectFunctionsOfEveryProgram) {
  EXPECT_TRUE((Same<aclTensor*(const int64_t*, uint64_t, aclDataType, const int64_t*, int64_t,
                               aclFormat, const int64_t*, uint64_t, void*)>(&aclCreateTensor)));
  EXPECT_TRUE(Same<aclnnStatus(const aclTensor*)>(&aclDestroyTensor));
  EXPECT_TRUE((Same<aclTensorList*(const aclTensor* const*, uint64_t)>(&aclCreateTensorList)));
  EXPECT_TRUE((Same<aclIntArray*(const int64_t*, uint64_t)>(&aclCreateIntArray)));
  EXPECT_TRUE(Same<aclnnStatus(const aclIntArray*)>(&aclDestroyIntArray));
  EXPECT_TRUE((Same<aclBoolArray*(const bool*, uint64_t)>(&aclCreateBoolArray)));
}

}  // namespace
