// SPDX-License-Identifier: Apache-2.0
// Checks of arguments, and refusals, that many API functions share.
#pragma once

#include "acl/acl_base.h"
#include "base/entry.h"
#include "base/status.h"

namespace anyacl {

inline Status NotNull(const void* pointer, const char* parameter) {
  if (pointer != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "{} is null, expected an address", parameter);
}

inline Status CheckTimeout(int32_t timeout_ms) {
  if (timeout_ms == -1 || timeout_ms > 0) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} ms, expected -1 (none) or more than 0",
              timeout_ms);
}

// `what` it is for, as a sentence.
inline aclError NotOffered(const char* api, const char* what) {
  return Entry(api, [&] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "{}, which anyacl does not offer", what);
  });
}

}  // namespace anyacl
