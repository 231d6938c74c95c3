// SPDX-License-Identifier: Apache-2.0
#include "ops/afd_world.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "acl/acl.h"

namespace anyacl::test {
namespace {

// Enough for every test that is started by hand.
[[maybe_unused]] const int kDevicesSet = setenv("ANYACL_DEVICES", "8", 0);

}  // namespace

World::World(std::string name, const std::vector<uint64_t>& windows, bool by_message)
    : name_(std::move(name)), by_message_(by_message) {
  uint32_t devices = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&devices), ACL_SUCCESS);
  if (devices < windows.size()) {  // ranks would wait for those that have no device
    throw std::runtime_error("ANYACL_DEVICES = " + std::to_string(devices) + ", expected " +
                             std::to_string(windows.size()) + " or more: a device for each rank");
  }
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

Status World::Rank::ExchangeArea(uint32_t rank, RankWindow* window) {
  const Rank& other = *world_.ranks_[rank];
  const bool mapped = rank == rank_ || !world_.by_message_;
  *window = {mapped ? other.area.get() : nullptr, other.exchange_size(), true, 0};
  return {};
}

Status World::Rank::Send(uint32_t rank, const WindowMessage& message, uint64_t* ticket) {
  *ticket = 0;
  Rank& to = *world_.ranks_[rank];
  char* const memory = message.to_buffer ? to.area.get() : to.window();
  const uint64_t room = message.to_buffer ? to.exchange_size() : to.bytes.size() - 2 * kGuard;
  if (message.guard != WindowMessage::kNoGuard) {
    const auto* guard = reinterpret_cast<int32_t*>(memory + message.guard);
    if (__atomic_load_n(guard, __ATOMIC_ACQUIRE) == 1) return {};
  }
  for (const auto& piece : message.pieces) {
    EXPECT_LE(piece.offset + piece.size, room);
    std::memcpy(memory + piece.offset, piece.data, piece.size);
  }
  for (const auto& word : message.words) {
    EXPECT_EQ(word.offset % 4, 0u);
    __atomic_store_n(reinterpret_cast<int32_t*>(memory + word.offset), word.value,
                     __ATOMIC_RELEASE);
  }
  ++world_.sent_;
  *ticket = 1;
  return {};
}

Status World::Rank::Missing(uint32_t rank) {
  if (world_.left_ != rank) return {};
  if (rank == kAnyRank) return Fail(kLost, "all of communicator \"{}\" have left", world_.name_);
  return Fail(kLost, "rank {} of communicator \"{}\" has left", rank, world_.name_);
}

Status World::Rank::Failure() const {
  if (const std::string text = world_.aborted(); !text.empty()) {
    return Fail(kLost, "communicator \"{}\" has failed: {}", world_.name_, text);
  }
  const int lost = world_.lost_;
  if (lost < 0) return {};
  return Fail(kLost, "rank {} of communicator \"{}\" is lost", lost, world_.name_);
}

void World::Rank::Abort(const std::string& text) {
  std::lock_guard lock(world_.mutex_);
  if (world_.aborted_.empty()) world_.aborted_ = text;
}

std::string World::aborted() const {
  std::lock_guard lock(mutex_);
  return aborted_;
}

}  // namespace anyacl::test
