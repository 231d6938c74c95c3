// SPDX-License-Identifier: Apache-2.0
// Addresses in windows that all ranks of a communicator registered (HcclCommSymWinRegister).
#ifndef ANYACL_HCCL_HCCL_SYM_WIN_H_
#define ANYACL_HCCL_HCCL_SYM_WIN_H_

#include "acl/acl_rt.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where byte `offset` of peerRank's window is in this process. HCCL_E_PARA: the offset lies
// outside, or there is no such rank.
ACL_FUNC_VISIBILITY HcclResult HcclSymWinGetPeerPointer(HcclCommSymWindow winHandle, size_t offset,
                                                        uint32_t peerRank, void** ptr);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_HCCL_HCCL_SYM_WIN_H_
