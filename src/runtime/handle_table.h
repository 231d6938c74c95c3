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
#include <new>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/fork_locks.h"
#include "base/short_lock.h"

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
  kProfileConfig = 0x4C0D,
  kStamp = 0x4C0E,
  kStepInfo = 0x4C0F,
  kDomain = 0x4C10,
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

// kShards (a power of two) keeps threads apart that use the table all the time.
template <class T, HandleKind kKind, size_t kShards = 1>
class HandleTable {
 public:
  // `object` is not null.
  void* Add(std::shared_ptr<T> object) {
    const size_t number = kShards == 1 ? 0 : next_.fetch_add(1, std::memory_order_relaxed);
    const size_t which = number % kShards;
    Shard& shard = shards_[which];
    std::lock_guard lock(shard.mutex);
    if (shard.free == kNone) {
      if (shard.places.size() * kShards + which > kPlaceMask) throw std::bad_alloc();
      shard.places.emplace_back();
      shard.free = static_cast<uint32_t>(shard.places.size() - 1);
    }
    const size_t index = shard.free;
    Place& place = shard.places[index];
    shard.free = place.next_free;
    place.object = std::move(object);
    return reinterpret_cast<void*>(HandleOf(which, index, place));
  }

  // The object, or null if the handle is not alive or of another kind.
  std::shared_ptr<T> Find(const void* pointer) const {
    const Position at(pointer);
    std::lock_guard lock(shards_[at.shard].mutex);
    const Place* place = At(at);
    return place == nullptr ? nullptr : place->object;
  }

  // A handle whose object fits; null if there is none.
  template <class Predicate>
  void* FindHandle(Predicate predicate) const {
    for (size_t which = 0; which < kShards; ++which) {
      Shard& shard = shards_[which];
      std::lock_guard lock(shard.mutex);
      for (size_t i = 0; i < shard.places.size(); ++i) {
        const Place& place = shard.places[i];
        if (place.object != nullptr && predicate(*place.object)) {
          return reinterpret_cast<void*>(HandleOf(which, i, place));
        }
      }
    }
    return nullptr;
  }

  // Ends the handle's life; null if it has none. Of several threads one gets the object.
  std::shared_ptr<T> Remove(const void* pointer) {
    return RemoveUnless(pointer, [](const T&) { return false; });
  }

  // The same, but for an object that is to stay.
  template <class Predicate>
  std::shared_ptr<T> RemoveUnless(const void* pointer, Predicate stays) {
    const Position at(pointer);
    Shard& shard = shards_[at.shard];
    std::lock_guard lock(shard.mutex);
    Place* place = At(at);
    if (place == nullptr) return nullptr;
    if (stays(*place->object)) return place->object;
    return Vacate(shard, *place);
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
    const Position at(pointer);
    std::lock_guard lock(shards_[at.shard].mutex);
    return shards_[at.shard].ended.erase(reinterpret_cast<uint64_t>(pointer)) == 1;
  }

  size_t Count() const { return All().size(); }

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
      for (const Place& place : shard.places) {
        if (place.object != nullptr) all.push_back(place.object);
      }
    }
    return all;
  }

 private:
  // A handle says where its object lies and how many had that place before: 16 bits of kind, 18 of
  // turn, 26 of place, 4 zeros, since clients may assume that a pointer is aligned. A place whose
  // turns are used up stays empty.
  static constexpr int kPlaceBits = 26;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;
  static constexpr uint32_t kTurns = uint32_t{1} << (48 - 4 - kPlaceBits);
  static constexpr uint32_t kNone = UINT32_MAX;

  struct Place {
    std::shared_ptr<T> object;  // null: none
    uint32_t turn = 1;
    uint32_t next_free = kNone;  // of its shard
  };
  struct Shard {
    ShortLock mutex;
    std::vector<Place> places;
    uint32_t free = kNone;  // the first one
    std::unordered_set<uint64_t> ended;
  };
  // What a handle says, be it one or not.
  struct Position {
    explicit Position(const void* pointer) {
      const auto handle = reinterpret_cast<uint64_t>(pointer);
      const uint64_t place = handle >> 4 & kPlaceMask;
      shard = place % kShards;
      index = place / kShards;
      turn = handle >> (4 + kPlaceBits) & (kTurns - 1);
      ours = handle >> 48 == static_cast<uint64_t>(kKind) && (handle & 15) == 0;
    }
    size_t shard, index;
    uint64_t turn;
    bool ours;
  };

  static uint64_t HandleOf(size_t shard, size_t index, const Place& place) {
    return static_cast<uint64_t>(kKind) << 48 | uint64_t{place.turn} << (4 + kPlaceBits) |
           (index * kShards + shard) << 4;
  }

  // Null: no living object's. The caller holds the shard's lock.
  Place* At(const Position& at) const {
    std::vector<Place>& places = shards_[at.shard].places;
    if (!at.ours || at.index >= places.size()) return nullptr;
    Place& place = places[at.index];
    return place.turn == at.turn && place.object != nullptr ? &place : nullptr;
  }

  std::shared_ptr<T> Vacate(Shard& shard, Place& place) {
    std::shared_ptr<T> object = std::move(place.object);
    place.object = nullptr;
    if (++place.turn < kTurns) {
      place.next_free = shard.free;
      shard.free = static_cast<uint32_t>(&place - shard.places.data());
    }
    return object;
  }

  template <class Predicate, class Removed>
  void RemoveIf(Predicate predicate, Removed on_removed) {
    std::vector<std::shared_ptr<T>> removed;  // destroyed without the locks
    for (size_t which = 0; which < kShards; ++which) {
      Shard& shard = shards_[which];
      std::lock_guard lock(shard.mutex);
      for (size_t i = 0; i < shard.places.size(); ++i) {
        Place& place = shard.places[i];
        if (place.object == nullptr || !predicate(*place.object)) continue;
        removed.push_back(place.object);
        on_removed(shard, HandleOf(which, i, place), *place.object);
        Vacate(shard, place);
      }
    }
  }

  mutable std::array<Shard, kShards> shards_;
  std::atomic<size_t> next_{0};
};

}  // namespace anyacl
