// SPDX-License-Identifier: Apache-2.0
// What the environment and the client's process-wide calls have set.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "base/status.h"

namespace anyacl {

// Read once, at the first use of the library.
struct Environment {
  uint32_t devices = 1;           // ANYACL_DEVICES, cut down by ASCEND_RT_VISIBLE_DEVICES
  uint32_t all_devices = 1;       // ANYACL_DEVICES
  std::vector<uint32_t> visible;  // the numbers that the devices have among all
  std::string soc_name;           // ANYACL_SOC_NAME
  std::string cann_version;       // ANYACL_CANN_VERSION
  size_t device_memory = 0;       // ANYACL_DEVICE_MEMORY in bytes; default: what we may use
  std::optional<uint8_t> fill;    // ANYACL_FILL: every byte of a fresh allocation
  bool strict = false;            // ANYACL_STRICT=1: no access to the padding of allocations
  bool launch_blocking = false;   // ACL_LAUNCH_BLOCKING=1
  uint32_t threads = 0;           // ANYACL_THREADS: of a ParallelFor; 0: one for each CPU
  bool pin = false;               // ANYACL_PIN=1: one CPU for each thread of ours
};
const Environment& Env();

// aclrtSetOpExecuteTimeOut*: how long a task that waits for other workers may run.
class OpExecuteTimeout {
 public:
  // The step to which values are kept; aclrtGetOpTimeOutInterval.
  static constexpr uint64_t kIntervalUs = 1000;
  static constexpr uint64_t kNever = UINT64_MAX;

  // Rounds up to the interval; 0 means never. Returns the value in force.
  static uint64_t SetUs(uint64_t us);
  static uint64_t GetUs();
};

// aclrtSetOpWaitTimeout: how long a task of aclrtStreamWaitEvent may wait; 0: as long as it takes.
uint32_t OpWaitTimeoutSeconds();

// The process-level value of an option that has been checked.
void SetProcessSysParam(aclSysParamOpt option, int64_t value);

}  // namespace anyacl
