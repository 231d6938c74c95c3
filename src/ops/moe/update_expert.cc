// SPDX-License-Identifier: Apache-2.0
// Which instance of an expert a token goes to where experts have several, and which of its experts
// it leaves out.
#include <algorithm>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "nnop/integers.h"
#include "ops/blocks/blocks.h"
#include "ops/moe/operators.h"

namespace anyacl::moe {
namespace {

constexpr int64_t kMostTokens = 512;
constexpr int64_t kMostOfToken = 16;
constexpr int64_t kMostLogical = 1024;
constexpr int64_t kMostRanks = 768;

struct UpdateParams {
  TensorView ids{}, table{}, scales{}, threshold{}, mask{}, out{}, out_mask{};
  int64_t rank = 0;
  int64_t ranks = 0;
  bool by_token = false;
};

class UpdateExpertPlan final : public Plan {
 public:
  explicit UpdateExpertPlan(const UpdateParams& params)
      : p_(params), tokens_(p_.ids.sizes[0]), chosen_(p_.ids.sizes[1]) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    std::vector<int64_t> instances;
    if (Status s = Choose(bindings, &instances); !s.ok()) return s;
    for (int64_t i = 0; i < tokens_ * chosen_; ++i) {
      char* const to = p_.out.Address(bindings) + p_.out.OffsetOf(i) * BytesOf(p_.out);
      const int64_t instance = instances[static_cast<size_t>(i)];
      if (p_.out.dtype == ACL_INT64) {
        StoreElement(to, instance);
      } else {
        StoreElement(to, static_cast<int32_t>(instance));
      }
    }
    if (!p_.scales.given()) return {};
    for (int64_t t = 0; t < tokens_; ++t) Prune(bindings, t);
    return {};
  }

 private:
  int64_t IdAt(const Bindings& bindings, int64_t i) const {
    if (p_.ids.dtype == ACL_INT32) return IntegerAt(bindings, p_.ids, i);
    return LoadElement<int64_t>(p_.ids.Address(bindings) + p_.ids.OffsetOf(i) * BytesOf(p_.ids));
  }
  static float NumberAt(const Bindings& bindings, const TensorView& view, int64_t i) {
    return blocks::LoadOne<float>(view.dtype,
                                  view.Address(bindings) + view.OffsetOf(i) * BytesOf(view));
  }

  // A row of the table is the number of instances, and which they are.
  Status Choose(const Bindings& bindings, std::vector<int64_t>* instances) const {
    const int64_t experts = p_.table.sizes[0], columns = p_.table.sizes[1];
    const int64_t most = p_.by_token ? columns - 1 : std::min(columns - 1, p_.ranks);
    for (int64_t i = 0; i < tokens_ * chosen_; ++i) {
      const int64_t id = IdAt(bindings, i);
      if (id < 0 || id >= experts) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expertIds[{}][{}] = {}, expected 0 to {}",
                    i / chosen_, i % chosen_, id, experts - 1);
      }
      const int64_t count = IntegerAt(bindings, p_.table, id * columns);
      if (count < 1 || count > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "eplbTable[{}][0] = {}, expected 1 to {} instances", id, count, most);
      }
      // The ranks are as many groups, of which the last may be smaller.
      const int64_t place =
          p_.by_token ? i / chosen_ % count : p_.rank / ((p_.ranks + count - 1) / count);
      instances->push_back(IntegerAt(bindings, p_.table, id * columns + 1 + place));
    }
    return {};
  }

  // Stays what has at least its share of the token's sum.
  void Prune(const Bindings& bindings, int64_t token) const {
    float sum = 0;
    for (int64_t k = 0; k < chosen_; ++k) sum += NumberAt(bindings, p_.scales, token * chosen_ + k);
    const bool active =
        !p_.mask.given() || *(p_.mask.Address(bindings) + p_.mask.OffsetOf(token)) != 0;
    for (int64_t k = 0; k < chosen_; ++k) {
      const bool stays = active && NumberAt(bindings, p_.scales, token * chosen_ + k) >=
                                       NumberAt(bindings, p_.threshold, k) * sum;
      *(p_.out_mask.Address(bindings) + p_.out_mask.OffsetOf(token * chosen_ + k)) = stays ? 1 : 0;
    }
  }

  const UpdateParams p_;
  const int64_t tokens_;
  const int64_t chosen_;
};

Status CheckRange(const Operands& operands, const char* what, int64_t value, int64_t min,
                  int64_t max) {
  if (value >= min && value <= max) return {};
  return Fail(operands.spec().codes.shape, "{} is {}, expected {} to {}", what, value, min, max);
}

// Either needs the other.
Status CheckPruning(const Operands& operands) {
  if (operands.Given(kScales) != operands.Given(kThreshold)) {
    const bool scales = operands.Given(kScales);
    return Fail(operands.spec().codes.shape, "{} is given and {} is null, expected both or none",
                operands.NameOf(scales ? kScales : kThreshold),
                operands.NameOf(scales ? kThreshold : kScales));
  }
  if (!operands.Given(kActiveMask) || operands.Given(kScales)) return {};
  return Fail(operands.spec().codes.shape, "{} is given, expected null as {} is null",
              operands.NameOf(kActiveMask), operands.NameOf(kScales));
}

}  // namespace

Status PrepareUpdateExpert(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  UpdateParams params = {.rank = operands.Int(kLocalRank),
                         .ranks = operands.Int(kWorldSize),
                         .by_token = operands.Int(kBalanceMode) == 1};
  // Before the ends of other ranges follow from it.
  if (!params.by_token) {
    if (Status s = CheckRange(operands, "worldSize", params.ranks, 2, kMostRanks); !s.ok()) {
      return s;
    }
    if (Status s = CheckRange(operands, "localRankId", params.rank, 0, params.ranks - 1); !s.ok()) {
      return s;
    }
  }
  const int64_t experts = operands.Size("E");
  const struct {
    const char* what;
    int64_t value, min, max;
  } ranges[] = {
      {"expertIds.shape[0]", operands.Size("Bs"), 1, kMostTokens},
      {"eplbTable.shape[0]", experts, 1, kMostLogical},
      {"expertIds.shape[1]", operands.Size("K"), 1, std::min(kMostOfToken, experts)},
      {"eplbTable.shape[1]", operands.Size("F"), 2,
       (params.by_token ? kMostRanks : params.ranks) + 1},
  };
  for (const auto& range : ranges) {
    if (Status s = CheckRange(operands, range.what, range.value, range.min, range.max); !s.ok())
      return s;
  }
  if (Status s = CheckPruning(operands); !s.ok()) return s;
  params.ids = ViewOf(operands, kExpert);
  params.table = ViewOf(operands, kTable);
  params.scales = ViewOf(operands, kScales);
  params.threshold = ViewOf(operands, kThreshold);
  params.mask = ViewOf(operands, kActiveMask);
  params.out = ViewOf(operands, kOut);
  params.out_mask = ViewOf(operands, kOutMask);
  call->plan = std::make_shared<UpdateExpertPlan>(params);
  return {};
}

}  // namespace anyacl::moe
