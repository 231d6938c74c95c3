// SPDX-License-Identifier: Apache-2.0
// The task of AttentionToFFN: every token goes to the FFN workers of its experts. First all of
// this is looked up and checked, then the slots are awaited that earlier rows may still occupy,
// then rows and ids are stored, and at last the flags, with release.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "nnop/awaited_plan.h"
#include "nnop/workspace.h"
#include "ops/afd/windows.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::afd {
namespace {

constexpr int64_t kMaxHidden = 8192;

// One FFN worker.
struct Target {
  RankWindow window;
  bool told = false;  // gets a flag
};

// The slots of one micro batch in the windows that are mapped here.
class SlotsPoll {
 public:
  SlotsPoll(const RankGroup& group, std::span<const Target> targets, uint64_t slot,
            int64_t first_rank)
      : group_(group), targets_(targets), slot_(slot), first_rank_(first_rank) {}

  bool Running() const { return true; }
  bool Poll() {
    while (cursor_ < targets_.size() && !IsOccupied(targets_[cursor_])) ++cursor_;
    return cursor_ == targets_.size();
  }
  uint32_t Awaited() const {
    return static_cast<uint32_t>(first_rank_) + static_cast<uint32_t>(cursor_);
  }
  Status Expire(const Waiter& waiter) const {
    return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
                "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; {} has not "
                "taken the micro batch that was sent before: its flag is {}",
                waiter.waited_us(), group_.NameOf(Awaited()), kReady);
  }

 private:
  bool IsOccupied(const Target& target) const {
    return target.told && target.window.base != nullptr &&
           LoadFlag(target.window.base + slot_) == kReady;
  }

  const RankGroup& group_;
  const std::span<const Target> targets_;
  const uint64_t slot_;
  const int64_t first_rank_;
  size_t cursor_ = 0;  // the first that has not been seen free
};

// A row and its number right behind it.
void Quantise(const float* v, int64_t count, char* y) {
  const float back = ranks::Quantise(v, count, y);
  std::memcpy(y + count, &back, sizeof(back));
}

class SendPlan final : public BookedPlan, public AwaitedPlan {
 public:
  explicit SendPlan(const SendParams& params)
      : p_(params),
        tables_(params.tables),
        local_ids_(book_.Book<int32_t>(static_cast<size_t>(params.tables.ids()))),
        ranks_(book_.Book<int32_t>(static_cast<size_t>(params.tables.ids()))),
        rows_(book_.Book<char*>(static_cast<size_t>(params.tables.ids()))) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    const RankGroup::Task task(*p_.group);
    const Status status = Send(bindings, stop);
    // Nobody calls again: the others wait for what will not come.
    if (!status.ok() && stop.Requested())
      p_.group->Abort("aclnnAttentionToFFN was stopped with its stream");
    return status;
  }
  void Dropped() const override {
    p_.group->Abort("aclnnAttentionToFFN was dropped with its stream");
  }

 private:
  Status Send(const Bindings& bindings, const StopToken& stop) const {
    if (Status s = p_.group->Failure(); !s.ok()) return s;
    Call call;
    if (Status s = ReadCall(bindings, &call); !s.ok()) return s;
    std::vector<Target> targets(static_cast<size_t>(p_.ffn_count));
    if (Status s = Route(bindings, call, &targets); !s.ok()) return s;
    Waiter waiter(stop, p_.group.get());
    RankWindow own;
    if (Status s = FindWindows(waiter, call, &targets, &own); !s.ok()) return s;

    const uint64_t slot = tables_.Slot(call.session, call.micro_batch);
    SlotsPoll slots(*p_.group, targets, slot, p_.first_ffn);
    if (Status s = Await(waiter, slots); !s.ok()) return s;

    std::vector<char> staged;
    std::vector<RankMessage> messages;
    PlaceRows(bindings, call, targets, &staged, &messages);
    NoteRows(p_.group, static_cast<uint64_t>(call.micro_batch),
             {ranks_.In(bindings), static_cast<size_t>(call.tokens * p_.tables.experts)});
    ParallelFor(call.tokens, 1, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) WriteToken(bindings, t);
    });
    for (const Target& target : targets) {
      if (!target.told || target.window.base == nullptr) continue;
      std::memcpy(target.window.base + slot + sizeof(int32_t), &call.layer, sizeof(int32_t));
      RaiseFlag(target.window.base + slot);
    }
    if (Status s = SendAll(waiter, *p_.group, messages); !s.ok()) return s;
    // Nobody sends these tokens back.
    const AttentionTables flags(p_.tables);
    for (int64_t id = call.tokens * p_.tables.experts; own.base != nullptr && id < p_.tables.ids();
         ++id) {
      RaiseFlag(own.base + flags.Flag(call.micro_batch, id));
    }
    return {};
  }

  struct Call {
    int32_t session = 0;
    int32_t micro_batch = 0;
    int32_t layer = 0;
    int64_t tokens = 0;  // that are sent
  };

  static int32_t IntAt(const Bindings& bindings, const TensorView& view, int64_t index) {
    const auto* ints = reinterpret_cast<const int32_t*>(view.Address(bindings));
    return ints[view.OffsetOf(index)];
  }

  Status ReadCall(const Bindings& bindings, Call* call) const {
    call->session = IntAt(bindings, p_.session, 0);
    call->micro_batch = IntAt(bindings, p_.micro_batch, 0);
    call->layer = IntAt(bindings, p_.layer, 0);
    if (call->session < 0 || call->session >= p_.tables.sessions) {
      return Fail(kBad, "sessionId is {}, expected 0 to {}: ffnTokenInfoTableShape[0] is {}",
                  call->session, p_.tables.sessions - 1, p_.tables.sessions);
    }
    if (call->micro_batch < 0 || call->micro_batch >= p_.tables.micro_batches) {
      return Fail(kBad, "microBatchId is {}, expected 0 to {}: ffnTokenInfoTableShape[1] is {}",
                  call->micro_batch, p_.tables.micro_batches - 1, p_.tables.micro_batches);
    }
    call->tokens = p_.tables.tokens;
    if (!p_.mask.given()) return {};
    const char* mask = p_.mask.Address(bindings);
    int64_t count = 0;
    while (count < p_.tables.tokens && mask[p_.mask.OffsetOf(count)] != 0) ++count;
    for (int64_t t = count; t < p_.tables.tokens; ++t) {
      if (mask[p_.mask.OffsetOf(t)] == 0) continue;
      return Fail(kBad, "activeMaskOptional[0][{}] is true behind false, expected all true first",
                  t);
    }
    call->tokens = count;
    return {};
  }

  // Whose each row is.
  Status Route(const Bindings& bindings, const Call& call, std::vector<Target>* targets) const {
    int32_t* ranks = ranks_.In(bindings);
    int32_t* local_ids = local_ids_.In(bindings);
    for (int64_t id = 0; id < call.tokens * p_.tables.experts; ++id) {
      const int64_t expert = ExpertOf(bindings, id);
      if (expert < 0 || expert >= p_.routed + p_.tables.experts - p_.chosen) {
        return Fail(kBad, "expertIds[0][{}][{}] is {}, expected 0 to {}", id / p_.tables.experts,
                    id % p_.tables.experts, expert, p_.routed - 1);
      }
      if (Status s = Look(bindings, call.session, expert, &ranks[id], &local_ids[id]); !s.ok()) {
        return s;
      }
      (*targets)[static_cast<size_t>(ranks[id] - p_.first_ffn)].told = true;
    }
    if (p_.tells_all) {
      for (Target& target : *targets) target.told = true;
    }
    return {};
  }

  // The chosen ones first, then those that all tokens share.
  int64_t ExpertOf(const Bindings& bindings, int64_t id) const {
    const int64_t token = id / p_.tables.experts, j = id % p_.tables.experts;
    if (j >= p_.chosen) return p_.routed + j - p_.chosen;
    const int32_t expert = IntAt(bindings, p_.expert_ids, token * p_.chosen + j);
    return expert < p_.routed ? expert : INT64_MAX;
  }

  // Row {count, rank, local id, rank, local id, ...} of the table; sessions take replicas in turn.
  Status Look(const Bindings& bindings, int32_t session, int64_t expert, int32_t* rank,
              int32_t* local_id) const {
    const int64_t width = p_.rank_table.sizes[2];
    const auto at = [&](int64_t i) { return IntAt(bindings, p_.rank_table, expert * width + i); };
    const int32_t replicas = at(0);
    if (replicas < 1 || replicas > (width - 1) / 2) {
      return Fail(kBad, "expertRankTable[0][{}][0] is {}, expected 1 to {} ranks", expert, replicas,
                  (width - 1) / 2);
    }
    const int64_t replica = session % replicas;
    *rank = at(1 + 2 * replica);
    *local_id = at(2 + 2 * replica);
    if (*rank < p_.first_ffn || *rank >= p_.first_ffn + p_.ffn_count) {
      return Fail(kBad, "expertRankTable[0][{}][{}] is {}, expected a rank of {} to {}", expert,
                  1 + 2 * replica, *rank, p_.first_ffn, p_.first_ffn + p_.ffn_count - 1);
    }
    return {};
  }

  Status FindWindows(Waiter& waiter, const Call& call, std::vector<Target>* targets,
                     RankWindow* own) const {
    for (size_t i = 0; i < targets->size(); ++i) {
      Target& target = (*targets)[i];
      if (!target.told) continue;
      const auto rank = static_cast<uint32_t>(p_.first_ffn + static_cast<int64_t>(i));
      if (Status s = FindWindow(waiter, *p_.group, rank, tables_.bytes(), &target.window);
          !s.ok()) {
        return s;
      }
    }
    if (call.tokens == p_.tables.tokens) return {};
    const AttentionTables flags(p_.tables);
    return FindWindow(waiter, *p_.group, p_.group->rank(), flags.Flag(p_.tables.micro_batches, 0),
                      own);
  }

  // Says where each row is to be stored, stores its id, and builds messages for windows that are
  // not mapped. A token's rows are alike unless experts have scales: messages bring one of them,
  // which is the token itself where it lies in one piece, and else is staged here.
  void PlaceRows(const Bindings& bindings, const Call& call, std::span<const Target> targets,
                 std::vector<char>* staged, std::vector<RankMessage>* messages) const {
    const int32_t* ranks = ranks_.In(bindings);
    const int32_t* local_ids = local_ids_.In(bindings);
    char** rows = rows_.In(bindings);
    const int64_t count = call.tokens * p_.tables.experts;
    const auto target_of = [&](int64_t id) -> const Target& {
      return targets[static_cast<size_t>(ranks[id] - p_.first_ffn)];
    };
    const auto used = static_cast<size_t>(UsedBytes());
    const bool alike = !p_.scales.given();
    const bool as_it_is = !p_.quantises && p_.x.strides[2] == 1;
    const bool stages = !as_it_is && std::any_of(targets.begin(), targets.end(), [](const auto& t) {
      return t.told && t.window.base == nullptr;
    });
    staged->resize(stages ? static_cast<size_t>(alike ? call.tokens : count) * used : 0);
    std::vector<RankMessage> by_rank(targets.size());
    int64_t last_staged = -1;
    for (int64_t id = 0; id < count; ++id) {
      const uint64_t row = tables_.Row(call.session, call.micro_batch, id);
      const uint64_t local = tables_.Id(call.session, call.micro_batch, id);
      if (char* base = target_of(id).window.base; base != nullptr) {
        rows[id] = base + row;
        std::memcpy(base + local, &local_ids[id], sizeof(int32_t));
        continue;
      }
      RankMessage& message = by_rank[static_cast<size_t>(ranks[id] - p_.first_ffn)];
      const int64_t token = id / p_.tables.experts;
      const int64_t stage = alike ? token : id;
      rows[id] = nullptr;
      const char* data = XAt(bindings, token);
      if (!as_it_is) {
        char* at = staged->data() + static_cast<size_t>(stage) * used;
        if (stage != last_staged) rows[id] = at;
        last_staged = stage;
        data = at;
      }
      message.pieces.push_back({row, data, used});
      message.pieces.push_back({local, &local_ids[id], sizeof(int32_t)});
    }
    const uint64_t slot = tables_.Slot(call.session, call.micro_batch);
    for (size_t i = 0; i < targets.size(); ++i) {
      if (!targets[i].told || targets[i].window.base != nullptr) continue;
      RankMessage& message = by_rank[i];
      message.guard = slot;
      message.pieces.push_back({slot + sizeof(int32_t), &call.layer, sizeof(int32_t)});
      message.words.push_back({slot, kReady});
      message.Address(static_cast<uint32_t>(p_.first_ffn + static_cast<int64_t>(i)),
                      targets[i].window);
      messages->push_back(std::move(message));
    }
  }

  int64_t UsedBytes() const {
    return p_.quantises ? p_.hidden + static_cast<int64_t>(sizeof(float))
                        : p_.hidden * BytesOf(p_.x);
  }

  char* XAt(const Bindings& bindings, int64_t token) const {
    return p_.x.Address(bindings) + p_.x.OffsetOf(token * p_.hidden) * BytesOf(p_.x);
  }

  // To where its rows are to be stored; null: another row serves.
  void WriteToken(const Bindings& bindings, int64_t token) const {
    char* const* rows = rows_.In(bindings) + token * p_.tables.experts;
    const int64_t step = p_.x.strides[2];
    char* const x = XAt(bindings, token);
    if (!p_.quantises) {
      const auto bytes = BytesOf(p_.x);
      for (int64_t j = 0; j < p_.tables.experts; ++j) {
        if (rows[j] == nullptr) continue;
        const blocks::Tile from = {x, 1, p_.hidden, 0, step, false};
        blocks::Copier(bytes)(from, {rows[j], 1, p_.hidden, 0, 1, false});
      }
      return;
    }
    std::array<float, kMaxHidden> values, scaled;
    Load(p_.x, x, step, values.data());
    const char* written = nullptr;
    for (int64_t j = 0; j < p_.tables.experts; ++j) {
      if (rows[j] == nullptr) continue;
      if (p_.scales.given()) {
        const int64_t expert = ExpertOf(bindings, token * p_.tables.experts + j);
        Load(p_.scales,
             p_.scales.Address(bindings) +
                 p_.scales.OffsetOf(expert * p_.hidden) * BytesOf(p_.scales),
             p_.scales.strides[2], scaled.data());
        for (size_t i = 0; i < static_cast<size_t>(p_.hidden); ++i) scaled[i] *= values[i];
        Quantise(scaled.data(), p_.hidden, rows[j]);
      } else if (written == nullptr) {
        Quantise(values.data(), p_.hidden, rows[j]);
        written = rows[j];
      } else {
        std::memcpy(rows[j], written, static_cast<size_t>(UsedBytes()));
      }
    }
  }

  void Load(const TensorView& view, const char* from, int64_t step, float* to) const {
    for (int64_t i = 0; i < p_.hidden; i += blocks::kBlock) {
      blocks::LoadRow(view.dtype, from + i * step * BytesOf(view), step,
                      std::min(blocks::kBlock, p_.hidden - i), to + i);
    }
  }

  const SendParams p_;
  const FfnTables tables_;
  const WorkspaceSlot<int32_t> local_ids_;
  const WorkspaceSlot<int32_t> ranks_;
  const WorkspaceSlot<char*> rows_;
};

}  // namespace

std::shared_ptr<const Plan> MakeSendPlan(const SendParams& params) {
  return std::make_shared<SendPlan>(params);
}

}  // namespace anyacl::afd
