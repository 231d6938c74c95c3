// SPDX-License-Identifier: Apache-2.0
// Rows of a state know nothing of each other, so threads share blocks of rows of all heads, and
// each takes its block through all sequences and tokens in their order. The state stays in fp32
// within a sequence; what is stored, behind each token or behind the sequence, is rounded to the
// tensor's type.
#include <algorithm>

#include "base/division.h"
#include "kernels.h"
#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/gated_delta_rule/operators.h"
#include "runtime/parallel.h"

namespace anyacl::gated_delta_rule {
namespace {

using elementwise::Op;

constexpr int64_t kBlockRows = 32;  // of 128 numbers: 16 KiB, half of L1
constexpr int64_t kGrain = 16384;   // numbers of states by tokens: 4 us

struct Params {
  TensorView query, key, value, beta, state, lengths, states, gate, key_gate, accepted, out,
      final_state;
  float scale;
};

char* At(const Bindings& bindings, const TensorView& view, int64_t i, int64_t k, int64_t l = 0) {
  const int64_t offset =
      i * view.strides[0] + k * view.strides[1] + (view.rank > 2 ? l * view.strides[2] : 0);
  return view.Address(bindings) + offset * BytesOf(view);
}
float NumberAt(const Bindings& bindings, const TensorView& view, int64_t i, int64_t k) {
  return blocks::LoadOne<float>(view.dtype, At(bindings, view, i, k));
}

struct Sequence {
  int64_t initial;  // the token whose state it begins with
  int64_t end;      // of its tokens
};

class DeltaRulePlan final : public BookedPlan {
 public:
  explicit DeltaRulePlan(const Params& params)
      : p_(params),
        heads_(p_.value.sizes[1]),
        rows_(p_.value.sizes[2]),
        depth_(p_.key.sizes[2]),
        padded_(RoundUp(depth_, kVector)),
        row_blocks_(CeilDivide(rows_, kBlockRows)) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
    sequences_ = book_.Book<Sequence>(static_cast<size_t>(p_.lengths.sizes[0]));
    places_ = book_.Book<int32_t>(static_cast<size_t>(p_.query.sizes[0]));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = ReadIntegers(bindings); !s.ok()) return s;
    const int64_t work = p_.query.sizes[0] * std::min(rows_, kBlockRows) * depth_;
    ParallelFor(heads_ * row_blocks_, std::max<int64_t>(1, kGrain / work),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const scratch = scratch_.In(bindings) + slot * scratch_floats();
                  for (int64_t i = begin; i < end; ++i) {
                    RunBlock(bindings, i / row_blocks_, i % row_blocks_ * kBlockRows, scratch);
                  }
                });
    return {};
  }

 private:
  int64_t scratch_floats() const { return (kBlockRows + 3) * padded_ + 2 * kBlockRows; }

  // The client's integers, each read once: what they name must be there, and results, or others,
  // may be written to where they lie.
  Status ReadIntegers(const Bindings& bindings) const {
    const int64_t tokens = p_.query.sizes[0], states = p_.state.sizes[0];
    int64_t sum = 0;
    for (int64_t b = 0; b < p_.lengths.sizes[0]; ++b) {
      const int64_t length = IntegerAt(bindings, p_.lengths, b);
      if (length < 0 || length > tokens - sum) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "actualSeqLengths[{}] = {}, expected 0 to {}, as query has {} tokens", b,
                    length, tokens - sum, tokens);
      }
      const int64_t accepted = p_.accepted.given() ? IntegerAt(bindings, p_.accepted, b) : 1;
      if (length > 0 && (accepted < 1 || accepted > length)) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "numAcceptedTokens[{}] = {}, expected 1 to {}, as actualSeqLengths", b,
                    accepted, length);
      }
      sequences_.In(bindings)[b] = {sum + accepted - 1, sum + length};
      sum += length;
    }
    for (int64_t t = 0; t < sum && p_.states.given(); ++t) {
      const int32_t state = IntegerAt(bindings, p_.states, t);
      if (state < 0 || state >= states) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "ssmStateIndices[{}] = {}, expected 0 to {}", t,
                    state, states - 1);
      }
      places_.In(bindings)[t] = state;
    }
    return {};
  }

  void RunBlock(const Bindings& bindings, int64_t head, int64_t first, float* scratch) const {
    const int64_t rows = std::min(kBlockRows, rows_ - first);
    float* const state = scratch;
    std::fill_n(scratch, scratch_floats(), 0.0f);
    int64_t token = 0;
    for (int64_t b = 0; b < p_.lengths.sizes[0]; ++b) {
      const auto [initial, end] = sequences_.In(bindings)[b];
      if (end == token && !p_.final_state.given()) continue;
      // Rows of the state number `at` of a tensor of states.
      const auto load = [&](const TensorView& states, int64_t at) {
        for (int64_t r = 0; r < rows; ++r) {
          blocks::LoadRow(states.dtype, At(bindings, states, at, head, first + r),
                          states.strides[3], depth_, state + r * padded_);
        }
      };
      const auto store = [&](const TensorView& states, int64_t at) {
        for (int64_t r = 0; r < rows; ++r) {
          blocks::StoreRow(state + r * padded_, depth_, states.dtype,
                           At(bindings, states, at, head, first + r), states.strides[3]);
        }
      };
      load(p_.state, p_.states.given() ? places_.In(bindings)[initial] : b);
      for (; token < end; ++token) {
        Step(bindings, token, head, first, rows, scratch);
        if (p_.states.given()) store(p_.state, places_.In(bindings)[token]);
      }
      if (p_.final_state.given()) store(p_.final_state, b);
    }
  }

  void Step(const Bindings& bindings, int64_t token, int64_t head, int64_t first, int64_t rows,
            float* scratch) const {
    float* const query = scratch + kBlockRows * padded_;
    float* const key = query + padded_;
    float* const decay = key + padded_;
    float* const value = decay + padded_;
    float* const out = value + kBlockRows;
    const int64_t key_head = head / (heads_ / p_.key.sizes[1]);
    const auto load = [&](const TensorView& view, int64_t of_head, float* to) {
      blocks::LoadRow(view.dtype, At(bindings, view, token, of_head), view.strides[2], depth_, to);
    };
    load(p_.query, key_head, query);
    blocks::Rows{depth_}(Op::kMulScalar, query, query, nullptr, nullptr, p_.scale);
    load(p_.key, key_head, key);
    if (p_.key_gate.given()) {
      load(p_.key_gate, head, decay);
      blocks::Rows{depth_}(Op::kExp, decay, decay);
    }
    float alpha = 1;
    if (p_.gate.given()) {
      alpha = NumberAt(bindings, p_.gate, token, head);
      blocks::Rows{1}(Op::kExp, &alpha, &alpha);
    }
    blocks::LoadRow(p_.value.dtype, At(bindings, p_.value, token, head, first), p_.value.strides[2],
                    rows, value);
    Kernels().gated_delta_rule.step({.state = scratch,
                                     .rows = rows,
                                     .depth = padded_,
                                     .alpha = alpha,
                                     .beta = NumberAt(bindings, p_.beta, token, head),
                                     .decay = p_.key_gate.given() ? decay : nullptr,
                                     .key = key,
                                     .query = query,
                                     .value = value,
                                     .out = out});
    blocks::StoreRow(out, rows, p_.out.dtype, At(bindings, p_.out, token, head, first),
                     p_.out.strides[2]);
  }

  const Params p_;
  const int64_t heads_, rows_, depth_;  // of values and states
  const int64_t padded_;                // depth in whole vectors
  const int64_t row_blocks_;
  WorkspaceSlot<float> scratch_;
  WorkspaceSlot<Sequence> sequences_;
  WorkspaceSlot<int32_t> places_;  // of each token's state
};

}  // namespace

Status Prepare(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  const int64_t keys = operands.Size("A"), values = operands.Size("V");
  if (values % keys != 0) {
    return Fail(code, "value has {} heads, expected a multiple of key's {}", values, keys);
  }
  call->plan =
      std::make_shared<DeltaRulePlan>(Params{.query = ViewOf(operands, kQuery),
                                             .key = ViewOf(operands, kKey),
                                             .value = ViewOf(operands, kValue),
                                             .beta = ViewOf(operands, kBeta),
                                             .state = ViewOf(operands, kState),
                                             .lengths = ViewOf(operands, kLengths),
                                             .states = ViewOf(operands, kStates),
                                             .gate = ViewOf(operands, kGate),
                                             .key_gate = ViewOf(operands, kKeyGate),
                                             .accepted = ViewOf(operands, kAccepted),
                                             .out = ViewOf(operands, kOut),
                                             .final_state = ViewOf(operands, kFinalState),
                                             .scale = static_cast<float>(operands.Real(kScale))});
  return {};
}

}  // namespace anyacl::gated_delta_rule
