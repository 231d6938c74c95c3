// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_attention/sink.h"

#include <cmath>
#include <cstring>

#include "kernels.h"
#include "runtime/parallel.h"

namespace anyacl::flash_attention {
namespace {

using attention::ColumnStep;
using attention::kMaxDim;
using attention::Params;
using attention::RowAt;

class SinkGradient final : public Plan {
 public:
  SinkGradient(const Operands& operands, const Sizes& sizes, const Params& params,
               std::vector<RowRange> ranges)
      : p_(params),
        ranges_(std::move(ranges)),
        by_head_(sizes.statistics_by_head),
        dy_(RowsOf(operands, kDy, sizes, sizes.value_dim)),
        out_(RowsOf(operands, kAttention, sizes, sizes.value_dim)),
        dsink_(ViewOf(operands, kDsink)) {}

  // A head is one thread's, so that its sum has one order.
  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(p_.heads(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t head = begin; head < end; ++head) {
        auto* const to = reinterpret_cast<float*>(dsink_.Address(bindings));
        to[head * dsink_.strides[0]] = static_cast<float>(-SumOf(bindings, head));
      }
    });
    return {};
  }

 private:
  double SumOf(const Bindings& bindings, int64_t head) const {
    const auto* const sinks = reinterpret_cast<const float*>(p_.sink.Address(bindings));
    const auto* const max = FloatsOf(bindings, p_.max);
    const auto* const sum = FloatsOf(bindings, p_.sum);
    const double sink = sinks[head * p_.sink.strides[0]];
    double total = 0;
    Params p = p_;
    for (int64_t b = 0; b < p_.batch; ++b) {
      for (const RowRange& range : ranges_) {
        p.query_size = range.count;
        if (by_head_) p.statistics_start = range.first * p_.heads();
        for (int64_t r = 0; r < range.count; ++r) {
          const int64_t row = range.first + r;
          const double delta = Delta(bindings, b, head, row);
          // So of rows without columns, whose statistics may be zeros.
          if (delta == 0) continue;
          const int64_t at = by_head_ ? r : row;
          const double m = max[p.StatisticAt(p_.max, b, head, at)];
          const double l = sum[p.StatisticAt(p_.sum, b, head, at)];
          total += std::exp(sink - m) / l * delta;
        }
      }
    }
    return total;
  }

  static const float* FloatsOf(const Bindings& bindings, const TensorView& view) {
    return reinterpret_cast<const float*>(bindings.data[static_cast<size_t>(view.slot)]);
  }

  // dy . out of a row.
  double Delta(const Bindings& bindings, int64_t b, int64_t head, int64_t row) const {
    alignas(64) float dy[kMaxDim], out[kMaxDim];
    Load(bindings, dy_, b, head, row, dy);
    Load(bindings, out_, b, head, row, out);
    return Kernels().flash_attention.dot(dy, out, static_cast<int>(p_.value_dim));
  }

  void Load(const Bindings& bindings, const TensorView& view, int64_t b, int64_t head, int64_t row,
            float* to) const {
    alignas(64) char gathered[kMaxDim * sizeof(float)];
    const int64_t bytes = BytesOf(p_.out_type), step = ColumnStep(view);
    const char* at =
        bindings.data[static_cast<size_t>(view.slot)] + bytes * RowAt(view, b, head, row);
    if (step != 1) {
      for (int64_t d = 0; d < p_.value_dim; ++d) {
        std::memcpy(gathered + d * bytes, at + d * step * bytes, static_cast<size_t>(bytes));
      }
      at = gathered;
    }
    Kernels().attention.to_float(p_.out_type, at, static_cast<int>(p_.value_dim), to);
  }

  const Params p_;
  const std::vector<RowRange> ranges_;
  const bool by_head_;
  const TensorView dy_, out_, dsink_;
};

}  // namespace

std::shared_ptr<const Plan> MakeSinkGradient(const Operands& operands, const Sizes& sizes,
                                             const Params& params, std::vector<RowRange> ranges) {
  if (!params.sink.given() || !Has(operands, kDsink)) return nullptr;
  return std::make_shared<SinkGradient>(operands, sizes, params, std::move(ranges));
}

}  // namespace anyacl::flash_attention
