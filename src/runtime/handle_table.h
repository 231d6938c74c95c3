// SPDX-License-Identifier: Apache-2.0
// HandleTable: the opaque handles that the C API hands out. A handle is a number that is never used
// twice and never a valid address, so a stale, foreign or made-up handle is found out without being
// dereferenced.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/fork_locks.h"

namespace anyacl {

// Distinguishes the kinds of handle; also the upper 16 bits of the number. Bit 62 makes it
// non-canonical on x86-64 and aarch64, so that a client that dereferences one faults at once.
enum class HandleKind : uint64_t {
  kContext = 0x4C01,
  kStream = 0x4C02,
  kEvent = 0x4C03,
  kPhysicalMemory = 0x4C04,
  kGraph = 0x4C05,
  kTaskGroup = 0x4C06,
  kNotify = 0x4C07,
  kAllocatorDesc = 0x4C08,
  kLabel = 0x4C09,
  kLabelList = 0x4C0A,
  kCondition = 0x4C0B,
  kBinary = 0x4C0C,
  kDataBuffer = 0x4C21,
  kTensorDesc = 0x4C22,
  kOpAttributes = 0x4C23,
  kGraphDumpOption = 0x4C24,
  kTensor = 0x4C11,
  kTensorList = 0x4C12,
  kScalar = 0x4C13,
  kScalarList = 0x4C14,
  kIntArray = 0x4C15,
  kFloatArray = 0x4C16,
  kBoolArray = 0x4C17,
  kExecutor = 0x4C18,
  kCommunicator = 0x4C31,
  kWindow = 0x4C32,
};

// kShards (a power of two) keeps threads apart that use the table all the time. Few, because a fork
// holds the locks of all tables at once, and ThreadSanitizer follows at most 64.
template <class T, HandleKind kKind, size_t kShards = 1>
class HandleTable {
 public:
  void* Add(std::shared_ptr<T> object) {
    const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    // Low four bits stay 0: clients may assume that a pointer is aligned.
    const uint64_t handle = static_cast<uint64_t>(kKind) << 48 | number << 4;
    Shard& shard = ShardOf(handle);
    std::lock_guard lock(shard.mutex);
    shard.objects.emplace(handle, std::move(object));
    return reinterpret_cast<void*>(handle);
  }

  // The object, or null if the handle is not alive or of another kind.
  std::shared_ptr<T> Find(const void* pointer) const {
    const auto handle = reinterpret_cast<uint64_t>(pointer);
    if (!IsOurs(handle)) return nullptr;
    Shard& shard = ShardOf(handle);
    std::lock_guard lock(shard.mutex);
    const auto it = shard.objects.find(handle);
    return it == shard.objects.end() ? nullptr : it->second;
  }

  // A handle whose object fits; null if there is none.
  template <class Predicate>
  void* FindHandle(Predicate predicate) const {
    for (Shard& shard : shards_) {
      std::lock_guard lock(shard.mutex);
      for (const auto& [handle, object] : shard.objects) {
        if (predicate(*object)) return reinterpret_cast<void*>(handle);
      }
    }
    return nullptr;
  }

  // Ends the handle's life; null if it has none. Of several threads one gets the object.
  std::shared_ptr<T> Remove(const void* pointer) {
    const auto handle = reinterpret_cast<uint64_t>(pointer);
    if (!IsOurs(handle)) return nullptr;
    Shard& shard = ShardOf(handle);
    std::lock_guard lock(shard.mutex);
    const auto it = shard.objects.find(handle);
    if (it == shard.objects.end()) return nullptr;
    std::shared_ptr<T> object = std::move(it->second);
    shard.objects.erase(it);
    return object;
  }

  template <class Predicate>
  void RemoveIf(Predicate predicate) {
    RemoveIf(predicate, [](Shard&, uint64_t, const T&) {});
  }

  // RemoveIf for objects that go with what they belong to. Who made one of them that clients own
  // may not know, and destroy it afterwards: once for each, TakeEnded says that this is no error.
  template <class Predicate, class Owned>
  void EndIf(Predicate predicate, Owned owned) {
    RemoveIf(predicate, [&](Shard& shard, uint64_t handle, const T& object) {
      if (owned(object)) shard.ended.insert(handle);
    });
  }

  bool TakeEnded(const void* pointer) {
    const auto handle = reinterpret_cast<uint64_t>(pointer);
    if (!IsOurs(handle)) return false;
    Shard& shard = ShardOf(handle);
    std::lock_guard lock(shard.mutex);
    return shard.ended.erase(handle) == 1;
  }

  size_t Count() const {
    size_t count = 0;
    for (Shard& shard : shards_) {
      std::lock_guard lock(shard.mutex);
      count += shard.objects.size();
    }
    return count;
  }

  // A table that lives as long as the process: threads and static destructors may use it at exit.
  static HandleTable* NewGlobal() {
    auto* table = new HandleTable;
    for (Shard& shard : table->shards_) ForkLocks::Add(ForkOrder::kHandles, shard.mutex);
    return table;
  }

  std::vector<std::shared_ptr<T>> All() const {
    std::vector<std::shared_ptr<T>> all;
    for (Shard& shard : shards_) {
      std::lock_guard lock(shard.mutex);
      for (const auto& [handle, object] : shard.objects) all.push_back(object);
    }
    return all;
  }

 private:
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::shared_ptr<T>> objects;
    std::unordered_set<uint64_t> ended;
  };

  template <class Predicate, class Removed>
  void RemoveIf(Predicate predicate, Removed on_removed) {
    std::vector<std::shared_ptr<T>> removed;  // destroyed without the locks
    for (Shard& shard : shards_) {
      std::lock_guard lock(shard.mutex);
      std::erase_if(shard.objects, [&](const auto& item) {
        if (!predicate(*item.second)) return false;
        removed.push_back(item.second);
        on_removed(shard, item.first, *item.second);
        return true;
      });
    }
  }

  static bool IsOurs(uint64_t handle) { return handle >> 48 == static_cast<uint64_t>(kKind); }
  Shard& ShardOf(uint64_t handle) const { return shards_[handle >> 4 & (kShards - 1)]; }

  mutable std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> next_{1};
};

}  // namespace anyacl
