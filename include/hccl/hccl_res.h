// SPDX-License-Identifier: Apache-2.0
// HCCL: memory of a communicator's own.
#ifndef ANYACL_HCCL_HCCL_RES_H_
#define ANYACL_HCCL_HCCL_RES_H_

#include "acl/acl_rt.h"
#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a program may write of this rank's buffer: hcclBufferSize of the configuration, or
// HCCL_BUFFSIZE, MB, zero at first. It is made by the first call, or by the first operator that
// needs it, and belongs to the communicator. It is the window for operators where none was
// registered. As much again behind it is theirs alone.
//   1  comm is none that is alive    2  comm, buffer or size is null
//   3  the device has not so much memory; any other code: the communicator has failed
ACL_FUNC_VISIBILITY HcclResult HcclGetHcclBuffer(HcclComm comm, void** buffer, uint64_t* size);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_HCCL_HCCL_RES_H_
