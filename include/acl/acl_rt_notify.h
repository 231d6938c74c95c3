// SPDX-License-Identifier: Apache-2.0
// Part of acl/acl_rt.h: notifies, flags by which streams of one or of several processes wait for
// each other.
#ifndef ANYACL_ACL_ACL_RT_NOTIFY_H_
#define ANYACL_ACL_ACL_RT_NOTIFY_H_

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_NOTIFY_DEFAULT 0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x02UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT 0x0UL
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS 0x02UL

ACL_FUNC_VISIBILITY aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag);

// Allowed while streams still wait for it. Every process destroys its own handle.
ACL_FUNC_VISIBILITY aclError aclrtDestroyNotify(aclrtNotify notify);

// The stream sets the notify when it gets there. Setting it twice before a wait is as once.
ACL_FUNC_VISIBILITY aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream);

// The stream waits until the notify is set, and clears it. timeout seconds, 0 waits for ever; after
// that aclrtSynchronizeStream returns 507048.
ACL_FUNC_VISIBILITY aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream,
                                                     uint32_t timeout);

// A number that names the notify in logs.
ACL_FUNC_VISIBILITY aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId);

// Clears them at once.
ACL_FUNC_VISIBILITY aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num);

// For other processes of this user and this machine: a key by which they import the notify while
// it lives. By default only those that aclrtNotifySetImportPid named may. len is at least 65 bytes.
ACL_FUNC_VISIBILITY aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len,
                                                     uint64_t flags);
ACL_FUNC_VISIBILITY aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num);

// 107000: no such key, its process has ended, or this one is not among those named.
ACL_FUNC_VISIBILITY aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key,
                                                    uint64_t flags);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_NOTIFY_H_
