// SPDX-License-Identifier: Apache-2.0
// Communicators: joining in every way, names, settings, several at once, wrong arguments.
#include <gtest/gtest.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

// One number of each rank, summed.
int64_t SumOf(int64_t number, HcclComm comm, aclrtStream stream) {
  Buffer buffer(size_t{8});
  std::memcpy(buffer.data(), &number, 8);
  EXPECT_HCCL_OK(HcclAllReduce(buffer.data(), buffer.data(), 1, HCCL_DATA_TYPE_INT64,
                               HCCL_REDUCE_SUM, comm, stream));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << Rank::Message();
  std::memcpy(&number, buffer.data(), 8);
  return number;
}

std::string NameOfComm(HcclComm comm) {
  char name[COMM_NAME_MAX_LENGTH];
  std::memset(name, 'x', sizeof(name));
  EXPECT_HCCL_OK(HcclGetCommName(comm, name));
  EXPECT_NE(std::memchr(name, 0, sizeof(name)), nullptr);
  return name;
}

HcclCommConfig Named(const char* name) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::strcpy(config.hcclCommName, name);
  return config;
}

const Kind kKinds[] = {Kind::kProcesses, Kind::kThreads};

// A body that opens communicators itself, judged as others are.
void RunWithoutCommunicator(Kind kind, uint32_t ranks, const Body& body) {
  const Outcome outcome = RunRanksFreely(kind, ranks, [&](Rank& rank) {
    ASSERT_EQ(aclrtSetDevice(rank.device), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&rank.stream), ACL_SUCCESS);
    body(rank);
  });
  EXPECT_FALSE(outcome.timed_out);
  for (int status : outcome.statuses) EXPECT_EQ(status, 0);
}

TEST(CommunicatorTest, KnowsItsRanks) {
  for (Kind kind : kKinds) {
    RunRanks(kind, 3, [](Rank& rank) {
      uint32_t number = 99;
      EXPECT_HCCL_OK(HcclGetRankSize(rank.comm, &number));
      EXPECT_EQ(number, 3u);
      EXPECT_HCCL_OK(HcclGetRankId(rank.comm, &number));
      EXPECT_EQ(number, rank.rank);
      HcclResult error = HCCL_E_INTERNAL;
      EXPECT_HCCL_OK(HcclGetCommAsyncError(rank.comm, &error));
      EXPECT_EQ(error, HCCL_SUCCESS);
      const std::string name = NameOfComm(rank.comm);
      EXPECT_FALSE(name.empty());
      // The same on all ranks.
      const auto hash = static_cast<int64_t>(std::hash<std::string>()(name) % 1'000'000);
      EXPECT_EQ(SumOf(hash, rank.comm, rank.stream), 3 * hash);
      // By name, on this device.
      HcclComm found = nullptr;
      EXPECT_HCCL_OK(HcclCommGetHandleWithName(name.c_str(), &found));
      EXPECT_EQ(found, rank.comm);
      HcclCommStatus status = HCCL_COMM_STATUS_INVALID;
      EXPECT_HCCL_OK(HcclCommGetStatus(name.c_str(), &status));
      EXPECT_EQ(status, HCCL_COMM_STATUS_READY);
      EXPECT_EQ(HcclCommGetHandleWithName("nobody", &found), HCCL_E_NOT_FOUND);
    });
  }
}

TEST(CommunicatorTest, TakesItsNameFromTheSettings) {
  for (Kind kind : kKinds) {
    RunWithoutCommunicator(kind, 2, [](Rank& rank) {
      const HcclCommConfig config = Named("group_name_0");
      EXPECT_HCCL_OK(rank.Join(0, rank.rank, 2, &config, &rank.comm));
      EXPECT_EQ(NameOfComm(rank.comm), "group_name_0");
      EXPECT_EQ(SumOf(5, rank.comm, rank.stream), 10);
      rank.Close();
    });
  }
}

// What torch_npu 2.8 (version 6, 312 bytes), one without names (32 bytes) and newer programs
// (version 11, 2248 bytes) pass.
TEST(CommunicatorTest, TakesSettingsOfOtherVersions) {
  for (const auto& [size, version] : std::vector<std::pair<size_t, uint32_t>>{
           {32, 1}, {160, 2}, {312, 6}, {2240, 10}, {2248, 11}}) {
    RunWithoutCommunicator(Kind::kProcesses, 2, [&, size = size, version = version](Rank& rank) {
      // What lies behind must not be read: the memory ends there.
      std::vector<char> bytes(std::max<size_t>(size, sizeof(HcclCommConfig)) + 64, '\x7f');
      HcclCommConfig whole = Named("someone");
      whole.hcclBufferSize = 10;
      HcclCommConfigInfo info;
      std::memcpy(&info, whole.reserved, sizeof(info));
      info.size = size;
      info.version = version;
      std::memcpy(whole.reserved, &info, sizeof(info));
      std::memcpy(bytes.data(), &whole, std::min(size, sizeof(whole)));
      EXPECT_HCCL_OK(rank.Join(0, rank.rank, 2,
                               reinterpret_cast<const HcclCommConfig*>(bytes.data()), &rank.comm));
      if (size >= 160) {
        EXPECT_EQ(NameOfComm(rank.comm), "someone");
      }
      EXPECT_EQ(SumOf(1, rank.comm, rank.stream), 2);
      rank.Close();
    });
  }
}

TEST(CommunicatorTest, RefusesSettingsThatAreNone) {
  RunWithoutCommunicator(Kind::kProcesses, 1, [](Rank& rank) {
    HcclCommConfig config;
    std::memset(&config, 0, sizeof(config));
    EXPECT_EQ(rank.Join(0, 0, 1, &config, &rank.comm), HCCL_E_PARA);
    EXPECT_FALSE(Rank::Message().empty());
    HcclCommConfigInit(&config);
    config.hcclBufferSize = 0;
    EXPECT_EQ(rank.Join(1, 0, 1, &config, &rank.comm), HCCL_E_PARA);
    HcclCommConfigInit(&config);
    std::memset(config.hcclCommName, 'x', sizeof(config.hcclCommName));  // no end
    EXPECT_EQ(rank.Join(2, 0, 1, &config, &rank.comm), HCCL_E_PARA);
  });
}

TEST(CommunicatorTest, RefusesWrongArguments) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer buffer(size_t{64});
    void* const data = buffer.data();
    constexpr HcclDataType kType = HCCL_DATA_TYPE_FP32;
    const auto all_reduce = [&](void* send, void* receive, uint64_t count, int type, int op) {
      Rank::Message();
      const HcclResult result =
          HcclAllReduce(send, receive, count, static_cast<HcclDataType>(type),
                        static_cast<HcclReduceOp>(op), rank.comm, rank.stream);
      EXPECT_FALSE(Rank::Message().empty());
      return result;
    };
    EXPECT_EQ(all_reduce(nullptr, data, 1, kType, HCCL_REDUCE_SUM), HCCL_E_PTR);
    EXPECT_EQ(all_reduce(data, nullptr, 1, kType, HCCL_REDUCE_SUM), HCCL_E_PTR);
    EXPECT_EQ(all_reduce(data, data, 1, HCCL_DATA_TYPE_RESERVED, HCCL_REDUCE_SUM), HCCL_E_PARA);
    EXPECT_EQ(all_reduce(data, data, 1, 13, HCCL_REDUCE_SUM), HCCL_E_PARA);
    EXPECT_EQ(all_reduce(data, data, 1, kType, HCCL_REDUCE_RESERVED), HCCL_E_PARA);
    EXPECT_EQ(all_reduce(data, data, UINT64_MAX / 2, kType, HCCL_REDUCE_SUM), HCCL_E_PARA);
    EXPECT_EQ(all_reduce(data, data, 1, HCCL_DATA_TYPE_FP8E4M3, HCCL_REDUCE_SUM),
              HCCL_E_NOT_SUPPORT);
    EXPECT_EQ(HcclBroadcast(data, 1, kType, 2, rank.comm, rank.stream), HCCL_E_PARA);
    EXPECT_EQ(HcclReduce(data, data, 1, kType, HCCL_REDUCE_SUM, 2, rank.comm, rank.stream),
              HCCL_E_PARA);
    EXPECT_EQ(HcclSend(data, 1, kType, 2, rank.comm, rank.stream), HCCL_E_PARA);
    EXPECT_EQ(HcclRecv(data, 1, kType, 99, rank.comm, rank.stream), HCCL_E_PARA);
    EXPECT_EQ(HcclAllGather(nullptr, data, 1, kType, rank.comm, rank.stream), HCCL_E_PTR);
    EXPECT_EQ(HcclAlltoAllV(data, nullptr, nullptr, kType, data, nullptr, nullptr, kType, rank.comm,
                            rank.stream),
              HCCL_E_PTR);
    EXPECT_EQ(HcclBatchSendRecv(nullptr, 1, rank.comm, rank.stream), HCCL_E_PTR);
    HcclSendRecvItem item = {HCCL_SEND_RECV_RESERVED, data, 1, kType, 0};
    EXPECT_EQ(HcclBatchSendRecv(&item, 1, rank.comm, rank.stream), HCCL_E_PARA);
    EXPECT_NE(HcclAllReduce(data, data, 1, kType, HCCL_REDUCE_SUM, nullptr, rank.stream),
              HCCL_SUCCESS);
    int foreign = 0;
    EXPECT_NE(HcclAllReduce(data, data, 1, kType, HCCL_REDUCE_SUM, &foreign, rank.stream),
              HCCL_SUCCESS);
    EXPECT_EQ(HcclGetCommName(rank.comm, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetRankSize(rank.comm, nullptr), HCCL_E_PTR);
    EXPECT_EQ(HcclGetRootInfo(nullptr), HCCL_E_PTR);
    HcclComm none = nullptr;
    EXPECT_EQ(HcclCommInitRootInfo(2, nullptr, 0, &none), HCCL_E_PTR);
    EXPECT_EQ(HcclCommInitRootInfo(2, &rank.shared.roots[0], 2, &none), HCCL_E_PARA);
    EXPECT_EQ(HcclCommInitRootInfo(0, &rank.shared.roots[0], 0, &none), HCCL_E_PARA);
    HcclRootInfo nonsense;
    std::memset(&nonsense, 0x5a, sizeof(nonsense));
    EXPECT_EQ(HcclCommInitRootInfo(2, &nonsense, 0, &none), HCCL_E_PARA);
    EXPECT_EQ(none, nullptr);
    // And none of it hurt.
    EXPECT_EQ(SumOf(2, rank.comm, rank.stream), 4);
  });
}

// A rank that has nothing to send may say so by any address.
TEST(CommunicatorTest, NothingOverlapsNoMemory) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer buffer(size_t{64}, 1);
    char* const inside = buffer.data() + 4;
    const uint64_t counts[] = {8, 0}, none[] = {0, 0}, places[] = {0, 8};
    char* const sent = rank.rank == 0 ? buffer.data() : inside;
    EXPECT_HCCL_OK(HcclAllGatherV(sent, counts[rank.rank], buffer.data(), counts, places,
                                  HCCL_DATA_TYPE_INT8, rank.comm, rank.stream));
    EXPECT_HCCL_OK(HcclAlltoAllV(inside, none, places, HCCL_DATA_TYPE_INT8, buffer.data(), none,
                                 places, HCCL_DATA_TYPE_INT8, rank.comm, rank.stream));
    rank.Synchronize();
  });
}

TEST(CommunicatorTest, ManyAtOnce) {
  for (Kind kind : kKinds) {
    RunRanks(kind, 4, [](Rank& rank) {
      // Pairs {0, 1} and {2, 3}, and all in reverse order.
      HcclComm pair = nullptr, reverse = nullptr;
      EXPECT_HCCL_OK(
          rank.Join(1 + static_cast<int>(rank.rank / 2), rank.rank % 2, 2, nullptr, &pair));
      EXPECT_HCCL_OK(rank.Join(3, 3 - rank.rank, 4, nullptr, &reverse));
      aclrtStream other = nullptr;
      EXPECT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
      for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(SumOf(rank.rank, pair, other), rank.rank / 2 == 0 ? 1 : 5);
        EXPECT_EQ(SumOf(1, rank.comm, rank.stream), 4);
        EXPECT_EQ(SumOf(2, reverse, other), 8);
      }
      EXPECT_HCCL_OK(HcclCommDestroy(pair));
      EXPECT_EQ(SumOf(1, rank.comm, rank.stream), 4);
      EXPECT_HCCL_OK(HcclCommDestroy(reverse));
      EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
    });
  }
}

TEST(CommunicatorTest, AllOfOneProcess) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 1, [](Rank&) {
    int32_t devices[] = {0, 1, 2, 3};
    HcclComm comms[4] = {};
    int32_t twice[] = {0, 1, 1};
    EXPECT_EQ(HcclCommInitAll(3, twice, comms), HCCL_E_PARA);
    EXPECT_EQ(HcclCommInitAll(0, devices, comms), HCCL_E_PARA);
    EXPECT_EQ(HcclCommInitAll(4, nullptr, comms), HCCL_E_PTR);
    ASSERT_HCCL_OK(HcclCommInitAll(4, devices, comms));
    EXPECT_EQ(NameOfComm(comms[0]), NameOfComm(comms[3]));
    std::vector<std::thread> threads;
    for (uint32_t r = 0; r < 4; ++r) {
      threads.emplace_back([&, r] {
        EXPECT_EQ(aclrtSetDevice(devices[r]), ACL_SUCCESS);
        aclrtStream stream = nullptr;
        EXPECT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
        uint32_t rank = 99;
        EXPECT_HCCL_OK(HcclGetRankId(comms[r], &rank));
        EXPECT_EQ(rank, r);
        for (int i = 0; i < 10; ++i) EXPECT_EQ(SumOf(1 + r, comms[r], stream), 10);
        EXPECT_HCCL_OK(HcclCommDestroy(comms[r]));
        EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(outcome.statuses[0], 0);
}

TEST(CommunicatorTest, PartsOfAnother) {
  for (Kind kind : kKinds) {
    RunRanks(kind, 4, [](Rank& rank) {
      uint32_t members[] = {1, 3};
      const bool member = rank.rank % 2 == 1;
      HcclCommConfig config;
      HcclCommConfigInit(&config);
      HcclComm part = nullptr;
      EXPECT_HCCL_OK(HcclCreateSubCommConfig(&rank.comm, 2, member ? members : nullptr,
                                             member ? 7 : 0xFFFFFFFF, member ? rank.rank / 2 : 0,
                                             &config, &part));
      EXPECT_EQ(part != nullptr, member);
      if (member && part != nullptr) {
        EXPECT_EQ(SumOf(rank.rank, part, rank.stream), 4);
        EXPECT_EQ(NameOfComm(part), NameOfComm(rank.comm) + "_sub_7");
        EXPECT_HCCL_OK(HcclCommDestroy(part));
      }
      EXPECT_EQ(SumOf(1, rank.comm, rank.stream), 4);
    });
  }
}

// Two that are made at once, in another order on each rank, and differ in the upper half of the id.
TEST(CommunicatorTest, PartsAreToldApartByAllOfTheirIds) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    std::vector<std::thread> threads;
    for (const uint64_t upper : {uint64_t{rank.rank}, uint64_t{1} - rank.rank}) {
      threads.emplace_back([&rank, upper] {
        ASSERT_EQ(aclrtSetDevice(rank.device), ACL_SUCCESS);
        uint32_t members[] = {0, 1};
        HcclCommConfig config;
        HcclCommConfigInit(&config);
        HcclComm part = nullptr;
        EXPECT_HCCL_OK(HcclCreateSubCommConfig(&rank.comm, 2, members, upper << 32 | 7, rank.rank,
                                               &config, &part));
        if (part == nullptr) return;
        EXPECT_EQ(NameOfComm(part),
                  NameOfComm(rank.comm) + "_sub_" + std::to_string(upper << 32 | 7));
        EXPECT_HCCL_OK(HcclCommDestroy(part));
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    for (std::thread& thread : threads) thread.join();
  });
}

// Of ranks that never come the call tells, and the parent goes on.
TEST(CommunicatorTest, SubCommunicatorsWhoseRanksNeverCome) {
  setenv("HCCL_CONNECT_TIMEOUT", "1", 1);
  for (Kind kind : kKinds) {
    RunRanks(kind, 3, [](Rank& rank) {
      uint32_t ids[] = {2, 0, 1};  // the first one passes the root info on
      HcclCommConfig config;
      HcclCommConfigInit(&config);
      for (const uint32_t absent : {2u, 1u}) {
        HcclComm part = nullptr;
        if (rank.rank != absent) {
          EXPECT_EQ(HcclCreateSubCommConfig(&rank.comm, 3, ids, 5 + absent, (rank.rank + 1) % 3,
                                            &config, &part),
                    HCCL_E_TIMEOUT);
          const std::string message = Rank::Message();
          EXPECT_NE(message.find(absent == 2 ? "waits for rank 2" : "missing: 2"),
                    std::string::npos)
              << message;
          EXPECT_EQ(part, nullptr);
        }
        rank.shared.Meet(absent == 2 ? 0 : 1, 3);
        HcclResult error = HCCL_SUCCESS;
        EXPECT_HCCL_OK(HcclGetCommAsyncError(rank.comm, &error));
        EXPECT_EQ(error, HCCL_SUCCESS);
        EXPECT_EQ(SumOf(1, rank.comm, rank.stream), 3);
      }
      // And another one comes about.
      HcclComm part = nullptr;
      EXPECT_HCCL_OK(
          HcclCreateSubCommConfig(&rank.comm, 3, ids, 9, (rank.rank + 1) % 3, &config, &part));
      EXPECT_EQ(SumOf(1, part, rank.stream), 3);
      EXPECT_HCCL_OK(HcclCommDestroy(part));
    });
  }
  unsetenv("HCCL_CONNECT_TIMEOUT");
}

// One thread joins and leaves with several devices.
TEST(CommunicatorTest, GroupsOfJoins) {
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 1, [](Rank&) {
    HcclRootInfo root;
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_HCCL_OK(HcclGetRootInfo(&root));
    HcclComm comms[3] = {};
    bool grouped = true;
    EXPECT_HCCL_OK(HcclGroupStatusGet(&grouped));
    EXPECT_FALSE(grouped);
    EXPECT_HCCL_OK(HcclGroupStart());
    EXPECT_HCCL_OK(HcclGroupStatusGet(&grouped));
    EXPECT_TRUE(grouped);
    for (uint32_t r = 0; r < 3; ++r) {
      EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(r)), ACL_SUCCESS);
      EXPECT_HCCL_OK(HcclCommInitRootInfo(3, &root, r, &comms[r]));
    }
    EXPECT_HCCL_OK(HcclGroupEnd());
    aclrtStream streams[3];
    std::vector<std::vector<float>> values(3);
    for (uint32_t r = 0; r < 3; ++r) {
      ASSERT_NE(comms[r], nullptr);
      EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(r)), ACL_SUCCESS);
      EXPECT_EQ(aclrtCreateStream(&streams[r]), ACL_SUCCESS);
      values[r] = {1.0f + static_cast<float>(r)};
    }
    std::vector<void*> data(3);
    for (uint32_t r = 0; r < 3; ++r) {
      EXPECT_EQ(aclrtMalloc(&data[r], 4, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      std::memcpy(data[r], values[r].data(), 4);
    }
    EXPECT_HCCL_OK(HcclGroupStart());
    for (uint32_t r = 0; r < 3; ++r) {
      EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(r)), ACL_SUCCESS);
      EXPECT_HCCL_OK(HcclAllReduce(data[r], data[r], 1, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM,
                                   comms[r], streams[r]));
    }
    EXPECT_HCCL_OK(HcclGroupEnd());
    for (uint32_t r = 0; r < 3; ++r) {
      EXPECT_EQ(aclrtSetDevice(static_cast<int32_t>(r)), ACL_SUCCESS);
      EXPECT_EQ(aclrtSynchronizeStream(streams[r]), ACL_SUCCESS) << Rank::Message();
      float sum = 0;
      std::memcpy(&sum, data[r], 4);
      EXPECT_EQ(sum, 6.0f);
    }
    EXPECT_HCCL_OK(HcclGroupStart());
    for (HcclComm comm : comms) EXPECT_HCCL_OK(HcclCommDestroy(comm));
    EXPECT_HCCL_OK(HcclGroupEnd());
    EXPECT_NE(HcclGroupEnd(), HCCL_SUCCESS);
  });
  EXPECT_EQ(outcome.statuses[0], 0);
}

TEST(CommunicatorTest, AHandleIsNoMoreWhenDestroyed) {
  RunRanks(Kind::kThreads, 2, [](Rank& rank) {
    const HcclComm gone = rank.comm;
    EXPECT_HCCL_OK(HcclCommDestroy(gone));
    rank.comm = nullptr;
    EXPECT_NE(HcclCommDestroy(gone), HCCL_SUCCESS);
    uint32_t size = 0;
    EXPECT_NE(HcclGetRankSize(gone, &size), HCCL_SUCCESS);
  });
}

TEST(CommunicatorTest, SuspendedUntilResumed) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer buffer(size_t{8});
    EXPECT_HCCL_OK(HcclCommSuspend(rank.comm));
    EXPECT_EQ(HcclAllReduce(buffer.data(), buffer.data(), 1, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_SUM,
                            rank.comm, rank.stream),
              HCCL_E_SUSPENDING);
    EXPECT_HCCL_OK(HcclCommResume(rank.comm));
    EXPECT_EQ(SumOf(3, rank.comm, rank.stream), 6);
  });
}

TEST(CommunicatorTest, RanksOfATable) {
  // Another one than of a test beside this one.
  setenv("HCCL_IF_BASE_PORT", std::to_string(20000 + getpid() % 10000).c_str(), 1);
  for (Kind kind : kKinds) {
    RunWithoutCommunicator(kind, 3, [](Rank& rank) {
      const std::string path = "/tmp/anyacl-rank-table-" + std::to_string(getppid());
      if (rank.rank == 0) {
        std::ofstream(path) << R"({"status": "completed", "version": "1.0", "server_count": "1",
            "server_list": [{"server_id": "127.0.0.1", "device": [
              {"device_id": "0", "rank_id": "0"}, {"device_id": "1", "rank_id": "1"},
              {"device_id": "2", "rank_id": "2"}]}]})";
      }
      rank.shared.Meet(1, 3);
      HcclComm comm = nullptr;
      EXPECT_EQ(HcclCommInitClusterInfo(nullptr, rank.rank, &comm), HCCL_E_PTR);
      EXPECT_EQ(HcclCommInitClusterInfo(path.c_str(), rank.rank, nullptr), HCCL_E_PTR);
      EXPECT_EQ(HcclCommInitClusterInfoConfig(path.c_str(), rank.rank, nullptr, &comm), HCCL_E_PTR);
      EXPECT_EQ(HcclCommInitClusterInfo(path.c_str(), 3, &comm), HCCL_E_PARA);
      EXPECT_EQ(HcclCommInitClusterInfo("/nowhere", rank.rank, &comm), HCCL_E_OPEN_FILE_FAILURE);
      EXPECT_EQ(comm, nullptr);
      HcclCommConfig config = Named("of a table");
      ASSERT_HCCL_OK(HcclCommInitClusterInfoConfig(path.c_str(), rank.rank, &config, &comm));
      EXPECT_EQ(NameOfComm(comm), "of a table");
      EXPECT_EQ(SumOf(rank.rank + 1, comm, rank.stream), 6);
      EXPECT_HCCL_OK(HcclCommDestroy(comm));
      rank.shared.Meet(2, 3);
      if (rank.rank == 0) std::remove(path.c_str());
    });
  }
  unsetenv("HCCL_IF_BASE_PORT");
}

// Of the sockets at which this process listens.
std::set<std::string> ListeningAddresses() {
  std::set<std::string> found;
  for (int fd = 0; fd < 1024; ++fd) {
    int listens = 0;
    socklen_t size = sizeof(listens);
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) continue;
    sockaddr_storage address{};
    char host[NI_MAXHOST] = {};
    size = sizeof(address);
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    if (getsockname(fd, name, &size) != 0 || address.ss_family == AF_UNIX) continue;
    EXPECT_EQ(getnameinfo(name, size, host, sizeof(host), nullptr, 0, NI_NUMERICHOST), 0);
    found.insert(host);
  }
  return found;
}

// The root's, and the one that UCX has its messages at.
TEST(CommunicatorTest, OneInterfaceAloneIsListenedAt) {
  std::error_code error;
  if (!std::filesystem::is_empty("/sys/class/infiniband", error) && !error)
    GTEST_SKIP() << "UCX chooses among RDMA devices itself";
  setenv("UCX_TLS", "tcp,self", 1);
  RunWithoutCommunicator(Kind::kProcesses, 2, [](Rank& rank) {
    HcclComm comm = nullptr;
    ASSERT_HCCL_OK(rank.Join(0, rank.rank, 2, nullptr, &comm));
    EXPECT_EQ(SumOf(rank.rank + 1, comm, rank.stream), 3);
    const std::set<std::string> addresses = ListeningAddresses();
    EXPECT_EQ(addresses.size(), 1u);
    EXPECT_FALSE(addresses.contains("0.0.0.0") || addresses.contains("::"));
    EXPECT_HCCL_OK(HcclBarrier(comm, rank.stream));
    rank.Synchronize();
    EXPECT_HCCL_OK(HcclCommDestroy(comm));
  });
  unsetenv("UCX_TLS");
}

}  // namespace
}  // namespace anyacl::test::hccl
