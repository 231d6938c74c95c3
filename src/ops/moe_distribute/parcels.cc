// SPDX-License-Identifier: Apache-2.0
#include "ops/moe_distribute/parcels.h"

#include <chrono>
#include <cstring>

#include "acl/acl_base.h"

namespace anyacl::moe_distribute {
namespace {

constexpr int64_t kHalf = 2;  // bytes

// Words of other ranks' memory.
int32_t LoadWord(const char* at) {
  return __atomic_load_n(reinterpret_cast<const int32_t*>(at), __ATOMIC_ACQUIRE);
}
void StoreWord(char* at, int32_t value) {
  __atomic_store_n(reinterpret_cast<int32_t*>(at), value, __ATOMIC_RELEASE);
}

constexpr std::array kFactNames = {
    "the operator",           "the number of columns, H,", "the number of experts of a token, K,",
    "moeExpertNum",           "sharedExpertNum",           "sharedExpertRankNum",
    "globalBs / epWorldSize", "the mode of quantisation",  "the type of the rows"};
static_assert(kFactNames.size() == Facts::kCount);

}  // namespace

const char* ApiOf(Operator op) {
  switch (op) {
    case Operator::kDispatch:
      return "aclnnMoeDistributeDispatch";
    case Operator::kCombine:
      return "aclnnMoeDistributeCombine";
    case Operator::kDispatchV2:
      return "aclnnMoeDistributeDispatchV2";
    case Operator::kCombineV2:
      return "aclnnMoeDistributeCombineV2";
    case Operator::kCombineNorm:
      return "aclnnMoeDistributeCombineAddRmsNorm";
    case Operator::kDispatchV3:
      return "aclnnMoeDistributeDispatchV3";
    case Operator::kCombineV3:
      return "aclnnMoeDistributeCombineV3";
    case Operator::kCombineNormV2:
      return "aclnnMoeDistributeCombineAddRmsNormV2";
    case Operator::kDispatchV4:
      return "aclnnMoeDistributeDispatchV4";
    case Operator::kCombineV4:
      return "aclnnMoeDistributeCombineV4";
  }
  return "another operator";
}

Facts FactsOf(const Common& common, bool quantises, aclDataType type) {
  const Placement& at = common.placement;
  Facts facts;
  const int64_t values[] = {static_cast<int64_t>(common.op),
                            common.hidden,
                            common.chosen,
                            at.routed,
                            at.shared,
                            at.shared_ranks,
                            common.max_tokens,
                            quantises ? 2 : 0,
                            type};
  std::copy(std::begin(values), std::end(values), facts.values.begin());
  return facts;
}

int64_t DispatchRowBytes(int64_t hidden, bool quantises) {
  return quantises ? (hidden + 3) / 4 * 4 + static_cast<int64_t>(sizeof(float)) : kHalf * hidden;
}

int64_t CombineRowBytes(int64_t hidden, bool quantises) {
  const int64_t groups = (hidden + kScaleGroup - 1) / kScaleGroup;
  return quantises ? groups * (kScaleGroup + kHalf) : kHalf * hidden;
}

Parcels::Parcels(const Common& common, const Facts& facts, int64_t row_bytes, const StopToken& stop)
    : common_(common),
      facts_(facts),
      table_(common.placement.ranks, common.capacity(), row_bytes),
      waiter_(stop, common.group.get()),
      windows_(common.group->size()),
      staged_(windows_.size()),
      to_(windows_.size()),
      from_(windows_.size()) {}

Status Parcels::Open(const std::vector<int64_t>& rows, const char* cause) {
  RankGroup& group = *common_.group;
  for (uint32_t rank = 0; rank < windows_.size(); ++rank) {
    if (Status s = ranks::FindExchangeArea(waiter_, group, rank, table_.bytes(), &windows_[rank]);
        !s.ok()) {
      return s;
    }
    if (rows[rank] > common_.capacity()) {
      return Fail(kBad,
                  "{} sends {} rows to {}, expected at most {}: one for each token and expert",
                  cause, rows[rank], group.NameOf(rank), common_.capacity());
    }
  }
  turn_ = __atomic_add_fetch(reinterpret_cast<uint32_t*>(windows_[group.rank()].base), 1u,
                             __ATOMIC_RELAXED);
  for (uint32_t rank = 0; rank < windows_.size(); ++rank) {
    char* base = windows_[rank].base;
    if (base != nullptr) {
      base += table_.Parcel(turn_, group.rank(), windows_[rank].size);
    } else {
      staged_[rank].resize(table_.rows() + static_cast<uint64_t>(rows[rank]) * table_.row());
      base = staged_[rank].data();
    }
    to_[rank] = {reinterpret_cast<RowInfo*>(base), base + table_.rows(), rows[rank]};
  }
  return {};
}

// Until all ranks have told this call's parcels. `times`, if any, gets when each has.
class Parcels::HeadsPoll {
 public:
  using Clock = std::chrono::steady_clock;

  HeadsPoll(const Parcels& parcels, std::vector<Clock::time_point>* times)
      : parcels_(parcels),
        base_(parcels.windows_[parcels.common_.group->rank()].base),
        times_(times) {
    if (times_ != nullptr) times_->resize(parcels_.windows_.size());
  }

  bool Running() const { return true; }
  // One look at each: who tells between two would be passed over without a time.
  bool Poll() {
    const auto count = static_cast<uint32_t>(parcels_.windows_.size());
    bool all = true;
    for (uint32_t source = next_; source < count && (all || times_ != nullptr); ++source) {
      const bool told = Told(source);
      if (told && times_ != nullptr && (*times_)[source] == Clock::time_point()) {
        (*times_)[source] = Clock::now();
      }
      all = all && told;
      if (all) next_ = source + 1;
    }
    return next_ == count;
  }
  const char* Address(uint32_t source) const {
    return base_ + parcels_.table_.HeadOf(parcels_.turn_, source);
  }
  uint32_t Awaited() const { return next_; }
  Status Expire(const ranks::Waiter& waiter) const {
    return Fail(ACL_ERROR_RT_AICPU_TIMEOUT,
                "waited {} us, expected at most the time of aclrtSetOpExecuteTimeOut; {} of "
                "communicator \"{}\" has not made this call, number {} of the pair's",
                waiter.waited_us(), parcels_.common_.group->NameOf(next_),
                parcels_.common_.group->name(), parcels_.turn_);
  }

 private:
  bool Told(uint32_t source) const {
    return LoadWord(Address(source)) == static_cast<int32_t>(parcels_.turn_);
  }

  const Parcels& parcels_;
  const char* const base_;
  std::vector<Clock::time_point>* const times_;
  uint32_t next_ = 0;
};

Status Parcels::Pass(const Bindings& bindings) {
  RankGroup& group = *common_.group;
  const auto turn = static_cast<int32_t>(turn_);
  std::vector<Head> heads(windows_.size());
  std::vector<ranks::RankMessage> messages;
  for (uint32_t rank = 0; rank < windows_.size(); ++rank) {
    Head& head = heads[rank];
    head.rows = static_cast<int32_t>(to_[rank].count);
    head.facts = facts_;
    const uint64_t at = table_.HeadOf(turn_, group.rank());
    constexpr uint64_t kBody = sizeof(head.turn);
    const char* body = reinterpret_cast<const char*>(&head) + kBody;
    if (char* const base = windows_[rank].base; base != nullptr) {
      std::memcpy(base + at + kBody, body, sizeof(head) - kBody);
      StoreWord(base + at, turn);
      continue;
    }
    ranks::RankMessage message;
    const uint64_t parcel = table_.Parcel(turn_, group.rank(), windows_[rank].size);
    const auto count = static_cast<uint64_t>(to_[rank].count);
    message.pieces = {{at + kBody, body, sizeof(head) - kBody},
                      {parcel, to_[rank].infos, count * sizeof(RowInfo)},
                      {parcel + table_.rows(), to_[rank].rows, count * table_.row()}};
    message.words = {{at, turn}};
    message.Address(rank, windows_[rank]);
    messages.push_back(std::move(message));
  }
  if (Status s = SendAll(waiter_, group, messages); !s.ok()) return s;
  const TensorView& performance = common_.performance;
  std::vector<HeadsPoll::Clock::time_point> times;
  const auto begin = HeadsPoll::Clock::now();
  HeadsPoll poll(*this, performance.given() ? &times : nullptr);
  if (Status s = Await(waiter_, poll); !s.ok()) return s;
  for (size_t source = 0; source < times.size(); ++source) {
    At<int64_t>(bindings, performance, static_cast<int64_t>(source)) +=
        std::chrono::duration_cast<std::chrono::microseconds>(times[source] - begin).count();
  }
  char* const own = windows_[group.rank()].base;
  for (uint32_t source = 0; source < windows_.size(); ++source) {
    Head head;
    std::memcpy(&head, poll.Address(source), sizeof(head));
    if (Status s = CheckHead(source, head); !s.ok()) return s;
    char* base = own + table_.Parcel(turn_, source, windows_[group.rank()].size);
    from_[source] = {reinterpret_cast<RowInfo*>(base), base + table_.rows(), head.rows};
  }
  return {};
}

Status Parcels::CheckHead(uint32_t source, const Head& head) const {
  const RankGroup& group = *common_.group;
  const int32_t theirs = head.facts.values[Facts::kOperator];
  const int32_t ours = facts_.values[Facts::kOperator];
  if (theirs != ours) {
    return Fail(kBad, "{} of communicator \"{}\" calls {} where {} calls {}", group.NameOf(source),
                group.name(), ApiOf(static_cast<Operator>(theirs)), group.NameOf(group.rank()),
                ApiOf(common_.op));
  }
  for (size_t i = 0; i < Facts::kCount; ++i) {
    if (head.facts.values[i] == facts_.values[i]) continue;
    return Fail(kBad, "{} is {} on {} of communicator \"{}\", expected {} as on {}", kFactNames[i],
                head.facts.values[i], group.NameOf(source), group.name(), facts_.values[i],
                group.NameOf(group.rank()));
  }
  if (head.rows >= 0 && head.rows <= common_.capacity()) return {};
  return Fail(kBad, "{} of communicator \"{}\" sends {} rows, expected 0 to {}",
              group.NameOf(source), group.name(), head.rows, common_.capacity());
}

namespace {

Status ReadMask(const Bindings& bindings, const Common& common, Active* active) {
  const int64_t tokens = common.tokens, chosen = common.chosen;
  const TensorView& mask = common.mask;
  if (!mask.given()) return {};
  const bool by_row = mask.rank == 2;
  for (int64_t t = 0; t < tokens; ++t) {
    bool any = false;
    for (int64_t k = 0; k < chosen; ++k) {
      const bool on = At<const char>(bindings, mask, by_row ? t * chosen + k : t) != 0;
      active->rows[static_cast<size_t>(t * chosen + k)] = on;
      any |= on;
    }
    active->tokens[static_cast<size_t>(t)] = any;
    if (!by_row && any && t > 0 && !active->tokens[static_cast<size_t>(t - 1)]) {
      return Fail(kBad,
                  "xActiveMaskOptional[{}] is true behind false, expected all true ones first", t);
    }
  }
  return {};
}

}  // namespace

Status ReadActive(const Bindings& bindings, const Common& common, Active* active) {
  const int64_t tokens = common.tokens, chosen = common.chosen;
  active->rows.assign(static_cast<size_t>(tokens * chosen), true);
  active->tokens.assign(static_cast<size_t>(tokens), true);
  if (Status s = ReadMask(bindings, common, active); !s.ok()) return s;
  if (common.special.count() == 0) return {};
  active->special.assign(active->rows.size(), -1);
  for (size_t row = 0; row < active->special.size(); ++row) {
    const int64_t special = At<int32_t>(bindings, common.expert_ids, static_cast<int64_t>(row)) -
                            common.placement.routed;
    if (!active->rows[row] || special < 0 || special >= common.special.count()) continue;
    active->rows[row] = false;
    active->special[row] = static_cast<int32_t>(special);
  }
  return {};
}

}  // namespace anyacl::moe_distribute
