// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding of queries and keys in place, and of neighbours to halves.

#include "nnop/ordered_plan.h"
#include "ops/elementwise/prepare.h"
#include "ops/elementwise/rotary.h"

namespace anyacl::elementwise {
namespace {

// The dimensions of a batch and of heads; -1: there is none.
struct Axes {
  int batch, heads;
};
Axes AxesOf(int64_t layout) {
  switch (layout) {
    case 1:
      return {0, 2};
    case 2:
      return {1, 2};
    case 3:
      return {0, 1};
    default:
      return {-1, 1};
  }
}

Status ReadMode(const Operands& operands, Pairs* pairs) {
  constexpr Pairs kPairs[] = {Pairs::kHalves, Pairs::kNeighbours, Pairs::kQuarters};
  size_t mode = 0;
  Status s = operands.CheckText(kMode, {"half", "interleave", "quarter"}, &mode);
  *pairs = kPairs[mode];
  return s;
}

// Of a row that is cut into pairs.
Status CheckLength(const Operands& operands, int id, int64_t multiple) {
  const Dims& shape = operands[id].shape();
  if (shape.back() % multiple == 0) return {};
  return Fail(operands.spec().codes.shape, "{}.shape[{}] = {}, expected a multiple of {}",
              operands.NameOf(id), shape.rank() - 1, shape.back(), multiple);
}

// That keys and angles are those of the queries.
Status CheckApplied(const Operands& operands, const Axes& axes, size_t rank) {
  const int code = operands.spec().codes.shape;
  const Dims& query = operands[kSelf].shape();
  for (int id : {kSelf, kKey, kOther}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() != rank) {
      return Fail(code, "{}.shape = {}, expected rank {}: layout is {}", operands.NameOf(id),
                  shape.ToString(), rank, operands.Int(kLayout));
    }
    for (size_t i = 0; i < rank; ++i) {
      const bool heads = static_cast<int>(i) == axes.heads;
      if (heads ? id != kOther || shape[i] == 1 : shape[i] == query[i]) continue;
      if (id == kOther && static_cast<int>(i) == axes.batch && shape[i] == 1) continue;
      return Fail(code, "{}.shape = {}, expected shape[{}] = {}: queryRef.shape = {}",
                  operands.NameOf(id), shape.ToString(), i, heads ? 1 : query[i], query.ToString());
    }
  }
  return {};
}

std::shared_ptr<const Plan> Turned(const Operands& operands, int id, Pairs pairs) {
  const TensorView x = ViewOf(operands, id);
  const std::span<const int64_t> sizes(x.sizes, static_cast<size_t>(x.rank));
  return MakeRotaryPlan(x, *Broadcast(ViewOf(operands, kOther), sizes),
                        *Broadcast(ViewOf(operands, kThird), sizes), x, pairs);
}

}  // namespace

Status PrepareRotaryApply(bool by_mode, Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Pairs pairs = Pairs::kHalves;
  if (by_mode) {
    if (Status s = ReadMode(operands, &pairs); !s.ok()) return s;
  }
  const int64_t layout = operands.Int(kLayout);
  if (Status s = CheckApplied(operands, AxesOf(layout), layout == 4 ? 3 : 4); !s.ok()) return s;
  const int64_t multiple = pairs == Pairs::kQuarters ? 4 : 2;
  if (Status s = CheckLength(operands, kSelf, multiple); !s.ok()) return s;
  std::vector<std::shared_ptr<const Plan>> plans;
  for (int id : {kSelf, kKey}) {
    if (!operands[id].IsEmpty()) plans.push_back(Turned(operands, id, pairs));
  }
  if (!plans.empty()) call->plan = InOrder(std::move(plans));
  return {};
}

Status PrepareRotaryInterleave(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& x = operands[kSelf].shape();
  const Dims& cos = operands[kOther].shape();
  const bool fits = cos.rank() == 4 && (cos[0] == 1 || cos[0] == x[0]) && cos[1] == 1 &&
                    (cos[2] == 1 || cos[2] == x[2]);
  if (!fits) {
    return Fail(operands.spec().codes.shape,
                "cos.shape = {}, expected [{} or 1, 1, {} or 1, {}]: x.shape = {}", cos.ToString(),
                x[0], x[2], x[3], x.ToString());
  }
  if (Status s = CheckLength(operands, kSelf, 2); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView out = ViewOf(operands, kOut);
  const std::span<const int64_t> sizes(out.sizes, 4);
  call->plan =
      MakeRotaryPlan(ViewOf(operands, kSelf), *Broadcast(ViewOf(operands, kOther), sizes),
                     *Broadcast(ViewOf(operands, kThird), sizes), out, Pairs::kNeighboursToHalves);
  return {};
}

}  // namespace anyacl::elementwise
