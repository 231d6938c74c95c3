// SPDX-License-Identifier: Apache-2.0
// Messages to the memory of ranks, on an engine in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "engine_ranks.h"
#include "hccl/communicator.h"
#include "hccl/exchange.h"
#include "hccl/hccl.h"
#include "hccl/hccl_comm.h"
#include "hccl/hccl_res.h"
#include "hccl/label.h"
#include "hccl/window.h"

namespace {

using namespace anyacl::test::hccl_engine;
namespace hccl = anyacl::hccl;

// Every rank sends to all others at once from two threads; each learns of its own messages alone.
TEST(EngineTest, MessagesToBuffersAreSeenOff) {
  RunRanks([](Rank& rank) {
    constexpr int kMessages = 20;
    constexpr size_t kInts = 5000;
    const auto communicator = anyacl::hccl::Communicators().Find(rank.comm);
    anyacl::RankGroup& group = communicator->windows();
    void* buffer = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(HcclGetHcclBuffer(rank.comm, &buffer, &size), HCCL_SUCCESS);
    ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
    // Of each sender and thread a row, and a word behind all rows.
    const auto row_of = [](uint32_t sender, uint32_t thread) { return 2 * sender + thread; };
    const auto word_of = [&](uint32_t sender, uint32_t thread) {
      return 2 * kRanks * kInts + row_of(sender, thread);
    };
    const auto send = [&](uint32_t thread) {
      std::vector<int32_t> row(kInts);
      for (int i = 1; i <= kMessages; ++i) {
        std::fill(row.begin(), row.end(), i);
        const anyacl::WindowMessage::Piece pieces[] = {
            {4 * kInts * row_of(rank.rank, thread), row.data(), 4 * kInts}};
        const anyacl::WindowMessage::Word words[] = {{4 * word_of(rank.rank, thread), i}};
        for (uint32_t peer = 0; peer < kRanks; ++peer) {
          if (peer == rank.rank) continue;
          uint64_t ticket = 0;
          while (ticket == 0) {
            ASSERT_TRUE(
                group.Send(peer, {.pieces = pieces, .words = words, .to_buffer = true}, &ticket)
                    .ok());
          }
          while (!group.Delivered(peer, ticket)) std::this_thread::yield();
        }
      }
    };
    std::thread second(send, 1);
    send(0);
    second.join();
    auto* ints = static_cast<int32_t*>(buffer);
    for (uint32_t sender = 0; sender < kRanks; ++sender) {
      for (uint32_t thread = 0; thread < 2 && sender != rank.rank; ++thread) {
        const std::atomic_ref<int32_t> word(ints[word_of(sender, thread)]);
        while (word.load(std::memory_order_acquire) != kMessages) group.Progress();
        const int32_t* row = ints + kInts * row_of(sender, thread);
        EXPECT_EQ(std::count(row, row + kInts, kMessages), static_cast<int64_t>(kInts));
      }
    }
    ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
  });
}

// Rank 1 fills rank 0's buffer behind a guard that stays: much of it waits at rank 1, and rank 2's
// messages come in between.
TEST(EngineTest, WhatWaitsForAGuardIsBounded) {
  std::atomic<bool> filled{false};
  RunRanks([&](Rank& rank) {
    constexpr int32_t kMessages = 200;
    constexpr size_t kBytes = size_t{1} << 20;
    const auto communicator = hccl::Communicators().Find(rank.comm);
    anyacl::RankGroup& group = communicator->windows();
    void* buffer = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(HcclGetHcclBuffer(rank.comm, &buffer, &size), HCCL_SUCCESS);
    // The guard, a word of rank 1 and one of rank 2.
    const std::atomic_ref<int32_t> guard(static_cast<int32_t*>(buffer)[0]),
        first(static_cast<int32_t*>(buffer)[1]), second(static_cast<int32_t*>(buffer)[2]);
    guard = 1;
    ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
    if (rank.rank == 0) {
      while (second.load() != 7) group.Progress();
      EXPECT_EQ(first.load(), 0);
      guard = 0;
      while (first.load() != kMessages) group.Progress();
    }
    if (rank.rank == 1) {
      const std::vector<char> row(kBytes);
      const anyacl::WindowMessage::Piece pieces[] = {{64, row.data(), kBytes}};
      uint64_t last = 0;
      int refused = 0;
      for (int32_t sent = 0; sent < kMessages;) {
        const anyacl::WindowMessage::Word words[] = {{4, sent + 1}};
        uint64_t ticket = 0;
        ASSERT_TRUE(group.Send(0, {0, pieces, words, true}, &ticket).ok());
        if (ticket != 0) {
          last = ticket;
          refused = 0;
          ++sent;
        } else if (++refused == 300) {
          filled = true;
        }
        if (ticket == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        group.Progress();
      }
      EXPECT_TRUE(filled);
      filled = true;
      while (!group.Delivered(0, last)) std::this_thread::yield();
    }
    if (rank.rank == 2) {
      while (!filled) std::this_thread::yield();
      const anyacl::WindowMessage::Word words[] = {{8, 7}};
      uint64_t ticket = 0;
      ASSERT_TRUE(group.Send(0, {.pieces = {}, .words = words, .to_buffer = true}, &ticket).ok());
      while (!group.Delivered(0, ticket)) std::this_thread::yield();
    }
    ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
  });
}

// What a message says of its length is believed as far as memory goes for which it may be.
TEST(EngineTest, AMessageLongerThanAnyWindowIsRefused) {
  RunRanks([](Rank& rank) {
    const auto communicator = hccl::Communicators().Find(rank.comm);
    anyacl::RankGroup& group = communicator->windows();
    void* buffer = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(HcclGetHcclBuffer(rank.comm, &buffer, &size), HCCL_SUCCESS);
    ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
    const std::vector<char> beginning(64);
    hccl::Transfer transfer;
    if (rank.rank == 1) {
      using hccl::Tag;
      const uint64_t label = hccl::MakeLabel(hccl::Operation::kBuffer);
      communicator->engine().Send(0, Tag::Make(1, Tag::kWindow, 1000, 0, label), beginning.data(),
                                  size_t{1} << 60, hccl::Engine::End::kSent, &transfer);
    }
    anyacl::Status failure;
    while ((failure = group.Failure()).ok()) group.Progress();
    const std::string message = aclGetRecentErrMsg();
    EXPECT_NE(message.find("wrote nonsense"), std::string::npos) << message;
    EXPECT_NE(message.find("rank 1"), std::string::npos) << message;
    while (rank.rank == 1 && !transfer.ended()) std::this_thread::yield();
  });
}

// A rank has a window, or its buffer is its window: those who ask go by its word.
TEST(EngineTest, ARanksOwnWordSaysWhatItsWindowIs) {
  RunRanks([](Rank& rank) {
    const auto communicator = anyacl::hccl::Communicators().Find(rank.comm);
    anyacl::RankGroup& group = communicator->windows();
    auto* memory = Device<char>(4096);
    void* handle = nullptr;
    const auto meet = [&] {
      ASSERT_EQ(HcclBarrier(rank.comm, rank.stream), HCCL_SUCCESS);
      ASSERT_EQ(aclrtSynchronizeStream(rank.stream), ACL_SUCCESS);
    };
    const uint32_t peer = (rank.rank + 1) % kRanks;
    const auto expect = [&](bool in_buffer) {
      anyacl::RankWindow window;
      const auto status = [&] {
        anyacl::Status s;
        while ((s = group.Window(peer, &window)).ok() && window.size == 0) group.Progress();
        return s;
      }();
      EXPECT_EQ(status.ok(), in_buffer);
      EXPECT_TRUE(!in_buffer || window.in_buffer);
    };
    expect(true);
    meet();
    ASSERT_EQ(HcclCommRegister(rank.comm, memory, 4096, &handle, 0), HCCL_SUCCESS);
    meet();
    expect(false);
    meet();
    ASSERT_EQ(HcclCommDeregister(rank.comm, handle), HCCL_SUCCESS);
    meet();
    expect(true);
    meet();
    aclrtFree(memory);
  });
}

}  // namespace
