// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpus.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>

#include "base/fork_locks.h"
#include "base/status.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

namespace fs = std::filesystem;

using Quota = std::optional<double>;

// "quota period" in microseconds; "max" and -1 mean no limit.
Quota ReadQuota(const fs::path& quota_file, const fs::path& period_file) {
  std::string quota, period;
  std::ifstream first(quota_file);
  first >> quota;
  if (quota_file == period_file) {
    first >> period;
  } else {
    std::ifstream(period_file) >> period;
  }
  const double share = std::atof(quota.c_str()) / std::atof(period.c_str());
  return std::isfinite(share) && share > 0 ? Quota(share) : Quota();
}

// The least of a group's quotas and those of the groups around it.
template <class Read>
Quota LeastQuota(const fs::path& mount, fs::path group, Read read) {
  Quota least;
  for (group = group.relative_path();; group = group.parent_path()) {
    const Quota quota = read(mount / group);
    if (quota && (!least || *quota < *least)) least = quota;
    if (group.empty()) return least;
  }
}

bool ListsCpu(std::string controllers) {
  controllers = "," + controllers + ",";
  return controllers.find(",cpu,") != std::string::npos;
}

}  // namespace

std::optional<double> CpuQuota(const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  Quota least;
  // Lines are "number:controllers:group"; version 2 lists no controllers.
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    Quota quota;
    if (controllers.empty()) {
      quota = LeastQuota(mount, group, [](const fs::path& at) {
        return ReadQuota(at / "cpu.max", at / "cpu.max");
      });
    } else if (ListsCpu(controllers)) {
      quota = LeastQuota(mount / "cpu", group, [](const fs::path& at) {
        return ReadQuota(at / "cpu.cfs_quota_us", at / "cpu.cfs_period_us");
      });
    }
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

Cpus::Cpus() {
  CPU_ZERO(&set_);
  if (sched_getaffinity(getpid(), sizeof(set_), &set_) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set_)) numbers_.push_back(cpu);
    }
  }
  // A set too small for the machine is not filled.
  count_ = !numbers_.empty() ? numbers_.size() : std::max(std::thread::hardware_concurrency(), 1u);
  if (const Quota quota = CpuQuota()) {
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
[[maybe_unused]] const bool kMadeAtLoad = (LookedUpOnce(), true);

}  // namespace

const Cpus& ProcessCpus() {
  return LookedUpOnce().Get([] { return new const Cpus; });
}

}  // namespace anyacl
