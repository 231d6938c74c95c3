// SPDX-License-Identifier: Apache-2.0
#include "ops/ranks/windows.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "acl/acl_base.h"
#include "aclnn/opdev/op_errno.h"

namespace anyacl::ranks {
namespace {

using Finder = Status (RankGroup::*)(uint32_t, RankWindow*);

// Until a rank has told its memory.
class WindowPoll {
 public:
  WindowPoll(RankGroup& group, Finder finder, uint32_t rank, RankWindow* window)
      : group_(group), finder_(finder), rank_(rank), window_(window) {}

  bool Running() const { return true; }
  // True at a failure, too.
  bool Poll() {
    status_ = (group_.*finder_)(rank_, window_);
    return !status_.ok() || window_->size != 0;
  }
  Status status() const { return status_; }
  uint32_t Awaited() const { return rank_; }
  Status Expire(const Waiter& waiter) const {
    return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
                "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; {} of "
                "communicator \"{}\" has not told its buffer: it calls no operator that needs one",
                waiter.waited_us(), group_.NameOf(rank_), group_.name());
  }

 private:
  RankGroup& group_;
  const Finder finder_;
  const uint32_t rank_;
  RankWindow* const window_;
  Status status_;
};

// Sends messages as the group takes them, and sees them off: a thread that would have to be woken
// for that takes 20 us longer. Each poll asks for the message of another rank, so that none hides
// that another rank has gone.
class SendPoll {
 public:
  SendPoll(RankGroup& group, std::span<const RankMessage> messages) : group_(group) {
    for (const RankMessage& message : messages) open_.push_back({&message});
  }

  bool Running() const { return true; }
  // True at a failure, too.
  bool Poll() {
    while (!open_.empty()) {
      next_ %= open_.size();
      Open& one = open_[next_];
      const RankMessage& m = *one.message;
      if (one.ticket != 0 && group_.Delivered(m.rank, one.ticket)) {
        // What is lost is not under way any more, either.
        status_ = group_.Failure();
        if (!status_.ok()) return true;
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(next_));
        continue;
      }
      ++next_;
      if (one.ticket == 0) {
        status_ = group_.Send(m.rank, {m.guard, m.pieces, m.words, m.to_buffer}, &one.ticket);
        if (!status_.ok()) return true;
        if (one.ticket != 0) continue;
      }
      awaited_ = m.rank;
      return false;
    }
    return true;
  }
  Status status() const { return status_; }
  uint32_t Awaited() const { return awaited_; }
  Status Expire(const Waiter& waiter) const {
    return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
                "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; {} of "
                "communicator \"{}\" has not taken {} message",
                waiter.waited_us(), group_.NameOf(awaited_), group_.name(),
                std::any_of(open_.begin(), open_.end(), [](const Open& o) { return o.ticket == 0; })
                    ? "an earlier"
                    : "the");
  }

 private:
  // What has not been received.
  struct Open {
    const RankMessage* message;
    uint64_t ticket = 0;  // 0: the group has not taken it
  };

  RankGroup& group_;
  std::vector<Open> open_;
  size_t next_ = 0;
  uint32_t awaited_ = 0;
  Status status_;
};

Status Find(Waiter& waiter, RankGroup& group, Finder finder, uint32_t rank, uint64_t needed,
            RankWindow* window) {
  WindowPoll poll(group, finder, rank, window);
  if (Status s = Await(waiter, poll); !s.ok()) return s;
  if (!poll.status().ok()) return poll.status();
  if (window->size < needed) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the window of {} in communicator \"{}\" has {} bytes, expected at least the {} of "
                "the tables{}",
                group.NameOf(rank), group.name(), window->size, needed,
                window->in_buffer ? " (HCCL_BUFFSIZE)" : "");
  }
  if (reinterpret_cast<uintptr_t>(window->base) % alignof(int32_t) != 0) {
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "the window of {} in communicator \"{}\" is at {}, expected a multiple of {}",
                group.NameOf(rank), group.name(), static_cast<const void*>(window->base),
                alignof(int32_t));
  }
  return {};
}

}  // namespace

Status FindGroup(const Operands& operands, int group, int world_size,
                 std::shared_ptr<RankGroup>* found) {
  constexpr size_t kMaxName = 128;
  const char* name = operands.Text(group);
  const char* row = operands.NameOf(group);
  const size_t length = ::strnlen(name, kMaxName);
  if (length == 0) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is empty, expected a communicator's name", row);
  }
  if (length >= kMaxName) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} has {} bytes or more, expected less", row, kMaxName);
  }
  const int code = operands.spec().codes.shape;
  if (anyaclFindRankGroup(row, name, found) != 0) return Replay(code);
  if (!operands.Given(world_size) || (*found)->size() == operands.Int(world_size)) return {};
  return Fail(code, "{} is {}, expected the {} ranks of \"{}\"", operands.NameOf(world_size),
              operands.Int(world_size), (*found)->size(), (*found)->name());
}

Status FindWindow(Waiter& waiter, RankGroup& group, uint32_t rank, uint64_t needed,
                  RankWindow* window) {
  return Find(waiter, group, &RankGroup::Window, rank, needed, window);
}

Status FindExchangeArea(Waiter& waiter, RankGroup& group, uint32_t rank, uint64_t needed,
                        RankWindow* window) {
  return Find(waiter, group, &RankGroup::ExchangeArea, rank, needed, window);
}

void RankMessage::Address(uint32_t to, const RankWindow& window) {
  rank = to;
  to_buffer = window.in_buffer;
  if (guard != WindowMessage::kNoGuard) guard += window.offset;
  for (WindowMessage::Piece& piece : pieces) piece.offset += window.offset;
  for (WindowMessage::Word& word : words) word.offset += window.offset;
}

Status SendAll(Waiter& waiter, RankGroup& group, std::span<const RankMessage> messages) {
  SendPoll poll(group, messages);
  if (Status s = Await(waiter, poll); !s.ok()) return s;
  return poll.status();
}

float Quantise(const float* v, int64_t count, char* y) {
  // Of the bits without sign the order is that of magnitudes, and NaNs are the largest.
  uint32_t largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::bit_cast<uint32_t>(v[i]) & 0x7fffffffu);
  }
  const float most = std::bit_cast<float>(largest);
  const float factor = most > 0.0f ? 127.0f / most : 0.0f;
  // Adding it leaves the nearest integer, half to even, in the lower bits.
  constexpr float kRound = 0x1.8p23f;
  for (int64_t i = 0; i < count; ++i) {
    float scaled = v[i] * factor;
    scaled = scaled == scaled ? std::clamp(scaled, -127.0f, 127.0f) : 0.0f;
    y[i] = static_cast<char>(static_cast<int32_t>((scaled + kRound) - kRound));
  }
  return most == 0.0f ? 0.0f : 1.0f / (127.0f / most);
}

}  // namespace anyacl::ranks
