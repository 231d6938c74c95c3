// SPDX-License-Identifier: Apache-2.0
// Exchange: the messages of one run of an operation. What it does is written in plain order: post
// some, wait for them, compute. Waiting drives the engine, and ends early when the stream is
// stopped, the time is over, a rank that is waited for is lost, or the communicator has failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

#include "hccl/communicator.h"

namespace anyacl::hccl {

// The bits of a message's tag. Ranks that call different things differ in the label.
struct Tag {
  static constexpr int kLabelBits = 12;  // operation 5, type 5, reduction 2
  static constexpr int kStepBits = 6;
  static constexpr int kNumberBits = 32;
  static constexpr int kClassBits = 2;
  enum Class : uint64_t { kCollective, kPair, kReplay, kWindow };
  static constexpr uint32_t kMaxSource = 4095;
  static constexpr uint64_t kLabelMask = (uint64_t{1} << kLabelBits) - 1;

  // The source and the class.
  static constexpr uint64_t kPairMask =
      ~((uint64_t{1} << (kNumberBits + kStepBits + kLabelBits)) - 1);

  static uint32_t SourceOf(uint64_t tag) { return static_cast<uint32_t>(tag >> 52); }

  static uint64_t Make(uint32_t source, Class kind, uint64_t number, uint32_t step,
                       uint64_t label) {
    uint64_t tag = source;
    tag = tag << kClassBits | kind;
    tag = tag << kNumberBits | (number & UINT32_MAX);
    tag = tag << kStepBits | step;
    return tag << kLabelBits | label;
  }
};

class Exchange {
 public:
  // `stop` may be null: nothing but time and failures end it early. `replay` counts the runs of an
  // operation in a graph, whose number is one of those in graphs.
  Exchange(Communicator& communicator, const Work& work, uint64_t number, const StopToken* stop,
           std::optional<std::chrono::milliseconds> timeout, std::optional<uint32_t> replay = {});
  // Whatever is still under way has been ended, or is left to itself with its memory.
  ~Exchange();

  Communicator& communicator() { return communicator_; }
  uint32_t rank() const { return communicator_.rank(); }
  uint32_t ranks() const { return communicator_.ranks(); }

  // Messages of a collective: both sides name the same step, below 64. In one step messages of a
  // pair arrive in their order.
  void Send(uint32_t to, uint32_t step, const void* data, size_t bytes,
            Engine::End end = Engine::End::kSent);
  void Receive(uint32_t from, uint32_t step, void* data, size_t bytes);
  void Pass(const PairMessage& message);

  // How many have been posted so far.
  size_t posted() const { return first_ + posts_.size(); }
  // Waits for the first `count` ever posted.
  Status WaitFor(size_t count);
  Status WaitForAll() { return WaitFor(posted()); }
  // At the end: nothing of this rank's is left to be sent.
  Status Finish();

  // Its failures are its own: they leave the communicator as it is.
  void FailAlone() { alone_ = true; }
  // Another rank passes other arguments, in what `difference` says.
  Status FailByArguments(uint32_t peer, const std::string& difference);

  // Memory that lives as long as messages may use it.
  char* Scratch(size_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  struct Post {
    Transfer transfer;
    uint32_t peer = 0;
    bool receives = false;
    uint64_t tag = 0;
    size_t bytes = 0;
  };

  uint64_t MakeTag(uint32_t source, uint32_t step) const;
  Post& Add(uint32_t peer, bool receives, uint64_t tag, size_t bytes);
  // Whether the oldest post has ended; forgets it if it has, and well.
  bool TakeOldest(Status* status);
  Status Judge(const Post& post);
  // Why it makes no sense to wait any more: no message of this exchange has ended since `since`,
  // and nothing at all has moved since `quiet`.
  Status LookForReasons(size_t count, Clock::time_point now, Clock::time_point since,
                        Clock::time_point quiet);
  std::string Missing() const;
  Status Give(HcclResult code, const std::string& text);
  void Sleep(Clock::duration waited);
  void EndAll();

  Communicator& communicator_;
  Engine& engine_;
  const Work& work_;
  const std::optional<uint32_t> replay_;
  const uint64_t number_;
  const StopToken* const stop_;
  const std::optional<std::chrono::milliseconds> timeout_;
  const Clock::time_point begin_;
  size_t first_ = 0;  // posts that have been waited for and forgotten
  std::deque<Post> posts_;
  std::deque<Communicator::Scratch> scratch_;
  bool told_ = false;   // the root knows what this rank waits in
  bool alone_ = false;  // it fails without the communicator
};

}  // namespace anyacl::hccl
