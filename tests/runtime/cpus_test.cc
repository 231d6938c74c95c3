// SPDX-License-Identifier: Apache-2.0
// How many CPUs a process may use: control groups of both versions, in trees made for the test.
#include "runtime/cpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "support/temp_dir.h"

namespace anyacl::test {
namespace {

class CpuQuotaTest : public testing::Test {
 protected:
  void Write(const std::string& file, const std::string& content) {
    dir_.Write(file, content + "\n");
  }
  std::optional<double> Quota() const { return CpuQuota(dir_.path()); }

  TempDir dir_;
};

TEST_F(CpuQuotaTest, NothingWithoutControlGroups) { EXPECT_FALSE(Quota()); }

TEST_F(CpuQuotaTest, Version2) {
  Write("proc/self/cgroup", "0::/");
  Write("sys/fs/cgroup/cpu.max", "250000 100000");
  EXPECT_EQ(Quota(), 2.5);
  Write("sys/fs/cgroup/cpu.max", "max 100000");
  EXPECT_FALSE(Quota());
}

TEST_F(CpuQuotaTest, TheTightestGroupAroundCounts) {
  Write("proc/self/cgroup", "0::/a/b/c");
  Write("sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
  Write("sys/fs/cgroup/a/b/cpu.max", "300000 100000");
  Write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  EXPECT_EQ(Quota(), 0.5);
}

TEST_F(CpuQuotaTest, Version1) {
  Write("proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/job");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(Quota());
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000");
  EXPECT_EQ(Quota(), 4.0);
}

// In a container the group's own path may not be mounted.
TEST_F(CpuQuotaTest, Version1MountedAtTheGroup) {
  Write("proc/self/cgroup", "4:cpuacct,cpu:/docker/0123");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(Quota(), 1.5);
}

TEST_F(CpuQuotaTest, GarbageIsNoLimit) {
  Write("proc/self/cgroup", "nonsense\n0:\n:::\n0::/../x");
  Write("sys/fs/cgroup/cpu.max", "");
  EXPECT_FALSE(Quota());
  Write("sys/fs/cgroup/cpu.max", "x y");
  EXPECT_FALSE(Quota());
  Write("sys/fs/cgroup/cpu.max", "-5 100000");
  EXPECT_FALSE(Quota());
  Write("sys/fs/cgroup/cpu.max", "1000 0");
  EXPECT_FALSE(Quota());
}

TEST(CpusTest, CountIsWithinTheMachine) {
  const Cpus cpus;
  EXPECT_GE(cpus.count(), 1u);
  EXPECT_LE(cpus.count(), std::max(std::thread::hardware_concurrency(), 1u));
}

}  // namespace
}  // namespace anyacl::test
