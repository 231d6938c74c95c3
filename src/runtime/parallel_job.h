// SPDX-License-Identifier: Apache-2.0
// One job of the pool: a loop, who has taken which part of it, and when it is done. What threads
// share is kept in single atomic words.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/exports.h"

namespace anyacl {

constexpr size_t kCacheLine = 64;

// A loop cut into chunks, and these into units, which are what threads take: single chunks, or
// several where there are very many.
struct Loop {
  Loop() = default;
  Loop(int64_t loop_count, int64_t loop_grain, ChunkBody loop_body, const void* loop_context)
      : body(loop_body), context(loop_context), count(loop_count), grain(loop_grain) {
    chunks = count / grain + (count % grain != 0);
    chunks_per_unit = (chunks - 1) / kMaxUnits + 1;
    units = static_cast<uint32_t>((chunks - 1) / chunks_per_unit + 1);
  }

  void RunUnit(uint32_t unit, uint32_t slot) const {
    const int64_t first = unit * chunks_per_unit;
    const int64_t size = std::min(chunks_per_unit, chunks - first);
    for (int64_t chunk = first; chunk < first + size; ++chunk) {
      const int64_t begin = chunk * grain;
      body(context, begin, begin + std::min(grain, count - begin), slot);
    }
  }
  void RunAll(uint32_t slot) const {
    for (uint32_t unit = 0; unit < units; ++unit) RunUnit(unit, slot);
  }

  // More than enough for an even load, and few enough to forget the cost of handing units out.
  static constexpr int64_t kMaxUnits = 1 << 16;

  ChunkBody body = nullptr;
  const void* context = nullptr;
  int64_t count = 0;
  int64_t grain = 1;
  int64_t chunks = 0;
  int64_t chunks_per_unit = 1;
  uint32_t units = 0;
};

// The units of one part that nobody has taken. The owner takes them from the front and all others
// from the back: what an owner computes changes little from one call to the next.
class alignas(kCacheLine) Part {
 public:
  void Fill(uint32_t begin, uint32_t end) {
    units_.store(uint64_t{begin} << 32 | end, std::memory_order_relaxed);
    owner_works_.store(false, std::memory_order_relaxed);
  }
  void OwnerBegins() { owner_works_.store(true, std::memory_order_relaxed); }
  bool OwnerWorks() const { return owner_works_.load(std::memory_order_relaxed); }
  uint32_t Left() const {
    const uint64_t units = units_.load(std::memory_order_relaxed);
    return static_cast<uint32_t>(units) - static_cast<uint32_t>(units >> 32);
  }
  // Leaves `leave` of them.
  bool Take(bool front, uint32_t* unit, uint32_t leave = 0) {
    uint64_t units = units_.load(std::memory_order_relaxed);
    for (;;) {
      const auto begin = static_cast<uint32_t>(units >> 32);
      const auto end = static_cast<uint32_t>(units);
      if (end - begin <= leave) return false;
      *unit = front ? begin : end - 1;
      const uint64_t rest = front ? units + (uint64_t{1} << 32) : units - 1;
      if (units_.compare_exchange_weak(units, rest, std::memory_order_relaxed)) return true;
    }
  }

 private:
  std::atomic<uint64_t> units_{0};  // begin << 32 | end
  std::atomic<bool> owner_works_{false};
};

// Who may touch a slot, in one word: free when zero. Workers that have joined are counted, so that
// a slot is not used again while one of them is still on its way out.
class SlotState {
 public:
  bool Acquire() {
    uint64_t free = 0;
    return word_.load(std::memory_order_relaxed) == 0 &&
           word_.compare_exchange_strong(free, kTaken, std::memory_order_acquire);
  }
  void Open(uint32_t seats) { word_.store(kTaken | kSeat * seats, std::memory_order_release); }
  // Takes a seat, of which the last is 1; 0: there is none left.
  uint32_t Join() {
    uint64_t word = word_.load(std::memory_order_relaxed);
    do {
      if (SeatsIn(word) == 0) return 0;
    } while (!word_.compare_exchange_weak(word, word - kSeat + kVisitor, std::memory_order_acquire,
                                          std::memory_order_relaxed));
    return static_cast<uint32_t>(SeatsIn(word));
  }
  void Leave() { word_.fetch_sub(kVisitor, std::memory_order_release); }
  void Close() { word_.fetch_and(kVisitors, std::memory_order_release); }
  bool HasSeats() const { return SeatsIn(word_.load(std::memory_order_relaxed)) != 0; }

 private:
  static constexpr uint64_t kVisitor = 1;
  static constexpr uint64_t kVisitors = 0xffff;
  static constexpr uint64_t kTaken = 1 << 16;
  static constexpr uint64_t kSeat = 1 << 20;
  static uint64_t SeatsIn(uint64_t word) { return word / kSeat; }

  std::atomic<uint64_t> word_{0};
};

// Work that sleeping workers might have done, of loops that follow each other without a pause.
class MissedWork {
 public:
  // Of a loop that took `loop_ns` and has just ended. Callers may overwrite each other's: what is
  // lost delays a wake-up.
  void Add(uint64_t now_ns, uint64_t loop_ns, uint64_t missed_ns, uint64_t longest_pause_ns) {
    const uint64_t since = now_ns - last_end_ns_.exchange(now_ns, std::memory_order_relaxed);
    const uint64_t before = since > longest_pause_ns + loop_ns ? 0 : Sum();
    sum_ns_.store(before + missed_ns, std::memory_order_relaxed);
  }
  uint64_t Sum() const { return sum_ns_.load(std::memory_order_relaxed); }
  void Clear() { sum_ns_.store(0, std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> sum_ns_{0};
  std::atomic<uint64_t> last_end_ns_{0};
};

// Set once the last unit is done; its caller may sleep until then.
class Completion {
 public:
  void Reset() { state_.store(kOpen, std::memory_order_relaxed); }
  void Set() {
    if (state_.exchange(kSet, std::memory_order_acq_rel) == kAwaited) state_.notify_one();
  }
  bool IsSet() const { return state_.load(std::memory_order_acquire) == kSet; }
  void Sleep() {
    uint32_t state = kOpen;
    state_.compare_exchange_strong(state, kAwaited, std::memory_order_acquire);
    while (!IsSet()) state_.wait(kAwaited, std::memory_order_acquire);
  }

 private:
  enum : uint32_t { kOpen, kAwaited, kSet };
  std::atomic<uint32_t> state_{kOpen};
};

struct alignas(kCacheLine) Slot {
  SlotState state;
  // Written by the caller before it opens the slot.
  Loop loop;
  uint32_t parts_used = 0;
  Part* parts = nullptr;
  std::atomic<uint64_t>* learnt_unit_ns = nullptr;
  // Written by all.
  alignas(kCacheLine) std::atomic<uint32_t> done{0};
  Completion completion;
  std::atomic<uint64_t> unit_ns{0};  // what a unit takes; 0: not known
};

// A thread at a job: its caller has seat 0, workers those up to parts_used - 1.
struct Visit {
  Slot* slot = nullptr;
  uint32_t seat = 0;
};

}  // namespace anyacl
