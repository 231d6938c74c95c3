// SPDX-License-Identifier: Apache-2.0
// MultiLatentAttention: attention of latent heads over keys in blocks, which are their own values,
// with ropes in a cache of their own.
#include <cmath>
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

// Attention whose LSE are of the queries' type: the engine's are of FLOAT.
class LatentPlan final : public BookedPlan {
 public:
  // `slot`: the first one behind the call's.
  LatentPlan(Params params, const TensorView& lse, bool one_row_each, int slot)
      : lse_(lse), type_(params.query_type), count_(lse.elements()) {
    wide_ = book_.Book<float>(static_cast<size_t>(count_));
    const int64_t tokens = lse.sizes[0], heads = lse.sizes[1];
    TensorView view;  // [batch, heads, rows, 1] of what lies as [tokens, heads]
    view.slot = slot;
    view.dtype = ACL_FLOAT;
    view.rank = 4;
    const int batch = one_row_each ? 0 : 2;
    for (int64_t& size : view.sizes) size = 1;
    view.sizes[batch] = tokens;
    view.strides[batch] = heads;
    view.sizes[1] = heads;
    view.strides[1] = 1;
    params.lse = view;
    attention_ = attention::MakePlan(std::move(params));
    scratch_ = book_.Book<char>(attention_->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    float* const wide = wide_.In(bindings);
    data.push_back(reinterpret_cast<char*>(wide));
    if (Status s = attention_->Run({data, scratch_.In(bindings)}, stop); !s.ok()) return s;
    auto* const lse = reinterpret_cast<uint16_t*>(lse_.Address(bindings));
    constexpr int64_t kGrain = 4096;
    ParallelFor(count_, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const float value = wide[i] == INFINITY ? -INFINITY : wide[i];  // without keys
        lse[i] = type_ == Element::kFp16 ? Fp16::From(value).bits : Bf16::From(value).bits;
      }
    });
    return {};
  }

 private:
  const TensorView lse_;
  const Element type_;
  const int64_t count_;
  std::shared_ptr<const Plan> attention_;
  WorkspaceSlot<float> wide_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status PrepareLatent(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckHeads(operands); !s.ok()) return s;
  if (Status s = CheckRope(operands); !s.ok()) return s;
  Sequences sequences;
  if (Status s = ReadSequences(operands, &sequences); !s.ok()) return s;
  TensorView mask;
  if (Status s = ReadMask(operands, sequences, &mask); !s.ok()) return s;
  if (operands[kQuery].IsEmpty()) return {};
  Params params = ParamsOf(operands, sequences);
  AddRope(operands, &params);
  params.pse = mask;
  if (!operands.Given(kLse)) {
    call->plan = attention::MakePlan(std::move(params));
    return {};
  }
  const auto slots = static_cast<int>(operands.Slots().size());
  call->plan = std::make_shared<LatentPlan>(std::move(params), ViewOf(operands, kLse),
                                            sequences.one_row_each, slots);
  return {};
}

}  // namespace anyacl::atb_operations
