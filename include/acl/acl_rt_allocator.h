// SPDX-License-Identifier: Apache-2.0
// Callback types of user-supplied allocators. anyacl has no function that takes one; the types let
// programs that implement an allocator compile.
#ifndef ANYACL_ACL_ACL_RT_ALLOCATOR_H_
#define ANYACL_ACL_ACL_RT_ALLOCATOR_H_

#include <stddef.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* (*aclrtAllocatorAllocFunc)(aclrtAllocator allocator, size_t size);
typedef void (*aclrtAllocatorFreeFunc)(aclrtAllocator allocator, aclrtAllocatorBlock block);
typedef void* (*aclrtAllocatorAllocAdviseFunc)(aclrtAllocator allocator, size_t size,
                                               aclrtAllocatorAddr addr);
typedef void* (*aclrtAllocatorGetAddrFromBlockFunc)(aclrtAllocatorBlock block);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACL_ACL_RT_ALLOCATOR_H_
