// SPDX-License-Identifier: Apache-2.0
// Memory that ranks show each other: symmetric windows, which peers read and write in place, and
// the codes of the windows that operators use (their own tests write to those).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "hccl/hccl_sym_win.h"
#include "hcomm/hcomm_res.h"
#include "ranks.h"

namespace anyacl::test::hccl {
namespace {

constexpr size_t kBytes = size_t{3} << 20;

TEST(WindowTest, SymmetricOnesAreWrittenByPeers) {
  for (Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    RunRanks(kind, 3, [](Rank& rank) {
      void* memory = nullptr;
      ASSERT_EQ(HcommMemAlloc(&memory, kBytes), HCCL_SUCCESS) << Rank::Message();
      auto* own = static_cast<int64_t*>(memory);
      std::memset(memory, 0, kBytes);
      HcclCommSymWindow window = nullptr;
      ASSERT_HCCL_OK(HcclCommSymWinRegister(rank.comm, memory, kBytes, &window, 1));

      HcclCommSymWindow found = nullptr;
      size_t offset = 0;
      EXPECT_HCCL_OK(HcclCommSymWinGet(rank.comm, own + 100, 80, &found, &offset));
      EXPECT_EQ(found, window);
      EXPECT_EQ(offset, 800u);
      EXPECT_NE(HcclCommSymWinGet(rank.comm, own, kBytes + 1, &found, &offset), HCCL_SUCCESS);

      // Every rank writes its number to its own place in every window.
      for (uint32_t peer = 0; peer < rank.ranks; ++peer) {
        void* place = nullptr;
        ASSERT_HCCL_OK(HcclSymWinGetPeerPointer(window, offset, peer, &place));
        if (peer == rank.rank) {
          EXPECT_EQ(place, own + 100);
        }
        static_cast<int64_t*>(place)[rank.rank] = 7 + rank.rank;
      }
      EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
      rank.Synchronize();
      for (uint32_t peer = 0; peer < rank.ranks; ++peer) EXPECT_EQ(own[100 + peer], 7 + peer);

      void* place = nullptr;
      EXPECT_EQ(HcclSymWinGetPeerPointer(window, 0, rank.ranks, &place), HCCL_E_PARA);
      EXPECT_EQ(HcclSymWinGetPeerPointer(window, kBytes, 0, &place), HCCL_E_PARA);
      EXPECT_EQ(HcclSymWinGetPeerPointer(window, 0, 0, nullptr), HCCL_E_PTR);
      EXPECT_NE(HcclSymWinGetPeerPointer(nullptr, 0, 0, &place), HCCL_SUCCESS);
      EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
      rank.Synchronize();
      EXPECT_HCCL_OK(HcclCommSymWinDeregister(window));
      EXPECT_NE(HcclSymWinGetPeerPointer(window, 0, 0, &place), HCCL_SUCCESS);
      EXPECT_EQ(HcommMemFree(memory), HCCL_SUCCESS) << Rank::Message();
    });
  }
}

TEST(WindowTest, SymmetricOnesRefuseWrongArguments) {
  RunRanks(Kind::kProcesses, 1, [](Rank& rank) {
    void* memory = nullptr;
    EXPECT_EQ(HcommMemAlloc(nullptr, kBytes), HCCL_E_PARA);
    EXPECT_EQ(HcommMemAlloc(&memory, 0), HCCL_E_PARA);
    int elsewhere = 0;
    EXPECT_NE(HcommMemFree(&elsewhere), HCCL_SUCCESS);
    ASSERT_EQ(HcommMemAlloc(&memory, 1), HCCL_SUCCESS);
    HcclCommSymWindow window = nullptr;
    EXPECT_EQ(HcclCommSymWinRegister(rank.comm, nullptr, 1, &window, 1), HCCL_E_PTR);
    EXPECT_EQ(HcclCommSymWinRegister(rank.comm, memory, 1, nullptr, 1), HCCL_E_PTR);
    EXPECT_EQ(HcclCommSymWinRegister(rank.comm, memory, 0, &window, 1), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSymWinRegister(rank.comm, memory, 1, &window, 2), HCCL_E_PARA);
    EXPECT_NE(HcclCommSymWinRegister(nullptr, memory, 1, &window, 1), HCCL_SUCCESS);
    EXPECT_EQ(HcommMemFree(memory), HCCL_SUCCESS);
  });
}

// A pointer goes as far as its rank's window does.
TEST(WindowTest, SymmetricOnesOfDifferentSizes) {
  for (Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    RunRanks(kind, 2, [](Rank& rank) {
      const uint64_t size = 8192 << rank.rank;
      void* memory = nullptr;
      ASSERT_EQ(HcommMemAlloc(&memory, size), HCCL_SUCCESS) << Rank::Message();
      auto* own = static_cast<char*>(memory);
      HcclCommSymWindow window = nullptr;
      ASSERT_HCCL_OK(HcclCommSymWinRegister(rank.comm, memory, size, &window, 0));
      for (uint32_t peer = 0; peer < 2; ++peer) {
        const size_t theirs = size_t{8192} << peer;
        void* place = nullptr;
        ASSERT_HCCL_OK(HcclSymWinGetPeerPointer(window, theirs - 1 - rank.rank, peer, &place));
        *static_cast<char*>(place) = static_cast<char>('a' + rank.rank);
        EXPECT_EQ(HcclSymWinGetPeerPointer(window, theirs, peer, &place), HCCL_E_PARA);
        EXPECT_NE(Rank::Message().find(std::to_string(theirs)), std::string::npos);
        EXPECT_EQ(HcclSymWinGetPeerPointer(window, SIZE_MAX, peer, &place), HCCL_E_PARA);
      }
      rank.shared.Meet(0, 2);
      EXPECT_EQ(own[size - 1], 'a');
      EXPECT_EQ(own[size - 2], 'b');
      rank.shared.Meet(1, 2);
      EXPECT_HCCL_OK(HcclCommSymWinDeregister(window));
      EXPECT_EQ(HcommMemFree(memory), HCCL_SUCCESS);
    });
  }
}

// Which window an address lies in, of several.
TEST(WindowTest, SymmetricOnesAreFoundByAddress) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    char* memory[2] = {};
    HcclCommSymWindow windows[2] = {};
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(HcommMemAlloc(reinterpret_cast<void**>(&memory[i]), 8192), HCCL_SUCCESS);
      ASSERT_HCCL_OK(HcclCommSymWinRegister(rank.comm, memory[i], 8192, &windows[i], 1));
    }
    EXPECT_NE(windows[0], windows[1]);
    HcclCommSymWindow found = nullptr;
    size_t offset = 0;
    for (int i = 0; i < 2; ++i) {
      EXPECT_HCCL_OK(HcclCommSymWinGet(rank.comm, memory[i] + 8000, 192, &found, &offset));
      EXPECT_EQ(found, windows[i]);
      EXPECT_EQ(offset, 8000u);
      EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[i] + 8000, 193, &found, &offset),
                HCCL_E_NOT_FOUND);
      EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[i] + 8000, SIZE_MAX, &found, &offset),
                HCCL_E_NOT_FOUND);
      EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[i] - 1, 1, &found, &offset), HCCL_E_NOT_FOUND);
    }
    EXPECT_EQ(HcclCommSymWinGet(nullptr, memory[0], 1, &found, &offset), HCCL_E_PTR);
    EXPECT_EQ(HcclCommSymWinGet(rank.comm, nullptr, 1, &found, &offset), HCCL_E_PTR);
    EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[0], 1, nullptr, &offset), HCCL_E_PTR);
    EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[0], 1, &found, nullptr), HCCL_E_PTR);

    // One of them ends, the other one goes on.
    rank.shared.Meet(0, 2);
    EXPECT_HCCL_OK(HcclCommSymWinDeregister(windows[0]));
    EXPECT_EQ(HcclCommSymWinDeregister(windows[0]), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSymWinDeregister(nullptr), HCCL_E_PTR);
    void* place = nullptr;
    EXPECT_EQ(HcclSymWinGetPeerPointer(windows[0], 0, 0, &place), HCCL_E_PARA);
    EXPECT_EQ(HcclCommSymWinGet(rank.comm, memory[0], 1, &found, &offset), HCCL_E_NOT_FOUND);
    EXPECT_HCCL_OK(HcclSymWinGetPeerPointer(windows[1], 0, 1 - rank.rank, &place));
    static_cast<char*>(place)[0] = 'x';
    rank.shared.Meet(1, 2);
    EXPECT_EQ(memory[1][0], 'x');
    // The same memory may be a window again.
    EXPECT_HCCL_OK(HcclCommSymWinRegister(rank.comm, memory[0], 8192, &windows[0], 1));
    EXPECT_HCCL_OK(HcclSymWinGetPeerPointer(windows[0], 8191, 1 - rank.rank, &place));
    rank.shared.Meet(2, 2);
    // With the communicator they end, too.
    EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
    rank.comm = nullptr;
    for (HcclCommSymWindow window : windows) {
      EXPECT_EQ(HcclSymWinGetPeerPointer(window, 0, rank.rank, &place), HCCL_E_PARA);
    }
    for (char* each : memory) EXPECT_EQ(HcommMemFree(each), HCCL_SUCCESS);
  });
}

// Memory that one rank alone cannot show is a window of none.
TEST(WindowTest, SymmetricOnesOfMemoryThatCannotBeMapped) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    static char plain[8192];
    void* memory = plain;
    if (rank.rank == 1) {
      ASSERT_EQ(HcommMemAlloc(&memory, sizeof(plain)), HCCL_SUCCESS);
    }
    HcclCommSymWindow window = nullptr;
    EXPECT_EQ(HcclCommSymWinRegister(rank.comm, memory, sizeof(plain), &window, 1),
              HCCL_E_NOT_SUPPORT);
    EXPECT_EQ(window, nullptr);
    const std::string message = Rank::Message();
    EXPECT_NE(message.find(rank.rank == 0 ? "rank 1 cannot map" : "memory of rank 0"),
              std::string::npos)
        << message;
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
    rank.Synchronize();
    if (rank.rank == 1) {
      EXPECT_EQ(HcommMemFree(memory), HCCL_SUCCESS);
    }
  });
}

TEST(WindowTest, CodesOfOperatorsWindows) {
  for (Kind kind : {Kind::kProcesses, Kind::kThreads}) {
    RunRanks(kind, 2, [](Rank& rank) {
      Buffer memory(kBytes), other(size_t{64});
      void* handle = nullptr;
      void* second = nullptr;
      EXPECT_EQ(HcclCommRegister(rank.comm, nullptr, 64, &handle, 0), HCCL_E_PTR);
      EXPECT_EQ(HcclCommRegister(rank.comm, memory.data(), 64, nullptr, 0), HCCL_E_PTR);
      EXPECT_EQ(HcclCommRegister(rank.comm, memory.data(), 0, &handle, 0), HCCL_E_PARA);
      ASSERT_HCCL_OK(HcclCommRegister(rank.comm, memory.data(), kBytes, &handle, 0));
      EXPECT_EQ(HcclCommRegister(rank.comm, other.data(), 64, &second, 0), HCCL_E_NOT_SUPPORT);

      uint32_t peers[] = {0, 1, 0};
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, nullptr, 2), HCCL_E_PTR);
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, peers, 0), HCCL_E_PARA);
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, peers, 3), HCCL_E_PARA);
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, peers, 769), HCCL_E_PARA);
      peers[1] = 2;
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, peers, 2), HCCL_E_PARA);
      peers[1] = 1;
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, &second, peers, 2), HCCL_E_NOT_FOUND);
      EXPECT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));

      EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, &second));  // unknown: a warning
      EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
      EXPECT_EQ(HcclCommExchangeMem(rank.comm, handle, peers, 2), HCCL_E_NOT_FOUND);
      // And there may be another one.
      ASSERT_HCCL_OK(HcclCommRegister(rank.comm, other.data(), 64, &handle, 0));
      EXPECT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));
      EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
      rank.Synchronize();
      EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
    });
  }
}

// Of memory that processes share: a sanitizer's own come and go.
int CountMappings() {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);) {
    const size_t rights = line.find(' ') + 1;
    if (line[rights + 3] == 's') ++count;
  }
  return count;
}

// Memory that is exchanged again is not mapped again; what a peer shows instead of it, once.
TEST(WindowTest, ExchangedAgain) {
  RunRanks(Kind::kProcesses, 2, [](Rank& rank) {
    Buffer memory(kBytes), other(kBytes);
    void* handle = nullptr;
    uint32_t peers[] = {0, 1};
    ASSERT_HCCL_OK(HcclCommRegister(rank.comm, memory.data(), kBytes, &handle, 0));
    ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));
    const int before = CountMappings();
    for (int i = 0; i < 20; ++i) {
      ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));
    }
    EXPECT_LT(CountMappings(), before + 10);
    if (rank.rank == 1) {
      EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
      ASSERT_HCCL_OK(HcclCommRegister(rank.comm, other.data(), kBytes, &handle, 0));
    }
    ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));
    ASSERT_HCCL_OK(HcclCommExchangeMem(rank.comm, handle, peers, 2));
    EXPECT_LT(CountMappings(), before + 10);
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
    rank.Synchronize();
    EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
  });
}

// Of a window's end all ranks are told; who has left cannot be, and nobody minds. Over TCP, where
// that shows.
TEST(WindowTest, WhoHasLeftNeedNotHearOfWindows) {
  setenv("UCX_TLS", "tcp", 1);
  const Outcome outcome = RunRanksFreely(Kind::kProcesses, 3, [](Rank& rank) {
    rank.Open();
    ASSERT_NE(rank.comm, nullptr);
    EXPECT_HCCL_OK(HcclBarrier(rank.comm, rank.stream));
    EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 0);
    if (rank.rank == 2) {
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
    }
    rank.shared.Meet(0, 3);
    if (rank.rank == 2) return;
    std::vector<int64_t> window(512);
    void* handle = nullptr;
    if (rank.rank == 0) {
      EXPECT_HCCL_OK(HcclCommRegister(rank.comm, window.data(), 4096, &handle, 0));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      EXPECT_HCCL_OK(HcclCommDeregister(rank.comm, handle));
    }
    rank.shared.Meet(1, 2);
    Buffer data(64);
    for (int i = 0; i < 3; ++i) {
      EXPECT_HCCL_OK(
          rank.rank == 0
              ? HcclSend(data.data(), 64, HCCL_DATA_TYPE_INT8, 1, rank.comm, rank.stream)
              : HcclRecv(data.data(), 64, HCCL_DATA_TYPE_INT8, 0, rank.comm, rank.stream));
      EXPECT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    if (rank.rank == 0) {
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
    }
    rank.shared.Meet(2, 2);
    HcclResult error = HCCL_SUCCESS;
    if (rank.rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      EXPECT_HCCL_OK(HcclGetCommAsyncError(rank.comm, &error));
      EXPECT_EQ(error, HCCL_SUCCESS);
      EXPECT_HCCL_OK(HcclCommDestroy(rank.comm));
    }
  });
  unsetenv("UCX_TLS");
  EXPECT_FALSE(outcome.timed_out);
  for (const int status : outcome.statuses) EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace anyacl::test::hccl
