// SPDX-License-Identifier: Apache-2.0
// Memory that is meant for windows of communicators. Results are HcclResult's codes.
#ifndef ANYACL_HCOMM_HCOMM_RES_H_
#define ANYACL_HCOMM_HCOMM_RES_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t HcommResult;

// At least `size` bytes of the current device, mapped; other processes may map them too.
// HCCL_E_PARA (1): ptr is null or size is 0. HCCL_E_RUNTIME (15): no device, no memory.
ACL_FUNC_VISIBILITY HcommResult HcommMemAlloc(void** ptr, size_t size);
// The only way to give back what HcommMemAlloc gave.
ACL_FUNC_VISIBILITY HcommResult HcommMemFree(void* ptr);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_HCOMM_HCOMM_RES_H_
