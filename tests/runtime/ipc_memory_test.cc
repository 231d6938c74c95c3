// SPDX-License-Identifier: Apache-2.0
// Memory that two processes use: the one here and a program that imports what this one exports.
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "fixture.h"

extern char** environ;

namespace anyacl::test {
namespace {

constexpr size_t kGranularity = size_t{2} << 20;
constexpr uint64_t kAnyone = ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;

// The program of ipc_memory_peer.cc.
class Peer {
 public:
  Peer() {
    int to[2], from[2];
    EXPECT_EQ(pipe2(to, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(from, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    std::string program = ANYACL_TEST_IPC_PEER;
    char* arguments[] = {program.data(), nullptr};
    EXPECT_EQ(posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    commands_ = fdopen(to[1], "w");
    answers_ = fdopen(from[0], "r");
  }
  ~Peer() { End(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  pid_t pid() const { return pid_; }

  long Ask(const std::string& command) {
    std::fprintf(commands_, "%s\n", command.c_str());
    std::fflush(commands_);
    return std::atol(Line().c_str());
  }
  std::string Line() {
    char line[256] = {};
    EXPECT_NE(std::fgets(line, sizeof(line), answers_), nullptr) << "the other process has ended";
    return std::string(line, std::strcspn(line, "\n"));
  }
  void End() {
    if (pid_ == 0) return;
    std::fclose(commands_);
    std::fclose(answers_);
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  FILE* commands_ = nullptr;
  FILE* answers_ = nullptr;
};

class IpcMemoryTest : public RuntimeTest {
 protected:
  void SetUp() override {
    if (IsEmulated()) GTEST_SKIP() << "the other process would have to be emulated, too";
    RuntimeTest::SetUp();
  }
  void TearDown() override {
    if (!IsEmulated()) RuntimeTest::TearDown();
  }

  static std::string ExportKey(void* memory, size_t size, uint64_t flags = kAnyone) {
    char key[65] = {};
    EXPECT_OK(aclrtIpcMemGetExportKey(memory, size, key, sizeof(key), flags));
    return key;
  }
  static char* NewBytes(size_t size, int value) {
    void* memory = NewDeviceMemory(size);
    EXPECT_OK(aclrtMemset(memory, size, value, size));
    return static_cast<char*>(memory);
  }
};

// As torch_npu shares a tensor: blocks of 2 and 20 MiB, exported when they are full of data.
TEST_F(IpcMemoryTest, BothProcessesSeeEachOthersWrites) {
  for (const size_t size : {size_t{4096}, size_t{100000}, size_t{2} << 20, size_t{20} << 20}) {
    char* memory = NewBytes(size, 0x21);
    Peer peer;
    const std::string key = ExportKey(memory, size);
    EXPECT_EQ(memory[0], 0x21);
    EXPECT_EQ(memory[size - 1], 0x21);
    ASSERT_EQ(peer.Ask("key " + key), 0);
    EXPECT_EQ(peer.Ask("read 0"), 0x21);
    EXPECT_EQ(peer.Ask("read " + std::to_string(size - 1)), 0x21);
    EXPECT_OK(aclrtMemset(memory + size / 2, 1, 0x44, 1));
    EXPECT_EQ(peer.Ask("read " + std::to_string(size / 2)), 0x44);
    EXPECT_EQ(peer.Ask("device 7 85"), 0);
    EXPECT_EQ(memory[7], 85);
    EXPECT_EQ(peer.Ask("close " + key), 0);
    EXPECT_OK(aclrtIpcMemClose(key.c_str()));
    EXPECT_OK(aclrtFree(memory));
  }
}

TEST_F(IpcMemoryTest, PartsBeginAtPages) {
  char* memory = NewBytes(10 * 4096, 1);
  memory[3 * 4096] = 77;
  const std::string key = ExportKey(memory + 3 * 4096, 4096);
  Peer peer;
  ASSERT_EQ(peer.Ask("key " + key), 0);
  EXPECT_EQ(peer.Ask("read 0"), 77);
  char text[65] = {};
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtIpcMemGetExportKey(memory + 64, 64, text, 65, kAnyone), "devPtr", "page");
}

TEST_F(IpcMemoryTest, OnlyNamedProcessesImport) {
  char* memory = NewBytes(8192, 3);
  const std::string key = ExportKey(memory, 8192, ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT);
  Peer friendly, other;
  int32_t pid = friendly.pid();
  EXPECT_NE(friendly.Ask("key " + key), 0);
  EXPECT_OK(aclrtIpcMemSetImportPid(key.c_str(), &pid, 1));
  EXPECT_EQ(friendly.Ask("key " + key), 0);
  EXPECT_EQ(friendly.Ask("read 8191"), 3);
  EXPECT_NE(other.Ask("key " + key), 0);
  pid = other.pid();
  aclrtServerPid server = {0, &pid, 1};
  EXPECT_OK(aclrtIpcMemImportPidInterServer(key.c_str(), &server, 1));
  EXPECT_EQ(other.Ask("key " + key), 0);
}

TEST_F(IpcMemoryTest, ImportedMemoryOutlivesTheExport) {
  char* memory = NewBytes(1 << 20, 9);
  const std::string key = ExportKey(memory, 1 << 20);
  Peer peer, late;
  ASSERT_EQ(peer.Ask("key " + key), 0);
  EXPECT_OK(aclrtIpcMemClose(key.c_str()));
  EXPECT_NE(late.Ask("key " + key), 0);
  EXPECT_OK(aclrtFree(memory));
  NewBytes(1 << 20, 10);
  EXPECT_EQ(peer.Ask("read 1000"), 9);
  EXPECT_EQ(peer.Ask("close " + key), 0);
  EXPECT_NE(peer.Ask("key " + key), 0);
}

TEST_F(IpcMemoryTest, TheEndOfTheExporterLeavesImportsAlone) {
  auto peer = std::make_unique<Peer>();
  ASSERT_EQ(peer->Ask("export"), 0);
  const std::string key = peer->Line();
  void* memory = nullptr;
  ASSERT_OK(aclrtIpcMemImportByKey(&memory, key.c_str(), 0));
  EXPECT_OK(aclrtMemset(memory, 4096, 5, 4096));
  peer->End();
  EXPECT_EQ(static_cast<char*>(memory)[4095], 5);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(memory, 8192, 5, 8192), "devPtr");
  void* again = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemImportByKey(&again, key.c_str(), 0),
               "process");
  EXPECT_OK(aclrtIpcMemClose(key.c_str()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemClose(key.c_str()), "key");
}

// Tasks and host threads write while the memory is exported, and no write is lost.
TEST_F(IpcMemoryTest, ExportLosesNoWrite) {
  constexpr size_t kSize = size_t{4} << 20;
  for (int round = 0; round < 5; ++round) {
    char* memory = NewBytes(kSize, 0);
    auto* counters = reinterpret_cast<std::atomic<uint64_t>*>(memory);
    std::atomic<bool> stop{false};
    uint64_t written = 0;
    std::thread writer([&] {
      // One increment in each page, over and over.
      for (size_t at = 0; !stop.load(); at = (at + 4096) % kSize, ++written) {
        counters[at / sizeof(uint64_t)].fetch_add(1);
      }
    });
    while (counters[0].load() == 0) std::this_thread::yield();
    const std::string key = ExportKey(memory, kSize);
    stop = true;
    writer.join();
    uint64_t found = 0;
    for (size_t at = 0; at < kSize; at += 4096) found += counters[at / sizeof(uint64_t)].load();
    EXPECT_EQ(found, written);
    EXPECT_OK(aclrtIpcMemClose(key.c_str()));
    EXPECT_OK(aclrtFree(memory));
  }
}

// As some containers do.
void ForbidUserfaultfd() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
  ASSERT_EQ(syscall(SYS_userfaultfd, 0), -1);
}

TEST_F(IpcMemoryTest, ExportLosesNoTaskEvenWithoutUserfaultfd) {
  InFreshProcess([] {
    ForbidUserfaultfd();
    ASSERT_OK(aclrtSetDevice(0));
    constexpr size_t kPages = 1024, kTasks = 8 * kPages;
    for (int round = 0; round < 3; ++round) {
      char* memory = NewBytes(kPages * 4096, 0);
      aclrtStream stream = NewStream();
      std::atomic<size_t> enqueued{0};
      std::thread client([&] {
        EXPECT_OK(aclrtSetDevice(0));
        for (size_t i = 0; i < kTasks; ++i, ++enqueued) {
          void* byte = memory + i % kPages * 4096 + i / kPages;
          EXPECT_OK(aclrtMemsetAsync(byte, 1, 1, 1, stream));
        }
      });
      while (enqueued < kTasks / 8) std::this_thread::yield();
      ExportKey(memory, kPages * 4096);
      client.join();
      EXPECT_OK(aclrtSynchronizeStream(stream));
      size_t found = 0;
      for (size_t i = 0; i < kTasks; ++i) found += memory[i % kPages * 4096 + i / kPages] == 1;
      EXPECT_EQ(found, kTasks);
      EXPECT_OK(aclrtDestroyStream(stream));
      EXPECT_OK(aclrtFree(memory));
    }
    EXPECT_OK(aclrtResetDeviceForce(0));
  });
}

TEST_F(IpcMemoryTest, ExportsCostNoFileDescriptors) {
  const auto descriptors = [] {
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    close(next);
    return next;
  };
  ExportKey(NewBytes(4096, 0), 4096);
  const int before = descriptors();
  for (int i = 0; i < 100; ++i) ExportKey(NewBytes(4096, 0), 4096);
  EXPECT_EQ(descriptors(), before);
}

TEST_F(IpcMemoryTest, PhysicalMemoryGoesByHandles) {
  aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_OK(aclrtMallocPhysical(&handle, kGranularity, &prop, 0));
  void* address = nullptr;
  ASSERT_OK(aclrtReserveMemAddress(&address, kGranularity, 0, nullptr, 0));
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  EXPECT_OK(aclrtMemset(address, kGranularity, 0x33, kGranularity));

  uint64_t shareable = 0;
  ASSERT_OK(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &shareable));
  Peer peer;
  EXPECT_NE(peer.Ask("handle " + std::to_string(shareable)), 0);
  int32_t pid = peer.pid();
  EXPECT_OK(aclrtMemSetPidToShareableHandle(shareable, &pid, 1));
  ASSERT_EQ(peer.Ask("handle " + std::to_string(shareable)), 0);
  EXPECT_EQ(peer.Ask("read 4097"), 0x33);
  EXPECT_EQ(peer.Ask("write 4097 99"), 0);
  EXPECT_EQ(static_cast<char*>(address)[4097], 99);

  // The other process keeps it.
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(peer.Ask("read 4097"), 99);
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(IpcMemoryTest, FabricHandlesWorkAlike) {
  aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr, imported = nullptr;
  ASSERT_OK(aclrtMallocPhysical(&handle, kGranularity, &prop, 0));
  for (const auto type : {ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC}) {
    aclrtMemFabricHandle shareable = {};
    int32_t pid = 0;
    EXPECT_OK(aclrtDeviceGetBareTgid(&pid));
    EXPECT_EQ(pid, getpid());
    EXPECT_OK(aclrtMemExportToShareableHandleV2(handle, 0, type, &shareable));
    EXPECT_OK(aclrtMemSetPidToShareableHandleV2(&shareable, type, &pid, 1));
    EXPECT_OK(aclrtMemImportFromShareableHandleV2(&shareable, type, 0, &imported));
    EXPECT_OK(aclrtFreePhysical(imported));
  }
  EXPECT_OK(aclrtFreePhysical(handle));
}

TEST_F(IpcMemoryTest, WhatCannotBeSharedIsRefused) {
  char key[65] = {};
  void* small = NewDeviceMemory(64);
  void* memory = NewDeviceMemory(8192);
  void* host = nullptr;
  ASSERT_OK(aclrtMallocHost(&host, 8192));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(small, 64, key, 65, kAnyone),
               "devPtr", "page");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(host, 8192, key, 65, kAnyone),
               "devPtr", "aclrtMallocHost");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(memory, 9000, key, 65, kAnyone),
               "size", "9000");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(memory, 64, key, 64, kAnyone),
               "len", "64");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtIpcMemGetExportKey(memory, 64, key, 65, 2),
               "flags");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtIpcMemGetExportKey(nullptr, 64, key, 65, 0), "devPtr",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtIpcMemGetExportKey(memory, 64, nullptr, 65, 0), "key",
               "null");
  for (const char* bad : {"", "x", "anyacl", "anyacl-1", "anyacl-1-2-", "anyacl-1-2-3-4",
                          "anyacl-1-2-3", "anyacl-11111111111111111-0-1000"}) {
    EXPECT_EQ(aclrtIpcMemImportByKey(&host, bad, 0), ACL_ERROR_RT_PARAM_INVALID) << bad;
    EXPECT_EQ(aclrtIpcMemClose(bad), ACL_ERROR_RT_PARAM_INVALID) << bad;
  }
  aclrtDrvMemHandle handle = nullptr;
  for (const uint64_t bad : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}}) {
    EXPECT_EQ(aclrtMemImportFromShareableHandle(bad, 0, &handle), ACL_ERROR_RT_PARAM_INVALID);
    int32_t pid = 1;
    EXPECT_EQ(aclrtMemSetPidToShareableHandle(bad, &pid, 1), ACL_ERROR_RT_PARAM_INVALID);
  }
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtIpcMemSetAttr("k", ACL_RT_IPC_MEM_ATTR_ACCESS_LINK, 4), "attr");
  EXPECT_OK(aclrtIpcMemSetAttr("k", ACL_RT_IPC_MEM_ATTR_ACCESS_LINK,
                               ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_HCCS));
}

}  // namespace
}  // namespace anyacl::test
