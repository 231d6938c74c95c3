// SPDX-License-Identifier: Apache-2.0
// The stream on which operations run.
#ifndef ANYACL_ATB_CONTEXT_H_
#define ANYACL_ATB_CONTEXT_H_

#include "atb/types.h"

namespace atb {

// Its functions may be called from any thread.
class Context {
 public:
  Context() = default;
  virtual ~Context() = default;

  virtual Status SetExecuteStream(aclrtStream stream) = 0;
  virtual aclrtStream GetExecuteStream() const = 0;
  // Remembered; there is no tiling data to copy.
  virtual Status SetAsyncTilingCopyStatus(bool enable) = 0;
  virtual bool GetAsyncTilingCopyStatus() const = 0;
};

// ERROR_INVALID_CONTEXT_ADDR for null.
ACL_FUNC_VISIBILITY Status CreateContext(Context** context);
ACL_FUNC_VISIBILITY Status DestroyContext(Context* context);

}  // namespace atb

#endif  // ANYACL_ATB_CONTEXT_H_
