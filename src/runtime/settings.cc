// SPDX-License-Identifier: Apache-2.0
#include "runtime/settings.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/control_groups.h"
#include "runtime/exports.h"

namespace anyacl {
namespace {

std::string_view EnvView(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : std::string_view();
}

// Decimal, or hexadecimal with 0x; nothing for anything else.
std::optional<uint64_t> Number(std::string_view text) {
  int base = 10;
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

template <class Stored, class Target>
void ReadNumber(const char* name, uint64_t low, uint64_t high, Target* value) {
  const std::string_view text = EnvView(name);
  if (text.empty()) return;
  const std::optional<uint64_t> number = Number(text);
  if (number && *number >= low && *number <= high) {
    *value = static_cast<Stored>(*number);
  } else {
    Warn("{} is \"{}\", expected a number from {} to {}; ignored", name, text, low, high);
  }
}

// "0,2": numbers in ascending order, those before one that is no device, before nothing between
// commas, or before another character. In another order there is no device, as torch_npu counts
// them, too.
std::vector<uint32_t> VisibleDevices(uint32_t devices) {
  std::vector<uint32_t> seen;
  if (std::getenv("ASCEND_RT_VISIBLE_DEVICES") == nullptr) {
    for (uint32_t id = 0; id < devices; ++id) seen.push_back(id);
    return seen;
  }
  std::string_view list = EnvView("ASCEND_RT_VISIBLE_DEVICES");
  list = list.substr(0, list.find_first_not_of("0123456789,"));
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::optional<uint64_t> id = Number(list.substr(0, comma));
    if (!id) break;
    if (!seen.empty() && *id <= seen.back()) {
      Warn("ASCEND_RT_VISIBLE_DEVICES is \"{}\", expected ascending numbers; no device is visible",
           EnvView("ASCEND_RT_VISIBLE_DEVICES"));
      return {};
    }
    if (*id >= devices) break;
    seen.push_back(static_cast<uint32_t>(*id));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return seen;
}

// A container is killed for touching more than its control groups grant.
size_t AvailableMemory() {
  const size_t machine =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return std::min<size_t>(machine, MemoryLimit().value_or(machine));
}

// An A3: torch_npu 2.8 calls aclnn operators for convolutions from Ascend910_9391 on, and single
// operators on private formats for an Ascend910B.
constexpr std::string_view kSocName = "Ascend910_9392";

// The newest branches of torch_npu 2.8, and not yet those that want operators of 9.1 from 2.14.
constexpr std::string_view kCannVersion = "8.5.0";

// By itself: torch_npu counts them before it counts on what is visible. Without a lock, which a
// fork could find taken: who reads it first tells all others.
uint32_t NumberOfDevices() {
  static constinit std::atomic<uint32_t> known{0};
  if (const uint32_t devices = known.load(); devices != 0) return devices;
  uint32_t devices = 1, first = 0;
  ReadNumber<uint32_t>("ANYACL_DEVICES", 1, 64, &devices);
  return known.compare_exchange_strong(first, devices) ? devices : first;
}

Environment ReadEnvironment() {
  Environment env;
  env.all_devices = NumberOfDevices();
  env.visible = VisibleDevices(env.all_devices);
  env.devices = static_cast<uint32_t>(env.visible.size());
  const std::string_view soc = EnvView("ANYACL_SOC_NAME");
  env.soc_name = std::string(soc.empty() ? kSocName : soc);
  env.cann_version = kCannVersion;
  const std::string_view version = EnvView("ANYACL_CANN_VERSION");
  if (version.size() >= ACL_PKG_VERSION_PARTS_MAX_SIZE) {
    Warn("ANYACL_CANN_VERSION has {} characters, expected less than {}; ignored", version.size(),
         ACL_PKG_VERSION_PARTS_MAX_SIZE);
  } else if (!version.empty()) {
    env.cann_version = version;
  }
  env.device_memory = AvailableMemory();
  ReadNumber<size_t>("ANYACL_DEVICE_MEMORY", 1, INT64_MAX, &env.device_memory);
  ReadNumber<uint8_t>("ANYACL_FILL", 0, 255, &env.fill);
  env.strict = EnvView("ANYACL_STRICT") == "1";
  env.launch_blocking = EnvView("ACL_LAUNCH_BLOCKING") == "1";
  ReadNumber<uint32_t>("ANYACL_THREADS", 1, 1024, &env.threads);
  env.pin = EnvView("ANYACL_PIN") == "1";
  return env;
}

FirstUse<Environment>& ReadOnce() {
  static auto* once = new FirstUse<Environment>(ForkOrder::kSettings);
  return *once;
}

[[maybe_unused]] const bool kSettingsMadeAtLoad = (ReadOnce(), true);

// Upstream's default, 1091 s.
std::atomic<uint64_t> g_op_execute_timeout_us{1091 * 1000000ull};
std::atomic<uint32_t> g_op_wait_timeout_s{0};

constexpr int kSysParams = 4;
std::atomic<int64_t> g_sys_params[kSysParams];

Status CheckSysParam(aclSysParamOpt option) {
  if (option < 0 || option >= kSysParams) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "opt is {}, expected 0..{}", static_cast<int>(option),
                kSysParams - 1);
  }
  return {};
}

}  // namespace

const Environment& Env() {
  return ReadOnce().Get([] { return new Environment(ReadEnvironment()); });
}

uint64_t OpExecuteTimeout::SetUs(uint64_t us) {
  uint64_t value = kNever;
  if (us != 0 && us <= kNever - kIntervalUs) {
    value = (us + kIntervalUs - 1) / kIntervalUs * kIntervalUs;
  }
  g_op_execute_timeout_us = value;
  return value;
}

void SetProcessSysParam(aclSysParamOpt option, int64_t value) { g_sys_params[option] = value; }

uint32_t OpWaitTimeoutSeconds() { return g_op_wait_timeout_s; }

uint64_t OpExecuteTimeout::GetUs() { return g_op_execute_timeout_us; }

}  // namespace anyacl

using anyacl::Entry;
using anyacl::NotNull;
using anyacl::OpExecuteTimeout;
using anyacl::Status;

extern "C" {

uint64_t anyaclOpExecuteTimeoutUs() { return OpExecuteTimeout::GetUs(); }

uint32_t anyaclAllDevices() { return anyacl::NumberOfDevices(); }

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return Entry("aclrtSetOpExecuteTimeOut", [&]() -> Status {
    OpExecuteTimeout::SetUs(uint64_t{timeout} * 1000000);
    return {};
  });
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return Entry("aclrtSetOpExecuteTimeOutWithMs", [&]() -> Status {
    OpExecuteTimeout::SetUs(uint64_t{timeout} * 1000);
    return {};
  });
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return Entry("aclrtSetOpExecuteTimeOutV2", [&]() -> Status {
    if (Status s = NotNull(actualTimeout, "actualTimeout"); !s.ok()) return s;
    *actualTimeout = OpExecuteTimeout::SetUs(timeout);
    return {};
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return Entry("aclrtGetOpTimeOutInterval", [&]() -> Status {
    if (Status s = NotNull(interval, "interval"); !s.ok()) return s;
    *interval = OpExecuteTimeout::kIntervalUs;
    return {};
  });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return Entry("aclrtGetOpExecuteTimeout", [&]() -> Status {
    if (Status s = NotNull(timeoutMs, "timeoutMs"); !s.ok()) return s;
    const uint64_t us = OpExecuteTimeout::GetUs();
    // Never is the largest value here, as it is for aclrtSetOpExecuteTimeOutV2.
    *timeoutMs = static_cast<uint32_t>(std::min<uint64_t>(us / 1000, UINT32_MAX));
    return {};
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  anyacl::g_op_wait_timeout_s = timeout;
  return ACL_SUCCESS;
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Entry("aclrtSetSysParamOpt", [&]() -> Status {
    if (Status s = anyacl::CheckSysParam(opt); !s.ok()) return s;
    anyacl::SetProcessSysParam(opt, value);
    return {};
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Entry("aclrtGetSysParamOpt", [&]() -> Status {
    if (Status s = NotNull(value, "value"); !s.ok()) return s;
    if (Status s = anyacl::CheckSysParam(opt); !s.ok()) return s;
    *value = anyacl::g_sys_params[opt];
    return {};
  });
}
}
