// SPDX-License-Identifier: Apache-2.0
// The tasks of both schedulers: check the context, wait until enough flags are up, take what they
// announce.
#include <cstdlib>
#include <string_view>

#include "acl/acl_base.h"
#include "ops/ffn_worker_scheduler/busy_contexts.h"
#include "ops/ffn_worker_scheduler/op.h"
#include "ops/ffn_worker_scheduler/waiter.h"
#include "runtime/exports.h"

namespace anyacl::ffn_worker_scheduler {
namespace {

// Read once, at the first call.
struct Options {
  bool spin = false;  // ANYACL_POLL=spin: a core of its own for every waiting call
  bool fair = false;  // ANYACL_FAIR_GROUPS=1

  static const Options& Get() {
    static const Options options = [] {
      Options read;
      read.spin = IsChosen("ANYACL_POLL", "spin", "backoff");
      read.fair = IsChosen("ANYACL_FAIR_GROUPS", "1", "0");
      return read;
    }();
    return options;
  }

 private:
  static bool IsChosen(const char* name, std::string_view chosen, std::string_view other) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0' || value == other) return false;
    if (value == chosen) return true;
    Warn("{} is \"{}\", expected {} or {}; ignored", name, value, chosen, other);
    return false;
  }
};

bool IsRunning(const ScheduleContext* context) {
  return __atomic_load_n(&context->control.run_flag, __ATOMIC_ACQUIRE) != 0;
}

Status Stopped() {
  return Fail(ACL_ERROR_RT_STREAM_ABORT, "the stream was aborted or its device reset");
}

Status Expired(const Waiter& waiter, uint64_t session, uint64_t micro_batch, int32_t flag) {
  return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
              "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
              "missing is session {}, micro batch {} with flag {}, expected {}",
              waiter.waited_us(), session, micro_batch, flag, kReady);
}

// All sessions' slots of the one micro batch that is due.
class AllSyncPoll {
 public:
  AllSyncPoll(const FfnCall& call, ScheduleContext* context) : call_(call), context_(context) {}

  // True once everything was taken.
  bool Poll() {
    const Window& window = call_.window;
    // A flag that is up stays up until this call takes it down, so a poll looks at one line only.
    cursor_ = SkipReady(window, call_.polling_index, cursor_, window.sessions);
    if (cursor_ < window.sessions) return false;
    Take(window, call_.outputs, call_.polling_index, 0, window.sessions, 0);
    taken_ = window.sessions;
    const uint64_t next = (call_.polling_index + 1) % window.micro_batches;
    __atomic_store_n(&context_->ffn.polling_index, next, __ATOMIC_RELAXED);
    return true;
  }
  uint64_t taken() const { return taken_; }

  Status Expire(const Waiter& waiter) const {
    const unsigned char* slot = call_.window.Slot(cursor_, call_.polling_index);
    return Expired(waiter, cursor_, call_.polling_index, LoadFlag(slot));
  }

 private:
  const FfnCall& call_;
  ScheduleContext* const context_;
  uint64_t cursor_ = 0;  // the first session whose flag has not been seen up
  uint64_t taken_ = 0;   // sessions
};

// Of every group the first micro batch that all its sessions have delivered.
class GroupPoll {
 public:
  GroupPoll(const FfnCall& call, ScheduleContext* context, bool fair)
      : call_(call), context_(context), fair_(fair) {}

  bool Poll() {
    const Window& window = call_.window;
    for (uint64_t first = 0; first < window.sessions; first += call_.group_size) {
      TakeGroup(first);
    }
    if (taken_ == 0) return false;
    if (fair_) {
      const uint64_t next = (call_.polling_index + 1) % window.micro_batches;
      __atomic_store_n(&context_->ffn.polling_index, next, __ATOMIC_RELAXED);
    }
    return true;
  }
  uint64_t taken() const { return taken_; }

  Status Expire(const Waiter& waiter) const {
    const uint64_t session = SkipReady(call_.window, 0, 0, call_.group_size);
    // The last poll missed a flag here; it may have come up since.
    if (session == call_.group_size) return Expired(waiter, 0, 0, kReady);
    return Expired(waiter, session, 0, LoadFlag(call_.window.Slot(session, 0)));
  }

 private:
  // The lowest micro batch goes first, as on the device; a worker that is slower than its producers
  // then never sees the highest. Fair calls begin with polling_index, which moves on with every
  // call, so that a complete micro batch is taken at the latest by the micro_batches-th call.
  void TakeGroup(uint64_t first) {
    const Window& window = call_.window;
    const uint64_t end = first + call_.group_size;
    uint64_t m = fair_ ? call_.polling_index : 0;
    for (uint64_t i = 0; i < window.micro_batches; ++i) {
      if (SkipReady(window, m, first, end) == end) {
        Take(window, call_.outputs, m, first, call_.group_size, taken_);
        taken_ += call_.group_size;
        return;
      }
      if (++m == window.micro_batches) m = 0;
    }
  }

  const FfnCall& call_;
  ScheduleContext* const context_;
  const bool fair_;
  uint64_t taken_ = 0;  // sessions
};

// Polls until the poll succeeds or somebody ends it; without success nothing has been taken.
template <class Poller>
Status PollUntilTaken(ScheduleContext* context, const StopToken& stop, Poller& poller) {
  Waiter waiter(stop, anyaclOpExecuteTimeoutUs(), Options::Get().spin);
  while (IsRunning(context)) {
    if (poller.Poll()) break;
    switch (waiter.Wait()) {
      case Waiter::Verdict::kPollAgain:
        break;
      case Waiter::Verdict::kStopped:
        return Stopped();
      case Waiter::Verdict::kExpired:
        return poller.Expire(waiter);
    }
  }
  return {};
}

template <class Poller>
Status RunFfn(ScheduleContext* context, const StopToken& stop, Poller poller) {
  uint32_t* const out_num = &context->ffn.out_num;
  // Release: whoever sees the 0 may write to the context, which has been read.
  __atomic_store_n(out_num, 0, __ATOMIC_RELEASE);
  if (Status s = PollUntilTaken(context, stop, poller); !s.ok()) return s;
  // Release: a client that watches out_num instead of the stream finds the buffers complete.
  __atomic_store_n(out_num, static_cast<uint32_t>(poller.taken()), __ATOMIC_RELEASE);
  return {};
}

class FfnPlan final : public Plan {
 public:
  FfnPlan(int64_t offset, int32_t sync_group_size)
      : offset_(offset), sync_group_size_(sync_group_size) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    auto* context = reinterpret_cast<ScheduleContext*>(bindings.data[kContextSlot] + offset_);
    ContextHold hold;
    if (Status s = hold.Acquire(context); !s.ok()) return s;
    FfnCall call;
    if (Status s = ReadFfnCall(context, sync_group_size_, &call); !s.ok()) return s;
    if (call.all_sync()) return RunFfn(context, stop, AllSyncPoll(call, context));
    return RunFfn(context, stop, GroupPoll(call, context, Options::Get().fair));
  }

 private:
  const int64_t offset_;
  const int32_t sync_group_size_;
};

// All flags of the next micro batch, one per token and expert.
class AttentionPoll {
 public:
  AttentionPoll(const AttentionCall& call, ScheduleContext* context)
      : call_(call), context_(context) {}

  bool Poll() {
    cursor_ = SkipReadyFlags(call_.flags, cursor_, call_.flag_count);
    if (cursor_ < call_.flag_count) return false;
    ClearFlags(call_.flags, call_.flag_count);
    __atomic_store_n(&context_->attention.micro_batch_id, call_.micro_batch, __ATOMIC_RELEASE);
    return true;
  }

  Status Expire(const Waiter& waiter) const {
    return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
                "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; the first "
                "missing is token and expert {} of micro batch {} with flag {}, expected {}",
                waiter.waited_us(), cursor_, call_.micro_batch, LoadFlag(&call_.flags[cursor_]),
                kReady);
  }

 private:
  const AttentionCall& call_;
  ScheduleContext* const context_;
  uint64_t cursor_ = 0;
};

class AttentionPlan final : public Plan {
 public:
  explicit AttentionPlan(int64_t offset) : offset_(offset) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    auto* context = reinterpret_cast<ScheduleContext*>(bindings.data[kContextSlot] + offset_);
    ContextHold hold;
    if (Status s = hold.Acquire(context); !s.ok()) return s;
    AttentionCall call;
    if (Status s = ReadAttentionCall(context, &call); !s.ok()) return s;
    AttentionPoll poller(call, context);
    return PollUntilTaken(context, stop, poller);
  }

 private:
  const int64_t offset_;
};

}  // namespace

std::shared_ptr<const Plan> MakeFfnPlan(int64_t offset, int32_t sync_group_size) {
  return std::make_shared<FfnPlan>(offset, sync_group_size);
}

std::shared_ptr<const Plan> MakeAttentionPlan(int64_t offset) {
  return std::make_shared<AttentionPlan>(offset);
}

}  // namespace anyacl::ffn_worker_scheduler
