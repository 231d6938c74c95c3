// SPDX-License-Identifier: Apache-2.0
// Communicators as operators see them (runtime/rank_group.h), whose ranks are devices of this
// process and whose windows are plain memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/rank_group.h"

namespace anyacl::test {

class World {
 public:
  static constexpr int kLost = 507018;
  static constexpr uint32_t kNobody = 1000;

  // Rank i is device i. Windows start as 0xC5, with as much around them; the area for exchanges is
  // twice as long and zero. What is `by_message` is written by messages alone.
  World(std::string name, const std::vector<uint64_t>& windows, bool by_message);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  char* window(uint32_t rank) const { return ranks_[rank]->window(); }
  uint64_t size(uint32_t rank) const { return ranks_[rank]->bytes.size() - 2 * kGuard; }
  std::vector<char> Bytes(uint32_t rank) const { return ranks_[rank]->bytes; }
  void Lose(uint32_t rank) { lost_ = static_cast<int>(rank); }
  // Takes no more messages in, and leaves in good order.
  void Withhold(uint32_t rank) { withheld_ = static_cast<int>(rank); }
  void Leave(uint32_t rank) { left_ = rank; }
  int sent() const { return sent_; }
  // What a rank made the first failure of all; empty: nothing.
  std::string aborted() const;

 private:
  static constexpr uint64_t kGuard = 64;

  class Rank final : public RankGroup {
   public:
    Rank(World& world, uint32_t rank, uint64_t size)
        : bytes(size + 2 * kGuard, '\xC5'),
          area(std::make_unique<char[]>(2 * size)),
          world_(world),
          rank_(rank) {}

    const std::string& name() const override { return world_.name_; }
    uint32_t rank() const override { return rank_; }
    uint32_t size() const override { return static_cast<uint32_t>(world_.ranks_.size()); }
    Status Window(uint32_t rank, RankWindow* window) override;
    Status ExchangeArea(uint32_t rank, RankWindow* window) override;
    uint64_t exchange_size() const override { return 2 * (bytes.size() - 2 * kGuard); }
    bool InOwnWindow(const void* address) const override {
      const auto* at = static_cast<const char*>(address);
      return at >= window() && at < window() + bytes.size() - 2 * kGuard;
    }
    Status Send(uint32_t rank, const WindowMessage& message, uint64_t* ticket) override;
    bool Delivered(uint32_t rank, uint64_t) override {
      return world_.withheld_ != static_cast<int>(rank);
    }
    Status Missing(uint32_t rank) override;
    std::string NameOf(uint32_t rank) const override {
      return "rank " + std::to_string(rank) + " on host-" + std::to_string(rank);
    }
    Status Failure() const override;
    void Abort(const std::string& text) override;

    char* window() const { return const_cast<char*>(bytes.data()) + kGuard; }

    std::vector<char> bytes;
    const std::unique_ptr<char[]> area;

   private:
    World& world_;
    const uint32_t rank_;
  };

  const std::string name_;
  const bool by_message_;
  std::vector<std::shared_ptr<Rank>> ranks_;
  std::atomic<int> lost_{-1};
  std::atomic<int> withheld_{-1};
  std::atomic<uint32_t> left_{kNobody};
  std::atomic<int> sent_{0};
  mutable std::mutex mutex_;
  std::string aborted_;
};

}  // namespace anyacl::test
