// SPDX-License-Identifier: Apache-2.0
// The binary interface of the headers: every constant (at compile time), and the size, signedness
// and layout of every public type.
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "hccl/hccl_types.h"
#include "mstx/ms_tools_ext.h"
#include "securec.h"
#include "values_asserts.inc"  // Made from abi/values.txt by tools/make_values_test.py.

namespace {

template <typename Enum>
constexpr bool IsIntSized() {
  return sizeof(Enum) == sizeof(int) && alignof(Enum) == alignof(int);
}

TEST(PublicTypes, EnumsAreAsWideAsInt) {
  EXPECT_TRUE(IsIntSized<aclDataType>());
  EXPECT_TRUE(IsIntSized<aclFormat>());
  EXPECT_TRUE(IsIntSized<aclLogLevel>());
  EXPECT_TRUE(IsIntSized<aclSysParamOpt>());
  EXPECT_TRUE(IsIntSized<aclrtRunMode>());
  EXPECT_TRUE(IsIntSized<aclrtLastErrLevel>());
  EXPECT_TRUE(IsIntSized<aclrtDevAttr>());
  EXPECT_TRUE(IsIntSized<aclrtStreamStatus>());
  EXPECT_TRUE(IsIntSized<aclrtEventStatus>());
  EXPECT_TRUE(IsIntSized<aclrtEventRecordedStatus>());
  EXPECT_TRUE(IsIntSized<aclrtEventWaitStatus>());
  EXPECT_TRUE(IsIntSized<aclrtCallbackBlockType>());
  EXPECT_TRUE(IsIntSized<aclrtMemMallocPolicy>());
  EXPECT_TRUE(IsIntSized<aclrtMemcpyKind>());
  EXPECT_TRUE(IsIntSized<aclrtMemAttr>());
  EXPECT_TRUE(IsIntSized<aclrtHostRegisterType>());
  EXPECT_TRUE(IsIntSized<aclrtMemLocationType>());
  EXPECT_TRUE(IsIntSized<aclrtMemAllocationType>());
  EXPECT_TRUE(IsIntSized<aclrtMemHandleType>());
  EXPECT_TRUE(IsIntSized<aclrtMemGranularityOptions>());
}

TEST(PublicTypes, EnumsWithAnUndefinedMemberAreSigned) {
  EXPECT_TRUE(std::is_signed_v<std::underlying_type_t<aclDataType>>);
  EXPECT_TRUE(std::is_signed_v<std::underlying_type_t<aclFormat>>);
}

// ggml stores functions that return aclnnStatus in pointers to functions that return aclError.
TEST(PublicTypes, StatusTypesAreInt) {
  EXPECT_TRUE((std::is_same_v<aclError, int>));
  EXPECT_TRUE((std::is_same_v<aclnnStatus, int32_t>));
  EXPECT_TRUE((std::is_same_v<aclnnStatus, aclError>));
  EXPECT_TRUE((std::is_same_v<decltype(OK), const aclnnStatus>));
}

TEST(PublicTypes, CodesHaveTheirTypes) {
  EXPECT_TRUE((std::is_same_v<decltype(ACL_SUCCESS), const int>));
  EXPECT_TRUE((std::is_same_v<decltype(ACL_ERROR_INVALID_PARAM), const int>));
  EXPECT_TRUE((std::is_same_v<decltype(ACL_ERROR_GE_PARAM_INVALID), const uint32_t>));
  EXPECT_TRUE((std::is_same_v<decltype(ACL_ERROR_RT_PARAM_INVALID), int>));
  EXPECT_TRUE((std::is_same_v<decltype(ACLNN_ERR_PARAM_NULLPTR), int>));
}

TEST(PublicTypes, HandlesAreVoidPointers) {
  EXPECT_TRUE((std::is_same_v<aclrtStream, void*>));
  EXPECT_TRUE((std::is_same_v<aclrtEvent, void*>));
  EXPECT_TRUE((std::is_same_v<aclrtContext, void*>));
  EXPECT_TRUE((std::is_same_v<aclrtDrvMemHandle, void*>));
  EXPECT_TRUE((std::is_same_v<aclFloat16, uint16_t>));
  EXPECT_TRUE((std::is_same_v<aclrtCallback, void (*)(void*)>));
  EXPECT_TRUE((std::is_same_v<aclrtHostFunc, void (*)(void*)>));
}

TEST(PublicStructs, MemLocation) {
  EXPECT_EQ(sizeof(aclrtMemLocation), 8u);
  EXPECT_EQ(offsetof(aclrtMemLocation, id), 0u);
  EXPECT_EQ(offsetof(aclrtMemLocation, type), 4u);
}

TEST(PublicStructs, PtrAttributes) {
  EXPECT_EQ(sizeof(aclrtPtrAttributes), 28u);
  EXPECT_EQ(alignof(aclrtPtrAttributes), 4u);
  EXPECT_EQ(offsetof(aclrtPtrAttributes, location), 0u);
  EXPECT_EQ(offsetof(aclrtPtrAttributes, pageSize), 8u);
  EXPECT_EQ(offsetof(aclrtPtrAttributes, rsv), 12u);
}

TEST(Layout, SharedAndConfiguredMemory) {
  EXPECT_EQ(sizeof(aclrtMemFabricHandle), 128u);
  EXPECT_EQ(sizeof(aclrtMemAccessDesc), 24u);
  EXPECT_EQ(offsetof(aclrtMemAccessDesc, location), 4u);
  EXPECT_EQ(sizeof(aclrtMemcpyBatchAttr), 32u);
  EXPECT_EQ(offsetof(aclrtMemcpyBatchAttr, srcLoc), 8u);
  EXPECT_EQ(sizeof(aclrtMallocAttribute), 12u);
  EXPECT_EQ(offsetof(aclrtMallocAttribute, value), 4u);
  EXPECT_EQ(sizeof(aclrtMallocConfig), 16u);
  EXPECT_EQ(sizeof(aclrtMemUsageInfo), 112u);
  EXPECT_EQ(offsetof(aclrtMemUsageInfo, curMemSize), 32u);
  EXPECT_EQ(sizeof(aclrtServerPid), 24u);
  EXPECT_EQ(offsetof(aclrtServerPid, pid), 8u);
}

TEST(Layout, BuiltInTasks) {
  EXPECT_EQ(sizeof(aclrtRandomParaInfo), 16u);
  EXPECT_EQ(offsetof(aclrtRandomParaInfo, valueOrAddr), 1u);
  EXPECT_EQ(offsetof(aclrtRandomParaInfo, size), 9u);
  EXPECT_EQ(sizeof(aclrtRandomNumFuncParaInfo), 36u);
  EXPECT_EQ(offsetof(aclrtRandomNumTaskInfo, randomParaAddr), 40u);
  EXPECT_EQ(offsetof(aclrtRandomNumTaskInfo, randomCounterAddr), 56u);
  EXPECT_EQ(offsetof(aclrtRandomNumTaskInfo, randomSeed), 64u);
  EXPECT_EQ(sizeof(aclrtRandomNumTaskInfo), 104u);
  EXPECT_EQ(sizeof(aclrtBarrierTaskInfo), 56u);
}

TEST(PublicStructs, PhysicalMemProp) {
  EXPECT_EQ(sizeof(aclrtPhysicalMemProp), 32u);
  EXPECT_EQ(alignof(aclrtPhysicalMemProp), 8u);
  EXPECT_EQ(offsetof(aclrtPhysicalMemProp, handleType), 0u);
  EXPECT_EQ(offsetof(aclrtPhysicalMemProp, allocationType), 4u);
  EXPECT_EQ(offsetof(aclrtPhysicalMemProp, memAttr), 8u);
  EXPECT_EQ(offsetof(aclrtPhysicalMemProp, location), 12u);
  EXPECT_EQ(offsetof(aclrtPhysicalMemProp, reserve), 24u);
}

}  // namespace
