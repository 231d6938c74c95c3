// SPDX-License-Identifier: Apache-2.0
// Row by row in fp32: factors, SwiGlu, quantisation. Threads share rows.
#include "ops/swiglu_quant/plan.h"

#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::swiglu_quant {
namespace {

using elementwise::Op;

class SwigluQuantPlan final : public BookedPlan {
 public:
  explicit SwigluQuantPlan(const Params& params) : p_(params) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), p_.rows));
    numbers_ = book_.Book<float>(slots, kBuffers * p_.length);
    exact_ = book_.Book<double>(slots, AddsIntegers() ? 2 * p_.length : 0);
    group_ = book_.Book<int32_t>(static_cast<size_t>(p_.rows));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int32_t* const group = group_.In(bindings);
    int64_t rows = 0;
    if (Status s = ReadGroups(bindings, group, &rows); !s.ok()) return s;
    constexpr int64_t kWorth = 1 << 12;  // elements: 10 us
    ParallelFor(rows, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, p_.length)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * kBuffers * p_.length;
                  double* const exact =
                      exact_.In(bindings) + (AddsIntegers() ? slot : 0) * 2 * p_.length;
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, group[row], numbers, exact);
                  }
                });
    return {};
  }

 private:
  static constexpr int64_t kBuffers = 4;  // of H numbers: both halves, a factor's, the result

  bool AddsIntegers() const { return p_.bias.given() && p_.bias.dtype == ACL_INT32; }

  // Of each row its group; rows behind the last group's are nobody's.
  Status ReadGroups(const Bindings& bindings, int32_t* group, int64_t* rows) const {
    if (!p_.groups.given()) {
      std::fill_n(group, p_.rows, 0);
      *rows = p_.rows;
      return {};
    }
    for (int64_t g = 0; g < p_.groups.sizes[0]; ++g) {
      const char* const at =
          p_.groups.Address(bindings) + p_.groups.OffsetOf(g) * BytesOf(p_.groups);
      const int64_t number = p_.groups.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                                          : int64_t{LoadElement<int32_t>(at)};
      const int64_t lowest = p_.ends ? *rows : 0, most = p_.ends ? p_.rows : p_.rows - *rows;
      if (number < lowest || number > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "groupIndexOptional[{}] = {}, expected {} to {} of {} rows", g, number, lowest,
                    most, p_.rows);
      }
      const int64_t end = p_.ends ? number : *rows + number;
      std::fill(group + *rows, group + end, static_cast<int32_t>(g));
      *rows = end;
    }
    return {};
  }

  // Columns of one half of a row, or every second one, of a tensor whose last dimension is 2H.
  template <class Number>
  void LoadHalf(const Bindings& bindings, const TensorView& view, int64_t row, int64_t half,
                Number* to) const {
    const int last = view.rank - 1;
    const int64_t step = view.strides[last];
    const int64_t first = p_.neighbours ? half : half * p_.length;
    const int64_t at = view.OffsetOf(row, last) + first * step;
    blocks::LoadRow(view.dtype, view.Address(bindings) + at * BytesOf(view),
                    (p_.neighbours ? 2 : 1) * step, p_.length, to);
  }
  // The row of a group: of [G, 2H], or [2H] of one group.
  static int64_t RowOf(const TensorView& view, int64_t group) { return view.rank > 1 ? group : 0; }

  void Dequantise(const Bindings& bindings, int64_t row, int64_t group, int64_t half, float* v,
                  float* factors, double* exact) const {
    if (AddsIntegers()) {
      // The sum of two integers, rounded once.
      LoadHalf(bindings, p_.x, row, half, exact);
      LoadHalf(bindings, p_.bias, RowOf(p_.bias, group), half, exact + p_.length);
      for (int64_t i = 0; i < p_.length; ++i) {
        v[i] = static_cast<float>(exact[i] + exact[p_.length + i]);
      }
    } else {
      LoadHalf(bindings, p_.x, row, half, v);
    }
    const blocks::Rows rows(p_.length);
    if (p_.weight_scale.given()) {
      LoadHalf(bindings, p_.weight_scale, RowOf(p_.weight_scale, group), half, factors);
      rows(Op::kMul, v, v, factors);
    }
    if (p_.activation_scale.given()) {
      const int64_t at = p_.activation_scale.OffsetOf(row);
      rows(Op::kMulScalar, v, v, nullptr, nullptr,
           LoadElement<float>(p_.activation_scale.Address(bindings) + at * 4));
    }
    if (p_.bias.given() && !AddsIntegers()) {
      LoadHalf(bindings, p_.bias, RowOf(p_.bias, group), half, factors);
      rows(Op::kAdd, v, v, factors);
    }
  }

  // a takes the result.
  void Combine(float* a, float* b, float* scratch) const {
    const auto hold = [&](float* x, float lowest) {
      for (int64_t i = 0; i < p_.length; ++i) {
        // NaN stays.
        if (x[i] > p_.limit) x[i] = p_.limit;
        if (x[i] < lowest) x[i] = lowest;
      }
    };
    const blocks::Rows rows(p_.length);
    const auto& kernels = Kernels().rowwise.fp32;
    switch (p_.form) {
      case Form::kPlain:
        return kernels.swiglu(a, b, p_.length, {a, false});
      case Form::kBiased:
        hold(a, -INFINITY);
        hold(b, -p_.limit);
        rows(Op::kMulScalar, scratch, a, nullptr, nullptr, p_.alpha);
        rows(Op::kSigmoid, scratch, scratch);
        rows(Op::kMul, a, a, scratch);
        rows(Op::kAddScalar, b, b, nullptr, nullptr, p_.glu_bias);
        return rows(Op::kMul, a, a, b);
      case Form::kHeld:
        std::fill_n(scratch, p_.length, 1.0f);
        kernels.swiglu(a, scratch, p_.length, {a, false});
        hold(a, -INFINITY);
        hold(b, -p_.limit);
        return rows(Op::kMul, a, a, b);
    }
  }

  // A group's numbers: one for each column, or one for all.
  const float* Factors(const Bindings& bindings, const TensorView& view, int64_t group,
                       float* buffer) const {
    const char* const data = view.Address(bindings);
    const int64_t at = view.rank > 1 || view.sizes[0] > 1 ? group * view.strides[0] : 0;
    if (p_.by_column) {
      blocks::LoadRow(ACL_FLOAT, data + (view.rank > 1 ? at * 4 : 0), view.strides[view.rank - 1],
                      p_.length, buffer);
    } else {
      std::fill_n(buffer, p_.length, LoadElement<float>(data + at * 4));
    }
    return buffer;
  }

  void RunRow(const Bindings& bindings, int64_t row, int64_t group, float* numbers,
              double* exact) const {
    float* const first = numbers;
    float* const second = first + p_.length;
    float* const factors = second + p_.length;
    float* const absolute = factors + p_.length;
    Dequantise(bindings, row, group, 0, first, factors, exact);
    Dequantise(bindings, row, group, 1, second, factors, exact);
    float* const w = p_.activate_left ? first : second;
    Combine(w, p_.activate_left ? second : first, factors);
    const blocks::Rows rows(p_.length);
    if (p_.scale.given()) {
      const float* const scale = Factors(bindings, p_.scale, group, factors);
      rows(p_.divides && !p_.dynamic ? Op::kDiv : Op::kMul, w, w, scale);
    }
    if (p_.dynamic) {
      rows(Op::kAbs, absolute, w);
      const float max = Kernels().rowwise.fp32.softmax.max(absolute, p_.length);
      const float factor = p_.most / max;
      if (p_.scale_out.given()) {
        const int64_t at = p_.scale_out.OffsetOf(row);
        StoreElement(p_.scale_out.Address(bindings) + at * 4, p_.divides ? max / p_.most : factor);
      }
      rows(Op::kMulScalar, w, w, nullptr, nullptr, factor);
    } else if (p_.offset.given()) {
      rows(Op::kAdd, w, w, Factors(bindings, p_.offset, group, factors));
    }
    rows(Op::kRound, w, w);
    Store(bindings, row, w);
  }

  // Held within the type's range; NaN, as of a row of zeros, is 0.
  void Store(const Bindings& bindings, int64_t row, const float* w) const {
    const int last = p_.y.rank - 1;
    if (!p_.packs) {
      const int64_t at = p_.y.OffsetOf(row, last);
      blocks::StoreRow(w, p_.length, ACL_INT8, p_.y.Address(bindings) + at, p_.y.strides[last]);
      return;
    }
    const auto nibble = [&](int64_t i) {
      const float x = std::isnan(w[i]) ? 0 : std::clamp(w[i], -1 - p_.most, p_.most);
      return static_cast<int>(x) & 15;
    };
    const bool bytes = p_.y.dtype == ACL_INT8;
    char* const data = p_.y.Address(bindings);
    const int64_t at = p_.y.OffsetOf(row, last);
    for (int64_t i = 0; i < p_.length; i += 2) {
      const int64_t byte = bytes ? at + i / 2 * p_.y.strides[last] : (at + i) / 2;
      data[byte] = static_cast<char>(nibble(i) | nibble(i + 1) << 4);
    }
  }

  const Params p_;
  WorkspaceSlot<float> numbers_;
  WorkspaceSlot<double> exact_;
  WorkspaceSlot<int32_t> group_;
};

}  // namespace

std::shared_ptr<const Plan> MakePlan(const Params& params) {
  return std::make_shared<SwigluQuantPlan>(params);
}

}  // namespace anyacl::swiglu_quant
