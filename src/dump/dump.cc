// SPDX-License-Identifier: Apache-2.0
// libascend_dump: dumps to files, refused.
#include "acl/acl_dump.h"
#include "base/entry.h"

namespace anyacl {
namespace {

aclError NotOffered(const char* api) {
  return Entry(api, [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "dumps to files are not offered by anyacl");
  });
}

}  // namespace
}  // namespace anyacl

using anyacl::NotOffered;

extern "C" {

aclError acldumpRegCallback(int32_t (*const)(const acldumpChunk*, int32_t), int32_t) {
  return NotOffered("acldumpRegCallback");
}

void acldumpUnregCallback(void) {}

aclError aclopStartDumpArgs(uint32_t, const char*) { return NotOffered("aclopStartDumpArgs"); }

aclError aclopStopDumpArgs(uint32_t) { return NotOffered("aclopStopDumpArgs"); }

const char* acldumpGetPath(acldumpType) {
  (void)NotOffered("acldumpGetPath");
  return nullptr;
}

aclError acldumpSaveExceptionInfo(const char*, const char*, const acldumpTensorInfo*, size_t) {
  return NotOffered("acldumpSaveExceptionInfo");
}

aclError acldumpGetExceptionInfoPath(char*, size_t) {
  return NotOffered("acldumpGetExceptionInfoPath");
}
}
