// SPDX-License-Identifier: Apache-2.0
// CPUs and memory that a process may use: control groups of both versions, in trees made for the
// test.
#include "runtime/control_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <thread>

#include "runtime/cpus.h"
#include "support/temp_dir.h"

namespace anyacl::test {
namespace {

class ControlGroupsTest : public testing::Test {
 protected:
  void Write(const std::string& file, const std::string& content) {
    dir_.Write(file, content + "\n");
  }
  std::optional<double> Quota() const { return CpuQuota(dir_.path()); }
  std::optional<uint64_t> Memory() const { return MemoryLimit(dir_.path()); }

  TempDir dir_;
};

TEST_F(ControlGroupsTest, NothingWithoutControlGroups) { EXPECT_FALSE(Quota()); }

TEST_F(ControlGroupsTest, Version2) {
  Write("proc/self/cgroup", "0::/");
  Write("sys/fs/cgroup/cpu.max", "250000 100000");
  EXPECT_EQ(Quota(), 2.5);
  Write("sys/fs/cgroup/cpu.max", "max 100000");
  EXPECT_FALSE(Quota());
}

TEST_F(ControlGroupsTest, TheTightestGroupAroundCounts) {
  Write("proc/self/cgroup", "0::/a/b/c");
  Write("sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
  Write("sys/fs/cgroup/a/b/cpu.max", "300000 100000");
  Write("sys/fs/cgroup/a/cpu.max", "50000 100000");
  EXPECT_EQ(Quota(), 0.5);
}

TEST_F(ControlGroupsTest, Version1) {
  Write("proc/self/cgroup", "5:cpuset:/job\n4:cpu,cpuacct:/job\n1:name=systemd:/job");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(Quota());
  Write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000");
  EXPECT_EQ(Quota(), 4.0);
}

// In a container the group's own path may not be mounted.
TEST_F(ControlGroupsTest, Version1MountedAtTheGroup) {
  Write("proc/self/cgroup", "4:cpuacct,cpu:/docker/0123");
  Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000");
  Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(Quota(), 1.5);
}

TEST_F(ControlGroupsTest, GarbageIsNoLimit) {
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

TEST_F(ControlGroupsTest, MemoryOfVersion2) {
  EXPECT_FALSE(Memory());
  Write("proc/self/cgroup", "0::/a/b");
  Write("sys/fs/cgroup/a/b/memory.max", "max");
  EXPECT_FALSE(Memory());
  Write("sys/fs/cgroup/a/memory.max", "4294967296");
  EXPECT_EQ(Memory(), uint64_t{4} << 30);
  Write("sys/fs/cgroup/a/b/memory.max", "1048576");
  EXPECT_EQ(Memory(), uint64_t{1} << 20);
}

TEST_F(ControlGroupsTest, MemoryOfVersion1) {
  Write("proc/self/cgroup", "4:memory:/docker/0123\n3:cpu:/other");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_FALSE(Memory());
  Write("sys/fs/cgroup/memory/docker/0123/memory.limit_in_bytes", "2147483648");
  EXPECT_EQ(Memory(), uint64_t{2} << 30);
  EXPECT_FALSE(Quota());
}

TEST(CpusTest, CountIsWithinTheMachine) {
  const Cpus cpus;
  EXPECT_GE(cpus.count(), 1u);
  EXPECT_LE(cpus.count(), std::max(std::thread::hardware_concurrency(), 1u));
}

}  // namespace
}  // namespace anyacl::test
