// SPDX-License-Identifier: Apache-2.0
// The pool behind ParallelFor. The caller of a job owns part 0 of it and worker i part i, so that a
// repeated job finds its data in the caches where the last one left them; who has finished with its
// own part takes from the others. A job lives in a slot of the pool, not on the caller's stack: a
// worker that looks in too late finds an empty job there, and nobody has to wait for it.
//
// Nothing here is ever destroyed, and the workers are detached: the process may end at any moment.
#include "runtime/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "base/float_environment.h"
#include "base/fork_locks.h"
#include "base/status.h"
#include "base/thread.h"
#include "runtime/cpus.h"
#include "runtime/parallel_job.h"
#include "runtime/settings.h"
#include "runtime/spin.h"

namespace anyacl {
namespace {

using Clock = std::chrono::steady_clock;

// Measured on a virtual machine with two CPUs: to wake a thread that sleeps costs the waker 4 to
// 12 us, and the thread runs after 25 to 40 us. Spinning for about as long as that costs never more
// than twice what knowing the future would (Karlin et al., Competitive snoopy caching, 1988).
constexpr std::chrono::microseconds kSpin{50};
// Work left in a part for which its sleeping owner is woken; below it the caller is done with
// everything by the time the owner runs. Of loops in quick succession the parts add up: 256x256
// numbers take 9 us in one thread, and a program that adds them for a second is to have two.
constexpr uint64_t kWorthWakingNs = 25000;
// The last unit of a part whose owner is at work is left to it if units are shorter than this: its
// data lie in the owner's cache. With two threads, sums of 256x512 numbers took 17.5 us where the
// caller, which begins first, took it, and take 15.
constexpr uint64_t kShortUnitNs = 8000;

uint64_t Nanoseconds(Clock::duration time) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(time).count());
}

// True in workers, and in a caller while it computes: nested loops then run where they are.
thread_local bool t_in_chunk = false;
// The thread's slot: its seat, 0 as a caller. A nested loop keeps it, so that it may use the
// scratch of the loop around it.
thread_local uint32_t t_slot = 0;
thread_local bool t_serves_client = false;

class Pool {
 public:
  explicit Pool(uint32_t most_threads);

  void Run(const Loop& loop);
  uint32_t threads() const { return threads_; }

 private:
  static constexpr unsigned kSlots = 64;  // one bit each
  static constexpr size_t kLearnt = 256;

  struct alignas(kCacheLine) Worker {
    std::atomic<uint32_t> asleep{1};
    bool started = false;  // only for the thread that has claimed the worker
  };

  Slot* Open(const Loop& loop);
  Visit Join(uint32_t id);
  bool HasOpenSeat() const;
  void Clear(const Slot& slot) { open_.fetch_and(~Bit(slot), std::memory_order_relaxed); }
  uint64_t Bit(const Slot& slot) const { return uint64_t{1} << (&slot - slots_.get()); }
  uint32_t Compute(const Visit& visit, uint32_t id, bool all = false);
  uint32_t LeftToOwner(const Slot& slot, const Part& part) const;
  void AwaitWorkers(Slot& slot);

  void Work(uint32_t id);
  Visit SpinAndJoin(uint32_t id);
  void Sleep(uint32_t id);
  bool SomeoneSleeps() const { return awake_.load(std::memory_order_relaxed) + 1 < threads_; }
  void WakeOneFor(const Slot& slot);
  void CountMissed(const Slot& slot, uint32_t finished);
  bool ClaimSleeper(uint32_t id);
  void Wake(uint32_t id);

  // Durations of units by loop: what to expect of a loop before any of it has run.
  std::atomic<uint64_t>* Learnt(const Loop& loop);

  const Cpus cpus_;
  uint32_t threads_ = 1;  // with the caller
  std::unique_ptr<Part[]> parts_;
  std::unique_ptr<Slot[]> slots_;
  std::unique_ptr<Worker[]> workers_;                  // by id; 0 is the caller's
  std::unique_ptr<std::atomic<uint64_t>[]> sleepers_;  // a bit for each id
  std::atomic<uint64_t> learnt_[kLearnt] = {};
  alignas(kCacheLine) std::atomic<uint64_t> open_{0};   // slots with a seat and untaken units
  alignas(kCacheLine) std::atomic<uint32_t> awake_{0};  // workers
  std::atomic<uint32_t> spinning_{0};
  MissedWork missed_;
};

Pool::Pool(uint32_t most_threads) {
  const uint32_t wanted = Env().threads != 0 ? Env().threads : static_cast<uint32_t>(cpus_.count());
  threads_ = std::min(wanted, most_threads);
  parts_ = std::make_unique<Part[]>(size_t{kSlots} * threads_);
  slots_ = std::make_unique<Slot[]>(kSlots);
  for (size_t i = 0; i < kSlots; ++i) slots_[i].parts = &parts_[i * threads_];
  workers_ = std::make_unique<Worker[]>(threads_);
  sleepers_ = std::make_unique<std::atomic<uint64_t>[]>(threads_ / 64 + 1);
  // A worker that has not been started is one that sleeps.
  for (uint32_t id = 1; id < threads_; ++id) sleepers_[id / 64] |= uint64_t{1} << id % 64;
}

void Pool::Run(const Loop& loop) {
  Slot* slot = t_in_chunk || threads_ == 1 || loop.units == 1 ? nullptr : Open(loop);
  if (slot == nullptr) return loop.RunAll(t_slot);
  t_in_chunk = true;
  WakeOneFor(*slot);
  const uint32_t finished = Compute({slot, 0}, 0);
  AwaitWorkers(*slot);
  t_in_chunk = false;
  if (SomeoneSleeps()) CountMissed(*slot, finished);
  slot->learnt_unit_ns->store(slot->unit_ns.load(std::memory_order_relaxed),
                              std::memory_order_relaxed);
  slot->state.Close();
}

// Null: more loops run at once than there are slots.
Slot* Pool::Open(const Loop& loop) {
  Slot* const end = &slots_[0] + kSlots;
  Slot* slot = std::find_if(&slots_[0], end, [](Slot& s) { return s.state.Acquire(); });
  if (slot == end) return nullptr;
  slot->loop = loop;
  slot->parts_used = std::min(threads_, loop.units);
  for (uint64_t i = 0; i < slot->parts_used; ++i) {
    slot->parts[i].Fill(static_cast<uint32_t>(loop.units * i / slot->parts_used),
                        static_cast<uint32_t>(loop.units * (i + 1) / slot->parts_used));
  }
  slot->done.store(0, std::memory_order_relaxed);
  slot->completion.Reset();
  slot->learnt_unit_ns = Learnt(loop);
  slot->unit_ns.store(slot->learnt_unit_ns->load(std::memory_order_relaxed),
                      std::memory_order_relaxed);
  slot->state.Open(slot->parts_used - 1);
  open_.fetch_or(Bit(*slot));
  return slot;
}

// Which loop it is: the same code over the same range takes the same time, more or less. A mistake
// costs a wake-up in vain, or one unit by the caller alone.
std::atomic<uint64_t>* Pool::Learnt(const Loop& loop) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15;  // 2^64 / the golden ratio
  uint64_t hash = reinterpret_cast<uintptr_t>(loop.body) * kMix;
  hash = (hash ^ static_cast<uint64_t>(loop.count)) * kMix;
  hash = (hash ^ static_cast<uint64_t>(loop.grain)) * kMix;
  return &learnt_[hash >> 56];
}

Visit Pool::Join(uint32_t id) {
  // Each begins its search elsewhere, so that the workers spread over the jobs.
  const int turn = static_cast<int>(id % kSlots);
  uint64_t open = std::rotr(open_.load(std::memory_order_relaxed), turn);
  for (; open != 0; open &= open - 1) {
    Slot& slot = slots_[(static_cast<unsigned>(std::countr_zero(open)) + id) % kSlots];
    const uint32_t seat = slot.state.Join();
    if (seat == 0) continue;
    if (seat == 1) Clear(slot);
    return {&slot, seat};
  }
  return {};
}

bool Pool::HasOpenSeat() const {
  for (uint64_t open = open_.load(); open != 0; open &= open - 1) {
    if (slots_[static_cast<unsigned>(std::countr_zero(open))].state.HasSeats()) return true;
  }
  return false;
}

uint32_t Pool::LeftToOwner(const Slot& slot, const Part& part) const {
  return part.OwnerWorks() && slot.unit_ns.load(std::memory_order_relaxed) < kShortUnitNs ? 1 : 0;
}

// Takes units until there are none left, or, unless `all`, no more than what owners shall do.
// Returns how many it took.
uint32_t Pool::Compute(const Visit& visit, uint32_t id, bool all) {
  Slot& slot = *visit.slot;
  uint32_t finished = 0;
  Clock::duration busy{};
  uint32_t unit = 0;
  for (uint32_t i = 0; i < slot.parts_used; ++i) {
    Part& part = slot.parts[(id + i) % slot.parts_used];
    const bool own = i == 0;
    if (own) part.OwnerBegins();
    const uint32_t leave = own || all ? 0 : LeftToOwner(slot, part);
    while (part.Take(own, &unit, leave)) {
      if (finished != 0 && !SomeoneSleeps()) {
        slot.loop.RunUnit(unit, visit.seat);
        ++finished;
        continue;
      }
      const Clock::time_point start = Clock::now();
      slot.loop.RunUnit(unit, visit.seat);
      ++finished;
      busy += Clock::now() - start;
      slot.unit_ns.store(Nanoseconds(busy) / finished + 1, std::memory_order_relaxed);
      WakeOneFor(slot);
    }
  }
  Clear(slot);
  if (finished != 0 &&
      slot.done.fetch_add(finished, std::memory_order_acq_rel) + finished == slot.loop.units) {
    slot.completion.Set();
  }
  return finished;
}

void Pool::AwaitWorkers(Slot& slot) {
  if (slot.completion.IsSet()) return;
  const Clock::time_point begin = Clock::now();
  const uint64_t patience = 2 * slot.unit_ns.load(std::memory_order_relaxed);
  bool patient = true;
  Clock::duration waited{};
  while (cpus_.count() > 1 && waited < kSpin) {
    for (int i = 0; i < 32; ++i) {
      if (slot.completion.IsSet()) return;
      Pause();
    }
    waited = Clock::now() - begin;
    if (patient && Nanoseconds(waited) > patience) {
      Compute({&slot, 0}, 0, true);  // the system keeps an owner from running
      patient = false;
    }
  }
  if (patient) Compute({&slot, 0}, 0, true);
  slot.completion.Sleep();
}

void Pool::Work(uint32_t id) {
  const DefaultFloatEnvironment environment;
  t_in_chunk = true;
  cpus_.Bind(id);
  for (;;) {
    if (const Visit visit = SpinAndJoin(id); visit.slot != nullptr) {
      t_slot = visit.seat;
      WakeOneFor(*visit.slot);
      Compute(visit, id);
      visit.slot->state.Leave();
    } else {
      Sleep(id);
    }
  }
}

Visit Pool::SpinAndJoin(uint32_t id) {
  Visit visit = Join(id);
  if (visit.slot != nullptr) return visit;
  // One CPU stays for whoever is to open a job.
  if (spinning_.fetch_add(1, std::memory_order_relaxed) + 1 < cpus_.count()) {
    const Clock::time_point end = Clock::now() + kSpin;
    while (visit.slot == nullptr && Clock::now() < end) {
      for (int i = 0; i < 32 && visit.slot == nullptr; ++i) {
        Pause();
        visit = Join(id);
      }
    }
  }
  spinning_.fetch_sub(1, std::memory_order_relaxed);
  return visit;
}

void Pool::Sleep(uint32_t id) {
  Worker& worker = workers_[id];
  worker.asleep.store(1, std::memory_order_relaxed);
  awake_.fetch_sub(1, std::memory_order_relaxed);
  sleepers_[id / 64].fetch_or(uint64_t{1} << id % 64);
  // Whoever has opened a job before it could see this sleeper is not going to wake it.
  if (HasOpenSeat() && ClaimSleeper(id)) return;
  worker.asleep.wait(1, std::memory_order_acquire);
}

// A worker that is woken for small loops stays awake as long as they follow each other within
// kSpin; with longer pauses it would be woken in vain. It must not take the CPU of the client's
// thread that fills the queue of the stream whose thread computes here.
void Pool::CountMissed(const Slot& slot, uint32_t finished) {
  const uint32_t busy = awake_.load(std::memory_order_relaxed) + (t_serves_client ? 2 : 1);
  const uint32_t own = slot.loop.units / slot.parts_used;
  if (busy >= cpus_.count() || finished <= own) return;
  const uint64_t unit_ns = slot.unit_ns.load(std::memory_order_relaxed);
  missed_.Add(Nanoseconds(Clock::now().time_since_epoch()), finished * unit_ns,
              (finished - own) * unit_ns, Nanoseconds(kSpin));
}

bool Pool::ClaimSleeper(uint32_t id) {
  const uint64_t bit = uint64_t{1} << id % 64;
  if ((sleepers_[id / 64].fetch_and(~bit) & bit) == 0) return false;
  awake_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

// Wakes the first sleeping owner of a part that is worth it. Whoever works on a job does so once
// before its first unit and after each, so the number of awake workers doubles with each wake-up,
// and stops growing when the rest is small or each thread of the pool has a running counterpart.
void Pool::WakeOneFor(const Slot& slot) {
  if (!SomeoneSleeps() || !slot.state.HasSeats()) return;
  const uint64_t unit_ns = slot.unit_ns.load(std::memory_order_relaxed);
  const auto jobs = static_cast<uint32_t>(std::popcount(open_.load(std::memory_order_relaxed)));
  if (unit_ns == 0 || awake_.load(std::memory_order_relaxed) + jobs >= threads_) return;
  const uint64_t missed = missed_.Sum();
  for (uint32_t word = 0; word <= (slot.parts_used - 1) / 64; ++word) {
    uint64_t asleep = sleepers_[word].load(std::memory_order_relaxed);
    for (; asleep != 0; asleep &= asleep - 1) {
      const uint32_t id = word * 64 + static_cast<uint32_t>(std::countr_zero(asleep));
      if (id >= slot.parts_used) return;
      if (slot.parts[id].Left() * unit_ns + missed < kWorthWakingNs || !ClaimSleeper(id)) continue;
      missed_.Clear();
      return Wake(id);
    }
  }
}

void Pool::Wake(uint32_t id) {
  Worker& worker = workers_[id];
  if (worker.started) {
    worker.asleep.store(0, std::memory_order_release);
    worker.asleep.notify_one();
    return;
  }
  try {
    worker.started = true;
    StartThread([this, id] { Work(id); });
  } catch (const std::exception& error) {  // it is never claimed again
    awake_.fetch_sub(1, std::memory_order_relaxed);
    Warn("worker {} of {} could not be started: {}", id, threads_ - 1, error.what());
  }
}

// The process's pool. A forked child gets a pool of its own, since the workers stay behind; the
// parent's stays untouched in whatever state it was.
class Holder {
 public:
  static Holder& Instance() {
    static Holder* holder = new Holder;
    return *holder;
  }
  Pool& Get() {
    Pool* pool = pool_.load(std::memory_order_acquire);
    return pool != nullptr ? *pool : Make();
  }

 private:
  Holder() {
    ForkLocks::Add(ForkOrder::kPool, {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                                      [this] { pool_ = nullptr; }});
  }
  Pool& Make() {
    std::lock_guard lock(mutex_);
    Pool* pool = pool_.load(std::memory_order_relaxed);
    if (pool == nullptr) {
      // A plan made before the fork has scratch memory for the threads that there were.
      const uint32_t most = pools_.empty() ? UINT32_MAX : pools_.back()->threads();
      pool = pools_.emplace_back(std::make_unique<Pool>(most)).get();
      pool_.store(pool, std::memory_order_release);
    }
    return *pool;
  }

  std::mutex mutex_;
  std::atomic<Pool*> pool_{nullptr};
  std::vector<std::unique_ptr<Pool>> pools_;  // with those of the processes this one comes from
};

[[maybe_unused]] const bool kParallelMadeAtLoad = (Holder::Instance(), true);

}  // namespace

void ThisThreadServesClient() { t_serves_client = true; }

}  // namespace anyacl

extern "C" {

void anyaclParallelFor(int64_t count, int64_t grain, anyacl::ChunkBody body, const void* context) {
  if (count <= 0) return;
  anyacl::Holder::Instance().Get().Run({count, std::max<int64_t>(grain, 1), body, context});
}

int64_t anyaclThreadCount() { return anyacl::Holder::Instance().Get().threads(); }
}
