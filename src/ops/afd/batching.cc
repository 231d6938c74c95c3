// SPDX-License-Identifier: Apache-2.0
// The task of FfnWorkerBatching: token rows, sorted by expert, from the window into dense tensors.
// Ids are counted and placed by one thread, rows are copied by all: an id takes 4 bytes, a row
// some thousand.
#include <algorithm>
#include <cstring>

#include "nnop/workspace.h"
#include "ops/afd/busy_contexts.h"
#include "ops/afd/plans.h"
#include "ops/afd/polls.h"
#include "runtime/parallel.h"

namespace anyacl::afd {
namespace {

// Consumers take larger ids for those of rows that went elsewhere.
constexpr int32_t kNoExpert = 1'000'000;
constexpr size_t kMaxSessions = 1024;

// Sessions' ids one after the other, and whose they are.
struct Ids {
  int64_t sessions = 0;
  const int32_t* values = nullptr;
  // Null: session i, of micro batch `micro_batch`.
  const int32_t* session_ids = nullptr;
  const int32_t* micro_batch_ids = nullptr;
  int32_t micro_batch = 0;
};

class BatchingPlan final : public BookedPlan {
 public:
  explicit BatchingPlan(const BatchingParams& params)
      : p_(params),
        ids_(book_.Book<int32_t>(static_cast<size_t>(params.rows))),
        order_(book_.Book<int32_t>(static_cast<size_t>(params.rows))),
        starts_(book_.Book<int64_t>(static_cast<size_t>(params.experts) + 1)),
        sessions_(book_.Book<int32_t>(kMaxSessions)),
        micro_batches_(book_.Book<int32_t>(kMaxSessions)) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    auto* context =
        reinterpret_cast<ScheduleContext*>(bindings.data[kContextSlot] + p_.context_offset);
    return p_.receives ? Receive(bindings, context, stop) : Gather(bindings, context);
  }

 private:
  // What the scheduler has listed.
  Status Gather(const Bindings& bindings, const ScheduleContext* context) const {
    ListedCall call;
    if (Status s = ReadListedCall(context, static_cast<uint64_t>(p_.rows), &call); !s.ok()) {
      return s;
    }
    WindowHold memory;
    if (Status s = memory.Acquire(reinterpret_cast<const void*>(call.rows.address)); !s.ok()) {
      return s;
    }
    // The lists are read once: what was checked must not change under the copies.
    const Ids ids = {static_cast<int64_t>(call.count), ids_.In(bindings), sessions_.In(bindings),
                     micro_batches_.In(bindings)};
    std::copy_n(call.ids, call.count * call.rows.ids(), ids_.In(bindings));
    std::copy_n(call.sessions, call.count, sessions_.In(bindings));
    std::copy_n(call.micro_batches, call.count, micro_batches_.In(bindings));
    for (int64_t i = 0; i < ids.sessions; ++i) {
      if (Status s = CheckListed(ids, call.rows, i); !s.ok()) return s;
    }
    return Batch(bindings, call.rows, ids);
  }

  static Status CheckListed(const Ids& ids, const SentRows& rows, int64_t i) {
    const int32_t session = ids.session_ids[i], micro_batch = ids.micro_batch_ids[i];
    if (static_cast<uint32_t>(session) < rows.sessions &&
        static_cast<uint32_t>(micro_batch) < rows.micro_batches) {
      return {};
    }
    return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                "entry {} of ffn.session_ids_buf and ffn.micro_batch_ids_buf is {} and {}, "
                "expected 0 to less than {} sessions and {} micro batches",
                i, session, micro_batch, rows.sessions, rows.micro_batches);
  }

  // One micro batch of all sessions, as the scheduler would take it.
  Status Receive(const Bindings& bindings, ScheduleContext* context, const StopToken& stop) const {
    ContextHold hold;
    if (Status s = hold.Acquire(context); !s.ok()) return s;
    ReceivedCall call;
    if (Status s = ReadReceivedCall(context, static_cast<uint64_t>(p_.rows), &call); !s.ok()) {
      return s;
    }
    const Window& window = call.window;
    WindowHold memory;
    if (Status s = memory.Acquire(window.base); !s.ok()) return s;
    SessionsPoll poll(context, window, call.polling_index, memory.group());
    if (Status s = Await(stop, memory.group(), poll); !s.ok()) return s;
    if (!poll.ready()) return Batch(bindings, call.rows, {});
    const auto ids = static_cast<int64_t>(call.rows.ids());
    for (uint64_t s = 0; s < window.sessions; ++s) {
      std::memcpy(ids_.In(bindings) + static_cast<int64_t>(s) * ids,
                  window.Slot(s, call.polling_index) + kSlotHeader, window.id_bytes);
    }
    const auto sessions = static_cast<int64_t>(window.sessions);
    const auto micro_batch = static_cast<int32_t>(call.polling_index);
    if (Status s = Batch(bindings, call.rows,
                         {sessions, ids_.In(bindings), nullptr, nullptr, micro_batch});
        !s.ok()) {
      return s;
    }
    // Only now may the next rows come: these have been copied.
    for (uint64_t s = 0; s < window.sessions; ++s) {
      EmptySlot(window, s, call.polling_index, INT32_MAX);
    }
    AdvancePolling(context, call.polling_index, window.micro_batches);
    return {};
  }

  Status Batch(const Bindings& bindings, const SentRows& rows, const Ids& ids) const {
    int64_t actual = 0;
    if (Status s = Sort(bindings, ids.sessions * static_cast<int64_t>(rows.ids()), &actual);
        !s.ok()) {
      return s;
    }
    if (actual > 0) {
      const auto used = static_cast<uint64_t>(p_.row_bytes) + (p_.quantised ? sizeof(float) : 0);
      if (Status s = rows.Check(used); !s.ok()) return s;
    }
    WriteGroupList(bindings);
    // Chunks of 64 KiB: 10 us of copying.
    const int64_t grain = std::max<int64_t>(1, 65536 / p_.row_bytes);
    ParallelFor(actual, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) CopyRow(bindings, rows, ids, i);
    });
    *Out<int64_t>(bindings, p_.actual) = actual;
    return {};
  }

  // order[i] = the place of the i-th id in ascending order, those of one expert in their own order;
  // starts[e] = how many ids are below e + 1, up to the number of them all.
  Status Sort(const Bindings& bindings, int64_t count, int64_t* actual) const {
    const int32_t* ids = ids_.In(bindings);
    int64_t* starts = starts_.In(bindings);
    std::fill_n(starts, p_.experts + 1, 0);
    for (int64_t i = 0; i < count; ++i) {
      if (ids[i] >= kNoExpert) continue;
      if (ids[i] < 0 || ids[i] >= p_.experts) {
        return Fail(ACL_ERROR_RT_AICPU_EXCEPTION,
                    "expert id {} of {} is {}, expected less than expertNum = {}, or {} and above "
                    "where there is no row",
                    i, count, ids[i], p_.experts, kNoExpert);
      }
      ++starts[ids[i] + 1];
    }
    for (int64_t e = 0; e < p_.experts; ++e) starts[e + 1] += starts[e];
    *actual = starts[p_.experts];
    int32_t* order = order_.In(bindings);
    for (int64_t i = 0; i < count; ++i) {
      if (ids[i] < kNoExpert) order[starts[ids[i]]++] = static_cast<int32_t>(i);
    }
    return {};
  }

  // Rows [id, count] of the experts that have any, then zeros.
  void WriteGroupList(const Bindings& bindings) const {
    const int64_t* ends = starts_.In(bindings);  // since Sort has placed the ids
    auto* list = Out<int64_t>(bindings, p_.group_list);
    int64_t begin = 0;
    for (int64_t e = 0; e < p_.experts; ++e) {
      const int64_t rows = ends[e] - begin;
      begin = ends[e];
      if (rows == 0) continue;
      *list++ = e;
      *list++ = rows;
    }
    std::fill(list, Out<int64_t>(bindings, p_.group_list) + 2 * p_.experts, 0);
  }

  void CopyRow(const Bindings& bindings, const SentRows& rows, const Ids& ids, int64_t i) const {
    const int64_t place = order_.In(bindings)[i];
    const auto per_session = static_cast<int64_t>(rows.ids());
    const auto experts = static_cast<int64_t>(rows.experts);
    const int64_t entry = place / per_session, id = place % per_session;
    const int32_t session =
        ids.session_ids != nullptr ? ids.session_ids[entry] : static_cast<int32_t>(entry);
    const int32_t micro_batch =
        ids.micro_batch_ids != nullptr ? ids.micro_batch_ids[entry] : ids.micro_batch;
    const char* row = rows.Row(static_cast<uint64_t>(session), static_cast<uint64_t>(micro_batch),
                               static_cast<uint64_t>(id));
    std::memcpy(p_.y.Address(bindings) + i * p_.row_bytes, row, static_cast<size_t>(p_.row_bytes));
    if (p_.quantised) {
      std::memcpy(Out<float>(bindings, p_.scales) + i, row + p_.row_bytes, sizeof(float));
    }
    Out<int32_t>(bindings, p_.sessions)[i] = session;
    Out<int32_t>(bindings, p_.micro_batches)[i] = micro_batch;
    Out<int32_t>(bindings, p_.tokens)[i] = static_cast<int32_t>(id / experts);
    Out<int32_t>(bindings, p_.offsets)[i] = static_cast<int32_t>(id % experts);
  }

  template <class T>
  static T* Out(const Bindings& bindings, const TensorView& view) {
    return reinterpret_cast<T*>(view.Address(bindings));
  }

  const BatchingParams p_;
  const WorkspaceSlot<int32_t> ids_;
  const WorkspaceSlot<int32_t> order_;
  const WorkspaceSlot<int64_t> starts_;
  const WorkspaceSlot<int32_t> sessions_;
  const WorkspaceSlot<int32_t> micro_batches_;
};

}  // namespace

std::shared_ptr<const Plan> MakeBatchingPlan(const BatchingParams& params) {
  return std::make_shared<BatchingPlan>(params);
}

}  // namespace anyacl::afd
