// SPDX-License-Identifier: Apache-2.0
// Attention over two parts of the keys joined by their largest scores and sums, in fp32. Threads
// share tokens.
#include <algorithm>
#include <cmath>
#include <utility>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/attention_update/operators.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::attention_update {
namespace {

constexpr int kValue = ACLNN_ERR_INNER_TILING_ERROR;
constexpr int64_t kTimes = 8;  // how often each sum stands

// Results with their sums.
struct Part {
  TensorView out{}, max{}, sum{};
};
struct RingParams {
  Part before, next, joined;
  TensorView begins{};  // of sequences whose sums lie head by head
  bool by_batch = false;
  int64_t heads = 0, columns = 0;
};

class RingPlan final : public BookedPlan {
 public:
  explicit RingPlan(const RingParams& params)
      : p_(params), tokens_(p_.joined.out.sizes[0] * (p_.by_batch ? p_.joined.out.sizes[1] : 1)) {
    numbers_ = book_.Book<float>(std::min(ThreadCount(), tokens_), 2 * p_.columns);
    if (p_.begins.given()) places_ = book_.Book<Place>(tokens_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (p_.begins.given()) {
      if (Status s = ReadPlaces(bindings); !s.ok()) return s;
    }
    constexpr int64_t kWorth = 1 << 13;  // elements: 5 us
    const int64_t each = std::max<int64_t>(1, p_.heads * (p_.columns + kTimes));
    ParallelFor(tokens_, std::max<int64_t>(1, kWorth / each),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 2 * p_.columns;
                  for (int64_t t = begin; t < end; ++t) {
                    for (int64_t h = 0; h < p_.heads; ++h) Join(bindings, t, h, numbers);
                  }
                });
    return {};
  }

 private:
  // The sequence of a token.
  struct Place {
    int64_t begin, length;
  };

  Status ReadPlaces(const Bindings& bindings) const {
    Place* const places = places_.In(bindings);
    int64_t begin = 0;
    const int64_t count = p_.begins.sizes[0];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t next =
          LoadElement<int64_t>(p_.begins.Address(bindings) + p_.begins.OffsetOf(i) * 8);
      const bool last = i + 1 == count;
      if ((i == 0 && next != 0) || next < begin || next > tokens_ || (last && next != tokens_)) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "actualSeqQlenOptional[{}] = {}, expected 0, then ever more, at last {} tokens",
                    i, next, tokens_);
      }
      std::fill(places + begin, places + next, Place{begin, next - begin});
      begin = next;
    }
    return {};
  }

  // Of the sums of a token's head.
  int64_t SumAt(const Bindings& bindings, int64_t token, int64_t head) const {
    if (p_.by_batch) {
      const int64_t batches = p_.joined.out.sizes[1], length = p_.joined.out.sizes[0];
      return ((token % batches * p_.heads + head) * length + token / batches) * kTimes;
    }
    if (!p_.begins.given()) return (token * p_.heads + head) * kTimes;
    const Place place = places_.In(bindings)[token];
    return (place.begin * p_.heads + head * place.length + token - place.begin) * kTimes;
  }
  static float LoadSum(const Bindings& bindings, const TensorView& view, int64_t at) {
    return LoadElement<float>(view.Address(bindings) + view.OffsetOf(at) * 4);
  }
  static void StoreSum(const Bindings& bindings, const TensorView& view, int64_t at, float value) {
    for (int64_t i = 0; i < kTimes; ++i) {
      blocks::StoreOne(value, ACL_FLOAT, view.Address(bindings) + view.OffsetOf(at + i) * 4);
    }
  }
  char* RowAt(const Bindings& bindings, const TensorView& view, int64_t token, int64_t head) const {
    const int64_t batches = view.sizes[1];
    const int64_t at = p_.by_batch
                           ? token / batches * view.strides[0] + token % batches * view.strides[1] +
                                 head * p_.columns * view.strides[2]
                           : token * view.strides[0] + head * view.strides[1];
    return view.Address(bindings) + at * BytesOf(view);
  }

  void Join(const Bindings& bindings, int64_t token, int64_t head, float* numbers) const {
    const int64_t at = SumAt(bindings, token, head);
    const float before = LoadSum(bindings, p_.before.max, at);
    const float next = LoadSum(bindings, p_.next.max, at);
    const float most = before > next || before != before ? before : next;
    const float a = LoadSum(bindings, p_.before.sum, at) * std::exp(before - most);
    const float b = LoadSum(bindings, p_.next.sum, at) * std::exp(next - most);
    const float sum = a + b;
    float* const other = numbers + p_.columns;
    const auto load = [&](const TensorView& view, float* to) {
      blocks::LoadRow(view.dtype, RowAt(bindings, view, token, head), view.strides[2], p_.columns,
                      to);
    };
    load(p_.before.out, numbers);
    load(p_.next.out, other);
    using elementwise::Op;
    const blocks::Rows rows(p_.columns);
    rows(Op::kMulScalar, numbers, numbers, nullptr, nullptr, a / sum);
    rows(Op::kAddScaled, numbers, numbers, other, nullptr, b / sum);
    const TensorView& out = p_.joined.out;
    blocks::StoreRow(numbers, p_.columns, out.dtype, RowAt(bindings, out, token, head),
                     out.strides[2]);
    StoreSum(bindings, p_.joined.max, at, most);
    StoreSum(bindings, p_.joined.sum, at, sum);
  }

  const RingParams p_;
  const int64_t tokens_;
  WorkspaceSlot<float> numbers_;
  WorkspaceSlot<Place> places_;
};

Status ReadLayouts(const Operands& operands, bool* by_batch, bool* by_head) {
  size_t layout = 0, sums = 0;
  for (const auto& [id, place] : {std::pair{kLayout, &layout}, {kSumLayout, &sums}}) {
    if (Status s = operands.CheckText(id, {"", "SBH", "TND"}, place, kValue); !s.ok()) return s;
  }
  *by_batch = layout != 2;
  *by_head = !*by_batch && sums != 2;
  return {};
}

// That the sums are those of the results.
Status CheckSums(const Operands& operands, const RingParams& p) {
  const int code = operands.spec().codes.shape;
  const Dims& out = operands[kBeforeOut].shape();
  const Dims& sums = operands[kBeforeMax].shape();
  const bool fits = p.by_batch ? sums.rank() == 4 && sums[0] == out[1] && sums[2] == out[0] &&
                                     (sums[1] == 0 ? out[2] == 0 : out[2] % sums[1] == 0)
                               : sums.rank() == 3 && sums[0] == out[0] && sums[1] == out[1];
  if (fits) return {};
  return Fail(
      code, "prevSoftmaxMax.shape = {}, expected {} as prevAttnOut.shape = {}", sums.ToString(),
      p.by_batch ? "[B, N, S, 8] of [S, B, N D]" : "[T, N, 8] of [T, N, D]", out.ToString());
}

}  // namespace

Status PrepareRing(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  RingParams params;
  bool by_head = false;
  if (Status s = ReadLayouts(operands, &params.by_batch, &by_head); !s.ok()) return s;
  if (Status s = CheckSums(operands, params); !s.ok()) return s;
  if (!params.by_batch && !operands.Given(kEnds)) {
    return Fail(kValue,
                "actualSeqQlenOptional is null, expected a tensor as inputLayoutOptional is TND");
  }
  // Elsewhere they have no use; MindSpeed then passes a single number.
  if (by_head && operands[kEnds].shape().rank() != 1) {
    return Fail(operands.spec().codes.shape, "actualSeqQlenOptional.shape = {}, expected [L]",
                operands[kEnds].shape().ToString());
  }
  if (by_head && operands[kEnds].IsEmpty()) {
    return Fail(kValue, "actualSeqQlenOptional.shape = [0], expected 0 and the ends of sequences");
  }
  if (operands[kMaxOut].IsEmpty()) return {};
  const auto view = [&](int id) { return ViewOf(operands, id); };
  params.before = {view(kBeforeOut), view(kBeforeMax), view(kBeforeSum)};
  params.next = {view(kNextOut), view(kNextMax), view(kNextSum)};
  params.joined = {view(kOut), view(kMaxOut), view(kSumOut)};
  if (by_head) params.begins = view(kEnds);
  params.heads = operands.Size("N");
  params.columns = operands.Size("Z") / (params.by_batch ? params.heads : 1);
  call->plan = std::make_shared<RingPlan>(params);
  return {};
}

}  // namespace anyacl::attention_update
