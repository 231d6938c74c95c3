// SPDX-License-Identifier: Apache-2.0
// Compiled with the strings of GCC before 5, which CANN is: GEGetErrorMsg returns one.
#include <string>

#include "acl/acl.h"

#if _GLIBCXX_USE_CXX11_ABI
#error "expected -D_GLIBCXX_USE_CXX11_ABI=0"
#endif

namespace ge {

ACL_FUNC_VISIBILITY std::string GEGetErrorMsg();

std::string GEGetErrorMsg() {
  const char* message = aclGetRecentErrMsg();
  return message == nullptr ? "" : message;
}

}  // namespace ge
