// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_world.h"

#include <gtest/gtest.h>

namespace anyacl::test {

World::World(std::string name, const std::vector<uint64_t>& windows, bool by_message)
    : name_(std::move(name)), by_message_(by_message) {
  for (uint32_t i = 0; i < windows.size(); ++i) {
    ranks_.push_back(std::make_shared<Rank>(*this, i, windows[i]));
    EXPECT_EQ(anyaclRegisterRankGroup(static_cast<int32_t>(i), ranks_.back()), 0);
  }
}

World::~World() {
  for (const auto& rank : ranks_) anyaclUnregisterRankGroup(rank.get());
}

Status World::Rank::Window(uint32_t rank, RankWindow* window) {
  const Rank& other = *world_.ranks_[rank];
  const bool mapped = rank == rank_ || !world_.by_message_;
  *window = {mapped ? other.window() : nullptr, other.bytes.size() - 2 * kGuard};
  return {};
}

Status World::Rank::Send(uint32_t rank, const WindowMessage& message, bool* taken) {
  *taken = false;
  Rank& to = *world_.ranks_[rank];
  if (message.guard != WindowMessage::kNoGuard) {
    const auto* guard = reinterpret_cast<int32_t*>(to.window() + message.guard);
    if (__atomic_load_n(guard, __ATOMIC_ACQUIRE) == 1) return {};
  }
  for (const auto& piece : message.pieces) {
    EXPECT_LE(piece.offset + piece.size, to.bytes.size() - 2 * kGuard);
    std::memcpy(to.window() + piece.offset, piece.data, piece.size);
  }
  for (const auto& word : message.words) {
    EXPECT_EQ(word.offset % 4, 0u);
    __atomic_store_n(reinterpret_cast<int32_t*>(to.window() + word.offset), word.value,
                     __ATOMIC_RELEASE);
  }
  ++world_.sent_;
  *taken = true;
  return {};
}

Status World::Rank::Failure() const {
  const int lost = world_.lost_;
  if (lost < 0) return {};
  return Fail(kLost, "rank {} of communicator \"{}\" is lost", lost, world_.name_);
}

}  // namespace anyacl::test
