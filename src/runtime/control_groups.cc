// SPDX-License-Identifier: Apache-2.0
#include "runtime/control_groups.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

namespace anyacl {
namespace {

namespace fs = std::filesystem;

using Limit = std::optional<double>;

void TakeLess(Limit* least, const Limit& limit) {
  if (limit && (!*least || *limit < **least)) *least = limit;
}

// A limit is a positive number; "max" and -1 mean none.
Limit Positive(double value) { return std::isfinite(value) && value > 0 ? Limit(value) : Limit(); }

// "quota period" in microseconds.
Limit ReadQuota(const fs::path& quota_file, const fs::path& period_file) {
  std::string quota, period;
  std::ifstream first(quota_file);
  first >> quota;
  if (quota_file == period_file) {
    first >> period;
  } else {
    std::ifstream(period_file) >> period;
  }
  return Positive(std::atof(quota.c_str()) / std::atof(period.c_str()));
}

Limit ReadBytes(const fs::path& file) {
  std::string bytes;
  std::ifstream(file) >> bytes;
  return Positive(std::atof(bytes.c_str()));
}

// The least of a group's limits and those of the groups around it.
template <class Read>
Limit LeastAround(const fs::path& mount, fs::path group, Read read) {
  Limit least;
  for (group = group.relative_path();; group = group.parent_path()) {
    TakeLess(&least, read(mount / group));
    if (group.empty()) return least;
  }
}

bool Lists(const std::string& controllers, const std::string& controller) {
  return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

// Calls one of the readers with the folder of each group that counts for the controller.
template <class Read1, class Read2>
Limit LeastLimit(const fs::path& root, const std::string& controller, Read1 version_1,
                 Read2 version_2) {
  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups(root / "proc/self/cgroup");
  Limit least;
  // Lines are "number:controllers:group"; version 2 lists no controllers.
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) {
      TakeLess(&least, LeastAround(mount, group, version_2));
    } else if (Lists(controllers, controller)) {
      TakeLess(&least, LeastAround(mount / controller, group, version_1));
    }
  }
  return least;
}

}  // namespace

std::optional<double> CpuQuota(const fs::path& root) {
  return LeastLimit(
      root, "cpu",
      [](const fs::path& at) {
        return ReadQuota(at / "cpu.cfs_quota_us", at / "cpu.cfs_period_us");
      },
      [](const fs::path& at) { return ReadQuota(at / "cpu.max", at / "cpu.max"); });
}

std::optional<uint64_t> MemoryLimit(const fs::path& root) {
  const Limit limit = LeastLimit(
      root, "memory", [](const fs::path& at) { return ReadBytes(at / "memory.limit_in_bytes"); },
      [](const fs::path& at) { return ReadBytes(at / "memory.max"); });
  // Version 1 writes no limit as almost 2^63, which a double rounds up.
  if (!limit || *limit >= 0x1p62) return std::nullopt;
  return static_cast<uint64_t>(*limit);
}

}  // namespace anyacl
