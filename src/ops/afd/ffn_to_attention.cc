// SPDX-License-Identifier: Apache-2.0
// The task of FFNToAttention: every row goes back to the attention worker it came from, and its
// flag, with release, after it.
#include <algorithm>
#include <vector>

#include "nnop/awaited_plan.h"
#include "nnop/workspace.h"
#include "ops/afd/windows.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::afd {
namespace {

class ReturnPlan final : public BookedPlan, public AwaitedPlan {
 public:
  explicit ReturnPlan(const ReturnParams& params)
      : p_(params),
        tables_(params.tables),
        places_(book_.Book<Place>(static_cast<size_t>(params.x.sizes[0]))) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    const RankGroup::Task task(*p_.group);
    const Status status = Return(bindings, stop);
    // Nobody calls again: the others wait for what will not come.
    if (!status.ok() && stop.Requested())
      p_.group->Abort("aclnnFFNToAttention was stopped with its stream");
    return status;
  }
  void Dropped() const override {
    p_.group->Abort("aclnnFFNToAttention was dropped with its stream");
  }

 private:
  Status Return(const Bindings& bindings, const StopToken& stop) const {
    if (Status s = p_.group->Failure(); !s.ok()) return s;
    int64_t actual = 0;
    if (Status s = ReadActual(bindings, &actual); !s.ok()) return s;
    std::vector<Target> targets(p_.group->size());
    std::vector<uint32_t> sessions(targets.size(), RankGroup::kAnyRank);  // their ranks
    for (int64_t i = 0; i < actual; ++i) {
      if (Status s = ReadPlace(bindings, i, &targets, &sessions); !s.ok()) return s;
    }
    NoteSessions(p_.group, sessions);
    Waiter waiter(stop, p_.group.get());
    bool all_mapped = true;
    for (uint32_t rank = 0; rank < targets.size(); ++rank) {
      if (targets[rank].rows == 0) continue;
      RankWindow* window = &targets[rank].window;
      if (Status s = FindWindow(waiter, *p_.group, rank, tables_.bytes(), window); !s.ok())
        return s;
      all_mapped &= window->base != nullptr;
    }
    // Chunks of 64 KiB: 10 us of copying.
    const int64_t grain = std::max<int64_t>(1, 65536 / (p_.hidden * BytesOf(p_.x)));
    ParallelFor(actual, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) Store(bindings, i, targets);
    });
    if (all_mapped) return {};
    return SendRest(bindings, waiter, actual, targets);
  }

  // Where a row goes.
  struct Place {
    uint32_t rank;
    int32_t micro_batch;
    int64_t id;
  };
  struct Target {
    RankWindow window;
    int64_t rows = 0;
  };

  static int32_t IntAt(const Bindings& bindings, const TensorView& view, int64_t index) {
    const auto* ints = reinterpret_cast<const int32_t*>(view.Address(bindings));
    return ints[view.OffsetOf(index)];
  }

  Status ReadActual(const Bindings& bindings, int64_t* actual) const {
    *actual = *reinterpret_cast<const int64_t*>(p_.actual.Address(bindings));
    if (*actual >= 0 && *actual <= p_.x.sizes[0]) return {};
    return Fail(kBad, "actualTokenNum[0] is {}, expected 0 to the {} rows of x", *actual,
                p_.x.sizes[0]);
  }

  Status ReadPlace(const Bindings& bindings, int64_t i, std::vector<Target>* targets,
                   std::vector<uint32_t>* ranks_of_sessions) const {
    const auto read = [&](const char* name, const TensorView& view, int64_t limit,
                          int32_t* value) -> Status {
      *value = IntAt(bindings, view, i);
      if (*value >= 0 && *value < limit) return {};
      return Fail(kBad, "{}[{}] is {}, expected 0 to {}", name, i, *value, limit - 1);
    };
    const int64_t ranks = p_.group->size();
    int32_t session = 0, micro_batch = 0, token = 0, offset = 0;
    const int64_t sessions = p_.rank_table.given() ? p_.rank_table.sizes[0] : ranks;
    if (Status s = read("sessionIds", p_.sessions, sessions, &session); !s.ok()) return s;
    if (Status s = read("microBatchIds", p_.micro_batches, p_.tables.micro_batches, &micro_batch);
        !s.ok()) {
      return s;
    }
    if (Status s = read("tokenIds", p_.tokens, p_.tables.tokens, &token); !s.ok()) return s;
    if (Status s = read("expertOffsets", p_.offsets, p_.tables.experts, &offset); !s.ok()) return s;
    const int64_t rank =
        p_.rank_table.given() ? IntAt(bindings, p_.rank_table, session) : int64_t{session};
    if (rank < 0 || rank >= ranks) {
      return Fail(kBad, "attnRankTableOptional[{}] is {}, expected 0 to {}", session, rank,
                  ranks - 1);
    }
    ++(*targets)[static_cast<size_t>(rank)].rows;
    (*ranks_of_sessions)[static_cast<size_t>(session)] = static_cast<uint32_t>(rank);
    places_.In(bindings)[i] = {static_cast<uint32_t>(rank), micro_batch,
                               token * p_.tables.experts + offset};
    return {};
  }

  void CopyRow(const Bindings& bindings, int64_t i, char* to) const {
    const int64_t bytes = BytesOf(p_.x);
    char* from = p_.x.Address(bindings) + i * p_.x.strides[0] * bytes;
    blocks::Copier(bytes)({from, 1, p_.hidden, 0, p_.x.strides[1], false},
                          {to, 1, p_.hidden, 0, 1, false});
  }

  void Store(const Bindings& bindings, int64_t i, const std::vector<Target>& targets) const {
    const Place& place = places_.In(bindings)[i];
    char* base = targets[place.rank].window.base;
    if (base == nullptr) return;
    CopyRow(bindings, i, base + tables_.Row(place.micro_batch, place.id));
    RaiseFlag(base + tables_.Flag(place.micro_batch, place.id));
  }

  // One message for each rank whose window is not mapped here.
  Status SendRest(const Bindings& bindings, Waiter& waiter, int64_t actual,
                  const std::vector<Target>& targets) const {
    const auto bytes = static_cast<uint64_t>(p_.hidden * BytesOf(p_.x));
    std::vector<RankMessage> by_rank(targets.size());
    std::vector<std::vector<char>> rows(targets.size());
    for (int64_t i = 0; i < actual; ++i) {
      const Place& place = places_.In(bindings)[i];
      const Target& target = targets[place.rank];
      if (target.window.base != nullptr) continue;
      std::vector<char>& staged = rows[place.rank];
      if (staged.empty()) staged.resize(static_cast<uint64_t>(target.rows) * bytes);
      RankMessage& message = by_rank[place.rank];
      char* row = staged.data() + message.words.size() * bytes;
      CopyRow(bindings, i, row);
      message.pieces.push_back({tables_.Row(place.micro_batch, place.id), row, bytes});
      message.words.push_back({tables_.Flag(place.micro_batch, place.id), kReady});
    }
    for (uint32_t rank = 0; rank < by_rank.size(); ++rank) {
      by_rank[rank].Address(rank, targets[rank].window);
    }
    std::erase_if(by_rank, [](const RankMessage& message) { return message.words.empty(); });
    return SendAll(waiter, *p_.group, by_rank);
  }

  const ReturnParams p_;
  const AttentionTables tables_;
  const WorkspaceSlot<Place> places_;
};

}  // namespace

std::shared_ptr<const Plan> MakeReturnPlan(const ReturnParams& params) {
  return std::make_shared<ReturnPlan>(params);
}

}  // namespace anyacl::afd
