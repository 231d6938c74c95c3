// SPDX-License-Identifier: Apache-2.0
// ExpandIntoJaggedPermute: rising places from each table's begin on. All offsets are looked at
// before anything is written.
#include "base/element_width.h"
#include "ops/blocks/blocks.h"
#include "ops/indexing/operators.h"
#include "runtime/parallel.h"

namespace anyacl::indexing {
namespace {

class JaggedPermutePlan final : public Plan {
 public:
  TensorView permute, from, to, out;

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t tables = permute.sizes[0], size = out.sizes[0];
    int64_t before = 0;
    for (int64_t t = 0; t <= tables; ++t) {
      const int64_t end = At(bindings, to, t);
      if (end < before || end > size || (t == tables && end != size)) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "outputOffset[{}] = {}, expected {} to {}", t,
                    end, t == tables ? size : before, size);
      }
      before = end;
      const int64_t table = t < tables ? At(bindings, permute, t) : 0;
      if (t == tables || (table >= 0 && table < tables)) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "permute[{}] = {}, expected 0 to {}", t, table,
                  tables - 1);
    }
    char* const data = out.Address(bindings);
    ParallelFor(tables, 64, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t first = At(bindings, to, t), past = At(bindings, to, t + 1);
        const auto place = static_cast<uint32_t>(At(bindings, from, At(bindings, permute, t)));
        for (int64_t i = first; i < past; ++i) {
          // Modulo 2^32.
          StoreElement(data + i * out.strides[0] * 4, place + static_cast<uint32_t>(i - first));
        }
      }
    });
    return {};
  }

 private:
  static int64_t At(const Bindings& bindings, const TensorView& view, int64_t i) {
    return blocks::LoadOne<int64_t>(view.dtype, view.Address(bindings) + i * view.strides[0] * 4);
  }
};

}  // namespace

Status PrepareJaggedPermute(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t tables = operands[kIndex].shape()[0], offsets = operands[kOffset].shape()[0];
  if (offsets == 0 || offsets - 1 != tables) {
    return Fail(operands.spec().codes.shape,
                "inputOffset.shape = [{}], expected one more than permute.shape = [{}]", offsets,
                tables);
  }
  const auto plan = std::make_shared<JaggedPermutePlan>();
  plan->permute = ViewOf(operands, kIndex);
  plan->from = ViewOf(operands, kOffset);
  plan->to = ViewOf(operands, kOffsets);
  plan->out = ViewOf(operands, kOut);
  call->plan = plan;
  return {};
}

}  // namespace anyacl::indexing
