// SPDX-License-Identifier: Apache-2.0
#include "nnop/call_cache.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ranges>
#include <utility>

#include "base/fork_locks.h"
#include "base/status.h"

namespace anyacl {
namespace {

size_t LimitOfEnvironment() {
  constexpr size_t kUsual = 10'000, kMost = 10'000'000;
  const char* value = std::getenv("ACLNN_CACHE_LIMIT");
  if (value == nullptr || *value == '\0') return kUsual;
  const char* const last = value + std::strlen(value);
  size_t limit = 0;
  const auto [end, error] = std::from_chars(value, last, limit);
  if (error == std::errc() && end == last && limit <= kMost) return limit;
  Warn("ACLNN_CACHE_LIMIT is \"{}\", expected a number from 0 to {}; ignored", value, kMost);
  return kUsual;
}

FirstUse<CallCache>& MadeOnce() {
  static auto* once = new FirstUse<CallCache>(ForkOrder::kSettings);
  return *once;
}
[[maybe_unused]] const bool kCallsMadeAtLoad = (MadeOnce(), true);

auto GivenSlots(const PreparedCall& call) {
  return call.slots | std::views::filter([](const Slot& slot) { return slot.tensor != nullptr; });
}

}  // namespace

CallCache& CallCache::Get() {
  return MadeOnce().Get([] {
    auto* cache = new CallCache(LimitOfEnvironment());
    ForkLocks::Add(ForkOrder::kCalls, cache->mutex_);
    return cache;
  });
}

// Only what depends on nothing that keys leave out: other ranks of a group, whoever waits for a
// task, formats.
bool CallCache::MayRepeat(const PreparedCall& call) {
  return call.kind == TaskKind::kCompute && call.group == nullptr &&
         !(call.may_have_panels && has_panels_.load(std::memory_order_relaxed));
}

std::shared_ptr<const PreparedCall> CallCache::Find(std::string_view key) {
  std::lock_guard lock(mutex_);
  auto it = recent_.find(key);
  if (it == recent_.end()) {
    auto node = older_.extract(std::string(key));
    if (node.empty()) return nullptr;
    it = recent_.insert(std::move(node)).position;
  }
  return MayRepeat(*it->second) ? it->second : nullptr;
}

// Whether it came before.
bool CallCache::Comes(size_t hash) {
  auto& set = came_[hash % kSets];
  if (std::ranges::find(set, hash) != set.end()) return true;
  std::shift_right(set.begin(), set.end(), 1);
  set[0] = hash;
  return false;
}

void CallCache::Keep(std::string key, std::shared_ptr<const PreparedCall> call) {
  if (!is_used() || !MayRepeat(*call)) return;
  Calls dropped;  // without the lock
  std::lock_guard lock(mutex_);
  if (!Comes(Hash()(key))) return;
  if (recent_.size() >= std::max<size_t>(limit_ / 2, 1)) {
    dropped = std::exchange(older_, std::exchange(recent_, {}));
  }
  recent_.insert_or_assign(std::move(key), std::move(call));
}

ComingCall& ComingCall::OfThread() {
  thread_local ComingCall call;
  return call;
}

void ComingCall::Clear() {
  key_.clear();
  addresses_.clear();
}

std::shared_ptr<Executor> ComingCall::Repeat(std::string_view key) {
  if (key.empty()) return nullptr;
  const std::shared_ptr<const PreparedCall> call = CallCache::Get().Find(key);
  if (call == nullptr) return nullptr;
  if (std::ranges::distance(GivenSlots(*call)) != std::ssize(addresses_)) return nullptr;
  key_.clear();
  return std::make_shared<Executor>(call, addresses_);
}

void ComingCall::Prepared(const std::shared_ptr<const PreparedCall>& call) {
  if (key_.empty()) return;
  const auto address = [](const Slot& slot) { return slot.tensor->data(); };
  if (std::ranges::equal(GivenSlots(*call), addresses_, {}, address)) {
    CallCache::Get().Keep(std::move(key_), call);
  }
  key_.clear();
}

}  // namespace anyacl
