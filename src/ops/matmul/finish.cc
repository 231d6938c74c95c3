// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/finish.h"

#include <algorithm>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kGrain = 16384;          // elements: 2 us or more
constexpr float kFastGeluFactor = 1.702F;  // aclnnFastGelu's; other operations take no number

float SumOf(const TensorView& x, const int8_t* row) {
  int64_t sum = 0;
  for (int64_t k = 0; k < x.sizes[1]; ++k) sum += row[k * x.strides[1]];
  return static_cast<float>(sum);
}

}  // namespace

void FinishRows(const Finish& f, const Bindings& bindings, float* sums) {
  const int64_t columns = f.y.sizes[1];
  char* const to = f.y.Address(bindings);
  const auto row_of = [&](const TensorView& view, int64_t row) {
    return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
  };
  ParallelFor(f.y.sizes[0], std::max<int64_t>(1, kGrain / std::max<int64_t>(1, columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t row = begin; row < end; ++row) {
                  float* const v = sums + row * columns;
                  if (f.offset.given()) {
                    const float sum = SumOf(f.x, reinterpret_cast<const int8_t*>(row_of(f.x, row)));
                    const auto* const offsets =
                        reinterpret_cast<const float*>(f.offset.Address(bindings));
                    for (int64_t n = 0; n < columns; ++n)
                      v[n] += offsets[n * f.offset.strides[0]] * sum;
                  }
                  if (f.row_scale.given()) {
                    const float factor = *reinterpret_cast<const float*>(row_of(f.row_scale, row));
                    for (int64_t n = 0; n < columns; ++n) v[n] *= factor;
                  }
                  if (f.activation) {
                    const blocks::Rows apply(columns);
                    apply(*f.activation, v, v, nullptr, nullptr, kFastGeluFactor);
                  }
                  blocks::StoreRow(v, columns, f.y.dtype, to + row * f.y.strides[0] * BytesOf(f.y),
                                   f.y.strides[1]);
                }
              });
}

}  // namespace anyacl::matmul
