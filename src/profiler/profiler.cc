// SPDX-License-Identifier: Apache-2.0
// libmsprofiler: profiling, refused.
#include "acl/acl_prof.h"
#include "base/entry.h"
#include "runtime/text_id.h"

namespace anyacl {
namespace {

aclError NotOffered(const char* api) {
  return Entry(api, [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "profiling is not offered by anyacl");
  });
}

}  // namespace
}  // namespace anyacl

using anyacl::NotOffered;

extern "C" {

aclError aclprofInit(const char*, size_t) { return NotOffered("aclprofInit"); }

aclError aclprofFinalize(void) { return NotOffered("aclprofFinalize"); }

aclprofConfig* aclprofCreateConfig(uint32_t*, uint32_t, aclprofAicoreMetrics,
                                   const aclprofAicoreEvents*, uint64_t) {
  (void)NotOffered("aclprofCreateConfig");
  return nullptr;
}

aclError aclprofDestroyConfig(const aclprofConfig*) { return NotOffered("aclprofDestroyConfig"); }

aclError aclprofSetConfig(aclprofConfigType, const char*, size_t) {
  return NotOffered("aclprofSetConfig");
}

aclError aclprofStart(const aclprofConfig*) { return NotOffered("aclprofStart"); }

aclError aclprofStop(const aclprofConfig*) { return NotOffered("aclprofStop"); }

aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t, aclprofAicoreMetrics, void*) {
  (void)NotOffered("aclprofCreateSubscribeConfig");
  return nullptr;
}

aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig*) {
  return NotOffered("aclprofDestroySubscribeConfig");
}

aclError aclprofModelSubscribe(uint32_t, const aclprofSubscribeConfig*) {
  return NotOffered("aclprofModelSubscribe");
}

aclError aclprofModelUnSubscribe(uint32_t) { return NotOffered("aclprofModelUnSubscribe"); }

aclError aclprofGetOpDescSize(size_t*) { return NotOffered("aclprofGetOpDescSize"); }

aclError aclprofGetOpNum(const void*, size_t, uint32_t*) { return NotOffered("aclprofGetOpNum"); }

aclError aclprofGetOpTypeLen(const void*, size_t, uint32_t, size_t*) {
  return NotOffered("aclprofGetOpTypeLen");
}

aclError aclprofGetOpType(const void*, size_t, uint32_t, char*, size_t) {
  return NotOffered("aclprofGetOpType");
}

aclError aclprofGetOpNameLen(const void*, size_t, uint32_t, size_t*) {
  return NotOffered("aclprofGetOpNameLen");
}

aclError aclprofGetOpName(const void*, size_t, uint32_t, char*, size_t) {
  return NotOffered("aclprofGetOpName");
}

uint64_t aclprofGetOpStart(const void*, size_t, uint32_t) { return 0; }

uint64_t aclprofGetOpEnd(const void*, size_t, uint32_t) { return 0; }

uint64_t aclprofGetOpDuration(const void*, size_t, uint32_t) { return 0; }

size_t aclprofGetModelId(const void*, size_t, uint32_t) { return 0; }

aclprofSubscribeOpFlag aclprofGetOpFlag(const void*, size_t, uint32_t) {
  return ACL_SUBSCRIBE_NONE;
}

const char* aclprofGetOpAttriValue(const void*, size_t, uint32_t, aclprofSubscribeOpAttri) {
  (void)NotOffered("aclprofGetOpAttriValue");
  return nullptr;
}

aclprofStepInfo* aclprofCreateStepInfo(void) {
  (void)NotOffered("aclprofCreateStepInfo");
  return nullptr;
}

void aclprofDestroyStepInfo(aclprofStepInfo*) {}

aclError aclprofGetStepTimestamp(aclprofStepInfo*, aclprofStepTag, aclrtStream) {
  return NotOffered("aclprofGetStepTimestamp");
}

void* aclprofCreateStamp(void) {
  (void)NotOffered("aclprofCreateStamp");
  return nullptr;
}

void aclprofDestroyStamp(void*) {}

aclError aclprofSetStampTraceMessage(void*, const char*, uint32_t) {
  return NotOffered("aclprofSetStampTraceMessage");
}

aclError aclprofMark(void*) { return NotOffered("aclprofMark"); }

aclError aclprofMarkEx(const char*, size_t, aclrtStream) { return NotOffered("aclprofMarkEx"); }

aclError aclprofPush(void*) { return NotOffered("aclprofPush"); }

aclError aclprofPop(void) { return NotOffered("aclprofPop"); }

aclError aclprofRangeStart(void*, uint32_t*) { return NotOffered("aclprofRangeStart"); }

aclError aclprofRangeStop(uint32_t) { return NotOffered("aclprofRangeStop"); }

aclError aclprofRangePushEx(aclprofEventAttributes*) { return NotOffered("aclprofRangePushEx"); }

aclError aclprofRangePop(void) { return NotOffered("aclprofRangePop"); }

uint64_t aclprofStr2Id(const char* message) {
  return message == nullptr ? 0 : anyacl::TextId(message);
}
}
