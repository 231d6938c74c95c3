// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: initialisation, errors, devices, contexts and system options.
#ifndef ANYACL_ACL_ACL_RT_DEVICE_H_
#define ANYACL_ACL_ACL_RT_DEVICE_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum aclrtRunMode { ACL_DEVICE = 0, ACL_HOST = 1 } aclrtRunMode;

typedef enum aclrtLastErrLevel { ACL_RT_THREAD_LEVEL = 0 } aclrtLastErrLevel;

typedef enum {
  ACL_DEV_ATTR_AICPU_CORE_NUM = 1,

  ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
  ACL_DEV_ATTR_CUBE_CORE_NUM = 102,

  ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
  ACL_DEV_ATTR_WARP_SIZE = 202,
  ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
  ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204,       // Bytes.
  ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,  // Other name of the same attribute.
  ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
  ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
  ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
  ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
  ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
  ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
  ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
  ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,

  ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,  // Bytes.
  ACL_DEV_ATTR_L2_CACHE_SIZE = 302,          // Bytes.

  ACL_DEV_ATTR_SMP_ID = 401,
  ACL_DEV_ATTR_PHY_CHIP_ID = 402,
  ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
  ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403,  // Spelt so in programs written before the name above.
  ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
  ACL_DEV_ATTR_SUPER_POD_ID = 405,
  ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
  ACL_DEV_ATTR_MAINBOARD_ID = 407,
  ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
  ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409,

  ACL_DEV_ATTR_IS_VIRTUAL = 501,

  ACL_DEV_ATTR_NPU_ARCH = 601
} aclrtDevAttr;

// Initialisation and errors.

// Starts the library with the JSON file at configPath; null, "" and an empty file mean no
// configuration. Optional: every other function works without it.
//   100002  already initialised; counts as one more user, the file is not read
//   100003  the file cannot be read
//   100006  not JSON, or nested deeper than 10 levels
//   100000  a known key has a wrong value, or the content differs from the one given before the
//           last aclFinalize
ACL_FUNC_VISIBILITY aclError aclInit(const char* configPath);

// Ends the library whatever the number of aclInit calls. 100037: already ended.
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

// Takes back one aclInit and ends the library with the last one. refCount may be null; else it
// receives the number of users left. 100037: there are none.
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t* refCount);

// The interface version: 1, 17, 0. No pointer may be null.
ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion,
                                             int32_t* patchVersion);

// The error messages of this thread (of the process with err_msg_mode 1) since the last call,
// newest first, or null when there are none. Reading clears them; the text stays valid until the
// thread calls this again.
ACL_FUNC_VISIBILITY const char* aclGetRecentErrMsg(void);

// The last error code of the thread. GetLastError clears it, PeekAtLastError does not.
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

// Devices.

// Binds the default context of the device to the thread, creating it for the first caller. Each
// call adds a reference that aclrtResetDevice takes back. 107001: no such device.
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

// Takes back one aclrtSetDevice. The last one waits for the queued work of the default context,
// ends schedulers that still poll and the default context with all its streams and events, and
// frees what the program left on the device. Contexts of aclrtCreateContext live on with their
// streams; while there is one, so does memory. 507007: more resets than sets.
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

// The same whatever the number of references. 507007: the device is not set.
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

// The device of the thread's current context. 107002: none.
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t* deviceId);

// The number of devices, after ASCEND_RT_VISIBLE_DEVICES.
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t* count);

// Wait until every stream of the current device is idle. The timeout is in milliseconds, -1 waits
// for ever. 107000: timeout is 0 or below -1; 507046: time is up.
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

// Where the program runs; always ACL_HOST.
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode* runMode);

// One attribute of a device.
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr,
                                                int64_t* value);

// Access between devices. canAccessPeer receives 1 or 0; flags must be 0.
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId,
                                                      int32_t peerDeviceId);
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

// 1 if the two may access each other's memory, which devices of one machine always may.
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId,
                                                         int32_t* status);

// Numbers of devices: the user's count those that ASCEND_RT_VISIBLE_DEVICES shows, as all other
// functions do; logical ones count all, and so do physical ones, which are the same here. 107001:
// no such device, or one that is not shown.
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid,
                                                           int32_t* const logicDevId);
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId,
                                                           int32_t* const userDevid);
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId,
                                                          int32_t* const logicDevId);
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId,
                                                          int32_t* const phyDevId);
ACL_FUNC_VISIBILITY aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId,
                                                         int32_t* const userDevId);
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId,
                                                         int32_t* const phyDevId);

// The range of aclrtCreateStreamWithConfig's priority: 7 and 0. Null pointers are passed over.
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority,
                                                               int32_t* greatestPriority);

// How many streams may still be created on the current device.
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t* streamCount);

// Where an NPU's cores meet. 207000: not offered.
ACL_FUNC_VISIBILITY aclError aclrtGetHardwareSyncAddr(void** addr);

// Contexts.

// Creates a context of the device and makes it current for the thread.
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId);

// 107002: a default context, which only aclrtResetDevice releases.
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

// 100000: null; 107000: not a living context.
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

// 107002: the thread has none.
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext* context);

// The stream that a null stream handle stands for.
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream);

// Options of the current context. Set also writes the option of the process.
//   100000  opt outside 0..2
//   107021  Get before any Set
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

// Options of the process; 0 until set. 107000: opt outside 0..3.
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_DEVICE_H_
