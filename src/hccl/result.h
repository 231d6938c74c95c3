// SPDX-License-Identifier: Apache-2.0
// HcclResult as Status: a failure of libhccl is made with an HcclResult for its code; one of
// another library has an aclError, whose message stands already.
#pragma once

#include "acl/acl_base.h"
#include "base/entry.h"
#include "hccl/hccl_types.h"

namespace anyacl::hccl {

inline HcclResult ResultOf(int code) {
  if (code >= HCCL_SUCCESS && code < HCCL_E_RESERVED) return static_cast<HcclResult>(code);
  return code == ACL_ERROR_BAD_ALLOC        ? HCCL_E_MEMORY
         : code == ACL_ERROR_INTERNAL_ERROR ? HCCL_E_INTERNAL
                                            : HCCL_E_RUNTIME;
}

// The body of every function that returns an HcclResult.
template <class Body>
HcclResult HcclEntry(const char* api, Body&& body) noexcept {
  return ResultOf(Entry(api, std::forward<Body>(body)));
}

}  // namespace anyacl::hccl
