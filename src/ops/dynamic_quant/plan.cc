// SPDX-License-Identifier: Apache-2.0
// Runs the row kernel over all rows, each with its expert's smooth scales.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/dynamic_quant/op.h"
#include "runtime/cache_share.h"
#include "runtime/parallel.h"

namespace anyacl::dynamic_quant {
namespace {

// Row r belongs to the first expert e with group_index[e] > r. The values are the client's and may
// be anything; the running maximum of them is sorted and has the same first e.
class ExpertOfRow {
 public:
  ExpertOfRow(int32_t* ends, const TensorView& group_index, const Bindings& bindings)
      : ends_(ends), count_(group_index.sizes[0]) {
    const auto* given = reinterpret_cast<const int32_t*>(group_index.Address(bindings));
    int32_t end = INT32_MIN;
    for (int64_t e = 0; e < count_; ++e) {
      end = std::max(end, given[e * group_index.strides[0]]);
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

// Of one element of type T, or null.
template <class T>
T* AddressOf(const TensorView& view, const Bindings& bindings) {
  return view.given() ? reinterpret_cast<T*>(view.Address(bindings)) : nullptr;
}

constexpr int64_t kElementsPerChunk = int64_t{1} << 16;

// Stores past the caches save reading the lines that they replace, but evict the result: only where
// y would leave the cache anyway. Measured limit: half of L3.
bool GoesPastCaches(const Params& p) {
  const int64_t bytes = p.rows * p.cols * (p.form.target == Element::kInt8 ? 2 : 1) / 2;
  return bytes > LastCacheShare() / 2;
}

class QuantPlan final : public BookedPlan {
 public:
  explicit QuantPlan(const Params& params)
      : p_(params),
        kernel_(Kernels().dynamic_quant.select_row(params.form)),
        y_bits_(BitsOf(params.y.dtype)),
        smooth_step_(params.smooth.given() ? params.smooth.strides[params.smooth.rank - 1] : 1),
        past_caches_(GoesPastCaches(params)) {
    if (p_.grouped) expert_ends_ = book_.Book<int32_t>(static_cast<size_t>(p_.experts));
  }

  Status CheckRunnable() const override {
    if (!p_.grouped_without_expert_scales) return {};
    return Fail(ACLNN_ERR_INNER,
                "smoothScalesOptional has rank 1, expected rank 2 ([E, H]) as groupIndexOptional "
                "is given");
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Tensors tensors = {
        AddressOf<const uint16_t>(p_.x, bindings), AddressOf<unsigned char>(p_.y, bindings),
        AddressOf<float>(p_.scale, bindings), AddressOf<float>(p_.offset, bindings)};
    const auto* smooth = AddressOf<const uint16_t>(p_.smooth, bindings);
    if (!p_.grouped) {
      ForRows([&](int64_t r) { RunRow(tensors, r, smooth); });
      return {};
    }
    const ExpertOfRow expert_of(expert_ends_.In(bindings), p_.group_index, bindings);
    ForRows([&](int64_t r) { RunRow(tensors, r, smooth + expert_of(r) * p_.smooth.strides[0]); });
    return {};
  }

 private:
  // The first elements of a run.
  struct Tensors {
    const uint16_t* x;
    unsigned char* y;
    float* scale;
    float* offset;
  };

  template <class Function>
  void ForRows(const Function& function) const {
    // 2^16 elements take 5 us: enough to pay for handing a chunk out.
    const int64_t grain = std::max<int64_t>(1, kElementsPerChunk / p_.cols);
    ParallelFor(p_.rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) function(r);
    });
  }

  void RunRow(const Tensors& tensors, int64_t r, const uint16_t* smooth) const {
    Row row{};
    row.x = tensors.x + p_.x.OffsetOf(r);
    row.x_step = p_.x_step;
    row.smooth = smooth;
    row.smooth_step = smooth_step_;
    row.cols = p_.cols;
    row.y = tensors.y + p_.y.OffsetOf(r) * y_bits_ / 8;
    row.y_step = p_.y_step;
    row.scale = tensors.scale + p_.scale.OffsetOf(r);
    if (p_.form.asymmetric) row.offset = tensors.offset + p_.offset.OffsetOf(r);
    row.past_caches = past_caches_;
    kernel_(row);
  }

  const Params p_;
  const RowKernel kernel_;
  const int64_t y_bits_;
  const int64_t smooth_step_;
  const bool past_caches_;
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
  if (params.empty) return {};
  if (params.scope != Scope::kToken) {
    call->plan = MakeSharedScalePlan(params);
  } else {
    call->plan = std::make_shared<QuantPlan>(params);
  }
  return {};
}

}  // namespace anyacl::dynamic_quant
