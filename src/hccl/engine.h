// SPDX-License-Identifier: Apache-2.0
// Engine: what carries messages between the ranks of one communicator. The one on UCX is a library
// of its own (ucx/), tests have one in memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace anyacl::hccl {

// One message under way. Its owner keeps it, and the bytes, where they are until it has ended.
struct Transfer {
  enum class State : int { kUnderWay, kDone, kFailed };

  bool ended() const { return state.load(std::memory_order_acquire) != State::kUnderWay; }

  std::atomic<State> state{State::kUnderWay};
  size_t size = 0;          // received: the message's, even if it did not fit
  bool truncated = false;   // received: more than there was room for
  void* request = nullptr;  // the engine's own
};

class Engine {
 public:
  virtual ~Engine() = default;

  // What other ranks need to reach this one.
  virtual const std::string& address() const = 0;
  // By rank; connections are made with the first messages.
  virtual Status Connect(const std::vector<std::string>& addresses) = 0;

  // When a message that is sent has ended.
  enum class End {
    kSent,   // the bytes may be overwritten
    kTaken,  // and the receiver has begun to receive: many such messages never pile up there
  };
  // Messages of one tag from one rank arrive in the order in which they were sent.
  virtual void Send(uint32_t rank, uint64_t tag, const void* data, size_t size, End end,
                    Transfer* transfer) = 0;
  // Takes the next message of the tag.
  virtual void Receive(uint64_t tag, void* data, size_t size, Transfer* transfer) = 0;
  struct Message {
    uint64_t tag;
    size_t size;
  };
  // A message that has come, that nobody receives yet and whose tag equals `tag` in the bits of
  // `mask`.
  virtual std::optional<Message> Unexpected(uint64_t tag, uint64_t mask) = 0;
  // Frees what the engine keeps for a transfer that has ended.
  virtual void Release(Transfer* transfer) = 0;

  // Moves things on, in any thread; false if there was nothing to do.
  virtual bool Progress() = 0;
  // Becomes readable when there is something to do, once Arm has said true.
  virtual int event() const = 0;
  virtual bool Arm() = 0;
  // Ends when everything sent before has left this process.
  virtual void Flush(Transfer* transfer) = 0;

  // Whether the connection to a rank is lost.
  virtual bool Lost(uint32_t rank) const = 0;
  // Nothing is sent or received any more; what is under way fails, after some Progress, but for
  // what is being received, which wants to be cancelled. Not in a callback of the engine.
  virtual void Abort() = 0;
  virtual void Cancel(Transfer* transfer) = 0;
};

// The engine on UCX for one more communicator of this process, from libanyacl_hccl_ucx.so.
Status MakeEngine(std::unique_ptr<Engine>* engine);

}  // namespace anyacl::hccl
