// SPDX-License-Identifier: Apache-2.0
// Functions below AscendCL that client binaries link by name, with no public header of their own:
// torch_npu 2.14 reports its compiled kernels to the profiler (Msprof*) and launches them (rt*);
// CANN's examples tell the profiler about a model.
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "acl/acl_base.h"
#include "base/entry.h"
#include "runtime/text_id.h"

namespace {

int KernelsNotOffered(const char* api) {
  return anyacl::Entry(api, [] {
    return anyacl::Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                        "kernels for an NPU are not offered by anyacl");
  });
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// A profile has no kernels of the client's, so the callback is never due and no report is ever
// wanted: 0, as on a device that is not being profiled.
int32_t MsprofRegisterCallback(uint32_t /*module*/, int32_t (*)(uint32_t, void*, uint32_t)) {
  return 0;
}
int32_t MsprofReportApi(uint32_t, const void*) { return 0; }
int32_t MsprofReportCompactInfo(uint32_t, void*, uint32_t) { return 0; }
int32_t MsprofReportAdditionalInfo(uint32_t, void*, uint32_t) { return 0; }

// Which device a model runs on, for a profiler's report.
int32_t MsprofSetDeviceIdByGeModelIdx(uint32_t /*model*/, uint32_t /*device*/) { return 0; }
int32_t MsprofUnsetDeviceIdByGeModelIdx(uint32_t /*model*/, uint32_t /*device*/) { return 0; }

uint64_t MsprofGetHashId(const char* text, size_t length) {
  return text == nullptr ? 0 : anyacl::TextId({text, length});
}

// Nanoseconds.
uint64_t MsprofSysCycleTime() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
}

int rtDevBinaryRegister(const void*, void**) { return KernelsNotOffered("rtDevBinaryRegister"); }
int rtFunctionRegister(void*, const void*, const char*, const void*, uint32_t) {
  return KernelsNotOffered("rtFunctionRegister");
}
int rtKernelLaunch(const void*, uint32_t, void*, uint32_t, void*, void*) {
  return KernelsNotOffered("rtKernelLaunch");
}
int rtGetC2cCtrlAddr(uint64_t*, uint32_t*) { return KernelsNotOffered("rtGetC2cCtrlAddr"); }
}
#pragma GCC visibility pop
