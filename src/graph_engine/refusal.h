// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/entry.h"
#include "graph_engine/graph_engine.h"

namespace anyacl {

// FAILED, with a message that names `api`.
inline ge::Status GraphsNotOffered(const char* api) {
  Entry(api, [] {
    return Fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        "whole graphs (GE) are not offered by anyacl, which runs operators one by one; expected "
        "torchair's CompilerConfig.mode \"reduce-overhead\", or no compilation");
  });
  return ge::kFailed;
}

}  // namespace anyacl
