// SPDX-License-Identifier: Apache-2.0
// RankGroup: a communicator as operators see it: ranks, tasks that all of them run together, and
// for each memory that the others write: a window that the program registered, and a buffer of the
// communicator's own. libhccl makes and registers them; operators find theirs by name. Header only
// but for the registry, because libhccl derives from it; see runtime/exports.h for the linkage.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "acl/acl_base.h"
#include "base/status.h"
#include "runtime/task.h"

namespace anyacl {

struct RankWindow {
  // Where this process stores to it; null if it can be written by messages only. It stays mapped
  // for as long as the caller holds the group.
  char* base = nullptr;
  uint64_t size = 0;
  // A part of the rank's buffer: where it begins there.
  bool in_buffer = false;
  uint64_t offset = 0;
};

// Bytes for a window, and the words that announce them. A piece of the same data as the one before
// it, or as the one before that, costs no more bytes on the way.
struct WindowMessage {
  struct Piece {
    uint64_t offset = 0;
    const void* data = nullptr;
    uint64_t size = 0;
  };
  struct Word {
    uint64_t offset = 0;  // a multiple of 4
    int32_t value = 0;
  };
  static constexpr uint64_t kNoGuard = UINT64_MAX;

  // The word at this offset of the receiver's window, a multiple of 4, must differ from 1 before
  // anything is stored: what it announced has been taken.
  uint64_t guard = kNoGuard;
  std::span<const Piece> pieces;
  std::span<const Word> words;
  // Offsets are in the receiver's buffer instead of its window.
  bool to_buffer = false;
};

// What ranks do between them within a task that all of them run. Each rank calls the same ones in
// the same order, and each call waits for what it needs of the others.
class RankCollectives {
 public:
  struct Piece {
    void* data = nullptr;
    uint64_t bytes = 0;
  };

  virtual ~RankCollectives() = default;

  // The `bytes` of every rank, one rank behind the other; `from` may be its own place there.
  virtual Status AllGather(const void* from, void* to, uint64_t bytes) = 0;
  // Sums over the ranks in their order, of FLOAT16 and BF16 in fp32 with one rounding, the same
  // bits everywhere; `to` may be `from`.
  virtual Status AllReduce(const void* from, void* to, uint64_t count, aclDataType type) = 0;
  // Of `count` elements for each rank the sums of the own ones.
  virtual Status ReduceScatter(const void* from, void* to, uint64_t count, aclDataType type) = 0;
  // A piece to each rank and one from it, by rank.
  virtual Status AllToAll(std::span<const Piece> sent, std::span<const Piece> received) = 0;
  // Nobody is through before all are there.
  virtual Status Barrier() = 0;

  // Those of the call's second group.
  virtual RankCollectives& Beside() { return *this; }
};

class RankGroup;

// A task that all ranks run together.
struct RankCall {
  const char* api = nullptr;  // lives forever
  std::string arguments;      // which all ranks must pass alike, in words
  std::function<Status(RankCollectives&, const StopToken&)> run;
  // A second group of this rank, whose ranks run the call together, too; null: there is none.
  std::shared_ptr<RankGroup> beside = nullptr;
};

// Called by several threads at once.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  virtual const std::string& name() const = 0;
  virtual uint32_t rank() const = 0;
  virtual uint32_t size() const = 0;

  // Appends the task to the stream. Its place among the group's collectives is taken now: the order
  // of calls is the order on every rank. A task that fails, or is dropped, fails the group. With a
  // second group all this holds for both, at once.
  virtual Status Submit(RankCall call, aclrtStream) {
    return Fail(ACL_ERROR_FEATURE_UNSUPPORTED, "communicator \"{}\" runs no {}", name(), call.api);
  }

  // The window of a rank below size(), the own one included. Of a rank that registered none itself,
  // the first half of that rank's buffer; otherwise fails if the rank has told none.
  virtual Status Window(uint32_t rank, RankWindow* window) = 0;
  // The second half of a rank's buffer, for operators that keep their own order there: its first
  // MiB is zero at first. The own buffer is made and told to all others at the first call, of
  // Window too; where that of another rank has a size of 0, this rank has not heard of it yet.
  virtual Status ExchangeArea(uint32_t rank, RankWindow* window) = 0;
  // Of a half, in bytes.
  virtual uint64_t exchange_size() const = 0;
  // Whether the address lies in the own window or buffer, if there is one by now. Cheap.
  virtual bool InOwnWindow(const void* address) const = 0;

  // For a window without a base: brings the message to the rank, which checks it against its
  // window, awaits the guard, stores the pieces and then each word with release. Does not wait: the
  // data have been copied when there is a ticket, and the same call is to be made again later when
  // it is 0. Messages with the same guard are stored in the order in which they were taken.
  virtual Status Send(uint32_t rank, const WindowMessage& message, uint64_t* ticket) = 0;
  // Whether the rank has received the message of this ticket; moves messages on.
  virtual bool Delivered(uint32_t, uint64_t) { return true; }
  // Moves messages on as far as nothing has to be awaited. Tasks that wait call it between looks.
  virtual void Progress() {}

  // The first failure of the group, after which nothing moves: names the rank, and leaves its
  // message each time. Cheap while there is none; tasks that wait ask between looks.
  virtual Status Failure() const = 0;
  // Makes this the first failure, of all ranks, if there is none: others wait for what will not
  // come.
  virtual void Abort(const std::string& text) = 0;
  // Fails the group if this rank, which is awaited, has left it and so will not come. Cheap, as
  // Failure. kAnyRank: if all others have.
  static constexpr uint32_t kAnyRank = UINT32_MAX;
  virtual Status Missing(uint32_t) { return {}; }

  // "rank 1 on host-a (process 7)", for messages.
  virtual std::string NameOf(uint32_t rank) const { return "rank " + std::to_string(rank); }

  // A task at work in the group's memory, which is not taken away under it.
  class Task {
   public:
    explicit Task(RankGroup& group) : group_(group) { ++group_.tasks_; }
    ~Task() { --group_.tasks_; }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    RankGroup& group_;
  };
  bool at_work() const { return tasks_ != 0; }

  // Takes the exchange area for an operator's task: its calls have the same order on all ranks, so
  // there is one at a time. Who has it, if another one has.
  const char* TakeExchange(const char* api) {
    const char* other = nullptr;
    exchanging_.compare_exchange_strong(other, api);
    return other;
  }
  void GiveExchange() { exchanging_ = nullptr; }

 private:
  std::atomic<const char*> exchanging_{nullptr};
  std::atomic<int> tasks_{0};
};

}  // namespace anyacl

#pragma GCC visibility push(default)
extern "C" {

// Makes the group known under its name on a device: ranks that are threads of one process have one
// name and several devices. Returns a code; a name that is taken fails.
int anyaclRegisterRankGroup(int32_t device, const std::shared_ptr<anyacl::RankGroup>& group);
void anyaclUnregisterRankGroup(const anyacl::RankGroup* group);

// The group of this name, the value of `argument`, on the device of the calling thread. Returns a
// code; a failure has left its message.
int anyaclFindRankGroup(const char* argument, const char* name,
                        std::shared_ptr<anyacl::RankGroup>* group);

// The group in whose own window the address lies; false if there is none.
bool anyaclFindWindowGroup(const void* address, std::shared_ptr<anyacl::RankGroup>* group);

// What the task in this thread has failed with, in words, for the ranks that wait for it; empty
// where nothing has failed.
void anyaclTaskFailure(std::string* text);
}
#pragma GCC visibility pop
