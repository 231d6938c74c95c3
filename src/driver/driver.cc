// SPDX-License-Identifier: Apache-2.0
// libascend_hal: what frameworks ask of the driver below CANN. torch_npu counts devices with it
// before anything is initialised, so that a process may still fork.
#include <cstdint>

#include "base/entry.h"
#include "runtime/exports.h"

namespace anyacl {
namespace {

// The driver's own codes.
constexpr int kDone = 0;
constexpr int kInvalidValue = 3;
constexpr int kNotSupported = 0xfffe;

// The interface's version, 7.25.18 as 0x071912; clients only keep it in their reports.
constexpr int32_t kVersion = 0x071912;

template <class Value>
int Tell(const char* api, Value* out, Value value) {
  if (out != nullptr) {
    *out = value;
    return kDone;
  }
  (void)Entry(api, [] { return Fail(ACL_ERROR_INVALID_PARAM, "the result's address is null"); });
  return kInvalidValue;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

// All devices, ASCEND_RT_VISIBLE_DEVICES notwithstanding.
__attribute__((visibility("default"))) int drvGetDevNum(uint32_t* num_dev) {
  return Tell("drvGetDevNum", num_dev, anyaclAllDevices());
}

__attribute__((visibility("default"))) int halGetAPIVersion(int32_t* halAPIVersion) {
  return Tell("halGetAPIVersion", halAPIVersion, kVersion);
}

// Frequencies and the like, which a device of ours does not have.
__attribute__((visibility("default"))) int halGetDeviceInfo(uint32_t, int32_t moduleType,
                                                            int32_t infoType, int64_t*) {
  (void)Entry("halGetDeviceInfo", [&] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "infoType {} of moduleType {} is not offered by anyacl (DRV_ERROR_NOT_SUPPORT)",
                infoType, moduleType);
  });
  return kNotSupported;
}
}
