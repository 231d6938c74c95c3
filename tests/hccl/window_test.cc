// SPDX-License-Identifier: Apache-2.0
// Memory that ranks show each other: symmetric windows, which peers read and write in place, and
// the codes of the windows that operators use (their own tests write to those).
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
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

}  // namespace
}  // namespace anyacl::test::hccl
