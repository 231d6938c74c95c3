// SPDX-License-Identifier: Apache-2.0
// What experts made of tokens, added up by token: in fp32, in the order of a token's experts, and
// rounded once.
#include <algorithm>

#include "nnop/integers.h"
#include "ops/moe/operators.h"
#include "ops/moe/row_parts.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct FinalizeParams {
  TensorView expanded{}, place{}, x1{}, x2{}, bias{}, scales{}, expert{}, out{};
  int64_t per_token = 1;  // experts of a token
  bool by_token = false;  // place has a token's experts side by side, else an expert's tokens
  bool dropped = false;   // -1: no row
};

class FinalizeRoutingPlan final : public Plan {
 public:
  explicit FinalizeRoutingPlan(const FinalizeParams& params)
      : p_(params),
        tokens_(p_.out.sizes[0]),
        length_(p_.out.sizes[1]),
        rows_(length_ == 0 ? 0 : p_.expanded.elements() / length_) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = CheckNumbers(bindings); !s.ok()) return s;
    const int64_t blocks = (length_ + kPartBlock - 1) / kPartBlock;
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    const int64_t work = std::min(length_, kPartBlock) * (p_.per_token + 1);
    ParallelFor(tokens_ * blocks, std::max<int64_t>(1, kWorth / work),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    RunBlock(bindings, i / blocks, i % blocks * kPartBlock);
                  }
                });
    return {};
  }

 private:
  // What the client's data names must be there.
  Status CheckNumbers(const Bindings& bindings) const {
    const int64_t lowest = p_.dropped ? -1 : 0;
    for (int64_t i = 0; i < tokens_ * p_.per_token; ++i) {
      const int32_t row = IntegerAt(bindings, p_.place, i);
      if (row >= lowest && row < rows_) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expandedRowIdx[{}] = {}, expected {} to {}", i,
                  row, lowest, rows_ - 1);
    }
    for (int64_t i = 0; i < tokens_ * p_.per_token && p_.bias.given(); ++i) {
      const int32_t expert = IntegerAt(bindings, p_.expert, i);
      if (expert >= 0 && expert < p_.bias.sizes[0]) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expert {} of token {} is {}, expected 0 to {}",
                  i % p_.per_token, i / p_.per_token, expert, p_.bias.sizes[0] - 1);
    }
    return {};
  }

  float ScaleOf(const Bindings& bindings, int64_t token, int64_t expert) const {
    return p_.scales.given() ? NumberAt(bindings, p_.scales, token, expert) : 1;
  }

  void RunBlock(const Bindings& bindings, int64_t token, int64_t first) const {
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
      const int64_t at = p_.by_token ? token * p_.per_token + k : k * tokens_ + token;
      const int64_t row = IntegerAt(bindings, p_.place, at);
      // A row that was dropped is zeros, with a bias as others.
      if (row >= 0) {
        LoadPart(bindings, p_.expanded, row, first, count, numbers);
      } else if (p_.bias.given()) {
        std::fill_n(numbers, count, 0.0f);
      } else {
        continue;
      }
      if (p_.bias.given()) {
        alignas(64) float bias[kPartBlock];
        const int64_t expert = IntegerAt(bindings, p_.expert, token * p_.per_token + k);
        LoadPart(bindings, p_.bias, expert, first, count, bias);
        Compute(elementwise::Op::kAdd, numbers, numbers, bias, count, 1);
      }
      Compute(elementwise::Op::kAddScaled, sum, sum, numbers, count, ScaleOf(bindings, token, k));
    }
    StorePart(bindings, p_.out, token, first, count, sum);
  }

  const FinalizeParams p_;
  const int64_t tokens_, length_, rows_;
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

Status MakePlan(const Operands& operands, PreparedCall* call, int64_t mode) {
  const bool pads = mode % 2 == 1;
  const Dims& expanded = operands[kExpandedX].shape();
  if (expanded.rank() != (pads ? 3 : 2)) {
    return Fail(operands.spec().codes.shape, "expandedX.shape = {}, expected rank {}: {} is {}",
                expanded.ToString(), pads ? 3 : 2, operands.NameOf(kDropPadMode), mode);
  }
  const int64_t tokens = operands.Size("N");
  const int64_t per_token = operands.Given(kScales) ? operands[kScales].shape()[1] : 1;
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
  FinalizeParams params = {.expanded = ViewOf(operands, kExpandedX),
                           .place = ViewOf(operands, kExpandedRow),
                           .out = ViewOf(operands, kOut),
                           .per_token = per_token,
                           .by_token = mode >= 2,
                           .dropped = pads};
  const auto view = [&](int id) {
    return operands.Given(id) ? ViewOf(operands, id) : TensorView{};
  };
  params.x1 = view(kX1);
  params.x2 = view(kX2);
  params.bias = view(kBias);
  params.scales = view(kScales);
  params.expert = view(kExpert);
  call->plan = std::make_shared<FinalizeRoutingPlan>(params);
  return {};
}

}  // namespace

Status PrepareFinalizeRouting(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  return MakePlan(operands, call, 0);
}

Status PrepareFinalizeRoutingV2(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScales(operands); !s.ok()) return s;
  if (Status s = CheckPair(operands, kX2, kX1); !s.ok()) return s;
  if (Status s = CheckPair(operands, kBias, kExpert); !s.ok()) return s;
  return MakePlan(operands, call, operands.Int(kDropPadMode));
}

}  // namespace anyacl::moe
