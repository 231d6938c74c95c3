// SPDX-License-Identifier: Apache-2.0
// What experts made of tokens, added up by token: in fp32, in the order of a token's experts, and
// rounded once.
#include <algorithm>
#include <initializer_list>
#include <span>

#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/moe/operators.h"
#include "ops/moe/row_parts.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

// Experts `begin` to `end` - 1.
struct ExpertRange {
  int64_t begin = 0, end = 0;

  bool Has(int64_t expert) const { return expert >= begin && expert < end; }
  bool empty() const { return begin == end; }
};

struct FinalizeParams {
  TensorView expanded{}, place{}, x1{}, x2{}, bias{}, scales{}, expert{}, out{};
  // Of experts that no row belongs to.
  TensorView x{}, alpha1{}, alpha2{}, constants{};
  ExpertRange zero{}, copy{}, constant{};
  int64_t per_token = 1;  // experts of a token
  bool by_token = false;  // place has a token's experts side by side, else an expert's tokens
  bool dropped = false;   // -1: no row
};

// What a token's k-th expert is: device data, read once, for results may be stored where it lies.
struct Choice {
  int32_t row;     // of expandedX
  int32_t expert;  // -1 if nothing depends on which it is
};

class FinalizeRoutingPlan final : public BookedPlan {
 public:
  explicit FinalizeRoutingPlan(const FinalizeParams& params)
      : p_(params),
        tokens_(p_.out.sizes[0]),
        length_(p_.out.sizes[1]),
        rows_(length_ == 0 ? 0 : p_.expanded.elements() / length_) {
    choices_ = book_.Book<Choice>(static_cast<size_t>(p_.place.elements()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Choice* const choices = choices_.In(bindings);
    if (Status s = ReadChoices(bindings, choices); !s.ok()) return s;
    const int64_t blocks = (length_ + kPartBlock - 1) / kPartBlock;
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    const int64_t work = std::min(length_, kPartBlock) * (p_.per_token + 1);
    ParallelFor(
        tokens_ * blocks, std::max<int64_t>(1, kWorth / work), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const int64_t token = i / blocks;
            RunBlock(bindings, choices + token * p_.per_token, token, i % blocks * kPartBlock);
          }
        });
    return {};
  }

 private:
  bool HasRow(int64_t expert) const {
    return !p_.zero.Has(expert) && !p_.copy.Has(expert) && !p_.constant.Has(expert);
  }

  // Those of a token side by side. What the client's data names must be there.
  Status ReadChoices(const Bindings& bindings, Choice* choices) const {
    const int32_t lowest = p_.dropped ? -1 : 0;
    for (int64_t i = 0; i < tokens_ * p_.per_token; ++i) {
      const int64_t token = p_.by_token ? i / p_.per_token : i % tokens_;
      const int64_t k = p_.by_token ? i % p_.per_token : i / tokens_;
      const int64_t at = token * p_.per_token + k;
      const Choice choice = {
          IntegerAt(bindings, p_.place, i),
          p_.expert.given() ? IntegerAt(bindings, p_.expert, at) : -1,
      };
      choices[at] = choice;
      if ((choice.row >= lowest && choice.row < rows_) || !HasRow(choice.expert)) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expandedRowIdx[{}] = {}, expected {} to {}", i,
                  choice.row, lowest, rows_ - 1);
    }
    for (int64_t i = 0; i < tokens_ * p_.per_token && p_.bias.given(); ++i) {
      const int32_t expert = choices[i].expert;
      if ((expert >= 0 && expert < p_.bias.sizes[0]) || p_.zero.Has(expert)) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expert {} of token {} is {}, expected 0 to {}",
                  i % p_.per_token, i / p_.per_token, expert, p_.bias.sizes[0] - 1);
    }
    return {};
  }

  float ScaleOf(const Bindings& bindings, int64_t token, int64_t expert) const {
    return p_.scales.given() ? NumberAt(bindings, p_.scales, token, expert) : 1;
  }

  // alpha1 * x + alpha2 * v of an expert.
  void LoadConstant(const Bindings& bindings, int64_t token, int64_t expert, int64_t first,
                    int64_t count, float* numbers) const {
    alignas(64) float mixed[kPartBlock], factor[kPartBlock];
    const int64_t row = expert - p_.constant.begin;
    LoadPart(bindings, p_.x, token, first, count, numbers);
    LoadPart(bindings, p_.alpha1, row, first, count, factor);
    Compute(elementwise::Op::kMul, numbers, numbers, factor, count, 1);
    LoadPart(bindings, p_.constants, row, first, count, mixed);
    LoadPart(bindings, p_.alpha2, row, first, count, factor);
    Compute(elementwise::Op::kMul, mixed, mixed, factor, count, 1);
    Compute(elementwise::Op::kAdd, numbers, numbers, mixed, count, 1);
  }

  // What a token's k-th expert made of it; false if it adds nothing.
  bool LoadResult(const Bindings& bindings, int64_t token, Choice choice, int64_t first,
                  int64_t count, float* numbers) const {
    const auto [row, expert] = choice;
    if (p_.zero.Has(expert)) return false;
    if (p_.copy.Has(expert)) {
      LoadPart(bindings, p_.x, token, first, count, numbers);
      return true;
    }
    if (p_.constant.Has(expert)) {
      LoadConstant(bindings, token, expert, first, count, numbers);
      return true;
    }
    // A row that was dropped is zeros, with a bias as others.
    if (row >= 0) {
      LoadPart(bindings, p_.expanded, row, first, count, numbers);
    } else if (p_.bias.given()) {
      std::fill_n(numbers, count, 0.0f);
    }
    return row >= 0 || p_.bias.given();
  }

  void RunBlock(const Bindings& bindings, const Choice* choices, int64_t token,
                int64_t first) const {
    alignas(64) float sum[kPartBlock];
    alignas(64) float numbers[kPartBlock];
    const int64_t count = std::min(kPartBlock, length_ - first);
    std::fill_n(sum, count, 0.0f);
    if (p_.x1.given()) LoadPart(bindings, p_.x1, token, first, count, sum);
    if (p_.x2.given()) {
      LoadPart(bindings, p_.x2, token, first, count, numbers);
      Compute(elementwise::Op::kAdd, sum, sum, numbers, count, 1);
    }
    for (int64_t k = 0; k < p_.per_token; ++k) {
      if (!LoadResult(bindings, token, choices[k], first, count, numbers)) continue;
      if (p_.bias.given()) {
        alignas(64) float bias[kPartBlock];
        LoadPart(bindings, p_.bias, choices[k].expert, first, count, bias);
        Compute(elementwise::Op::kAdd, numbers, numbers, bias, count, 1);
      }
      Compute(elementwise::Op::kAddScaled, sum, sum, numbers, count, ScaleOf(bindings, token, k));
    }
    StorePart(bindings, p_.out, token, first, count, sum);
  }

  const FinalizeParams p_;
  const int64_t tokens_, length_, rows_;
  WorkspaceSlot<Choice> choices_;
};

// What must be given for something else to be.
Status CheckPair(const Operands& operands, int id, int other) {
  if (!operands.Given(id) || operands.Given(other)) return {};
  return Fail(operands.spec().codes.shape, "{} is given and {} is null, expected both or {} alone",
              operands.NameOf(id), operands.NameOf(other), operands.NameOf(other));
}

Status CheckScales(const Operands& operands) {
  if (!operands.Given(kScales)) return {};
  const aclDataType x = operands[kExpandedX].dtype(), scales = operands[kScales].dtype();
  if (scales == x || (x == ACL_BF16 && scales == ACL_FLOAT)) return {};
  return Fail(operands.spec().codes.dtype, "scalesOptional.dtype = {}, expected {}{}",
              NameOf(scales), NameOf(x), x == ACL_BF16 ? " or FLOAT" : "");
}

// How many experts there are, where the call tells it.
int64_t ExpertCount(const Operands& operands, bool pads) {
  if (operands.Given(kBias)) return operands[kBias].shape()[0];
  return pads ? operands[kExpandedX].shape()[0] : INT64_MAX;
}

Status ReadRange(const Operands& operands, int id, int64_t experts, ExpertRange* range) {
  if (!operands.Given(id)) return {};
  const std::span<const int64_t> ends = operands.Ints(id);
  if (ends.empty() || (ends.size() == 2 && ends[0] == -1 && ends[1] == -1)) return {};
  const int code = operands.spec().codes.shape;
  if (ends.size() != 2) {
    return Fail(code, "{} has {} numbers, expected 2", operands.NameOf(id), ends.size());
  }
  *range = {ends[0], ends[1]};
  if (ends[0] >= 0 && ends[0] < ends[1] && ends[1] <= experts) return {};
  return Fail(code, "{} = {{{}, {}}}, expected 0 <= begin < end <= {}", operands.NameOf(id),
              ends[0], ends[1], experts);
}

Status CheckApart(const Operands& operands, int id, const ExpertRange& range, int other_id,
                  const ExpertRange& other) {
  if (range.empty() || other.empty() || range.end <= other.begin || other.end <= range.begin) {
    return {};
  }
  return Fail(operands.spec().codes.shape,
              "{} = {{{}, {}}} and {} = {{{}, {}}} overlap, expected no expert in both",
              operands.NameOf(id), range.begin, range.end, operands.NameOf(other_id), other.begin,
              other.end);
}

// What a range needs.
Status CheckNeeded(const Operands& operands, int range, std::initializer_list<int> ids) {
  for (int id : ids) {
    if (operands.Given(id)) continue;
    return Fail(operands.spec().codes.shape, "{} is null, expected a tensor as {} has experts",
                operands.NameOf(id), operands.NameOf(range));
  }
  return {};
}

Status ReadRanges(const Operands& operands, int64_t experts, FinalizeParams* params) {
  ExpertRange& zero = params->zero;
  ExpertRange& copy = params->copy;
  ExpertRange& constant = params->constant;
  if (Status s = ReadRange(operands, kZeroRange, experts, &zero); !s.ok()) return s;
  if (Status s = ReadRange(operands, kCopyRange, experts, &copy); !s.ok()) return s;
  if (Status s = ReadRange(operands, kConstantRange, experts, &constant); !s.ok()) return s;
  if (Status s = CheckApart(operands, kZeroRange, zero, kCopyRange, copy); !s.ok()) return s;
  if (Status s = CheckApart(operands, kZeroRange, zero, kConstantRange, constant); !s.ok()) {
    return s;
  }
  if (Status s = CheckApart(operands, kCopyRange, copy, kConstantRange, constant); !s.ok()) {
    return s;
  }
  if (!zero.empty()) {
    if (Status s = CheckNeeded(operands, kZeroRange, {kExpert}); !s.ok()) return s;
  }
  if (!copy.empty()) {
    if (Status s = CheckNeeded(operands, kCopyRange, {kExpert, kX}); !s.ok()) return s;
  }
  if (constant.empty()) return {};
  if (Status s = CheckNeeded(operands, kConstantRange, {kExpert, kX, kAlpha1, kAlpha2, kConstants});
      !s.ok()) {
    return s;
  }
  const Dims expected = {constant.end - constant.begin, operands.Size("H")};
  for (int id : {kAlpha1, kAlpha2, kConstants}) {
    if (Status s = CheckShapeIs(operands, id, expected); !s.ok()) return s;
  }
  return {};
}

// `chosen`: how many experts a token has where no scales tell it.
Status MakePlan(const Operands& operands, PreparedCall* call, int64_t mode, int64_t chosen) {
  const bool pads = mode % 2 == 1;
  const Dims& expanded = operands[kExpandedX].shape();
  if (expanded.rank() != (pads ? 3 : 2)) {
    return Fail(operands.spec().codes.shape, "expandedX.shape = {}, expected rank {}: {} is {}",
                expanded.ToString(), pads ? 3 : 2, operands.NameOf(kDropPadMode), mode);
  }
  const int64_t tokens = operands.Size("N");
  const int64_t per_token = operands.Given(kScales) ? operands[kScales].shape()[1] : chosen;
  FinalizeParams params;
  if (operands.HasRow(kZeroRange)) {
    if (Status s = ReadRanges(operands, ExpertCount(operands, pads), &params); !s.ok()) return s;
  }
  if (operands.Given(kExpert)) {
    if (Status s = CheckShapeIs(operands, kExpert, {tokens, per_token}); !s.ok()) return s;
  }
  // Places are INT32, so that no product overflows that a tensor has.
  const Dims& place = operands[kExpandedRow].shape();
  if (per_token > 0 ? place[0] % per_token != 0 || place[0] / per_token != tokens : place[0] != 0) {
    return Fail(operands.spec().codes.shape, "expandedRowIdx.shape = {}, expected [{} * {}]",
                place.ToString(), tokens, per_token);
  }
  if (operands[kOut].IsEmpty()) return {};
  params.expanded = ViewOf(operands, kExpandedX);
  params.place = ViewOf(operands, kExpandedRow);
  params.out = ViewOf(operands, kOut);
  params.per_token = per_token;
  params.by_token = mode >= 2;
  params.dropped = pads;
  const auto view = [&](int id) {
    return operands.Given(id) ? ViewOf(operands, id) : TensorView{};
  };
  params.x1 = view(kX1);
  params.x2 = view(kX2);
  params.bias = view(kBias);
  params.scales = view(kScales);
  params.expert = view(kExpert);
  params.x = view(kX);
  params.alpha1 = view(kAlpha1);
  params.alpha2 = view(kAlpha2);
  params.constants = view(kConstants);
  call->plan = std::make_shared<FinalizeRoutingPlan>(params);
  return {};
}

}  // namespace

Status PrepareFinalizeRouting(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return MakePlan(operands, call, 0, 1);
}

Status PrepareFinalizeRoutingV2(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScales(operands); !s.ok()) return s;
  if (Status s = CheckPair(operands, kX2, kX1); !s.ok()) return s;
  if (Status s = CheckPair(operands, kBias, kExpert); !s.ok()) return s;
  const int64_t k = operands.HasRow(kK) ? operands.Int(kK) : 1;
  if (k < 1 && !operands.Given(kScales)) {
    return Fail(operands.spec().codes.shape, "k = {}, expected at least 1 without scalesOptional",
                k);
  }
  if (k > 1 && operands.Given(kScales) && operands[kScales].shape()[1] != k) {
    return Fail(operands.spec().codes.shape, "k = {}, expected {} as scalesOptional.shape[1], or 1",
                k, operands[kScales].shape()[1]);
  }
  return MakePlan(operands, call, operands.Int(kDropPadMode), k);
}

}  // namespace anyacl::moe
