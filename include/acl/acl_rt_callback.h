// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: functions of the program that the runtime calls when a task fails, and when
// streams, devices and aborts come and go. They are called without any lock, in the thread that
// caused the event, and may call the runtime; what they cause themselves is not told to callbacks
// of their kind again.
#ifndef ANYACL_ACL_ACL_RT_CALLBACK_H_
#define ANYACL_ACL_ACL_RT_CALLBACK_H_

#include "acl/acl_rt_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

// A failed task. It exists during the callback and is read by the functions below.
typedef struct rtExceptionInfo aclrtExceptionInfo;

typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo* exceptionInfo);
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo* exceptionInfo, void* userData);

typedef enum {
  ACL_RT_STREAM_STATE_CREATE_POST = 1,
  ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;

typedef enum {
  ACL_RT_DEVICE_STATE_SET_PRE = 0,
  ACL_RT_DEVICE_STATE_SET_POST = 1,
  ACL_RT_DEVICE_STATE_RESET_PRE = 2,
  ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;

typedef enum {
  ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
  ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;

typedef void (*aclrtStreamStateCallback)(aclrtStream stm, aclrtStreamState state, void* args);
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void* args);
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage,
                                                uint32_t timeout, void* args);

// Failed tasks. Every task that fails is told to every callback, before the calls that wait for the
// task return; tasks that an abort ended are not. The caller is the thread that ran the task: the
// stream's own or one that synchronises, so that several streams may call at once. A callback must
// not wait for the stream of the task (207000). A replay of a graph fails as one task.

// Sets the one callback of this function; null takes it away.
ACL_DEPRECATED_MESSAGE("use aclrtExceptionInfoCallbackRegister")
ACL_FUNC_VISIBILITY aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

// Adds a callback, once, or takes it away; a call of it that has begun goes on. 107000: null.
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);
ACL_FUNC_VISIBILITY aclError
aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

// The number of the task in its stream, the numbers of its stream (aclrtStreamGetId), of the
// system's thread that enqueued it and of its device, and its code. UINT32_MAX if info is null or
// its callback has returned.
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info);
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info);

// The arguments and the function of a kernel for an NPU, which no task is here: null,
// and -1 as for every other task.
ACL_FUNC_VISIBILITY aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info,
                                                           void** devArgsPtr, uint32_t* devArgsLen);
ACL_FUNC_VISIBILITY aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info,
                                                                 aclrtFuncHandle* func);

// The number, in its stream, of the last task that this thread enqueued; 0 if there is none.
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t* taskId);

// Callbacks with a name, args as it was given, called in the order of their names. A null callback
// takes the one of that name away.
//   100000  regName is null
//   107000  a callback of that name is there already

// Streams, default streams included: after one is made, and before one is destroyed, when its
// handle is still alive.
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char* regName,
                                                         aclrtStreamStateCallback callback,
                                                         void* args);

// Devices: before the first context of a device is made (SET_PRE) and at the end of every
// aclrtSetDevice that succeeds (SET_POST); before and after a reset ends the default context.
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char* regName,
                                                         aclrtDeviceStateCallback callback,
                                                         void* args);

// aclrtDeviceTaskAbort, whose timeout is passed on: before tasks are dropped, and after. The first
// result other than 0 is the result of aclrtDeviceTaskAbort, which then does no more.
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char* regName,
                                                             aclrtDeviceTaskAbortCallback callback,
                                                             void* args);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_CALLBACK_H_
