// SPDX-License-Identifier: Apache-2.0
// Runs the row kernel over all rows, each with its expert's smooth scales.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "base/cpu.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/dynamic_quant/op.h"
#include "runtime/parallel.h"

namespace anyacl::dynamic_quant {
namespace {

// Row r belongs to the first expert e with group_index[e] > r. The values are the client's and may
// be anything; the running maximum of them is sorted and has the same first e.
class ExpertOfRow {
 public:
  ExpertOfRow(int32_t* ends, const Params& params, const int32_t* group_index)
      : ends_(ends), count_(params.experts) {
    int32_t end = INT32_MIN;
    for (int64_t e = 0; e < count_; ++e) {
      end = std::max(end, group_index[params.group_base + e * params.group_step]);
      ends_[e] = end;
    }
  }
  // Rows beyond the last end belong to the last expert.
  int64_t operator()(int64_t row) const {
    return std::min<int64_t>(std::upper_bound(ends_, ends_ + count_, row) - ends_, count_ - 1);
  }

 private:
  int32_t* ends_;
  int64_t count_;
};

char* At(const Bindings& bindings, int slot) {
  return slot < 0 ? nullptr : bindings.data[static_cast<size_t>(slot)];
}

constexpr int64_t kElementsPerChunk = int64_t{1} << 16;

// Stores past the caches save reading the lines that they replace, but evict the result: only where
// y would leave the cache anyway. Measured limit: half of L3.
bool BypassesCaches(const Params& p) {
  const int64_t bytes = p.rows * p.cols * (p.form.target == Target::kInt8 ? 2 : 1) / 2;
  return bytes > Caches().last / 2;
}

class QuantPlan final : public BookedPlan {
 public:
  explicit QuantPlan(const Params& params)
      : p_(params),
        kernel_(Kernels().dynamic_quant.select_row(params.form)),
        stream_(BypassesCaches(params)) {
    if (p_.grouped) expert_ends_ = book_.Book<int32_t>(static_cast<size_t>(p_.experts));
  }

  Status CheckRunnable() const override {
    if (!p_.grouped_without_expert_scales) return {};
    return Fail(ACLNN_ERR_INNER,
                "smoothScalesOptional has rank 1, expected rank 2 ([E, H]) as groupIndexOptional "
                "is given");
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto* smooth = reinterpret_cast<const uint16_t*>(At(bindings, p_.slot.smooth_scales));
    if (!p_.grouped) {
      ForRows([&](int64_t r) { RunRow(bindings, r, smooth + p_.smooth_base); });
      return {};
    }
    const ExpertOfRow expert_of(
        expert_ends_.In(bindings), p_,
        reinterpret_cast<const int32_t*>(At(bindings, p_.slot.group_index)));
    ForRows([&](int64_t r) {
      RunRow(bindings, r, smooth + p_.smooth_base + expert_of(r) * p_.expert_step);
    });
    return {};
  }

 private:
  template <class Function>
  void ForRows(const Function& function) const {
    // 2^16 elements take 5 us: enough to pay for handing a chunk out.
    const int64_t grain = std::max<int64_t>(1, kElementsPerChunk / p_.cols);
    ParallelFor(p_.rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) function(r);
    });
  }

  void RunRow(const Bindings& bindings, int64_t r, const uint16_t* smooth) const {
    Row row{};
    row.x = reinterpret_cast<const uint16_t*>(At(bindings, p_.slot.x)) + p_.x.At(r);
    row.x_step = p_.x_step;
    row.smooth = p_.form.smooth ? smooth : nullptr;
    row.smooth_step = p_.smooth_step;
    row.cols = p_.cols;
    row.y = reinterpret_cast<unsigned char*>(At(bindings, p_.slot.y)) + YBytes(p_.y.At(r));
    row.y_step = p_.y_step;
    row.scale = reinterpret_cast<float*>(At(bindings, p_.slot.scale)) + p_.scale.At(r);
    if (p_.form.asymmetric) {
      row.offset = reinterpret_cast<float*>(At(bindings, p_.slot.offset)) + p_.offset.At(r);
    }
    row.stream = stream_;
    kernel_(row);
  }

  int64_t YBytes(int64_t elements) const { return elements * p_.y_element_bits / 8; }

  const Params p_;
  const RowKernel kernel_;
  const bool stream_;
  WorkspaceSlot<int32_t> expert_ends_;
};

// The type of yOut decides; a dstType that says otherwise is probably a slip.
void WarnOfOtherType(const Operands& operands) {
  if (!operands.Given(kDstType)) return;
  const aclDataType dtype = operands[kY].dtype();
  if (operands.Int(kDstType) == dtype) return;
  Warn("dstType = {} and yOut.dtype = {} disagree; yOut.dtype decides", operands.Int(kDstType),
       NameOf(dtype));
}

}  // namespace

Status Prepare(Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Check(operands, &params); !s.ok()) return s;
  WarnOfOtherType(operands);
  if (!params.empty) call->plan = std::make_shared<QuantPlan>(params);
  return {};
}

}  // namespace anyacl::dynamic_quant
