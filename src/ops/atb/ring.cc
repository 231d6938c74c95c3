// SPDX-License-Identifier: Apache-2.0
// RingMLA: attention over some of the keys of latent heads, whose result is joined with that over
// those before: out = out' exp(lse' - lse) + prev exp(prevLse - lse), lse = ln(exp lse' + exp
// prevLse).
#include <cmath>
#include <utility>
#include <vector>

#include "attention/plan.h"
#include "base/half_types.h"
#include "nnop/workspace.h"
#include "ops/atb/operators.h"
#include "ops/atb/sequences.h"
#include "runtime/parallel.h"

namespace anyacl::atb_operations {
namespace {

using attention::Params;

// Rows and heads of the result, all of them contiguous: [T, N, Dv] and [N, T].
struct Joining {
  int64_t tokens = 0, heads = 0, dim = 0;
  Element type = Element::kFp16;
  TensorView out, lse;
  TensorView prev_out, prev_lse;  // not given: the first of the ring
};

class RingPlan final : public BookedPlan {
 public:
  // `fresh`: the views that the attention writes, in slots behind the call's where results before
  // are joined with them.
  RingPlan(Params params, const Joining& joining, int next_slot) : j_(joining) {
    if (joins()) {
      fresh_out_ = book_.Book<float>(static_cast<size_t>(j_.tokens * j_.heads * j_.dim));
      fresh_lse_ = book_.Book<float>(static_cast<size_t>(j_.tokens * j_.heads));
      params.out_type = Element::kFp32;
      params.out.dtype = ACL_FLOAT;
      params.out.slot = next_slot;
      params.lse.slot = next_slot + 1;
      params.out.offset = params.lse.offset = 0;
    }
    attention_ = attention::MakePlan(std::move(params));
    scratch_ = book_.Book<char>(attention_->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    if (joins()) {
      data.push_back(reinterpret_cast<char*>(fresh_out_.In(bindings)));
      data.push_back(reinterpret_cast<char*>(fresh_lse_.In(bindings)));
    }
    if (Status s = attention_->Run({data, scratch_.In(bindings)}, stop); !s.ok()) return s;
    float* const lse = reinterpret_cast<float*>(j_.lse.Address(bindings));
    ParallelFor(j_.tokens, 4, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        for (int64_t n = 0; n < j_.heads; ++n) {
          float& to = lse[n * j_.tokens + t];
          if (joins()) {
            to = Join(bindings, t, n);
          } else if (to == INFINITY) {
            to = -INFINITY;  // without keys: nothing to join later results with
          }
        }
      }
    });
    return {};
  }

 private:
  bool joins() const { return j_.prev_out.given(); }

  // Of one row; its LSE.
  float Join(const Bindings& bindings, int64_t t, int64_t n) const {
    const int64_t row = t * j_.heads + n;
    const float* const fresh = fresh_out_.In(bindings) + row * j_.dim;
    const char* const before = j_.prev_out.Address(bindings);
    char* const out = j_.out.Address(bindings);
    const int64_t line = n * j_.tokens + t;
    float a = fresh_lse_.In(bindings)[line];
    const float b = reinterpret_cast<const float*>(j_.prev_lse.Address(bindings))[line];
    if (a == INFINITY) a = -INFINITY;  // without keys
    const float most = std::max(a, b);
    const float sum = most == -INFINITY ? 0 : std::exp(a - most) + std::exp(b - most);
    const float share = sum == 0 ? 0 : std::exp(a - most) / sum;
    const float rest = sum == 0 ? 0 : std::exp(b - most) / sum;
    for (int64_t d = 0; d < j_.dim; ++d) {
      const int64_t at = row * j_.dim + d;
      const float value = fresh[d] * share + FloatAt(j_.type, before, at) * rest;
      auto* const to = reinterpret_cast<uint16_t*>(out) + at;
      *to = j_.type == Element::kFp16 ? Fp16::From(value).bits : Bf16::From(value).bits;
    }
    return sum == 0 ? -INFINITY : most + std::log(sum);
  }

  const Joining j_;
  std::shared_ptr<const Plan> attention_;
  WorkspaceSlot<float> fresh_out_, fresh_lse_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status PrepareRing(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckHeads(operands); !s.ok()) return s;
  if (Status s = CheckRope(operands); !s.ok()) return s;
  if (operands.Given(kPrevOut) != operands.Given(kPrevLse)) {
    return Fail(operands.spec().codes.null, "prevOut and prevLse, expected both or none");
  }
  Sequences sequences;
  if (Status s = ReadSequences(operands, &sequences); !s.ok()) return s;
  if (operands[kQuery].IsEmpty()) return {};
  Params params = ParamsOf(operands, sequences);
  params.window.to_the_end = false;  // query i sees keys up to i
  AddRope(operands, &params);
  params.lse = WithDim(WithDim(ViewOf(operands, kLse), 0), 3);
  Joining joining;
  joining.tokens = operands[kQuery].shape()[0];
  joining.heads = operands.Int(kHeads);
  joining.dim = params.value_dim;
  joining.type = params.out_type;
  joining.out = ViewOf(operands, kAttention);
  joining.lse = ViewOf(operands, kLse);
  if (operands.Given(kPrevOut)) {
    joining.prev_out = ViewOf(operands, kPrevOut);
    joining.prev_lse = ViewOf(operands, kPrevLse);
  }
  const auto slots = static_cast<int>(operands.Slots().size());
  call->plan = std::make_shared<RingPlan>(std::move(params), joining, slots);
  return {};
}

}  // namespace anyacl::atb_operations
