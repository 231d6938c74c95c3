// SPDX-License-Identifier: Apache-2.0
#include "nnop/call_cache.h"

#include <pthread.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/fork_locks.h"
#include "base/status.h"

namespace anyacl {
namespace {

size_t ReadLimit() {
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

FirstUse<size_t>& LimitOnce() {
  static auto* once = new FirstUse<size_t>(ForkOrder::kSettings);
  return *once;
}

size_t LimitOfEnvironment() {
  return LimitOnce().Get([] { return new size_t(ReadLimit()); });
}

[[maybe_unused]] const bool kCallsMadeAtLoad = (LimitOnce(), CallCache::Get(), true);

// A pointer, as the list of messages is one: clients' static and thread_local objects may call us
// when they end.
thread_local ComingCall* t_coming = nullptr;

pthread_key_t MakeComingKey() {
  pthread_key_t key{};
  pthread_key_create(&key, [](void* coming) {
    t_coming = nullptr;
    delete static_cast<ComingCall*>(coming);
  });
  return key;
}

const pthread_key_t g_coming_key = MakeComingKey();

bool IsGiven(const Slot& slot) { return slot.tensor != nullptr; }

// In this order; slots without a tensor have none.
bool HaveAddresses(std::span<const Slot> slots, std::span<void* const> addresses) {
  auto next = addresses.begin();
  for (const Slot& slot : slots) {
    if (!IsGiven(slot)) continue;
    if (next == addresses.end() || *next++ != slot.tensor->data()) return false;
  }
  return next == addresses.end();
}

}  // namespace

CallCache& CallCache::Get() {
  static CallCache* const cache = [] {
    auto* made = new CallCache(LimitOfEnvironment);
    ForkLocks::Add(ForkOrder::kCalls, made->mutex_);
    return made;
  }();
  return *cache;
}

// Only what depends on nothing that keys leave out: other ranks of a group, whoever waits for a
// task, formats.
bool CallCache::MayRepeat(const PreparedCall& call) const {
  return call.kind == TaskKind::kCompute && call.group == nullptr &&
         !(call.may_have_panels && has_private_.load(std::memory_order_acquire));
}

// What has no place any more, to be dropped without the lock.
CallCache::Calls CallCache::MakeRoom() {
  if (recent_.size() < half()) return {};
  return std::exchange(older_, std::exchange(recent_, {}));
}

std::shared_ptr<const PreparedCall> CallCache::Find(std::string_view key,
                                                    std::span<void* const> addresses) {
  Calls dropped;
  std::lock_guard lock(mutex_);
  auto it = recent_.find(key);
  if (it == recent_.end()) {
    it = older_.find(key);
    if (it == older_.end()) return nullptr;
    auto node = older_.extract(it);
    dropped = MakeRoom();
    it = recent_.insert(std::move(node)).position;
  }
  if (!MayRepeat(*it->second)) return nullptr;
  const auto is_private = [&](const void* address) { return private_.contains(address); };
  if (has_private_.load(std::memory_order_relaxed) && std::ranges::any_of(addresses, is_private)) {
    return nullptr;
  }
  return it->second;
}

bool CallCache::CameBefore(size_t hash) {
  // One hash for each call of the limit, or somewhat more, but 2 MB at the most.
  if (came_.empty()) came_.resize(std::min<size_t>(std::bit_ceil(limit_() / 4 + 1), 1 << 16));
  auto& set = came_[hash % came_.size()];
  if (std::ranges::find(set, hash) != set.end()) return true;
  std::shift_right(set.begin(), set.end(), 1);
  set[0] = hash;
  return false;
}

void CallCache::Keep(std::string_view key, const std::shared_ptr<const PreparedCall>& call) {
  if (!is_used() || !MayRepeat(*call)) return;
  Calls dropped;
  std::shared_ptr<const PreparedCall> kept = call;
  std::lock_guard lock(mutex_);
  if (const auto it = recent_.find(key); it != recent_.end()) return std::swap(it->second, kept);
  if (!CameBefore(Hash()(key))) return;
  dropped = MakeRoom();
  recent_.emplace(key, std::move(kept));
}

void CallCache::NotePrivate(const void* address) {
  std::lock_guard lock(mutex_);
  private_.insert(address);
  has_private_.store(true, std::memory_order_release);
}

ComingCall& ComingCall::OfThread() {
  if (t_coming == nullptr) {
    t_coming = new ComingCall;
    pthread_setspecific(g_coming_key, t_coming);
  }
  return *t_coming;
}

ComingCall* ComingCall::OfThreadIfAny() { return t_coming; }

void ComingCall::Clear() {
  key_.clear();
  addresses_.clear();
}

std::shared_ptr<Executor> ComingCall::Repeat() {
  if (key_.empty()) return nullptr;
  const std::shared_ptr<const PreparedCall> call = CallCache::Get().Find(key_, addresses_);
  if (call == nullptr) return nullptr;
  if (std::ranges::count_if(call->slots, IsGiven) != std::ssize(addresses_)) return nullptr;
  auto executor = std::make_shared<Executor>(call, addresses_);
  key_.clear();
  return executor;
}

void ComingCall::Prepared(const std::shared_ptr<const PreparedCall>& call) {
  if (key_.empty()) return;
  if (HaveAddresses(call->slots, addresses_)) {
    try {
      CallCache::Get().Keep(key_, call);
    } catch (const std::bad_alloc&) {
      // The call itself lacks nothing.
    }
  }
  key_.clear();
}

}  // namespace anyacl
