// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/finish.h"

#include <algorithm>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kFinishGrain = 16384;    // elements: 2 us or more
constexpr float kFastGeluFactor = 1.702F;  // aclnnFastGelu's; other operations take no number

float SumOf(const TensorView& x, const int8_t* row) {
  int64_t sum = 0;
  for (int64_t k = 0; k < x.sizes[1]; ++k) sum += row[k * x.strides[1]];
  return static_cast<float>(sum);
}

// A number for each column, or one for all.
struct Numbers {
  const float* from = nullptr;
  int64_t step = 0;

  Numbers(const TensorView& view, const Bindings& bindings)
      : from(reinterpret_cast<const float*>(view.Address(bindings))),
        step(view.rank == 0 || view.sizes[0] == 1 ? 0 : view.strides[0]) {}
  float At(int64_t n) const { return from[n * step]; }
};

constexpr int64_t kStepBlock = 512;

// Numbers as FLOAT16 holds them, or as they are.
void RoundTo(aclDataType steps, int64_t count, float* v) {
  if (steps == ACL_FLOAT) return;
  uint16_t held[kStepBlock];
  auto* const bytes = reinterpret_cast<char*>(held);
  for (int64_t first = 0; first < count; first += kStepBlock) {
    const int64_t size = std::min(kStepBlock, count - first);
    blocks::StoreRow(v + first, size, steps, bytes, 1);
    blocks::LoadRow(steps, bytes, 1, size, v + first);
  }
}

// What rows are quantised with.
struct ResultScales {
  float* scales = nullptr;
  float offset = 0;

  ResultScales(const Finish& f, const Bindings& bindings, int64_t columns) : scales(f.scales) {
    const Numbers from(f.quant_scale, bindings);
    for (int64_t n = 0; n < columns; ++n) scales[n] = from.At(n);
    RoundTo(f.steps, columns, scales);
    offset = Numbers(f.quant_offset, bindings).At(0);
    RoundTo(f.steps, 1, &offset);
  }
  void Run(aclDataType steps, int64_t columns, float* v) const {
    for (int64_t n = 0; n < columns; ++n) v[n] *= scales[n];
    RoundTo(steps, columns, v);
    for (int64_t n = 0; n < columns; ++n) v[n] += offset;
    RoundTo(steps, columns, v);
    const blocks::Rows row(columns);
    row(elementwise::Op::kRound, v, v);
  }
};

}  // namespace

void FinishRows(const Finish& f, const Bindings& bindings, float* sums) {
  const int64_t results = f.y.sizes[1], columns = f.gated ? 2 * results : results;
  char* const to = f.y.given() ? f.y.Address(bindings) : nullptr;
  const auto row_of = [&](const TensorView& view, int64_t row) {
    return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
  };
  std::optional<ResultScales> quantiser;
  if (f.quant_scale.given()) quantiser.emplace(f, bindings, results);
  ParallelFor(f.y.sizes[0], std::max<int64_t>(1, kFinishGrain / std::max<int64_t>(1, columns)),
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
                  RoundTo(f.steps, columns, v);
                  if (f.activation) {
                    const blocks::Rows apply(results);
                    float* const at = f.gated ? v + results : v;
                    apply(*f.activation, at, at, nullptr, nullptr, kFastGeluFactor);
                    if (f.gated) apply(elementwise::Op::kMul, v, v, at);
                    RoundTo(f.steps, results, v);
                  }
                  if (quantiser) quantiser->Run(f.steps, results, v);
                  if (to == nullptr) continue;
                  blocks::StoreRow(v, results, f.y.dtype, to + row * f.y.strides[0] * BytesOf(f.y),
                                   f.y.strides[1]);
                }
              });
}

int64_t RowIndexAt(const TensorView& index, const Bindings& bindings, int64_t row) {
  const char* const at = index.Address(bindings) + row * index.strides[0] * BytesOf(index);
  return index.dtype == ACL_INT64 ? LoadElement<int64_t>(at) : LoadElement<int32_t>(at);
}

void AddRows(const Routing& r, const Bindings& bindings, const float* numbers) {
  constexpr int64_t kBlock = 256;  // columns of a task: 1 KiB of a row
  const int64_t rows = r.row_index.sizes[0], columns = r.out.sizes[1], step = r.out.strides[1];
  auto* const out = reinterpret_cast<float*>(r.out.Address(bindings));
  const auto* const logits =
      r.logit.given() ? reinterpret_cast<const float*>(r.logit.Address(bindings)) : nullptr;
  const int64_t grain = kFinishGrain / (kBlock * std::max<int64_t>(1, rows));
  ParallelFor((columns + kBlock - 1) / kBlock, std::max<int64_t>(1, grain),
              [&](int64_t begin, int64_t end) {
                const int64_t first = begin * kBlock, last = std::min(columns, end * kBlock);
                for (int64_t row = 0; row < rows; ++row) {
                  const float factor = logits == nullptr ? 1 : logits[row * r.logit.strides[0]];
                  const float* const from = numbers + row * columns;
                  float* const to = out + RowIndexAt(r.row_index, bindings, row) * r.out.strides[0];
                  if (step == 1) {
                    for (int64_t n = first; n < last; ++n) to[n] += factor * from[n];
                  } else {
                    for (int64_t n = first; n < last; ++n) to[n * step] += factor * from[n];
                  }
                }
              });
}

}  // namespace anyacl::matmul
