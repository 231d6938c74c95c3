// SPDX-License-Identifier: Apache-2.0
// A C99 program: the headers are usable from C, and every function they declare is exported. It
// links the three libraries and takes the address of each function.
#include <stdio.h>

#include "acl/acl.h"
#include "acl/acl_dump.h"
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_group_norm_backward.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "hccl/hccl.h"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif

typedef void (*Function)(void);

typedef struct Entry {
  const char* name;
  Function address;
} Entry;

#define ENTRY(function) \
  { #function, (Function)(function) }

static const Entry kEntries[] = {
    // acl/acl_base_rt.h
    ENTRY(aclCreateDataBuffer),
    ENTRY(aclDestroyDataBuffer),
    ENTRY(aclUpdateDataBuffer),
    ENTRY(aclGetDataBufferAddr),
    ENTRY(aclGetDataBufferSize),
    ENTRY(aclGetDataBufferSizeV2),
    ENTRY(aclGetCannAttributeList),
    ENTRY(aclGetCannAttribute),
    ENTRY(aclGetDeviceCapability),
    ENTRY(aclDataTypeSize),
    ENTRY(aclFloatToFloat16),
    ENTRY(aclFloat16ToFloat),
    ENTRY(aclrtGetSocName),
    ENTRY(aclAppLog),
    // acl/acl_rt_device.h
    ENTRY(aclInit),
    ENTRY(aclFinalize),
    ENTRY(aclFinalizeReference),
    ENTRY(aclrtGetVersion),
    ENTRY(aclGetRecentErrMsg),
    ENTRY(aclrtGetLastError),
    ENTRY(aclrtPeekAtLastError),
    ENTRY(aclrtSetDevice),
    ENTRY(aclrtResetDevice),
    ENTRY(aclrtResetDeviceForce),
    ENTRY(aclrtGetDevice),
    ENTRY(aclrtGetDeviceCount),
    ENTRY(aclrtSynchronizeDevice),
    ENTRY(aclrtSynchronizeDeviceWithTimeout),
    ENTRY(aclrtGetRunMode),
    ENTRY(aclrtGetDeviceInfo),
    ENTRY(aclrtDeviceCanAccessPeer),
    ENTRY(aclrtDeviceEnablePeerAccess),
    ENTRY(aclrtDeviceDisablePeerAccess),
    ENTRY(aclrtCreateContext),
    ENTRY(aclrtDestroyContext),
    ENTRY(aclrtSetCurrentContext),
    ENTRY(aclrtGetCurrentContext),
    ENTRY(aclrtCtxGetCurrentDefaultStream),
    ENTRY(aclrtCtxSetSysParamOpt),
    ENTRY(aclrtCtxGetSysParamOpt),
    ENTRY(aclrtSetSysParamOpt),
    ENTRY(aclrtGetSysParamOpt),
    // acl/acl_rt_graph.h
    ENTRY(aclmdlRICaptureBegin),
    ENTRY(aclmdlRICaptureGetInfo),
    ENTRY(aclmdlRICaptureEnd),
    ENTRY(aclmdlRICaptureThreadExchangeMode),
    ENTRY(aclmdlRIExecuteAsync),
    ENTRY(aclmdlRIExecute),
    ENTRY(aclmdlRIDestroy),
    ENTRY(aclmdlRISetName),
    ENTRY(aclmdlRIGetName),
    ENTRY(aclmdlRIGetId),
    ENTRY(aclmdlRIDebugJsonPrint),
    ENTRY(aclmdlRIDebugPrint),
    ENTRY(aclmdlRICaptureTaskGrpBegin),
    ENTRY(aclmdlRICaptureTaskGrpEnd),
    ENTRY(aclmdlRICaptureTaskUpdateBegin),
    ENTRY(aclmdlRICaptureTaskUpdateEnd),
    // acl/acl_rt_notify.h
    ENTRY(aclrtCreateNotify),
    ENTRY(aclrtDestroyNotify),
    ENTRY(aclrtRecordNotify),
    ENTRY(aclrtWaitAndResetNotify),
    ENTRY(aclrtGetNotifyId),
    ENTRY(aclrtNotifyBatchReset),
    ENTRY(aclrtNotifyGetExportKey),
    ENTRY(aclrtNotifySetImportPid),
    ENTRY(aclrtNotifyImportByKey),
    // acl/acl_rt_stream.h
    ENTRY(aclrtCreateStream),
    ENTRY(aclrtCreateStreamWithConfig),
    ENTRY(aclrtDestroyStream),
    ENTRY(aclrtDestroyStreamForce),
    ENTRY(aclrtSynchronizeStream),
    ENTRY(aclrtSynchronizeStreamWithTimeout),
    ENTRY(aclrtStreamQuery),
    ENTRY(aclrtStreamGetId),
    ENTRY(aclrtStreamGetPriority),
    ENTRY(aclrtStreamGetFlags),
    ENTRY(aclrtStreamAbort),
    ENTRY(aclrtSetStreamFailureMode),
    ENTRY(aclrtStreamWaitEvent),
    ENTRY(aclrtStreamWaitEventWithTimeout),
    ENTRY(aclrtStreamWaitEventWithFlag),
    ENTRY(aclrtSetOpExecuteTimeOut),
    ENTRY(aclrtSetOpExecuteTimeOutWithMs),
    ENTRY(aclrtSetOpExecuteTimeOutV2),
    ENTRY(aclrtGetOpTimeOutInterval),
    ENTRY(aclrtGetOpExecuteTimeout),
    ENTRY(aclrtSetOpWaitTimeout),
    ENTRY(aclrtCreateEvent),
    ENTRY(aclrtCreateEventWithFlag),
    ENTRY(aclrtCreateEventExWithFlag),
    ENTRY(aclrtDestroyEvent),
    ENTRY(aclrtRecordEvent),
    ENTRY(aclrtRecordEventWithFlag),
    ENTRY(aclrtResetEvent),
    ENTRY(aclrtQueryEvent),
    ENTRY(aclrtQueryEventStatus),
    ENTRY(aclrtQueryEventWaitStatus),
    ENTRY(aclrtSynchronizeEvent),
    ENTRY(aclrtSynchronizeEventWithTimeout),
    ENTRY(aclrtIpcGetEventHandle),
    ENTRY(aclrtIpcOpenEventHandle),
    ENTRY(aclrtEventElapsedTime),
    ENTRY(aclrtEventGetTimestamp),
    ENTRY(aclrtGetEventId),
    ENTRY(aclrtSubscribeReport),
    ENTRY(aclrtUnSubscribeReport),
    ENTRY(aclrtProcessReport),
    ENTRY(aclrtLaunchCallback),
    ENTRY(aclrtLaunchHostFunc),
    ENTRY(aclrtCreateStreamConfigHandle),
    ENTRY(aclrtDestroyStreamConfigHandle),
    ENTRY(aclrtSetStreamConfigOpt),
    ENTRY(aclrtCreateStreamV2),
    ENTRY(aclrtSetStreamAttribute),
    ENTRY(aclrtGetStreamAttribute),
    // acl/acl_rt_memory.h
    ENTRY(aclrtMalloc),
    ENTRY(aclrtMallocAlign32),
    ENTRY(aclrtMallocCached),
    ENTRY(aclrtFree),
    ENTRY(aclrtFreeWithDevSync),
    ENTRY(aclrtMallocHost),
    ENTRY(aclrtFreeHost),
    ENTRY(aclrtFreeHostWithDevSync),
    ENTRY(aclrtMemFlush),
    ENTRY(aclrtMemInvalidate),
    ENTRY(aclrtMemcpy),
    ENTRY(aclrtMemcpyAsync),
    ENTRY(aclrtMemset),
    ENTRY(aclrtMemsetAsync),
    ENTRY(aclrtMemcpy2d),
    ENTRY(aclrtMemcpy2dAsync),
    ENTRY(aclrtGetMemInfo),
    ENTRY(aclrtPointerGetAttributes),
    ENTRY(aclrtHostRegister),
    ENTRY(aclrtHostUnregister),
    ENTRY(aclrtMallocWithCfg),
    ENTRY(aclrtMallocHostWithCfg),
    ENTRY(aclrtMemcpyAsyncWithCondition),
    ENTRY(aclrtMemcpyBatch),
    ENTRY(aclrtMemcpyBatchV2),
    ENTRY(aclrtMemcpyBatchAsync),
    ENTRY(aclrtMemcpyBatchAsyncV2),
    ENTRY(aclrtGetMemUsageInfo),
    ENTRY(aclrtMemGetAddressRange),
    ENTRY(aclrtHostRegisterV2),
    ENTRY(aclrtHostGetDevicePointer),
    // acl/acl_rt_memory_sharing.h
    ENTRY(aclrtMemGetAllocationGranularity),
    ENTRY(aclrtReserveMemAddress),
    ENTRY(aclrtReleaseMemAddress),
    ENTRY(aclrtMallocPhysical),
    ENTRY(aclrtFreePhysical),
    ENTRY(aclrtMapMem),
    ENTRY(aclrtMemMapNoAccess),
    ENTRY(aclrtUnmapMem),
    ENTRY(aclrtMemSetAccess),
    ENTRY(aclrtMemGetAccess),
    ENTRY(aclrtMemRetainAllocationHandle),
    ENTRY(aclrtMemGetAllocationPropertiesFromHandle),
    ENTRY(aclrtDeviceGetBareTgid),
    ENTRY(aclrtMemExportToShareableHandle),
    ENTRY(aclrtMemExportToShareableHandleV2),
    ENTRY(aclrtMemSetPidToShareableHandle),
    ENTRY(aclrtMemSetPidToShareableHandleV2),
    ENTRY(aclrtMemImportFromShareableHandle),
    ENTRY(aclrtMemImportFromShareableHandleV2),
    ENTRY(aclrtIpcMemGetExportKey),
    ENTRY(aclrtIpcMemSetImportPid),
    ENTRY(aclrtIpcMemImportPidInterServer),
    ENTRY(aclrtIpcMemImportByKey),
    ENTRY(aclrtIpcMemSetAttr),
    ENTRY(aclrtIpcMemClose),
    // aclnn/aclnn_base.h
    ENTRY(aclnnInit),
    ENTRY(aclnnFinalize),
    // acl/acl_op.h
    ENTRY(aclopCreateAttr),
    ENTRY(aclopDestroyAttr),
    ENTRY(aclopSetAttrBool),
    ENTRY(aclopSetAttrInt),
    ENTRY(aclopSetAttrFloat),
    ENTRY(aclopSetAttrString),
    ENTRY(aclopSetAttrDataType),
    ENTRY(aclopSetAttrListDataType),
    ENTRY(aclopSetAttrListBool),
    ENTRY(aclopSetAttrListInt),
    ENTRY(aclopSetAttrListFloat),
    ENTRY(aclopSetAttrListString),
    ENTRY(aclopSetAttrListListInt),
    ENTRY(aclopExecute),
    ENTRY(aclopExecuteV2),
    ENTRY(aclopInferShape),
    ENTRY(aclopUpdateParams),
    ENTRY(aclopCast),
    ENTRY(aclopCreateHandle),
    ENTRY(aclopCreateHandleForCast),
    ENTRY(aclopDestroyHandle),
    ENTRY(aclopExecWithHandle),
    ENTRY(aclopSetModelDir),
    ENTRY(aclopLoad),
    ENTRY(aclopSetMaxOpQueueNum),
    ENTRY(aclopCreateKernel),
    ENTRY(aclopRegisterCompileFunc),
    ENTRY(aclopUnregisterCompileFunc),
    ENTRY(aclopSetKernelArgs),
    ENTRY(aclopSetKernelWorkspaceSizes),
    // acl/acl_rt_allocator.h
    ENTRY(aclrtAllocatorCreateDesc),
    ENTRY(aclrtAllocatorDestroyDesc),
    ENTRY(aclrtAllocatorSetObjToDesc),
    ENTRY(aclrtAllocatorSetAllocFuncToDesc),
    ENTRY(aclrtAllocatorSetFreeFuncToDesc),
    ENTRY(aclrtAllocatorSetAllocAdviseFuncToDesc),
    ENTRY(aclrtAllocatorSetGetAddrFromBlockFuncToDesc),
    ENTRY(aclrtAllocatorRegister),
    ENTRY(aclrtAllocatorUnregister),
    ENTRY(aclrtAllocatorGetByStream),
    // acl/acl_rt_system.h
    ENTRY(aclrtBinaryLoadFromFile),
    ENTRY(aclrtBinaryLoadFromData),
    ENTRY(aclrtBinaryUnLoad),
    ENTRY(aclrtBinaryGetFunction),
    ENTRY(aclrtGetFunctionAddr),
    ENTRY(aclrtLaunchKernel),
    ENTRY(aclsysGetCANNVersion),
    ENTRY(aclsysGetVersionStr),
    ENTRY(aclsysGetVersionNum),
    ENTRY(aclrtSetDeviceSatMode),
    ENTRY(aclrtGetDeviceSatMode),
    ENTRY(aclrtGetOverflowStatus),
    ENTRY(aclrtResetOverflowStatus),
    ENTRY(aclrtSetStreamOverflowSwitch),
    ENTRY(aclrtGetStreamOverflowSwitch),
    ENTRY(aclrtSetDeviceResLimit),
    ENTRY(aclrtGetDeviceResLimit),
    ENTRY(aclrtResetDeviceResLimit),
    ENTRY(aclrtSetStreamResLimit),
    ENTRY(aclrtGetStreamResLimit),
    ENTRY(aclrtResetStreamResLimit),
    ENTRY(aclrtUseStreamResInCurrentThread),
    ENTRY(aclrtUnuseStreamResInCurrentThread),
    ENTRY(aclrtGetResInCurrentThread),
    ENTRY(aclrtGetDeviceUtilizationRate),
    ENTRY(aclrtQueryDeviceStatus),
    ENTRY(aclrtGetDeviceCapability),
    ENTRY(aclrtDeviceGetUuid),
    ENTRY(aclrtGetPrimaryCtxState),
    ENTRY(aclrtCheckArchCompatibility),
    ENTRY(aclrtGetErrorVerbose),
    ENTRY(aclrtGetMemUceInfo),
    ENTRY(aclrtRepairError),
    ENTRY(aclrtMemUceRepair),
    ENTRY(aclrtDeviceTaskAbort),
    ENTRY(aclmdlInitDump),
    ENTRY(aclmdlSetDump),
    ENTRY(aclmdlFinalizeDump),
    // acl/acl_op_compiler.h
    ENTRY(aclopCompile),
    ENTRY(aclopCompileAndExecute),
    ENTRY(aclopCompileAndExecuteV2),
    ENTRY(aclSetCompileopt),
    ENTRY(aclGetCompileoptSize),
    ENTRY(aclGetCompileopt),
    ENTRY(aclopSetCompileFlag),
    ENTRY(aclGenGraphAndDumpForOp),
    ENTRY(aclCreateGraphDumpOpt),
    ENTRY(aclDestroyGraphDumpOpt),
    // acl/acl_base_mdl.h
    ENTRY(aclCreateTensorDesc),
    ENTRY(aclDestroyTensorDesc),
    ENTRY(aclGetTensorDescType),
    ENTRY(aclGetTensorDescFormat),
    ENTRY(aclGetTensorDescSize),
    ENTRY(aclGetTensorDescElementCount),
    ENTRY(aclGetTensorDescNumDims),
    ENTRY(aclGetTensorDescDim),
    ENTRY(aclGetTensorDescDimV2),
    ENTRY(aclSetTensorShapeRange),
    ENTRY(aclGetTensorDescDimRange),
    ENTRY(aclSetTensorValueRange),
    ENTRY(aclSetTensorDescName),
    ENTRY(aclGetTensorDescName),
    ENTRY(aclSetTensorFormat),
    ENTRY(aclSetTensorShape),
    ENTRY(aclSetTensorStorageFormat),
    ENTRY(aclSetTensorStorageShape),
    ENTRY(aclSetTensorOriginFormat),
    ENTRY(aclSetTensorOriginShape),
    ENTRY(aclSetTensorDynamicInput),
    ENTRY(aclSetTensorConst),
    ENTRY(aclSetTensorPlaceMent),
    ENTRY(aclGetTensorDescByIndex),
    ENTRY(aclGetTensorDescAddress),
    ENTRY(aclTransTensorDescFormat),
    // acl/acl_prof.h
    ENTRY(aclprofDestroySubscribeConfig),
    ENTRY(aclprofModelSubscribe),
    ENTRY(aclprofInit),
    ENTRY(aclprofFinalize),
    ENTRY(aclprofCreateConfig),
    ENTRY(aclprofDestroyConfig),
    ENTRY(aclprofSetConfig),
    ENTRY(aclprofStart),
    ENTRY(aclprofStop),
    ENTRY(aclprofCreateSubscribeConfig),
    ENTRY(aclprofModelUnSubscribe),
    ENTRY(aclprofGetOpDescSize),
    ENTRY(aclprofGetOpNum),
    ENTRY(aclprofGetOpTypeLen),
    ENTRY(aclprofGetOpType),
    ENTRY(aclprofGetOpNameLen),
    ENTRY(aclprofGetOpName),
    ENTRY(aclprofGetOpStart),
    ENTRY(aclprofGetOpEnd),
    ENTRY(aclprofGetOpDuration),
    ENTRY(aclprofGetModelId),
    ENTRY(aclprofGetOpFlag),
    ENTRY(aclprofGetOpAttriValue),
    ENTRY(aclprofCreateStepInfo),
    ENTRY(aclprofDestroyStepInfo),
    ENTRY(aclprofGetStepTimestamp),
    ENTRY(aclprofCreateStamp),
    ENTRY(aclprofDestroyStamp),
    ENTRY(aclprofSetStampTraceMessage),
    ENTRY(aclprofMark),
    ENTRY(aclprofMarkEx),
    ENTRY(aclprofPush),
    ENTRY(aclprofPop),
    ENTRY(aclprofRangeStart),
    ENTRY(aclprofRangeStop),
    ENTRY(aclprofRangePushEx),
    ENTRY(aclprofRangePop),
    ENTRY(aclprofStr2Id),
    // acl/acl_dump.h
    ENTRY(acldumpRegCallback),
    ENTRY(acldumpUnregCallback),
    ENTRY(aclopStartDumpArgs),
    ENTRY(aclopStopDumpArgs),
    ENTRY(acldumpGetPath),
    ENTRY(acldumpGetExceptionInfoPath),
    // hccl/hccl.h
    ENTRY(HcclGetRootInfo),
    ENTRY(HcclCommInitRootInfo),
    ENTRY(HcclCommInitAll),
    ENTRY(HcclCommDestroy),
    ENTRY(HcclAllReduce),
    ENTRY(HcclBroadcast),
    ENTRY(HcclReduceScatter),
    ENTRY(HcclAllGather),
    ENTRY(HcclSend),
    ENTRY(HcclRecv),
    // aclnn/acl_meta.h
    ENTRY(aclCreateTensor),
    ENTRY(aclCreateScalar),
    ENTRY(aclCreateIntArray),
    ENTRY(aclCreateFloatArray),
    ENTRY(aclCreateBoolArray),
    ENTRY(aclCreateTensorList),
    ENTRY(aclCreateScalarList),
    ENTRY(aclInitTensor),
    ENTRY(aclDestroyTensor),
    ENTRY(aclDestroyScalar),
    ENTRY(aclDestroyIntArray),
    ENTRY(aclDestroyFloatArray),
    ENTRY(aclDestroyBoolArray),
    ENTRY(aclDestroyTensorList),
    ENTRY(aclDestroyScalarList),
    ENTRY(aclGetViewShape),
    ENTRY(aclGetStorageShape),
    ENTRY(aclGetViewStrides),
    ENTRY(aclGetViewOffset),
    ENTRY(aclGetFormat),
    ENTRY(aclGetDataType),
    ENTRY(aclGetIntArraySize),
    ENTRY(aclGetFloatArraySize),
    ENTRY(aclGetBoolArraySize),
    ENTRY(aclGetTensorListSize),
    ENTRY(aclGetScalarListSize),
    ENTRY(aclSetRawTensorAddr),
    ENTRY(aclGetRawTensorAddr),
    ENTRY(aclSetAclOpExecutorRepeatable),
    ENTRY(aclDestroyAclOpExecutor),
    ENTRY(aclSetTensorAddr),
    ENTRY(aclSetInputTensorAddr),
    ENTRY(aclSetOutputTensorAddr),
    ENTRY(aclSetDynamicTensorAddr),
    ENTRY(aclSetDynamicInputTensorAddr),
    ENTRY(aclSetDynamicOutputTensorAddr),
    ENTRY(AclSetTensorAddr),
    ENTRY(AclSetInputTensorAddr),
    ENTRY(AclSetOutputTensorAddr),
    ENTRY(AclSetDynamicTensorAddr),
    ENTRY(AclSetDynamicInputTensorAddr),
    ENTRY(AclSetDynamicOutputTensorAddr),
    ENTRY(aclDumpOpTensors),
};

// An assignment compiles without a warning only if the prototype is this one.
static aclnnStatus (*const kSecondPhases[])(void*, uint64_t, aclOpExecutor*, aclrtStream) = {
    aclnnInplaceAttentionWorkerScheduler,
    aclnnDynamicQuant,
    aclnnDynamicQuantV2,
    aclnnInplaceFfnWorkerScheduler,
    aclnnFusedInferAttentionScore,
    aclnnFusedInferAttentionScoreV2,
    aclnnGroupNorm,
    aclnnGroupNormBackward,
    aclnnGroupedMatmulSwigluQuant,
    aclnnGroupedMatmulSwigluQuantWeightNZ};

// Enumerators and codes are integer constants in C as well.
typedef struct Constants {
  aclDataType data_type;
  aclFormat format;
  aclError invalid_param;
  aclnnStatus null_pointer;
} Constants;

int main(void) {
  const Constants constants = {ACL_BF16, ACL_FORMAT_FRACTAL_NZ, ACL_ERROR_RT_PARAM_INVALID,
                               ACLNN_ERR_PARAM_NULLPTR};
  const size_t count = sizeof(kEntries) / sizeof(kEntries[0]);
  const size_t phases = sizeof(kSecondPhases) / sizeof(kSecondPhases[0]);
  size_t i;
  size_t j;
  for (i = 1; i < phases; ++i) {
    if (kSecondPhases[i] == kSecondPhases[i - 1]) {
      fprintf(stderr, "two second phases have one address\n");
      return 1;
    }
  }
  for (i = 0; i < count; ++i) {
    for (j = 0; j < i; ++j) {
      if (kEntries[i].address == kEntries[j].address) {
        fprintf(stderr, "%s and %s have one address\n", kEntries[j].name, kEntries[i].name);
        return 1;
      }
    }
  }
  if (aclDataTypeSize(constants.data_type) != 2 || constants.format != ACL_FORMAT_FRACTAL_NZ ||
      constants.invalid_param != 107000 || constants.null_pointer != 161001) {
    fprintf(stderr, "a constant is wrong in C\n");
    return 1;
  }
  printf("%u functions, %u second phases\n", (unsigned)count, (unsigned)phases);
  return 0;
}
