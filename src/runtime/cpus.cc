// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpus.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/fork_locks.h"
#include "base/status.h"
#include "runtime/control_groups.h"
#include "runtime/settings.h"

namespace anyacl {

Cpus::Cpus() {
  CPU_ZERO(&set_);
  if (sched_getaffinity(getpid(), sizeof(set_), &set_) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set_)) numbers_.push_back(cpu);
    }
  }
  // A set too small for the machine is not filled.
  count_ = !numbers_.empty() ? numbers_.size() : std::max(std::thread::hardware_concurrency(), 1u);
  if (const std::optional<double> quota = CpuQuota()) {
    // More threads than that would be stopped for the rest of each period.
    count_ = static_cast<size_t>(std::clamp(std::ceil(*quota), 1.0, static_cast<double>(count_)));
  }
}

void Cpus::Bind(uint32_t index) const {
  if (numbers_.empty()) return;
  cpu_set_t set = set_;
  const int number = numbers_[index % numbers_.size()];
  if (Env().pin) {
    CPU_ZERO(&set);
    CPU_SET(number, &set);
  }
  if (sched_setaffinity(0, sizeof(set), &set) != 0 && Env().pin) {
    Warn("a thread could not be pinned to CPU {}", number);
  }
}

namespace {

FirstUse<const Cpus>& LookedUpOnce() {
  static auto* once = new FirstUse<const Cpus>(ForkOrder::kSettings);
  return *once;
}
[[maybe_unused]] const bool kCpusMadeAtLoad = (LookedUpOnce(), true);

}  // namespace

const Cpus& ProcessCpus() {
  return LookedUpOnce().Get([] { return new const Cpus; });
}

}  // namespace anyacl
