// SPDX-License-Identifier: Apache-2.0
// libmsprofiler: what there is to profiling beside src/runtime/profile_api.cc, figures of a model's
// operators, refused.
#include <iterator>

#include "acl/acl_prof.h"
#include "base/entry.h"

namespace anyacl {
namespace {

aclError NotOffered(const char* api) {
  return Entry(api, [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "not offered by anyacl, whose profiles have API calls, tasks and marks");
  });
}

// What frameworks ask for by name before they use it. Version 0 of a feature is older than any that
// they know.
struct Feature {
  void* reserved = nullptr;
  char name[64];
  void* reserved_too = nullptr;
  char compatible[16] = "0";
  char version[16] = "0";
  char component[16] = "all";
  char component_version[16] = "all";
  char log[128] = "not offered by anyacl";
};
Feature g_features[] = {{.name = "ATTR"}, {.name = "MemoryAccess"}};

}  // namespace
}  // namespace anyacl

using anyacl::NotOffered;

extern "C" {

aclError aclprofGetSupportedFeatures(size_t* featuresSize, void** featuresData) {
  return anyacl::Entry("aclprofGetSupportedFeatures", [&]() -> anyacl::Status {
    if (featuresSize == nullptr || featuresData == nullptr) {
      return anyacl::Fail(ACL_ERROR_INVALID_PARAM, "{} is null, expected an address",
                          featuresSize == nullptr ? "featuresSize" : "featuresData");
    }
    *featuresSize = std::size(anyacl::g_features);
    *featuresData = anyacl::g_features;
    return {};
  });
}

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

aclError aclprofRangePushEx(aclprofEventAttributes*) { return NotOffered("aclprofRangePushEx"); }

aclError aclprofRangePop(void) { return NotOffered("aclprofRangePop"); }
}
