// SPDX-License-Identifier: Apache-2.0
// The task of AttentionWorkerCombine: a token's rows come back from its experts and are added up,
//   y[t] = sum over chosen j of scales[t][j] * row[t][j] + sum over shared j of row[t][j]
// in fp32, in the order of j, each product rounded before it is added, as on the device.
#include <algorithm>

#include "ops/afd/busy_contexts.h"
#include "ops/afd/plans.h"
#include "ops/afd/polls.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::afd {
namespace {

class CombinePlan final : public Plan {
 public:
  explicit CombinePlan(const CombineParams& params) : p_(params) {}

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    auto* context =
        reinterpret_cast<ScheduleContext*>(bindings.data[kContextSlot] + p_.context_offset);
    ContextHold hold;
    if (p_.waits) {
      if (Status s = hold.Acquire(context); !s.ok()) return s;
    }
    const CombineShape shape = {static_cast<uint64_t>(p_.tokens), static_cast<uint64_t>(p_.chosen),
                                static_cast<uint64_t>(p_.hidden * BytesOf(p_.y)), p_.waits};
    CombineCall call;
    if (Status s = ReadCombineCall(context, shape, &call); !s.ok()) return s;
    WindowHold window;
    if (Status s = window.Acquire(call.rows); !s.ok()) return s;
    if (p_.waits) {
      FlagsPoll poll(context, call.flags, shape.tokens * call.experts, call.micro_batch,
                     window.group());
      if (Status s = Await(stop, window.group(), poll); !s.ok() || !poll.ready()) return s;
    }
    Combine(bindings, call);
    const auto* layer = reinterpret_cast<const int32_t*>(p_.layer.Address(bindings));
    auto* next = reinterpret_cast<uint32_t*>(p_.next_layer.Address(bindings));
    *next = static_cast<uint32_t>(*layer) + 1;
    if (p_.waits) {
      ForgetRows(window.group(), call.micro_batch);
      ClearFlags(call.flags, call.flag_count);
      __atomic_store_n(&context->attention.micro_batch_id, call.micro_batch, __ATOMIC_RELEASE);
    }
    return {};
  }

 private:
  // Tiles of columns, so that the sums stay in the first cache.
  static constexpr int64_t kTile = blocks::kBlock;

  void Combine(const Bindings& bindings, const CombineCall& call) const {
    const int64_t tiles = (p_.hidden + kTile - 1) / kTile;
    // A tile of 9 rows takes 2 us.
    ParallelFor(p_.tokens * tiles, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) CombineTile(bindings, call, i / tiles, i % tiles);
    });
  }

  void CombineTile(const Bindings& bindings, const CombineCall& call, int64_t token,
                   int64_t tile) const {
    float sum[kTile], row[kTile];
    const int64_t first = tile * kTile;
    const int64_t count = std::min(kTile, p_.hidden - first);
    const auto experts = static_cast<int64_t>(call.experts);
    const float* scales =
        p_.chosen > 0
            ? reinterpret_cast<const float*>(p_.scales.Address(bindings)) + token * p_.chosen
            : nullptr;
    std::fill_n(sum, count, 0.0f);
    for (int64_t j = 0; j < experts; ++j) {
      const int64_t element = (token * experts + j) * p_.hidden + first;
      blocks::LoadRow(p_.y.dtype, call.rows + element * BytesOf(p_.y), 1, count, row);
      if (j < p_.chosen) {
        const float scale = scales[j];
        for (int64_t i = 0; i < count; ++i) sum[i] += scale * row[i];
      } else {
        for (int64_t i = 0; i < count; ++i) sum[i] += row[i];
      }
    }
    blocks::StoreRow(sum, count, p_.y.dtype,
                     p_.y.Address(bindings) + (token * p_.hidden + first) * BytesOf(p_.y), 1);
  }

  const CombineParams p_;
};

}  // namespace

std::shared_ptr<const Plan> MakeCombinePlan(const CombineParams& params) {
  return std::make_shared<CombinePlan>(params);
}

}  // namespace anyacl::afd
