// SPDX-License-Identifier: Apache-2.0
// The tasks of both schedulers: check the context, wait until enough flags are up, take what they
// announce.
#include "ops/afd/busy_contexts.h"
#include "ops/afd/plans.h"
#include "ops/afd/polls.h"
#include "ops/ranks/options.h"

namespace anyacl::afd {
namespace {

// Of every group the first micro batch that all its sessions have delivered.
class GroupPoll {
 public:
  GroupPoll(const FfnCall& call, ScheduleContext* context, const RankGroup* group, bool fair)
      : call_(call), context_(context), group_(group), fair_(fair) {}

  bool Running() const { return IsRunning(context_); }
  bool Poll() {
    const Window& window = call_.window;
    for (uint64_t first = 0; first < window.sessions; first += call_.group_size) {
      TakeGroup(first);
    }
    if (taken_ == 0) return false;
    if (fair_) AdvancePolling(context_, call_.polling_index, window.micro_batches);
    return true;
  }
  uint64_t taken() const { return taken_; }
  // Whatever comes first will do.
  uint32_t Awaited() const { return RankGroup::kAnyRank; }

  Status Expire(const Waiter& waiter) const {
    const uint64_t session = SkipReady(call_.window, 0, 0, call_.group_size);
    // The last poll missed a flag here; it may have come up since.
    if (session == call_.group_size) return Expired(waiter, group_, 0, 0, kReady);
    return Expired(waiter, group_, session, 0, LoadFlag(call_.window.Slot(session, 0)));
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
  const RankGroup* const group_;
  const bool fair_;
  uint64_t taken_ = 0;  // sessions
};

// What was taken: `sessions` of them.
Status TakeAll(const FfnCall& call, ScheduleContext* context, const StopToken& stop,
               RankGroup* group, uint64_t* sessions) {
  SessionsPoll poll(context, call.window, call.polling_index, group);
  if (Status s = Await(stop, group, poll); !s.ok() || !poll.ready()) return s;
  Take(call.window, call.outputs, call.polling_index, 0, call.window.sessions, 0);
  AdvancePolling(context, call.polling_index, call.window.micro_batches);
  *sessions = call.window.sessions;
  return {};
}

Status TakeGroups(const FfnCall& call, ScheduleContext* context, const StopToken& stop,
                  RankGroup* group, uint64_t* sessions) {
  GroupPoll poll(call, context, group, ranks::Options::Get().fair);
  if (Status s = Await(stop, group, poll); !s.ok()) return s;
  *sessions = poll.taken();
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
    uint32_t* const out_num = &context->ffn.out_num;
    // Release: whoever sees the 0 may write to the context, which has been read.
    __atomic_store_n(out_num, 0, __ATOMIC_RELEASE);
    WindowHold window;
    if (Status s = window.Acquire(call.window.base); !s.ok()) return s;
    uint64_t taken = 0;
    const Status status = call.all_sync() ? TakeAll(call, context, stop, window.group(), &taken)
                                          : TakeGroups(call, context, stop, window.group(), &taken);
    if (!status.ok()) return status;
    // Release: a client that watches out_num instead of the stream finds the buffers complete.
    __atomic_store_n(out_num, static_cast<uint32_t>(taken), __ATOMIC_RELEASE);
    return {};
  }

 private:
  const int64_t offset_;
  const int32_t sync_group_size_;
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
    WindowHold window;
    if (Status s = window.Acquire(call.flags); !s.ok()) return s;
    FlagsPoll poll(context, call.flags, call.flag_count, call.micro_batch, window.group());
    if (Status s = Await(stop, window.group(), poll); !s.ok() || !poll.ready()) return s;
    ForgetRows(window.group(), call.micro_batch);
    ClearFlags(call.flags, call.flag_count);
    __atomic_store_n(&context->attention.micro_batch_id, call.micro_batch, __ATOMIC_RELEASE);
    return {};
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

}  // namespace anyacl::afd
