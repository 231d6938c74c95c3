// SPDX-License-Identifier: Apache-2.0
// Communicator: the ranks that talk to each other, as one of them sees them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "acl/acl_base.h"
#include "base/status.h"
#include "hccl/engine.h"
#include "hccl/environment.h"
#include "hccl/hccl_types.h"
#include "hccl/join.h"
#include "runtime/handle_table.h"
#include "runtime/rank_group.h"
#include "runtime/task.h"

namespace anyacl::hccl {

class Exchange;
class WindowGroup;

// What a client sets of a communicator, with the environment for what it does not.
struct Config {
  std::string name;  // empty: made from the root info
  std::optional<std::chrono::milliseconds> execute_timeout;
  uint32_t expansion_mode = 0;      // of devices; kept for who reads it back
  std::string algorithm;            // the same
  uint64_t buffer_megabytes = 200;  // of each half of the buffer
};

// A message between this rank and another one, apart from collectives.
struct PairMessage {
  uint32_t peer = 0;
  bool receives = false;
  void* data = nullptr;
  size_t bytes = 0;
  uint64_t label = 0;
  uint64_t number = 0;  // among those of the pair in this direction; drawn by Submit
};

// One operation of a communicator: how its messages are labelled, what messages say of it, what it
// does.
struct Work {
  // What messages say of it; of a collective the same on all ranks.
  struct Call {
    const char* api = nullptr;           // lives forever
    std::optional<uint64_t> count = {};  // elements or, without a type, messages
    std::optional<HcclDataType> type = {};
    std::optional<HcclReduceOp> op = {};
    std::optional<uint32_t> root = {};
    std::optional<uint32_t> peer = {};
    std::string arguments = {};  // of an operator

    // "HcclReduce of 8 float32, sum, root 1"
    std::string Text() const;
  };
  Call call;
  uint64_t label = 0;  // in the tags of its messages: operation, type and reduction
  std::function<Status(Exchange&)> collective;  // if it is one
  std::vector<PairMessage> pairs;               // if it is not
  // Of an operator: computes, and calls collectives.
  std::function<Status(RankCollectives&, const StopToken&)> computation = {};

  // All ranks take part.
  bool IsOfAll() const { return collective != nullptr || computation != nullptr; }
};

class Communicator;

// An operation of a communicator, and its number there.
struct OperationPart {
  std::shared_ptr<Communicator> communicator;
  Work work;
  uint64_t number = 0;  // drawn by Submit
};

class Communicator : public std::enable_shared_from_this<Communicator> {
 public:
  // Waits until all ranks are there.
  static Status Create(const RootInfo& root, uint32_t rank, uint32_t ranks, const Config& config,
                       const Environment& environment, std::shared_ptr<Communicator>* made);
  ~Communicator();

  int32_t device() const { return device_; }
  uint32_t rank() const { return rank_; }
  uint32_t ranks() const { return ranks_; }
  const std::string& name() const { return config_.name; }
  const Config& config() const { return config_; }
  const std::vector<Member>& members() const { return members_; }
  Engine& engine() { return *engine_; }
  // "rank 1 on host-a"
  std::string NameOf(uint32_t rank) const;

  // Appends the operation to the stream; its number among the communicator's is drawn now, so the
  // order of calls is the order on every rank.
  Status Submit(Work work, aclrtStream stream);
  // The same of one task that is an operation of two communicators: its place in the order of both
  // is taken at once, so that two of them never stand in different orders.
  static Status Submit(std::vector<OperationPart> parts, aclrtStream stream);

  // The first failure, which is for ever.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  Failure failure() const;
  // Makes it the first failure if there is none, and tells the other ranks.
  void Abort(HcclResult code, const std::string& text);
  // Leaves the failure's message; `acl` makes the code one of a stream's task.
  Status FailAsBefore(bool acl) const;
  // Takes in what the root says.
  void Hear();
  // A rank has said itself that it leaves.
  void NoteLeft(uint32_t rank);
  // Why a rank is not there any more, if it is not.
  std::optional<Failure> Gone(uint32_t rank) const;
  // Why one of the ranks ended without leaving, if one did.
  std::optional<Failure> AnyLost() const;
  Control& control() { return control_; }

  // A communicator of another process, before a fork, is none here.
  Status CheckProcess() const;
  bool suspended() const { return suspended_; }
  void Suspend(bool suspend) { suspended_ = suspend; }

  // The first of `members` passes on a root info to the others.
  Status PassRootInfo(HcclRootInfo* root, const std::vector<uint32_t>& members, uint64_t id,
                      std::chrono::milliseconds timeout);

  // Windows of this communicator's memory; as operators see it.
  WindowGroup& windows() { return *windows_; }

  // Ends it: what runs is given 200 ms after its last message.
  void Destroy();

  // Memory for an operation's own use; kept for the next one.
  class Scratch {
   public:
    Scratch(Communicator& communicator, size_t bytes);
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    char* data() { return bytes_.get(); }
    // Leaves the memory to whoever may still write it.
    void Abandon() { static_cast<void>(bytes_.release()); }

   private:
    Communicator& communicator_;
    size_t size_ = 0;
    std::unique_ptr<char[]> bytes_;
  };

 private:
  friend class OperationTask;
  friend class Exchange;
  friend class WindowGroup;

  Communicator() = default;
  // Of Submit: whether all of them take operations.
  static Status CheckOpen(std::span<const OperationPart> parts);
  Status Open(const RootInfo& root, const Environment& environment);
  Status Greet(std::chrono::milliseconds timeout);

  int32_t device_ = 0;
  int64_t process_ = 0;
  uint32_t rank_ = 0;
  uint32_t ranks_ = 0;
  Config config_;
  std::vector<Member> members_;
  std::shared_ptr<WindowGroup> windows_;  // outlives the engine, which still ends its messages
  std::unique_ptr<Engine> engine_;
  Control control_;

  std::mutex order_;  // numbers are drawn and tasks appended in one order
  // The next one of each kind; of pairs by peer.
  struct Numbers {
    uint64_t collective = 0;
    std::vector<uint64_t> sends;
    std::vector<uint64_t> receives;
  };
  Numbers in_streams_;
  Numbers in_graphs_;
  Numbers& Next(bool in_graph) { return in_graph ? in_graphs_ : in_streams_; }

  mutable std::mutex state_;
  std::optional<Failure> failure_;
  std::vector<std::optional<Failure>> gone_;
  std::optional<Failure> lost_;
  std::atomic<bool> failed_{false};
  bool left_ = false;  // destroyed without a failure
  std::vector<std::pair<size_t, std::unique_ptr<char[]>>> scratch_;

  std::atomic<bool> served_{false};  // a thread of the windows drives the engine as well
  std::atomic<bool> suspended_{false};
  std::atomic<int> outstanding_{0};  // operations that wait in streams or run
  std::atomic<int> running_{0};      // exchanges: of them, of calls that wait for other ranks
  std::atomic<uint64_t> beats_{0};   // grows while they get on
  std::atomic<uint64_t> looks_{0};   // and with each look of theirs for what may have come
};

using CommunicatorTable = HandleTable<Communicator, HandleKind::kCommunicator>;
CommunicatorTable& Communicators();

}  // namespace anyacl::hccl
