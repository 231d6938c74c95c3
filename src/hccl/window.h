// SPDX-License-Identifier: Apache-2.0
// Windows: memory of a rank that others write. Where a process can map another one's memory it
// stores itself; else messages bring the bytes, and the receiver stores them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "hccl/buffer.h"
#include "hccl/communicator.h"
#include "runtime/rank_group.h"

namespace anyacl::hccl {

// Memory of another process, mapped here until this ends.
class ImportedMemory {
 public:
  // Null if it cannot be mapped.
  static std::shared_ptr<ImportedMemory> Import(int32_t device, const std::string& key);
  ~ImportedMemory();
  ImportedMemory(const ImportedMemory&) = delete;
  ImportedMemory& operator=(const ImportedMemory&) = delete;

  const std::string& key() const { return key_; }
  char* base() const { return static_cast<char*>(base_); }

 private:
  explicit ImportedMemory(const std::string& key) : key_(key) {}

  const std::string key_;
  void* base_ = nullptr;
};

// Memory of one rank and, by rank, what its peers said of theirs.
struct MemoryWindow {
  const void* group = nullptr;  // the WindowGroup that it belongs to
  char* base = nullptr;
  uint64_t size = 0;
  std::string key;  // under which other processes may map it; empty: they cannot
  struct Peer {
    bool known = false;
    bool maps = false;  // it can map this rank's memory
    RankWindow window;
    std::shared_ptr<ImportedMemory> memory;  // null: none was mapped
  };
  std::vector<Peer> peers;
  // What peers told before: tasks may still write there.
  std::vector<std::shared_ptr<ImportedMemory>> earlier;

  ~MemoryWindow();
};

// What a rank says to others of its memory, or of theirs: a message of one byte.
enum class WindowNotice : char {
  kRegistered,    // it has a window, for those with whom it exchanges it
  kDeregistered,  // its buffer is its window
  kUnmapped,      // it writes to the receiver's buffer by messages
  kLeft,          // it leaves in good order, for those who wait and may have no root to tell them
};

using WindowTable = HandleTable<MemoryWindow, HandleKind::kWindow>;
// Symmetric windows, which clients have handles of.
WindowTable& MemoryWindows();

// A communicator as operators see it: the window that was registered for them, the buffer that is
// made when one is needed, and messages to those of others.
class WindowGroup final : public RankGroup, public std::enable_shared_from_this<WindowGroup> {
 public:
  explicit WindowGroup(const std::shared_ptr<Communicator>& communicator);
  ~WindowGroup() override;

  // HcclCommRegister: one window, whose handle is the group's.
  Status Register(void* address, uint64_t size, void** handle);
  // False if the handle is none.
  bool Deregister(const void* handle);
  Status Share(const void* handle, std::span<const uint32_t> peers);

  // HcclCommSymWin*: any number of them, shared with all ranks.
  Status RegisterSymmetric(void* address, uint64_t size, std::shared_ptr<MemoryWindow>* window);

  // HcclGetHcclBuffer: the half of the own buffer that programs may write.
  Status OwnBuffer(void** address, uint64_t* size);

  // Takes in what others have sent for the window and the buffer; false if there was nothing. Any
  // thread.
  bool Serve();
  // A task that polls has served it within the last 0.1 ms, and goes on: a second thread would only
  // take its CPU.
  bool served_by_task() const;
  // Messages that have come wait for their guards.
  bool blocked() const { return blocked_; }
  std::shared_ptr<Communicator> communicator() const { return communicator_.lock(); }
  // No operator finds it any more, and nothing is stored into its memory.
  void Close();

  const std::string& name() const override { return name_; }
  uint32_t rank() const override { return rank_; }
  uint32_t size() const override { return size_; }
  // In operator_call.cc, with what it needs.
  Status Submit(RankCall call, aclrtStream stream) override;
  Status Window(uint32_t rank, RankWindow* window) override;
  Status ExchangeArea(uint32_t rank, RankWindow* window) override { return Half(rank, 1, window); }
  uint64_t exchange_size() const override { return half_; }
  bool InOwnWindow(const void* address) const override;
  Status Send(uint32_t rank, const WindowMessage& message, uint64_t* ticket) override;
  bool Delivered(uint32_t rank, uint64_t ticket) override;
  void Progress() override;
  Status Failure() const override;
  void Abort(const std::string& text) override;
  Status Missing(uint32_t rank) override;
  std::string NameOf(uint32_t rank) const override;

 private:
  // Of Submit: the communicator, unless it has ended.
  Status FindOpen(std::shared_ptr<Communicator>* found) const;
  bool Ended() const;

  // Of a message. The last ones are kept: new pages would take a third of a message's time.
  struct Block {
    char* data() const { return bytes.get(); }
    std::unique_ptr<char[]> bytes;
    size_t room = 0;
  };
  Block TakeBlock(size_t size);
  void KeepBlock(Block block);

  // What another rank has told of its buffer.
  struct PeerBuffer {
    bool known = false;
    bool told = false;
    bool registered = false;  // it has a window, which is not its buffer
    std::string telling;
    std::shared_ptr<BufferMemory> memory;  // null: it takes messages
    uint64_t half = 0;
  };
  struct Outgoing {
    Transfer transfer;
    uint32_t rank = 0;
    uint64_t ticket = 0;
    Block bytes;
    bool awaited = false;  // somebody counts on it
    size_t weight = 0;     // in under_way_: of the last part, the whole message's
  };
  struct Incoming {
    size_t weight() const { return sizeof(Incoming) + bytes.room; }
    Transfer transfer;
    uint32_t source = 0;
    uint64_t label = 0;
    Block bytes;
    size_t size = 0;
    bool checked = false;
    bool stale = false;  // its window has been taken away
  };
  // Source, label and guard: messages that are alike in these are stored in their order.
  using Row = std::tuple<uint32_t, uint64_t, uint64_t>;

  Status ShareWith(MemoryWindow* window, std::span<const uint32_t> peers);
  // A thread takes in what comes for the memory while no task waits.
  void ServeApart(Communicator& communicator);
  // With the lock held.
  void Notify(Communicator& communicator, uint32_t rank, WindowNotice notice);
  void NotifyAll(WindowNotice notice);
  Status MakeBuffer(Communicator& communicator);
  Status FindPeerBuffer(Communicator& communicator, uint32_t rank);
  void Post(Communicator& communicator, uint32_t rank, uint64_t label, Block bytes, size_t size,
            Engine::End end, size_t weight);
  Block Pack(const WindowMessage& part, const std::vector<uint64_t>& from, size_t total);
  Status Half(uint32_t rank, uint64_t which, RankWindow* window);
  void EndTasks();
  void TellLeaving(Communicator& communicator);
  // Why a rank will not come any more, by the root's word or because the connection to it broke.
  std::optional<hccl::Failure> Gone(Communicator& communicator, uint32_t rank) const;
  void LookForLost(Communicator& communicator, int64_t now) const;
  void MakeBufferOf(const Communicator& communicator, uint32_t rank);
  void Reap(Communicator& communicator);
  bool TakeIn(Communicator& communicator);
  std::optional<Engine::Message> NextMessage(Engine& engine) const;
  // More than any message of this label has.
  size_t MostBytes(uint64_t label) const;
  static Row RowOf(const Incoming& message);
  // One of the list, which it leaves; false if its guard has it wait.
  bool StoreOne(Communicator& communicator, std::list<Incoming>* from,
                std::list<Incoming>::iterator at);
  enum class Outcome { kStored, kBlocked, kBad, kLost };
  Outcome Store(Incoming& message);

  const std::weak_ptr<Communicator> communicator_;
  const std::string name_;
  const uint32_t rank_;
  const uint32_t size_;

  mutable std::mutex mutex_;
  std::shared_ptr<MemoryWindow> window_;
  std::atomic<uintptr_t> begin_{0};  // of the own window, for InOwnWindow
  std::atomic<uintptr_t> end_{0};
  const uint64_t half_;  // of the buffer, in bytes
  std::shared_ptr<BufferMemory> buffer_;
  std::vector<PeerBuffer> buffers_;  // by rank
  std::atomic<uintptr_t> buffer_begin_{0};
  std::mutex sharing_;            // one exchange at a time
  std::vector<uint64_t> shared_;  // by peer: how often, for the messages' numbers
  std::list<Outgoing> outgoing_;
  std::vector<size_t> under_way_;               // bytes, by rank
  std::vector<uint64_t> sent_;                  // messages, by rank
  std::list<Incoming> incoming_;                // in the order in which they came
  std::map<Row, std::list<Incoming>> waiting_;  // for their guards
  std::vector<size_t> held_;                    // bytes of both, by rank
  std::deque<Block> kept_;
  size_t kept_room_ = 0;  // of all of them
  std::atomic<bool> blocked_{false};
  std::atomic<int64_t> polled_{0};  // when a task did, in ns
  mutable std::atomic<int64_t> heard_{0};
  mutable std::atomic<int64_t> looked_{0};
  mutable std::vector<std::atomic<bool>> broken_;  // by rank: at the last look
  std::vector<std::atomic<int64_t>> missed_;  // by rank: when it was awaited though it had left
  std::atomic<bool> closed_{false};
};

}  // namespace anyacl::hccl
